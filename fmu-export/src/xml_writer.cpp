// SPDX-License-Identifier: BSD-2-Clause
#include "xml_writer.hpp"

#include <cmath>

#include "saltus/core/number_text.hpp"

namespace saltus::fmu_export {
namespace {

void append_escaped(std::string& text, char c) {
  switch (c) {
    case '&':
      text += "&amp;";
      return;
    case '<':
      text += "&lt;";
      return;
    case '>':
      text += "&gt;";
      return;
    case '"':
      text += "&quot;";
      return;
    case '\n':
      text += "&#10;";
      return;
    case '\r':
      text += "&#13;";
      return;
    case '\t':
      text += "&#9;";
      return;
    default:
      // XML 1.0, 2.2 knows no other control characters, not even as references.
      text += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
  }
}

// As xs:double spells what number_text spells otherwise.
std::string number(double value) {
  if (std::isnan(value)) {
    return "NaN";
  }
  if (std::isinf(value)) {
    return value > 0.0 ? "INF" : "-INF";
  }
  return number_text(value);
}

}  // namespace

XmlWriter::XmlWriter() : text_("<?xml version=\"1.0\" encoding=\"UTF-8\"?>") {}

void XmlWriter::end_tag() {
  if (in_tag_) {
    text_ += '>';
  }
  in_tag_ = false;
  text_ += '\n';
  text_.append(2 * depth_, ' ');
}

XmlWriter& XmlWriter::open(const char* element) {
  end_tag();
  text_ += '<';
  text_ += element;
  in_tag_ = true;
  ++depth_;
  return *this;
}

XmlWriter& XmlWriter::attribute(const char* name, std::string_view value) {
  text_ += ' ';
  text_ += name;
  text_ += "=\"";
  for (const char c : value) {
    append_escaped(text_, c);
  }
  text_ += '"';
  return *this;
}

XmlWriter& XmlWriter::attribute(const char* name, double value) {
  return attribute(name, std::string_view(number(value)));
}

XmlWriter& XmlWriter::attribute(const char* name, std::uint64_t value) {
  return attribute(name, std::string_view(std::to_string(value)));
}

XmlWriter& XmlWriter::attribute(const char* name, std::span<const double> values) {
  std::string list;
  for (const double value : values) {
    list += (list.empty() ? "" : " ") + number(value);
  }
  return attribute(name, std::string_view(list));
}

XmlWriter& XmlWriter::flag(const char* name, bool value) {
  return attribute(name, std::string_view(value ? "true" : "false"));
}

void XmlWriter::close(const char* element) {
  --depth_;
  if (in_tag_) {
    text_ += "/>";
    in_tag_ = false;
  } else {
    end_tag();
    text_ += "</";
    text_ += element;
    text_ += '>';
  }
  if (depth_ == 0) {
    text_ += '\n';
  }
}

}  // namespace saltus::fmu_export

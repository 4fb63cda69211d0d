// SPDX-License-Identifier: BSD-2-Clause
#include "xml_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace saltus::importer {
namespace {

/// No element of FMI has as many attributes. The limit keeps what compares or looks for them fast.
constexpr std::ptrdiff_t kMostAttributes = 1000;

/// The parser accepts an attribute that is given twice, which is not well-formed XML.
struct DuplicateAttributes : pugi::xml_tree_walker {
  pugi::xml_node where;
  std::string name;  ///< empty: there are too many of them
  bool for_each(pugi::xml_node& node) override {
    if (std::distance(node.attributes_begin(), node.attributes_end()) > kMostAttributes) {
      where = node;
      return false;
    }
    for (auto one = node.first_attribute(); one; one = one.next_attribute()) {
      for (auto other = one.next_attribute(); other; other = other.next_attribute()) {
        if (std::string_view(one.name()) == other.name()) {
          where = node;
          name = one.name();
          return false;
        }
      }
    }
    return true;
  }
};

bool is_utf16(std::string_view text) {
  return text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff") ||
         text.substr(0, 64).find('\0') != std::string_view::npos;
}

}  // namespace

XmlError::XmlError(const std::string& fmu, const std::string& entry, std::size_t line,
                   std::size_t column, const std::string& reason)
    : FmuError(fmu, entry, line, fmt::format("column {}: {}", column, reason)),
      column_(column),
      fault_(reason) {}

XmlFile::XmlFile(std::string fmu, std::string entry, std::string text)
    : fmu_(std::move(fmu)), entry_(std::move(entry)), text_(std::move(text)) {
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n') line_ends_.push_back(i);
  }
  if (is_utf16(text_)) {
    throw FmuError(fmu_, entry_, 0, "not encoded as UTF-8, which FMI demands (2.4)");
  }
  const pugi::xml_parse_result result =
      document_.load_buffer(text_.data(), text_.size(), pugi::parse_default | pugi::parse_doctype);
  if (!result) {
    fail_at(static_cast<std::size_t>(std::max<std::ptrdiff_t>(result.offset, 0)),
            fmt::format("not well-formed XML: {}", result.description()));
  }
  pugi::xml_node first;
  for (const pugi::xml_node node : document_.children()) {
    if (node.type() == pugi::node_doctype &&
        std::string_view(node.value()).find("<!ENTITY") != std::string_view::npos) {
      throw FmuError(fmu_, entry_, 0, "defines XML entities, which no FMU needs; they are refused");
    }
    if (node.type() != pugi::node_element) continue;
    if (first) fail(node, nullptr, "not well-formed XML: a second root element");
    first = node;
  }
  DuplicateAttributes duplicates;
  document_.traverse(duplicates);
  if (duplicates.where && duplicates.name.empty()) {
    fail(duplicates.where, nullptr,
         fmt::format("it has more than {} attributes, which no element of FMI has",
                     kMostAttributes));
  }
  if (duplicates.where) {
    fail(duplicates.where, duplicates.name.c_str(), "not well-formed XML: given twice");
  }
}

pugi::xml_node XmlFile::root() const { return document_.document_element(); }

std::size_t XmlFile::line_at(std::size_t offset) const {
  const auto end = std::lower_bound(line_ends_.begin(), line_ends_.end(), offset);
  return static_cast<std::size_t>(end - line_ends_.begin()) + 1;
}

std::size_t XmlFile::attribute_offset(std::size_t element, std::string_view attribute) const {
  char quote = 0;
  for (std::size_t i = element; i < text_.size(); ++i) {
    const char c = text_[i];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '>') {
      break;
    } else if (kXmlSpace.find(c) != std::string_view::npos &&
               text_.compare(i + 1, attribute.size(), attribute) == 0) {
      const std::size_t after = text_.find_first_not_of(kXmlSpace, i + 1 + attribute.size());
      if (after != std::string::npos && text_[after] == '=') return i + 1;
    }
  }
  return element;
}

std::size_t XmlFile::line(pugi::xml_node node, const char* attribute) const {
  const std::ptrdiff_t offset = node.offset_debug();
  if (offset < 0) return 0;
  const auto element = static_cast<std::size_t>(offset);
  return line_at(attribute == nullptr ? element : attribute_offset(element, attribute));
}

void XmlFile::fail(pugi::xml_node node, const char* attribute, const std::string& reason) const {
  std::string thing = fmt::format("{}, <{}", entry_, node.name());
  for (const char* key : {"name", "valueReference"}) {
    if (const auto known = node.attribute(key)) {
      thing += fmt::format(" {}=\"{}\"", key, known.value());
      break;
    }
  }
  thing += ">";
  if (attribute != nullptr) thing += fmt::format(", attribute {}", attribute);
  throw FmuError(fmu_, thing, line(node, attribute), reason);
}

void XmlFile::fail_at(std::size_t offset, const std::string& reason) const {
  const std::size_t line = line_at(std::min(offset, text_.empty() ? 0 : text_.size() - 1));
  const std::size_t begin = line < 2 ? 0 : line_ends_[line - 2] + 1;
  throw XmlError(fmu_, entry_, line, offset - begin + 1, reason);
}

std::vector<const char*> Element::attributes() const {
  std::vector<const char*> names;
  for (const pugi::xml_attribute attribute : node_.attributes()) names.push_back(attribute.name());
  return names;
}

std::string_view Element::local_name() const {
  const std::string_view name = node_.name();
  return name.substr(name.rfind(':') + 1);
}

const char* Element::local(const char* name) const {
  for (const pugi::xml_attribute attribute : node_.attributes()) {
    const std::string_view full = attribute.name();
    if (full.substr(full.rfind(':') + 1) == name && !full.starts_with("xmlns")) {
      return attribute.name();
    }
  }
  return name;
}

std::string Element::required(const char* attribute) const {
  if (!has(attribute)) fail(nullptr, fmt::format("the attribute {} is missing", attribute));
  return text(attribute);
}

bool Element::boolean(const char* attribute, bool otherwise) const {
  if (!has(attribute)) return otherwise;
  bool value = false;
  if (!read_boolean(node_.attribute(attribute).value(), value)) {
    fail(attribute, fmt::format("\"{}\" is not a truth value; use true or false",
                                node_.attribute(attribute).value()));
  }
  return value;
}

void Element::fail_number(const char* attribute, bool integer) const {
  fail(attribute,
       fmt::format("\"{}\" is not {} in the range of its type", node_.attribute(attribute).value(),
                   integer ? "an integer" : "a number"));
}

std::vector<Element> Element::children() const {
  std::vector<Element> list;
  for (const pugi::xml_node node : node_.children()) {
    if (node.type() == pugi::node_element) list.emplace_back(*file_, node);
  }
  return list;
}

std::vector<Element> Element::children(const char* name) const {
  std::vector<Element> list;
  for (const pugi::xml_node node : node_.children(name)) list.emplace_back(*file_, node);
  return list;
}

std::optional<Element> Element::child(const char* name) const {
  const pugi::xml_node node = node_.child(name);
  if (!node) return std::nullopt;
  if (const pugi::xml_node second = node.next_sibling(name)) {
    file_->fail(second, nullptr,
                fmt::format("there can be only one; the first is in line {}", file_->line(node)));
  }
  return Element(*file_, node);
}

}  // namespace saltus::importer

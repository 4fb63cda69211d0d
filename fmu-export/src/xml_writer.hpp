// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace saltus::fmu_export {

/// Writes XML that consists of elements and attributes: opens, gives attributes, closes. Everything
/// is escaped here and nowhere else.
class XmlWriter {
 public:
  XmlWriter();

  XmlWriter& open(const char* element);
  XmlWriter& attribute(const char* name, std::string_view value);
  XmlWriter& attribute(const char* name, double value);
  XmlWriter& attribute(const char* name, std::uint64_t value);
  /// A list, with blanks in between.
  XmlWriter& attribute(const char* name, std::span<const double> values);
  XmlWriter& flag(const char* name, bool value);
  /// Closes the element opened last that is still open.
  void close(const char* element);

  const std::string& text() const { return text_; }

 private:
  void end_tag();

  std::string text_;
  std::size_t depth_ = 0;
  bool in_tag_ = false;
};

}  // namespace saltus::fmu_export

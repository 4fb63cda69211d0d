// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "number_text.hpp"
#include "saltus/importer/fmu_error.hpp"

namespace saltus::importer {

/// XML that is not well-formed, with the column beside the line; both from 1.
class XmlError : public FmuError {
 public:
  XmlError(const std::string& fmu, const std::string& entry, std::size_t line, std::size_t column,
           const std::string& reason);
  std::size_t column() const { return column_; }
  /// What is wrong, without the column.
  const std::string& fault() const { return fault_; }

 private:
  std::size_t column_;
  std::string fault_;
};

/// A parsed XML file of an FMU that remembers where everything stood, so that every complaint comes
/// with a line. DTD entities are refused, never expanded.
class XmlFile {
 public:
  /// `fmu` and `entry` name the file in messages. Throws `XmlError` if `text` is not well-formed,
  /// `FmuError` if it is but cannot be accepted.
  XmlFile(std::string fmu, std::string entry, std::string text);

  pugi::xml_node root() const;
  const std::string& fmu() const { return fmu_; }
  const std::string& entry() const { return entry_; }
  /// The line of an element, or of one of its attributes, from 1.
  std::size_t line(pugi::xml_node node, const char* attribute = nullptr) const;
  [[noreturn]] void fail(pugi::xml_node node, const char* attribute,
                         const std::string& reason) const;

 private:
  std::size_t line_at(std::size_t offset) const;
  std::size_t attribute_offset(std::size_t element, std::string_view attribute) const;
  [[noreturn]] void fail_at(std::size_t offset, const std::string& reason) const;

  std::string fmu_;
  std::string entry_;
  std::string text_;
  std::vector<std::size_t> line_ends_;
  pugi::xml_document document_;
};

/// One element, read attribute by attribute. Whatever does not fit is an `FmuError` that names
/// file, element, attribute and line.
class Element {
 public:
  Element(const XmlFile& file, pugi::xml_node node) : file_(&file), node_(node) {}

  const XmlFile& file() const { return *file_; }
  std::string_view name() const { return node_.name(); }
  /// Without its prefix.
  std::string_view local_name() const;
  std::size_t line(const char* attribute = nullptr) const { return file_->line(node_, attribute); }
  bool has(const char* attribute) const { return !node_.attribute(attribute).empty(); }
  /// The attribute with this name behind any prefix, as the others here want it; `name` if there
  /// is none.
  const char* local(const char* name) const;
  std::string text(const char* attribute) const { return node_.attribute(attribute).value(); }
  /// The names of all attributes, as they stand in the file.
  std::vector<const char*> attributes() const;
  std::string required(const char* attribute) const;
  bool boolean(const char* attribute, bool otherwise = false) const;

  template <class Number>
  std::optional<Number> number(const char* attribute) const {
    if (!has(attribute)) return std::nullopt;
    Number value{};
    if (!read_number(text(attribute), value)) fail_number(attribute, std::is_integral_v<Number>);
    return value;
  }
  template <class Number>
  Number required_number(const char* attribute) const {
    required(attribute);
    return *number<Number>(attribute);
  }
  template <class Number>
  std::optional<std::vector<Number>> numbers(const char* attribute) const {
    if (!has(attribute)) return std::nullopt;
    std::vector<Number> values;
    const std::string list = text(attribute);
    for (const std::string_view word : split(list)) {
      if (!read_number(word, values.emplace_back())) {
        fail_number(attribute, std::is_integral_v<Number>);
      }
    }
    return values;
  }

  /// One word of a fixed set.
  template <class Enum>
  using Word = std::pair<std::string_view, Enum>;
  template <class Enum, std::size_t kCount>
  Enum word(const char* attribute, std::string_view value,
            const Word<Enum> (&words)[kCount]) const {
    for (const auto& [text, meaning] : words) {
      if (text == value) return meaning;
    }
    std::string list;
    for (const auto& [text, meaning] : words)
      list += (list.empty() ? "" : ", ") + std::string(text);
    fail(attribute, "\"" + std::string(value) + "\" is none of " + list);
  }
  template <class Enum, std::size_t kCount>
  std::optional<Enum> word(const char* attribute, const Word<Enum> (&words)[kCount]) const {
    if (!has(attribute)) return std::nullopt;
    return word(attribute, trim(node_.attribute(attribute).value()), words);
  }

  /// All child elements, those with one name, and the only one with a name.
  std::vector<Element> children() const;
  std::vector<Element> children(const char* name) const;
  std::optional<Element> child(const char* name) const;

  [[noreturn]] void fail(const char* attribute, const std::string& reason) const {
    file_->fail(node_, attribute, reason);
  }

 private:
  [[noreturn]] void fail_number(const char* attribute, bool integer) const;

  const XmlFile* file_;
  pugi::xml_node node_;
};

}  // namespace saltus::importer

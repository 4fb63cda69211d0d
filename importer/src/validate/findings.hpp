// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "../xml_file.hpp"
#include "saltus/importer/validate.hpp"

namespace saltus::importer::validation {

/// A rule of docs/validation.md and the words for what it found.
struct Rule {
  int number;
  const char* id;
};

/// A place in an XML file: an element, or one of its attributes.
struct Place {
  Place(const Element& at, const char* of = nullptr) : element(at), attribute(of) {}  // NOLINT
  const Element& element;
  const char* attribute;
};

/// Collects what the rules find.
class Findings {
 public:
  void add(Finding finding) { list_.push_back(std::move(finding)); }
  /// About an entry of the archive, or about all of it where `file` is empty.
  void add(Rule rule, Severity severity, const std::string& file, std::string what,
           std::string remedy = {});
  void add(Rule rule, Severity severity, const Place& place, std::string what,
           std::string remedy = {});
  void error(Rule rule, const Place& place, std::string what, std::string remedy = {}) {
    add(rule, Severity::error, place, std::move(what), std::move(remedy));
  }
  void warning(Rule rule, const Place& place, std::string what, std::string remedy = {}) {
    add(rule, Severity::warning, place, std::move(what), std::move(remedy));
  }
  /// Ordered by file, line and rule; empties this object.
  std::vector<Finding> take_sorted();

 private:
  std::vector<Finding> list_;
};

}  // namespace saltus::importer::validation

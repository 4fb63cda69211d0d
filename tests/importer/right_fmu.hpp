// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "right_descriptions.hpp"
#include "saltus/importer/validate.hpp"
#include "scratch.hpp"

/// A change to a right description, and the finding that it must cause.
struct Mistake {
  std::string from;
  std::string to;
  int rule;
  std::string id;
  /// A piece of the changed text in the line that is to be reported; empty: where the change is.
  std::string at = {};
  saltus::importer::Severity severity = saltus::importer::Severity::error;
  /// Ids of findings that the change causes beside it.
  std::string also = {};
};

/// Makes the mistake in `right`, validates, and checks that the finding is there with its line,
/// that nothing else is, and that it says what is wrong.
void check_mistake(const std::string& right, const Mistake& mistake);

/// All findings, for messages of tests.
std::string all_findings(const saltus::importer::Validation& validation);
bool has_finding(const saltus::importer::Validation& validation, const std::string& id,
                 const std::string& file);

// SPDX-License-Identifier: BSD-2-Clause
#include "findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace saltus::importer {

const char* to_string(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "error";
    case Severity::warning:
      return "warning";
    case Severity::note:
      return "note";
  }
  return "?";
}

std::string to_string(const Finding& finding, const std::string& fmu) {
  std::string text = finding.file.empty() ? fmu : finding.file;
  if (finding.line != 0) text += fmt::format(":{}", finding.line);
  if (finding.column != 0) text += fmt::format(":{}", finding.column);
  text += fmt::format(": {}: {}", to_string(finding.severity), finding.what);
  if (!finding.remedy.empty()) text += "; " + finding.remedy;
  return text + fmt::format(" [{} {}]", finding.rule, finding.id);
}

std::size_t Validation::count(Severity severity) const {
  return static_cast<std::size_t>(
      std::count_if(findings.begin(), findings.end(),
                    [&](const Finding& finding) { return finding.severity == severity; }));
}

bool Validation::is_complete() const {
  return std::none_of(findings.begin(), findings.end(), [](const Finding& finding) {
    return finding.id == "run.skipped" || finding.id == "run.hangs" || finding.id == "run.crashed";
  });
}

namespace validation {

void Findings::add(Rule rule, Severity severity, const std::string& file, std::string what,
                   std::string remedy) {
  list_.push_back({.rule = rule.number,
                   .id = rule.id,
                   .severity = severity,
                   .file = file,
                   .line = 0,
                   .column = 0,
                   .what = std::move(what),
                   .remedy = std::move(remedy)});
}

void Findings::add(Rule rule, Severity severity, const Place& place, std::string what,
                   std::string remedy) {
  add(rule, severity, place.element.file().entry(), std::move(what), std::move(remedy));
  list_.back().line = place.element.line(place.attribute);
}

std::vector<Finding> Findings::take_sorted() {
  std::stable_sort(list_.begin(), list_.end(), [](const Finding& a, const Finding& b) {
    return std::tie(a.file, a.line, a.rule) < std::tie(b.file, b.line, b.rule);
  });
  return std::move(list_);
}

}  // namespace validation
}  // namespace saltus::importer

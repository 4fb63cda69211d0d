// SPDX-License-Identifier: BSD-2-Clause
#include "right_fmu.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace saltus::importer;

std::string all_findings(const Validation& validation) {
  std::string text;
  for (const Finding& finding : validation.findings) text += to_string(finding, "FMU") + "\n";
  return text;
}

bool has_finding(const Validation& validation, const std::string& id, const std::string& file) {
  return std::any_of(
      validation.findings.begin(), validation.findings.end(),
      [&](const Finding& finding) { return finding.id == id && finding.file == file; });
}

void check_mistake(const std::string& right, const Mistake& mistake) {
  const Scratch scratch;
  INFO(mistake.from << " -> " << mistake.to);
  const std::string text = with(right, mistake.from, mistake.to);
  const std::size_t place = mistake.at.empty() ? right.find(mistake.from) : text.find(mistake.at);
  REQUIRE(place != std::string::npos);
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<long>(place), '\n');
  right_archive(text).save(scratch.file("mistaken.fmu"));
  const Validation validation = validate(scratch.file("mistaken.fmu"));
  INFO(all_findings(validation));
  CHECK(scratch.is_clean());
  bool is_found = false;
  for (const Finding& finding : validation.findings) {
    if (finding.id == mistake.id && !is_found) {
      is_found = true;
      CHECK(finding.rule == mistake.rule);
      CHECK(finding.severity == mistake.severity);
      CHECK(finding.file == "modelDescription.xml");
      CHECK(finding.line == static_cast<std::size_t>(line));
      CHECK_FALSE(finding.what.empty());
    } else {
      INFO("not expected: " << finding.id);
      CHECK(mistake.also.find(finding.id) != std::string::npos);
    }
  }
  CHECK(is_found);
}

// SPDX-License-Identifier: BSD-2-Clause
// Rules 35 to 39 on running FMUs of FMI 2.0.
#include <algorithm>
#include <catch2/catch.hpp>

#include "right_fmu.hpp"

using namespace saltus::importer;

namespace {

/// A behaviour of ball2.fmu, see its source, and the finding that it must cause.
struct Misbehaviour {
  int number;
  int rule;
  std::string id;
  std::string file = "binaries/linux64/ball2.so";
  Severity severity = Severity::error;
};

Validation run_of_ball(int behaviour) {
  return validate(SALTUS_FMI2_FMU,
                  {.run = true, .start_values = {{"behaviour", std::to_string(behaviour)}}});
}

}  // namespace

TEST_CASE("a well-behaved FMU of FMI 2.0 has no findings when it runs", "[validate]") {
  const Scratch scratch;
  for (const char* name : {"bouncing_ball", "feedthrough", "stick_slip_pair"}) {
    const std::filesystem::path fmu =
        std::filesystem::path(SALTUS_SHIPPED_FMU_DIR) / "fmi2" / (std::string(name) + ".fmu");
    const Validation validation = validate(fmu, {.run = true});
    INFO(all_findings(validation));
    CHECK(validation.findings.empty());
  }
  CHECK(scratch.is_clean());
}

TEST_CASE("what a running FMU of FMI 2.0 does wrong is found", "[validate]") {
  const std::string description = "modelDescription.xml";
  const auto wrong = GENERATE_COPY(values<Misbehaviour>({
      {6, 35, "run.failed"},
      {0, 35, "run.illegal", "binaries/linux64/ball2.so", Severity::note},
      {0, 35, "run.set.accepted", description, Severity::note},
      {0, 36, "run.indicator.zero", "binaries/linux64/ball2.so", Severity::warning},
      {11, 36, "run.states_changed"},
      {12, 38, "run.nominal"},
      {7, 39, "run.derivative", description},
      {10, 39, "run.state.run"},
  }));
  const Scratch scratch;
  const Validation validation = run_of_ball(wrong.number);
  INFO("behaviour " << wrong.number << "\n" << all_findings(validation));
  const auto found = std::find_if(validation.findings.begin(), validation.findings.end(),
                                  [&](const Finding& finding) { return finding.id == wrong.id; });
  REQUIRE(found != validation.findings.end());
  CHECK(found->rule == wrong.rule);
  CHECK(found->severity == wrong.severity);
  CHECK_FALSE(found->remedy.empty());
  if (wrong.file == description) {
    CHECK(found->file == description);
    CHECK(found->line > 0);
  } else {
    CHECK(found->file.ends_with("/ball2.so"));
  }
  CHECK(scratch.is_clean());
}

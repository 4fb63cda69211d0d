// SPDX-License-Identifier: BSD-2-Clause
// Rules 24 and 35 to 39 on running FMUs.
#include <algorithm>
#include <catch2/catch.hpp>

#include "right_fmu.hpp"

using Catch::Matchers::Contains;
using namespace saltus::importer;

namespace {

/// A lie of liar.fmu, see its README, and the finding that it must cause.
struct Lie {
  int number;
  int rule;
  std::string id;
  Severity severity = Severity::error;
};

Validation validated_run(const std::filesystem::path& fmu, int lie = 0) {
  return validate(fmu, {.run = true, .start_values = {{"lie", std::to_string(lie)}}});
}

}  // namespace

TEST_CASE("well-behaved FMUs have no findings when they run", "[validate]") {
  const Scratch scratch;
  for (const char* name : {"early_return", "step_event", "discarder", "chatter_pair"}) {
    const Validation validation = validate(plain_fmu(name), {.run = true});
    INFO(name << "\n" << all_findings(validation));
    CHECK(validation.findings.empty());
  }
  for (const int honest : {0, 10}) {
    INFO(all_findings(validated_run(plain_fmu("liar"), honest)));
    CHECK(validated_run(plain_fmu("liar"), honest).findings.empty());
  }
  CHECK(scratch.is_clean());
}

TEST_CASE("what a running FMU does wrong is found", "[validate]") {
  const auto lie = GENERATE(values<Lie>({
      {1, 35, "run.failed"},
      {3, 35, "run.failed"},
      {6, 35, "run.failed"},
      {24, 35, "run.refused"},
      {30, 35, "run.failed"},
      {15, 36, "run.events"},
      {16, 36, "run.next_event_time"},
      {17, 36, "run.next_event_time"},
      {40, 36, "run.states_changed"},
      {28, 36, "run.indicator.zero", Severity::warning},
      {18, 36, "run.events", Severity::note},
      {27, 37, "run.impure"},
      {39, 37, "run.reset", Severity::warning},
      {20, 38, "run.nominal"},
      {29, 39, "run.state", Severity::warning},
  }));
  const Scratch scratch;
  const Validation validation = validated_run(plain_fmu("liar"), lie.number);
  INFO("lie " << lie.number << "\n" << all_findings(validation));
  const auto found = std::find_if(validation.findings.begin(), validation.findings.end(),
                                  [&](const Finding& finding) { return finding.id == lie.id; });
  REQUIRE(found != validation.findings.end());
  CHECK(found->rule == lie.rule);
  CHECK(found->severity == lie.severity);
  CHECK(found->file == "binaries/" + host_platform() + "/liar.so");
  CHECK(scratch.is_clean());
}

TEST_CASE("a binary that does not belong to its description is found once", "[validate]") {
  const Validation validation = validated_run(plain_fmu("liar_wrong_token"));
  REQUIRE(validation.findings.size() == 1);
  CHECK(validation.findings[0].id == "run.refused");
}

TEST_CASE("states that move without saying so are found with their line", "[validate]") {
  const Scratch scratch;
  const auto file = repack(scratch, plain_fmu("liar"), "reinit=\"true\"", "reinit=\"false\"");
  const Validation validation = validated_run(file, 21);
  INFO(all_findings(validation));
  CHECK(has_finding(validation, "run.reinit", "modelDescription.xml"));
  CHECK(has_finding(validation, "run.reinit.flag", "binaries/" + host_platform() + "/liar.so"));
}

TEST_CASE("a description that counts other indicators than the FMU is found", "[validate]") {
  const Scratch scratch;
  const auto file = repack(scratch, plain_fmu("liar"), "</ModelStructure>",
                           "<EventIndicator valueReference=\"2\"/></ModelStructure>");
  CHECK(has_finding(validated_run(file), "run.count", "binaries/" + host_platform() + "/liar.so"));
}

TEST_CASE("an FMU that cannot be run here is said to have been skipped", "[validate]") {
  const Scratch scratch;
  right_archive(right_description()).save(scratch.file("sources.fmu"));
  const Validation validation = validate(scratch.file("sources.fmu"), {.run = true});
  REQUIRE(validation.findings.size() == 1);
  CHECK(validation.findings[0].id == "run.skipped");
  CHECK(validation.findings[0].severity == Severity::note);
  CHECK_THAT(validation.findings[0].what, Contains("no binary for"));
}

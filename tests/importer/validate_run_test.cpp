// SPDX-License-Identifier: BSD-2-Clause
// Rules 24 and 35 to 39 on running FMUs of FMI 3.0; validate_run2_test.cpp has those of FMI 2.0.
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
      {22, 35, "run.crashed"},
      {41, 35, "run.illegal", Severity::warning},
      {42, 35, "run.illegal.crash", Severity::warning},
      {44, 35, "run.neighbour"},
      {33, 36, "run.step.event"},
      {34, 36, "run.step.early"},
      {45, 36, "run.nominals_changed"},
      {46, 36, "run.update_flag", Severity::warning},
      {47, 36, "run.next_event_lost", Severity::warning},
      {29, 39, "run.state.run", Severity::warning},
      {48, 39, "run.state.bytes", Severity::warning},
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

TEST_CASE("setters that are too strict or not strict enough are found with their line",
          "[validate]") {
  const auto find = [](const Validation& validation, const std::string& id) {
    const auto found = std::find_if(validation.findings.begin(), validation.findings.end(),
                                    [&](const Finding& finding) { return finding.id == id; });
    REQUIRE(found != validation.findings.end());
    CHECK(found->rule == 35);
    CHECK(found->file == "modelDescription.xml");
    CHECK_FALSE(found->remedy.empty());
    return *found;
  };
  const Finding strict = find(validated_run(plain_fmu("liar"), 43), "run.set.refused");
  CHECK(strict.line == 13);
  CHECK(strict.severity == Severity::error);
  const Finding lenient = find(validated_run(plain_fmu("liar"), 41), "run.set.accepted");
  CHECK(lenient.line == 16);
  CHECK(lenient.severity == Severity::warning);
}

TEST_CASE("an FMU that hangs is given up, and the call is named", "[validate]") {
  const Validation validation = validate(
      plain_fmu("liar"), {.run = true, .time_limit = 0.5, .start_values = {{"lie", "23"}}});
  INFO(all_findings(validation));
  REQUIRE(validation.findings.size() == 2);  // one for each interface
  CHECK(validation.findings[0].id == "run.hangs");
  CHECK_THAT(validation.findings[0].what,
             Contains("did not return") && Contains("fmi3GetContinuousStateDerivatives"));
  CHECK_THAT(validation.findings[1].what, Contains("did not return") && Contains("fmi3DoStep"));
  // It was the run itself: nothing is known of the FMU.
  CHECK(validation.count(Severity::error) == 2);
  CHECK_FALSE(validation.is_complete());
}

TEST_CASE("dependencies and their kinds are compared with what the values show", "[validate]") {
  const Scratch scratch;
  const std::string entry = "<ContinuousStateDerivative valueReference=\"2\" dependencies=\"1\"";
  const auto ids = [&](const std::string& declared, int lie) {
    std::string text;
    for (const Finding& finding :
         validated_run(repack(scratch, plain_fmu("liar"), entry, declared), lie).findings) {
      text += finding.id + " ";
      CHECK(finding.line == 22);
    }
    return text;
  };
  const std::string of_kind = entry + " dependenciesKind=";
  CHECK(ids("<ContinuousStateDerivative valueReference=\"2\" dependencies=\"\"", 0) ==
        "run.dependency ");
  CHECK(ids("<ContinuousStateDerivative valueReference=\"2\"", 0).empty());
  CHECK(ids(of_kind + "\"constant\"", 0).empty());
  CHECK(ids(of_kind + "\"constant\"", 49) == "run.kind ");
  CHECK(ids(of_kind + "\"dependent\"", 49).empty());
  CHECK(ids(of_kind + "\"fixed\"", 50) == "run.kind ");
  CHECK(ids(of_kind + "\"discrete\"", 50).empty());
}

TEST_CASE("directional and adjoint derivatives are compared with what the values show",
          "[validate]") {
  const auto ids = [](const char* manners) {
    std::string text;
    for (const Finding& finding :
         validate(plain_fmu("robertson_dae"), {.run = true, .start_values = {{"manners", manners}}})
             .findings) {
      if (finding.rule == 39) text += finding.what + "\n";
    }
    return text;
  };
  CHECK(ids("0").empty());
  CHECK_THAT(ids("3"), Contains("the directional derivative of \"der(y1)\" by \"y1\""));
  CHECK_THAT(ids("6"), Contains("the adjoint derivative of \"der(y1)\" by \"y1\"") &&
                           !Contains("directional"));
}

TEST_CASE("sizes follow their structural parameters", "[validate]") {
  const Scratch scratch;
  const Validation right = validate(SALTUS_ARRAY_FMU, {.run = true});
  INFO(all_findings(right));
  CHECK(std::none_of(right.findings.begin(), right.findings.end(),
                     [](const Finding& finding) { return finding.rule == 38; }));
  const auto fixed = [&](const char* name, const char* reference) {
    const std::string entry =
        std::string("name=\"") + name + "\" valueReference=\"" + reference + "\">";
    return validate(repack(scratch, SALTUS_ARRAY_FMU, entry + "<Dimension valueReference=\"1\"/>",
                           entry + "<Dimension start=\"2\"/>"),
                    {.run = true});
  };
  const Validation counted = fixed("z", "4");
  INFO(all_findings(counted));
  CHECK(has_finding(counted, "run.count.resized", "modelDescription.xml"));
  CHECK(has_finding(counted, "run.count.array", "modelDescription.xml"));
  const auto narrow =
      repack(scratch, SALTUS_ARRAY_FMU, "start=\"2\" min=\"1\" max=\"8\"", "start=\"8\" min=\"8\"");
  CHECK(has_finding(validate(narrow, {.run = true}), "run.size.refused", "modelDescription.xml"));
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
  CHECK_FALSE(validation.is_complete());
  CHECK(validate(scratch.file("sources.fmu")).is_complete());
  CHECK(validation.findings[0].severity == Severity::note);
  CHECK_THAT(validation.findings[0].what, Contains("no binary for"));
}

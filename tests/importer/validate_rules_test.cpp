// SPDX-License-Identifier: BSD-2-Clause
// All rules of docs/validation.md: each has an FMU that breaks it and one that keeps it.
#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <set>

#include "right_fmu.hpp"

using namespace saltus::importer;

namespace {

using Maker = std::function<Validation(const Scratch&)>;

struct RulePair {
  int rule;
  const char* id;
  Maker wrong;
  Maker right;
};

Validation validated_archive(const Scratch& scratch, const ZipWriter& archive) {
  archive.save(scratch.file("rule.fmu"));
  return validate(scratch.file("rule.fmu"));
}

/// An FMU that uses all that rules 1 to 34 are about.
Validation right_still(const Scratch& scratch) {
  return validated_archive(scratch, right_archive(right_description()));
}

/// The same with one change to its description.
Maker changed(const std::string& from, const std::string& to) {
  return [=](const Scratch& scratch) {
    return validated_archive(scratch, right_archive(with(right_description(), from, to)));
  };
}

Maker with_file(const std::string& name) {
  return [=](const Scratch& scratch) {
    ZipWriter writer = right_archive(right_description());
    writer.add(name, "x");
    return validated_archive(scratch, writer);
  };
}

Validation run_of(const std::filesystem::path& fmu, const std::string& parameter = "",
                  int value = 0) {
  ValidationOptions options{.run = true};
  if (!parameter.empty()) options.start_values = {{parameter, std::to_string(value)}};
  return validate(fmu, options);
}

/// liar.fmu with one of its lies, see its README; 0: honest.
Maker liar(int lie) {
  return [=](const Scratch&) { return run_of(plain_fmu("liar"), "lie", lie); };
}

Maker robertson(int manners) {
  return [=](const Scratch&) { return run_of(plain_fmu("robertson_dae"), "manners", manners); };
}

/// The same for so short a time that it can be compared as an ODE and as a DAE.
Maker short_robertson(int manners) {
  return [=](const Scratch& scratch) {
    return run_of(
        repack(scratch, plain_fmu("robertson_dae"), "stopTime=\"4e10\"", "stopTime=\"400\""),
        "manners", manners);
  };
}

Maker arrays(const std::string& from, const std::string& to) {
  return
      [=](const Scratch& scratch) { return run_of(repack(scratch, SALTUS_ARRAY_FMU, from, to)); };
}

std::vector<RulePair> static_rules() {
  const Maker nothing = [](const Scratch& scratch) {
    return validated_archive(scratch, ZipWriter().add("modelDescription.xml", right_description()));
  };
  const Maker lacking = [](const Scratch&) { return validate(plain_fmu("liar_missing_function")); };
  const Maker whole = [](const Scratch&) { return validate(plain_fmu("liar")); };
  const Maker no_interface = [](const Scratch& scratch) {
    std::string text = right_description();
    const std::size_t begin = text.find("  <ModelExchange");
    text.erase(begin, text.find("  <UnitDefinitions>") - begin);
    return validated_archive(scratch, right_archive(text));
  };
  const Maker no_file = [](const Scratch& scratch) {
    return validated_archive(
        scratch,
        right_archive(right_description(), with(right_build_description(), "right.c", "wrong.c")));
  };
  return {
      {1, "archive.entry.name", with_file("../evil"), right_still},
      {2, "implementation.missing", nothing, whole},
      {3, "binaries.platform", with_file("binaries/win64/right.dll"), whole},
      {4, "interface.identifier",
       changed("<CoSimulation modelIdentifier=\"right\"", "<CoSimulation modelIdentifier=\"1st\""),
       right_still},
      {5, "binaries.functions", lacking, whole},
      {6, "xml.attribute.value", changed("stopTime=\"1\"", "stopTime=\"soon\""), right_still},
      {7, "version.form", changed("fmiVersion=\"3.0\"", "fmiVersion=\"3.01\""), right_still},
      {8, "interface.missing", no_interface, right_still},
      {9, "build.file.missing", no_file, right_still},
      {10, "names.repeated", changed("name=\"p\"", "name=\"position\""), right_still},
      {11, "references.repeated", changed("valueReference=\"18\"", "valueReference=\"15\""),
       right_still},
      {12, "independent.start", changed("unit=\"s\"/>", "unit=\"s\" start=\"0\"/>"), right_still},
      {13, "variables.pair", changed("variability=\"tunable\"", "variability=\"discrete\""),
       right_still},
      {14, "variables.initial",
       changed("<Float64 name=\"p\"", "<Float64 initial=\"calculated\" name=\"p\""), right_still},
      {15, "variables.start.missing",
       changed("variability=\"tunable\" start=\"0.5\"", "variability=\"tunable\""), right_still},
      {16, "variables.start.forbidden",
       changed("<Float64 name=\"z\"", "<Float64 start=\"1\" name=\"z\""), right_still},
      {17, "variables.start.value", changed("<Start value=\"00fF\"/>", "<Start value=\"00f\"/>"),
       right_still},
      {18, "variables.continuous",
       changed("<Boolean name=\"on\"", "<Boolean variability=\"continuous\" name=\"on\""),
       right_still},
      {19, "dimensions.size", changed("<Dimension start=\"2\"/>", "<Dimension start=\"0\"/>"),
       right_still},
      {20, "types.declared.unknown", changed("declaredType=\"Length\"", "declaredType=\"Lenth\""),
       right_still},
      {21, "units.unknown", changed("<Float64 name=\"p\"", "<Float64 unit=\"kg\" name=\"p\""),
       right_still},
      {22, "names.structured", changed("der(x)", "der(x,)"), right_still},
      {23, "derivative.unknown", changed("derivative=\"1\"", "derivative=\"99\""), right_still},
      {24, "reinit.state", changed("<Float64 name=\"z\"", "<Float64 reinit=\"true\" name=\"z\""),
       right_still},
      {25, "clocked.variability",
       changed("<Float64 name=\"z\"", "<Float64 clocks=\"11\" name=\"z\""), right_still},
      {26, "clock.interval.value", changed("intervalDecimal=\"0.1\"", "intervalDecimal=\"0\""),
       right_still},
      {27, "access.intermediate",
       changed("<Boolean name=\"on\"", "<Boolean intermediateUpdate=\"true\" name=\"on\""),
       right_still},
      {28, "structure.output.missing", changed("    <Output valueReference=\"17\"/>\n", ""),
       right_still},
      {29, "structure.initial.missing",
       changed("    <InitialUnknown valueReference=\"16\"/>\n", ""), right_still},
      {30, "structure.derivative.attribute",
       changed("<ClockedState", "<ContinuousStateDerivative valueReference=\"15\"/><ClockedState"),
       right_still},
      {31, "structure.indicator.type",
       changed("<EventIndicator valueReference=\"15\"", "<EventIndicator valueReference=\"16\""),
       right_still},
      {32, "structure.clocked.missing",
       changed("    <ClockedState valueReference=\"13\" dependencies=\"14\"/>\n", ""), right_still},
      {33, "dependencies.known",
       changed("dependencies=\"1 4\" dependenciesKind=\"constant dependent\"",
               "dependencies=\"7\""),
       right_still},
      {34, "flags.serialize", changed("canGetAndSetFMUState=\"true\" ", ""), right_still},
  };
}

std::vector<RulePair> rules_of_running_fmus() {
  return {
      {35, "run.illegal", liar(41), liar(0)},
      {36, "run.nominals_changed", liar(45), liar(0)},
      {37, "run.impure", liar(27), liar(0)},
      {38, "run.count.resized",
       arrays("name=\"z\" valueReference=\"4\"><Dimension valueReference=\"1\"/>",
              "name=\"z\" valueReference=\"4\"><Dimension start=\"2\"/>"),
       arrays("modelName=\"array\"", "modelName=\"arrays\"")},
      {39, "run.derivative", robertson(3), robertson(0)},
      {40, "run.dae.differs", short_robertson(5), short_robertson(0)},
  };
}

bool breaks(const Validation& validation, int rule) {
  return std::any_of(validation.findings.begin(), validation.findings.end(),
                     [&](const Finding& finding) { return finding.rule == rule; });
}

}  // namespace

TEST_CASE("each of the 40 rules finds its wrong FMU and passes its right one", "[validate]") {
  std::vector<RulePair> pairs = static_rules();
  const std::vector<RulePair> more = rules_of_running_fmus();
  pairs.insert(pairs.end(), more.begin(), more.end());
  std::set<int> rules;
  for (const RulePair& pair : pairs) {
    const Scratch scratch;
    const Validation wrong = pair.wrong(scratch);
    INFO("rule " << pair.rule << ", the wrong FMU:\n" << all_findings(wrong));
    const auto found = std::find_if(wrong.findings.begin(), wrong.findings.end(),
                                    [&](const Finding& finding) { return finding.id == pair.id; });
    REQUIRE(found != wrong.findings.end());
    CHECK(found->rule == pair.rule);
    CHECK_FALSE(found->what.empty());
    const Validation right = pair.right(scratch);
    INFO("the right FMU:\n" << all_findings(right));
    CHECK_FALSE(breaks(right, pair.rule));
    CHECK(scratch.is_clean());
    rules.insert(pair.rule);
  }
  for (int rule = 1; rule <= 40; ++rule) {
    INFO("rule " << rule);
    CHECK(rules.contains(rule));
  }
}

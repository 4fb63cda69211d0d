// SPDX-License-Identifier: BSD-2-Clause
// Rules 28 to 33 on modelDescription.xml of FMI 3.0.
#include <catch2/catch.hpp>

#include "right_fmu.hpp"

using namespace saltus::importer;

TEST_CASE("a mistake in the lists of the model structure is found with its line", "[validate]") {
  const auto mistake = GENERATE(values<Mistake>({
      // 28
      {"    <Output valueReference=\"17\"/>\n", "", 28, "structure.output.missing",
       "name=\"sampled\""},
      {"<Output valueReference=\"17\"/>",
       "<Output valueReference=\"17\"/><Output valueReference=\"15\"/>", 28,
       "structure.output.extra"},
      {"<Output valueReference=\"17\"/>",
       "<Output valueReference=\"17\"/><Output valueReference=\"17\"/>", 28,
       "structure.output.repeated"},
      {"<Output valueReference=\"17\"/>",
       "<Output valueReference=\"17\"/><Output valueReference=\"170\"/>", 28,
       "structure.reference"},
      // 29
      {"    <InitialUnknown valueReference=\"7\" dependencies=\"6\"/>\n", "", 29,
       "structure.initial.missing", "name=\"q\""},
      {"    <InitialUnknown valueReference=\"16\"/>\n", "", 29, "structure.initial.missing",
       "name=\"on\""},
      {"    <InitialUnknown valueReference=\"2\" dependencies=\"1 4\" dependenciesKind=\"constant "
       "dependent\"/>\n",
       "", 29, "structure.initial.missing", "name=\"der(x)\""},
      {"<InitialUnknown valueReference=\"16\"/>",
       "<InitialUnknown valueReference=\"16\"/><InitialUnknown valueReference=\"6\"/>", 29,
       "structure.initial.extra"},
      {"<InitialUnknown valueReference=\"16\"/>",
       "<InitialUnknown valueReference=\"16\"/><InitialUnknown valueReference=\"16\"/>", 29,
       "structure.initial.repeated"},
      {"<InitialUnknown valueReference=\"16\"/>",
       "<InitialUnknown valueReference=\"16\"/><InitialUnknown valueReference=\"15\"/>", 29,
       "structure.initial.indicator"},
      // 30
      {"<ClockedState", "<ContinuousStateDerivative valueReference=\"15\"/><ClockedState", 30,
       "structure.derivative.attribute", "", Severity::error,
       "structure.initial.missing structure.initial.indicator"},
      {"<ClockedState", "<ContinuousStateDerivative valueReference=\"2\"/><ClockedState", 30,
       "structure.derivative.repeated"},
      {"<Float64 name=\"der(x)\"", "<Float64 name=\"der(x)\" variability=\"discrete\"", 30,
       "structure.derivative.continuous", "<ContinuousStateDerivative", Severity::error,
       "derivative.type"},
      {"valueReference=\"2\" derivative=\"1\"", "valueReference=\"2\" derivative=\"6\"", 30,
       "structure.derivative.state", "<ContinuousStateDerivative", Severity::error,
       "derivative.type reinit.state dependencies.known structure.initial.extra"},
      // 31
      {"<EventIndicator valueReference=\"15\"", "<EventIndicator valueReference=\"16\"", 31,
       "structure.indicator.type"},
      {"<EventIndicator valueReference=\"15\"", "<EventIndicator valueReference=\"4\"", 31,
       "structure.indicator.causality"},
      // 32
      {"<ClockedState valueReference=\"13\"", "<ClockedState valueReference=\"12\"", 32,
       "structure.clocked.clock", "", Severity::error,
       "structure.clocked.clocks structure.clocked.previous structure.clocked.missing"},
      {"<ClockedState valueReference=\"13\"", "<ClockedState valueReference=\"14\"", 32,
       "structure.clocked.previous", "", Severity::error, "structure.clocked.missing"},
      {"    <ClockedState valueReference=\"13\" dependencies=\"14\"/>\n", "", 32,
       "structure.clocked.missing", "name=\"count\"", Severity::warning},
  }));
  check_mistake(right_description(), mistake);
}

TEST_CASE("a mistake in dependencies is found with its line", "[validate]") {
  const std::string derivative =
      "dependencies=\"1 4 6\" dependenciesKind=\"constant dependent fixed\"";
  const auto mistake = GENERATE_COPY(values<Mistake>({
      {derivative, "dependencies=\"1 4 96\"", 33, "dependencies.unknown"},
      {derivative, "dependencies=\"1 7\"", 33, "dependencies.known", "", Severity::warning},
      {derivative, "dependencies=\"1 4 6\" dependenciesKind=\"constant dependent\"", 33,
       "dependencies.kind.count"},
      {derivative, "dependenciesKind=\"constant\"", 33, "dependencies.kind.alone"},
      {derivative, "dependencies=\"1\" dependenciesKind=\"linear\"", 6, "xml.attribute.value"},
      {"dependencies=\"1 4\" dependenciesKind=\"constant dependent\"",
       "dependencies=\"1 4\" dependenciesKind=\"constant fixed\"", 33, "dependencies.kind.initial"},
      {"dependencies=\"1 4\" dependenciesKind=\"constant dependent\"", "dependencies=\"7\"", 33,
       "dependencies.known", "", Severity::warning},
      {"<InitialUnknown valueReference=\"16\"/>",
       "<InitialUnknown valueReference=\"16\" dependencies=\"1\" dependenciesKind=\"constant\"/>",
       33, "dependencies.kind.type", "", Severity::warning},
  }));
  check_mistake(right_description(), mistake);
}

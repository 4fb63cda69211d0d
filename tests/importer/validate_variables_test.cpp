// SPDX-License-Identifier: BSD-2-Clause
// Rules 4, 10 to 27 and 34 on modelDescription.xml of FMI 3.0.
#include <catch2/catch.hpp>

#include "right_fmu.hpp"

using namespace saltus::importer;

TEST_CASE("a mistake in an interface is found with its line", "[validate]") {
  const auto mistake = GENERATE(values<Mistake>({
      {"<CoSimulation modelIdentifier=\"right\"", "<CoSimulation modelIdentifier=\"1st\"", 4,
       "interface.identifier"},
      {"canGetAndSetFMUState=\"true\" ", "", 34, "flags.serialize"},
      {" providesIntermediateUpdate=\"true\"", "", 34, "flags.early_return",
       "canReturnEarlyAfterIntermediateUpdate"},
      {" hasEventMode=\"true\"", "", 34, "flags.event_mode"},
  }));
  check_mistake(right_description(), mistake);
}

TEST_CASE("a mistake in a name or a reference is found with its line", "[validate]") {
  const auto mistake = GENERATE(values<Mistake>({
      {"name=\"p\"", "name=\"\"", 10, "names.empty"},
      {"name=\"p\"", "name=\"position\"", 10, "names.repeated"},
      {"name=\"position\"", "name=\"x\"", 10, "names.repeated"},
      {"name=\"Color\">", "name=\"Length\">", 10, "types.name.repeated", "", Severity::error,
       "types.declared.unknown"},
      {"name=\"p\"", "name=\"Color\"", 10, "types.name.variable", "<EnumerationType"},
      {"<Category name=\"logAll\"/>", "<Category name=\"a\"/><Category name=\"a\"/>", 10,
       "names.repeated"},
      {"valueReference=\"18\"", "valueReference=\"15\"", 11, "references.repeated"},
      {"a.'b c'[1,2]", "a.b c[1,2]", 22, "names.structured"},
      {"a.'b c'[1,2]", "a.'b c'[1,]", 22, "names.structured"},
      {"der(x)", "der(x,)", 22, "names.structured"},
      {"name=\"position\"", "name=\"pos-ition\"", 22, "names.structured"},
      {"name=\"p\"", "name=\"p&#10;q\"", 22, "names.character"},
  }));
  check_mistake(right_description(), mistake);
}

TEST_CASE("a mistake in the attributes of a variable is found with its line", "[validate]") {
  const auto mistake = GENERATE(values<Mistake>({
      // 12
      {"    <Float64 name=\"time\" valueReference=\"0\" causality=\"independent\" unit=\"s\"/>\n",
       "", 12, "independent.count", "<ModelVariables>"},
      {"<Float64 name=\"half\" valueReference=\"18\" variability=\"constant\" start=\"0.5\"/>",
       "<Float64 name=\"half\" valueReference=\"18\" causality=\"independent\"/>", 12,
       "independent.count"},
      {"<Float64 name=\"time\" valueReference=\"0\" causality=\"independent\" unit=\"s\"/>",
       "<Int64 name=\"time\" valueReference=\"0\" causality=\"independent\"/>", 12,
       "independent.type", "", Severity::error, "variables.pair"},
      {"unit=\"s\"/>", "unit=\"s\" start=\"0\"/>", 12, "independent.start"},
      {"unit=\"s\"/>", "unit=\"s\" initial=\"exact\"/>", 12, "independent.initial"},
      // 13, 14
      {"variability=\"tunable\"", "variability=\"discrete\"", 13, "variables.pair"},
      {"causality=\"calculatedParameter\"",
       "causality=\"calculatedParameter\" variability=\"constant\"", 13, "variables.pair"},
      {"name=\"bytes\" valueReference=\"10\" causality=\"input\"",
       "name=\"bytes\" valueReference=\"10\" causality=\"input\" initial=\"approx\"", 14,
       "variables.initial"},
      {"<Float64 name=\"p\"", "<Float64 initial=\"calculated\" name=\"p\"", 14, "variables.initial",
       "", Severity::error, "dependencies.known"},
      {"variability=\"constant\" start=\"0.5\"",
       "variability=\"fixed\" initial=\"exact\" start=\"0.5\"", 14, "variables.initial"},
      // 15, 16
      {"variability=\"tunable\" start=\"0.5\"", "variability=\"tunable\"", 15,
       "variables.start.missing"},
      {"\n      <Start value=\"hello\"/>", "", 15, "variables.start.missing"},
      {"causality=\"structuralParameter\" start=\"3\"", "causality=\"structuralParameter\"", 15,
       "variables.start.missing", "", Severity::error, "dimensions.size"},
      {"variability=\"constant\" start=\"0.5\"", "variability=\"constant\"", 15,
       "variables.start.missing"},
      {"<Float64 name=\"z\"", "<Float64 initial=\"approx\" name=\"z\"", 15,
       "variables.start.missing"},
      {"<Float64 name=\"z\"", "<Float64 start=\"1\" name=\"z\"", 16, "variables.start.forbidden"},
      // 17
      {"start=\"1  2\n        3\"", "\n start=\"1 2\"", 17, "variables.start.count",
       "start=\"1 2\""},
      {"start=\"1  2\n        3\"", "start=\"1 two 3\"", 17, "variables.start.value"},
      {"start=\"1  2\n        3\"", "start=\"\"", 17, "variables.start.count"},
      {"<Start value=\"00fF\"/>", "<Start value=\"00f\"/>", 17, "variables.start.value"},
      {"<Start value=\"hello\"/>", "<Start value=\"a\"/><Start value=\"b\"/>", 17,
       "variables.start.count"},
      {"name=\"text\" valueReference=\"9\"", "name=\"text\" start=\"a\" valueReference=\"9\"", 17,
       "variables.start.form"},
      {"start=\"1\" reinit", "start=\"11\" reinit", 17, "variables.start.range", "",
       Severity::warning},
      {"declaredType=\"Color\" start=\"2\"", "declaredType=\"Color\" start=\"3\"", 17,
       "variables.start.range"},
      {"<Float64 name=\"p\"", "<Float64 min=\"1\" max=\"0\" name=\"p\"", 17, "variables.range", "",
       Severity::error, "variables.start.range"},
      {"<Float64 name=\"p\"", "<Float64 nominal=\"-1\" name=\"p\"", 17, "variables.nominal", "",
       Severity::warning},
      {"<Float64 name=\"p\"", "<Float64 nominal=\"NaN\" name=\"p\"", 17, "variables.nominal", "",
       Severity::warning},
      {"<DefaultExperiment stopTime=\"1\"", "<DefaultExperiment stopTime=\"INF\"", 17,
       "experiment.value", "", Severity::warning},
      {"<DefaultExperiment stopTime=\"1\"", "<DefaultExperiment stopTime=\"-1\"", 17,
       "experiment.value", "", Severity::warning},
      {"<DefaultExperiment stopTime=\"1\"", "<DefaultExperiment stopTime=\"1\" stepSize=\"0\"", 17,
       "experiment.value", "", Severity::warning},
      // 18
      {"<Boolean name=\"on\"", "<Boolean variability=\"continuous\" name=\"on\"", 18,
       "variables.continuous"},
      // 19
      {"<Dimension start=\"2\"/>", "<Dimension/>", 19, "dimensions.form"},
      {"<Dimension start=\"2\"/>", "<Dimension start=\"2\" valueReference=\"3\"/>", 19,
       "dimensions.form"},
      {"<Dimension start=\"2\"/>", "<Dimension start=\"0\"/>", 19, "dimensions.size"},
      {"<Dimension start=\"2\"/>", "<Dimension valueReference=\"77\"/>", 19,
       "dimensions.reference"},
      {"<Dimension start=\"2\"/>", "<Dimension valueReference=\"13\"/>", 19,
       "dimensions.reference"},
      {"causality=\"structuralParameter\" start=\"3\"/>",
       "causality=\"structuralParameter\" start=\"3\"><Dimension start=\"1\"/></UInt64>", 19,
       "dimensions.structural"},
      // 27
      {"<Boolean name=\"on\"", "<Boolean intermediateUpdate=\"true\" name=\"on\"", 27,
       "access.intermediate"},
      {"<Boolean name=\"on\"", "<Boolean canHandleMultipleSetPerTimeInstant=\"true\" name=\"on\"",
       27, "access.multiple_set"},
  }));
  check_mistake(right_description(), mistake);
}

TEST_CASE("a mistake in types, units and derivatives is found with its line", "[validate]") {
  const auto mistake = GENERATE(values<Mistake>({
      {"declaredType=\"Length\"", "declaredType=\"Lenth\"", 20, "types.declared.unknown", "",
       Severity::error, "units.display.alone"},
      {"<Float64 name=\"p\"", "<Float64 declaredType=\"Color\" name=\"p\"", 20,
       "types.declared.kind"},
      {"name=\"blue\" value=\"2\"", "name=\"red\" value=\"2\"", 20, "types.item.repeated"},
      {"name=\"blue\" value=\"2\"", "name=\"blue\" value=\"1\"", 20, "types.item.repeated", "",
       Severity::error, "variables.start.range"},
      {" declaredType=\"Color\"", "", 6, "xml.attribute.missing"},
      {"<Float64 name=\"p\"", "<Float64 unit=\"kg\" name=\"p\"", 21, "units.unknown"},
      {"<Float64 name=\"p\"", "<Float64 unit=\"m\" displayUnit=\"cm\" name=\"p\"", 21,
       "units.display.unknown"},
      {"<Float64 name=\"p\"", "<Float64 displayUnit=\"mm\" name=\"p\"", 21, "units.display.alone"},
      {"displayUnit=\"mm\"/>", "displayUnit=\"km\"/>", 21, "units.display.unknown"},
      {"inverse=\"true\"", "inverse=\"true\" offset=\"1\"", 21, "units.inverse.offset"},
      {"<Unit name=\"s\">", "<Unit name=\"m\">", 21, "units.name.repeated", "", Severity::error,
       "units.unknown"},
      {"derivative=\"1\"", "derivative=\"99\"", 23, "derivative.unknown", "", Severity::error,
       "reinit.state dependencies.known"},
      {"derivative=\"1\"", "derivative=\"2\"", 23, "derivative.self", "", Severity::error,
       "reinit.state dependencies.known"},
      {"<Float64 name=\"z\"", "<Float64 derivative=\"13\" name=\"z\"", 23, "derivative.type"},
      {"<Float64 name=\"z\"", "<Float64 derivative=\"4\" name=\"z\"", 23, "derivative.shape"},
      {"<Float64 name=\"z\"", "<Float64 derivative=\"17\" name=\"z\"", 23, "derivative.type", "",
       Severity::warning},
      {"<Float64 name=\"z\"", "<Float64 reinit=\"true\" name=\"z\"", 24, "reinit.state"},
      {"<Float64 name=\"z\"", "<Float64 reinit=\"false\" name=\"z\"", 24, "reinit.state", "",
       Severity::warning},
  }));
  check_mistake(right_description(), mistake);
}

TEST_CASE("a mistake in clocks is found with its line", "[validate]") {
  const std::string tick = "intervalVariability=\"constant\" intervalDecimal=\"0.1\"";
  const std::string count = "clocks=\"11\" previous=\"14\"";
  const auto mistake = GENERATE_COPY(values<Mistake>({
      // 25
      {count, "clocks=\"98\" previous=\"14\"", 25, "clocked.unknown"},
      {count, "clocks=\"6\" previous=\"14\"", 25, "clocked.kind"},
      {count, "clocks=\" \" previous=\"14\"", 25, "clocked.empty"},
      {"<Float64 name=\"z\"", "<Float64 clocks=\"11\" name=\"z\"", 25, "clocked.variability"},
      {count, "previous=\"14\"", 25, "previous.clocks", "", Severity::error,
       "structure.clocked.clocks"},
      {count, "clocks=\"11\" previous=\"97\"", 25, "previous.unknown"},
      {count, "clocks=\"11\" previous=\"13\"", 25, "previous.self"},
      {count, "clocks=\"11\" previous=\"16\"", 25, "previous.type"},
      {count, "clocks=\"11\" previous=\"10\"", 25, "previous.input", "", Severity::error,
       "previous.type"},
      {count, "clocks=\"11\" variability=\"tunable\" previous=\"14\"", 25, "previous.variability",
       "", Severity::error, "variables.initial structure.clocked.discrete"},
      {"<Int32 name=\"count_before\" valueReference=\"14\" clocks=\"11\"",
       "<Int32 name=\"count_before\" valueReference=\"14\" clocks=\"11\" previous=\"19\"/>"
       "<Int32 name=\"other\" valueReference=\"19\" clocks=\"11\" previous=\"14\"",
       25, "previous.repeated", "", Severity::error, "structure.clocked.missing"},
      // 26
      {"causality=\"output\" intervalVariability", "causality=\"parameter\" intervalVariability",
       26, "clock.causality", "", Severity::error,
       "variables.pair clock.variability structure.output.extra"},
      {tick, tick + " variability=\"continuous\"", 26, "clock.variability", "", Severity::error,
       "variables.continuous"},
      {"intervalVariability=\"triggered\"", "intervalVariability=\"changing\"", 26,
       "clock.triggered"},
      {" intervalDecimal=\"0.1\"", "", 26, "clock.interval.missing"},
      {"intervalDecimal=\"0.1\"", "intervalDecimal=\"0\"", 26, "clock.interval.value"},
      {tick, tick + " shiftDecimal=\"-1\"", 26, "clock.interval.value"},
      {"intervalVariability=\"constant\"", "intervalVariability=\"countdown\"", 26,
       "clock.interval.forbidden"},
      {tick, tick + " intervalCounter=\"1\" resolution=\"10\"", 26, "clock.counter"},
      {tick, tick + " shiftCounter=\"1\"", 26, "clock.counter"},
      {"intervalVariability=\"triggered\"", "intervalVariability=\"triggered\" priority=\"1\"", 26,
       "clock.priority"},
      {"  <UnitDefinitions>", "  <ScheduledExecution modelIdentifier=\"right\"/><UnitDefinitions>",
       26, "clock.priority", "name=\"tick\""},
  }));
  check_mistake(right_description(), mistake);
}

// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/importer/model_description.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "saltus/importer/csv_recorder.hpp"
#include "saltus/importer/fmu.hpp"
#include "scratch.hpp"

using Catch::Matchers::Contains;
using namespace saltus::importer;

namespace {

/// A change to the small description, and what the complaint must contain.
struct Mistake {
  std::string from;
  std::string to;
  std::size_t line;
  std::string thing;
  std::string message;
};

}  // namespace

TEST_CASE("too few words in dependenciesKind are ignored with a warning", "[model_description]") {
  const Scratch scratch;
  const Fmu fmu = Fmu::open(
      pack(scratch, with(small_description(), "dependencies=\"1 3\"", "dependencies=\"1\"")));
  REQUIRE(fmu.warnings().size() == 1);
  CHECK_THAT(fmu.warnings()[0],
             Contains("line 21: 2 words in dependenciesKind for 1 dependencies"));
}

TEST_CASE("a modelIdentifier that is only a file name is accepted with a warning",
          "[model_description]") {
  const Scratch scratch;
  const Fmu fmu = Fmu::open(pack(scratch, with(small_description(), "modelIdentifier=\"small\"",
                                               "modelIdentifier=\"sm-all\"")));
  REQUIRE(fmu.warnings().size() == 1);
  CHECK_THAT(fmu.warnings()[0], Contains("\"sm-all\" is not a name in C"));
}

TEST_CASE("a mistake in the description is reported with its line and attribute", "[fmu_error]") {
  const auto mistake = GENERATE(values<Mistake>({
      {"</ModelVariables>", "</ModelVariable>", 18, "modelDescription.xml", "column 5"},
      {"fmiModelDescription>", "fmiModelDescription", 24, "modelDescription.xml",
       "not well-formed"},
      {"p\" valueReference=\"3\"", "p\" name=\"q\" valueReference=\"3\"", 16, "attribute name",
       "given twice"},
      {"fmiVersion=\"3.0\"", "fmiVersion=\"2.0\"", 2, "<fmiModelDescription>",
       "the attribute guid is missing"},
      {"fmiVersion=\"3.0\"", "fmiVersion=\"1.0\"", 2, "<fmiModelDescription>",
       "the attribute guid is missing"},
      {"fmiVersion=\"3.0\"", "fmiVersion=\"4.0\"", 2, "attribute fmiVersion",
       "FMI 4.0 is not supported"},
      {"fmiVersion=\"3.0\"", "", 2, "<fmiModelDescription>", "the attribute fmiVersion is missing"},
      {"modelName=\"small\"", "", 2, "<fmiModelDescription>", "the attribute modelName is missing"},
      {"instantiationToken=\"{1}\"", "", 2, "<fmiModelDescription>",
       "the attribute instantiationToken is missing"},
      {"modelIdentifier=\"small\"", "", 3, "<ModelExchange>", "modelIdentifier is missing"},
      {"modelIdentifier=\"small\"", "modelIdentifier=\"../small\"", 3, "attribute modelIdentifier",
       "not a name in C"},
      {"hasEventMode=\"true\"", "hasEventMode=\"maybe\"", 4, "attribute hasEventMode",
       "\"maybe\" is not a truth value"},
      {"fixedInternalStepSize=\"0.1\"", "fixedInternalStepSize=\"0,1\"", 5,
       "attribute fixedInternalStepSize", "\"0,1\" is not a number"},
      {"stopTime=\"2\"", "stopTime=\"1e999\"", 9, "attribute stopTime",
       "not a number in the range"},
      {"name=\"Length\" unit", "unit", 7, "<Float64Type>", "the attribute name is missing"},
      {"declaredType=\"Length\"", "declaredType=\"Width\"", 12, "attribute declaredType",
       "there is no type \"Width\""},
      {"<Float64 name=\"x\"", "<Float32 name=\"x\"", 12, "attribute declaredType",
       "\"Length\" is a Float64, the variable a Float32"},
      {"causality=\"parameter\"", "causality=\"param\"", 16, "attribute causality",
       "\"param\" is none of"},
      {"initial=\"exact\"", "initial=\"precise\"", 13, "attribute initial",
       "none of exact, approx"},
      {"start=\"1\"", "start=\"one\"", 14, "attribute start",
       "\"one\" is not a value of type Float64"},
      {"start=\"false\"", "start=\"no\"", 17, "attribute start",
       "\"no\" is not a value of type Boolean"},
      {"start=\"false\"", "start=\"false\" variability=\"continuous\"", 17, "attribute variability",
       "a Boolean cannot be continuous"},
      {"<Boolean name", "<Boolean nam", 17, "valueReference=\"4\"",
       "the attribute name is missing"},
      {"<Boolean name=\"on\"", "<Boolean name=\"\"", 17, "attribute name", "the name is empty"},
      {"valueReference=\"4\"", "", 17, "name=\"on\"", "the attribute valueReference is missing"},
      {"valueReference=\"4\"", "valueReference=\"-4\"", 17, "attribute valueReference",
       "not an integer in the range"},
      {"valueReference=\"4\"", "valueReference=\"4294967296\"", 17, "attribute valueReference",
       "not an integer in the range"},
      {"name=\"on\" valueReference=\"4\"", "name=\"p\" valueReference=\"4\"", 17, "attribute name",
       "two variables are called \"p\", in lines 16 and 17"},
      {"valueReference=\"4\"", "valueReference=\"3\"", 17, "attribute valueReference",
       "\"p\" in line 16 and \"on\" in line 17 have the same value reference 3"},
      {"derivative=\"1\"", "derivative=\"99\"", 15, "attribute derivative",
       "there is no variable with value reference 99"},
      {"<Boolean name", "<Boolean clocks=\"3\" name", 17, "attribute clocks",
       "\"p\" is not a clock"},
      {"<Boolean name", "<Boolean clocks=\"77\" name", 17, "attribute clocks",
       "there is no variable with value reference 77"},
      {"<Boolean name=\"on\"", "<Tensor name=\"on\"", 17, "<Tensor", "not a variable of FMI 3.0"},
      {"start=\"0.5\"/>", "start=\"0.5\"><Dimension/></Float64>", 16, "name=\"p\"",
       "a Dimension needs either"},
      {"start=\"0.5\"/>", "start=\"0.5\"><Dimension start=\"0\"/></Float64>", 16, "name=\"p\"",
       "must not be 0"},
      {"start=\"0.5\"/>", "start=\"0.5\"><Dimension start=\"99999999999\"/></Float64>", 16,
       "name=\"p\"", "too large"},
      {"start=\"0.5\"/>", "start=\"0.5\"><Dimension valueReference=\"88\"/></Float64>", 16,
       "name=\"p\"", "there is no variable with value reference 88"},
      {"start=\"0.5\"/>", "start=\"0.5\"><Dimension valueReference=\"1\"/></Float64>", 16,
       "name=\"p\"", "\"x\" cannot be the size of a Dimension"},
      {"<Output valueReference=\"1\"", "<Output valueReference=\"9\"", 20,
       "attribute valueReference", "there is no variable with value reference 9"},
      {"<Output valueReference=\"1\"", "<Output", 20, "<Output>", "valueReference is missing"},
      {"dependencies=\"1 3\"", "dependencies=\"1 66\"", 21, "attribute dependencies",
       "there is no variable with value reference 66"},
      {"constant dependent", "constant linear", 21, "attribute dependenciesKind",
       "\"linear\" is none of"},
      {"<ContinuousStateDerivative valueReference=\"2\"",
       "<ContinuousStateDerivative valueReference=\"3\"", 21, "valueReference=\"3\"",
       "has no attribute derivative"},
      {"<ModelStructure>", "<ModelStructure/><ModelStructure>", 19, "<ModelStructure>",
       "there can be only one"},
  }));
  const Scratch scratch;
  INFO(mistake.from << " -> " << mistake.to);
  const FmuError error =
      open_error(scratch, pack(scratch, with(small_description(), mistake.from, mistake.to)));
  INFO(error.what());
  CHECK_THAT(error.what(), Contains(mistake.message));
  CHECK_THAT(error.thing(), Contains(mistake.thing));
  if (mistake.message != "not well-formed") CHECK(error.line() == mistake.line);
}

TEST_CASE("entities of a document type are never expanded", "[xml_file]") {
  const Scratch scratch;
  std::string bomb = "<!DOCTYPE lolz [<!ENTITY lol \"lol\">";
  for (int i = 1; i < 12; ++i) {
    const std::string one = "&lol" + (i == 1 ? std::string() : std::to_string(i - 1)) + ";";
    std::string ten;
    for (int k = 0; k < 10; ++k) ten += one;
    bomb += "<!ENTITY lol" + std::to_string(i) + " \"" + ten + "\">";
  }
  bomb += "]>\n<fmiModelDescription";
  std::string text = with(small_description(), "<fmiModelDescription", bomb);
  text = with(text, "modelName=\"small\"", "modelName=\"&lol11;\"");
  CHECK_THAT(open_error(scratch, pack(scratch, text)).what(), Contains("XML entities"));
}

TEST_CASE("nesting without end is survived", "[xml_file]") {
  const Scratch scratch;
  std::string deep;
  for (int i = 0; i < 200000; ++i) deep += "<a>";
  const auto file = pack(scratch, with(small_description(), "<ModelVariables>", deep));
  CHECK_THAT(open_error(scratch, file).what(), Contains("not well-formed"));
  std::string closed = deep;
  for (int i = 0; i < 200000; ++i) closed += "</a>";
  const Fmu fmu = Fmu::open(
      pack(scratch, with(small_description(), "<ModelVariables>", closed + "<ModelVariables>")));
  CHECK(fmu.description().variables.size() == 5);
}

TEST_CASE("a description in another encoding is refused", "[xml_file]") {
  const Scratch scratch;
  std::string wide = "\xff\xfe";
  for (const char c : small_description()) wide += {c, '\0'};
  CHECK_THAT(open_error(scratch, pack(scratch, wide)).what(), Contains("UTF-8"));
}

TEST_CASE("lines are counted right behind a byte order mark and with Windows line ends",
          "[xml_file]") {
  const Scratch scratch;
  std::string text = "\xef\xbb\xbf";
  for (const char c : with(small_description(), "start=\"1\"", "start=\"one\"")) {
    if (c == '\n') text += '\r';
    text += c;
  }
  CHECK(open_error(scratch, pack(scratch, text)).line() == 14);
}

TEST_CASE("versions of the same major number are accepted", "[model_description]") {
  const Scratch scratch;
  const auto version = GENERATE(values<std::string>({"3.0.2", "3.1", "3.0-beta.2", "3.2.1"}));
  const Fmu fmu =
      Fmu::open(pack(scratch, with(small_description(), "\"3.0\"", "\"" + version + "\"")));
  CHECK(fmu.description().fmi_version == version);
  CHECK(fmu.warnings().empty() == (version == "3.0.2"));
  if (fmu.warnings().empty()) return;
  CHECK_THAT(fmu.warnings()[0],
             version == "3.0-beta.2" ? Contains("is a draft of 3.0") : Contains("newer features"));
}

TEST_CASE("a description is read with all its defaults", "[model_description]") {
  const Scratch scratch;
  const Fmu fmu = Fmu::open(pack(scratch, small_description()));
  const ModelDescription& description = fmu.description();
  CHECK(fmu.warnings().empty());
  CHECK(fmu.platforms().empty());
  CHECK(description.model_name == "small");
  REQUIRE(description.co_simulation);
  CHECK(description.co_simulation->has_event_mode);
  CHECK_FALSE(description.co_simulation->can_handle_variable_communication_step_size);
  CHECK(description.co_simulation->fixed_internal_step_size == 0.1);
  CHECK(description.default_experiment.stop_time == 2.0);
  CHECK_FALSE(description.default_experiment.start_time);

  const Variable& x = *description.find("x");
  CHECK(x.variability == Variability::continuous);
  CHECK(x.initial == Initial::exact);
  CHECK(x.unit == "m");
  CHECK(x.nominal == 10.0);
  CHECK(x.start_text == "1");
  CHECK(to_number(x.start.front()) == 1.0);
  CHECK(x.line == 12);
  const Variable& p = *description.find("p");
  CHECK(p.variability == Variability::fixed);
  CHECK(p.initial == Initial::exact);
  const Variable& on = *description.find("on");
  CHECK(on.variability == Variability::discrete);
  CHECK(on.initial == Initial::exact);
  CHECK(description.find(ValueReference{2})->initial == Initial::calculated);
  CHECK(description.find(ValueReference{0})->initial == Initial::none);
  CHECK(description.find("y") == nullptr);
  CHECK(description.find(ValueReference{9}) == nullptr);

  const Unknown& derivative = description.structure.continuous_state_derivatives.at(0);
  CHECK(description.state_of(derivative)->name == "x");
  CHECK(derivative.dependencies == std::vector<ValueReference>{1, 3});
  CHECK(derivative.kinds ==
        std::vector<DependencyKind>{DependencyKind::constant, DependencyKind::dependent});
  CHECK_FALSE(description.structure.outputs.at(0).dependencies);
}

TEST_CASE("lists are split at any white space", "[model_description]") {
  const Scratch scratch;
  const Fmu fmu = Fmu::open(pack(
      scratch, with(small_description(), "dependencies=\"1 3\"", "dependencies=\" 1\t\n 3  \"")));
  CHECK(fmu.description().structure.continuous_state_derivatives.at(0).dependencies->size() == 2);
}

TEST_CASE("what can be forgiven becomes a warning", "[model_description]") {
  const Scratch scratch;
  const auto warning = [&](const std::string& from, const std::string& to) {
    const Fmu fmu = Fmu::open(pack(scratch, with(small_description(), from, to)));
    REQUIRE(fmu.warnings().size() == 1);
    return fmu.warnings().front();
  };
  CHECK_THAT(warning("start=\"0.5\"", ""), Contains("\"p\" has initial=\"exact\" but no start"));
  CHECK_THAT(warning("derivative=\"1\"", "derivative=\"1\" start=\"0\""),
             Contains("must not have a start value"));
  CHECK_THAT(warning("causality=\"independent\"", ""), Contains("0 independent variables"));
  CHECK_THAT(warning("<Output valueReference=\"1\"/>", ""),
             Contains("is an output but is not listed"));
}

TEST_CASE("values that make no sense are ignored and told", "[model_description]") {
  const Scratch scratch;
  const auto opened = [&](const std::string& from, const std::string& to) {
    return Fmu::open(pack(scratch, with(small_description(), from, to)));
  };
  const auto experiment = [&](const std::string& attributes) {
    return opened("<DefaultExperiment stopTime=\"2\"", "<DefaultExperiment " + attributes);
  };
  for (const char* const value : {"INF", "-INF", "NaN"}) {
    const Fmu fmu = experiment(fmt::format("startTime=\"{0}\" stopTime=\"{0}\"", value));
    CHECK_FALSE(fmu.description().default_experiment.start_time);
    CHECK_FALSE(fmu.description().default_experiment.stop_time);
    REQUIRE(fmu.warnings().size() == 2);
    CHECK_THAT(fmu.warnings()[1],
               Contains(std::string("the stopTime of the default experiment is ") + value +
                        ", which is no finite time"));
  }
  for (const char* const value : {"0", "-1", "NaN", "INF"}) {
    const Fmu fmu = experiment(fmt::format("tolerance=\"{0}\" stepSize=\"{0}\"", value));
    CHECK_FALSE(fmu.description().default_experiment.tolerance);
    CHECK_FALSE(fmu.description().default_experiment.step_size);
    CHECK(fmu.warnings().size() == 2);
  }
  for (const char* const value : {"0", "-1", "NaN", "INF"}) {
    const Fmu fmu = opened("name=\"p\"", fmt::format("nominal=\"{}\" name=\"p\"", value));
    REQUIRE(fmu.warnings().size() == 1);
    CHECK_THAT(fmu.warnings()[0], Contains("\"p\" has the nominal value"));
  }
  const Fmu turned = opened("name=\"p\"", "min=\"2\" max=\"-2\" name=\"p\"");
  CHECK_THAT(turned.warnings().at(0), Contains("\"p\" has the range 2 to -2, which is none"));
  CHECK_FALSE(turned.description().find("p")->min);
  const Fmu outside = opened("name=\"p\"", "min=\"2\" name=\"p\"");
  CHECK_THAT(outside.warnings().at(0), Contains("the start value 0.5, which is not in its range"));
}

TEST_CASE("an output that the model structure forgets is recorded", "[model_description]") {
  const Scratch scratch;
  const Fmu fmu = Fmu::open(
      pack(scratch, with(small_description(), "</ModelVariables>",
                         "<Float64 name=\"forgotten\" valueReference=\"9\" causality=\"output\"/>"
                         "</ModelVariables>")));
  const std::vector<std::string> recorded = default_recorded(fmu.description());
  CHECK(std::count(recorded.begin(), recorded.end(), "forgotten") == 1);
}

TEST_CASE("arrays, aliases, enumerations and clocks are read", "[model_description]") {
  const Scratch scratch;
  std::string text = with(small_description(), "<DefaultExperiment", R"(<DefaultExperiment)");
  text = with(text, "<Float64Type name", R"(<EnumerationType name="Mode">
      <Item name="off" value="0"/><Item name="on" value="1"/></EnumerationType>
    <Float64Type name)");
  text = with(text, "</ModelVariables>", R"(
    <UInt64 name="n" valueReference="10" causality="structuralParameter" start="3"/>
    <Float64 name="A" valueReference="11" causality="parameter" start="1 2 3 4 5 6">
      <Dimension start="2"/><Dimension valueReference="10"/><Alias name="B" displayUnit="cm"/></Float64>
    <Enumeration name="mode" valueReference="12" causality="input" declaredType="Mode" start="1"/>
    <Clock name="tick" valueReference="13" causality="input" intervalVariability="constant" intervalDecimal="0.5"/>
    <Int32 name="count" valueReference="14" clocks="13"/>
    <String name="names" valueReference="15" causality="parameter"><Dimension start="2"/><Start value="a b"/><Start value="c"/></String>
    <Binary name="blob" valueReference="16" causality="parameter"><Start value="00fF"/></Binary>
  </ModelVariables>)");
  const Fmu fmu = Fmu::open(pack(scratch, text));
  const ModelDescription& description = fmu.description();
  const Variable& a = *description.find("A");
  CHECK(description.find("B") == &a);
  CHECK(description.element_count(a) == 6);
  CHECK(a.start.size() == 6);
  CHECK(element_name("A", {2, 3}, 5) == "A[2,3]");
  CHECK(element_name("A", {2, 3}, 1) == "A[1,2]");
  CHECK_FALSE(a.indices_from_zero);
  const Variable& mode = *description.find("mode");
  CHECK(description.item(mode, "on")->value == 1);
  CHECK(description.item(mode, 0)->name == "off");
  CHECK(std::get<std::int64_t>(description.parse(mode, "on").at(0)) == 1);
  CHECK_THROWS_WITH(description.parse(mode, "half"), Contains("\"off\" (0), \"on\" (1)"));
  CHECK_THROWS_WITH(description.parse(mode, "0 1"), Contains("takes one"));
  CHECK(description.find("tick")->clock->interval_decimal == 0.5);
  CHECK(description.find("count")->clocks == std::vector<ValueReference>{13});
  CHECK(std::get<std::string>(description.find("names")->start.at(0)) == "a b");
  CHECK(std::get<Binary>(description.find("blob")->start.at(0)).bytes ==
        std::vector<std::uint8_t>{0x00, 0xff});
}

TEST_CASE("the elements of arrays that say so are called as scalars are", "[model_description]") {
  const Scratch scratch;
  const Fmu fmu = Fmu::open(pack(scratch, with(small_description(), "</ModelVariables>", R"(
    <Float64 name="q" valueReference="10" causality="parameter" start="1 2">
      <Annotations><Annotation type="org.saltus.indices-from-zero"/></Annotations>
      <Dimension start="2"/></Float64></ModelVariables>)")));
  const Variable& q = *fmu.description().find("q");
  CHECK(q.indices_from_zero);
  CHECK(element_name("q", {2}, 0, q.indices_from_zero) == "q[0]");
  CHECK(element_name("der(q)", {2}, 1, q.indices_from_zero) == "der(q[1])");
  CHECK(element_name("der(q)", {2}, 1) == "der(q)[2]");
}

// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/importer/dae_manifest.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "saltus/importer/fmu.hpp"
#include "scratch.hpp"
#include "zip_writer.hpp"

using Catch::Matchers::Contains;
using namespace saltus::importer;
using Form = DaeManifest::Form;
using Names = std::vector<std::string>;

namespace {

constexpr const char* kDescription = R"xml(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="3.0" modelName="pair" instantiationToken="pair">
  <ModelExchange modelIdentifier="pair"/>
  <ModelVariables>
    <Float64 name="time" valueReference="0" causality="independent"/>
    <Boolean name="as_dae" valueReference="1" causality="structuralParameter" variability="tunable" start="false"/>
    <Float64 name="x" valueReference="2" causality="output" initial="exact" start="1"/>
    <Float64 name="der(x)" valueReference="3" derivative="2"/>
    <Float64 name="v" valueReference="4" initial="exact" start="0"/>
    <Float64 name="der(v)" valueReference="5" derivative="4"/>
    <Float64 name="a" valueReference="6" initial="approx" start="0.5"/>
    <Float64 name="b" valueReference="7" initial="approx" start="0.25"/>
    <Float64 name="r_a" valueReference="8"/>
    <Float64 name="r_b" valueReference="9"/>
    <Float64 name="r_x" valueReference="10"/>
    <Float64 name="r_v" valueReference="11"/>
    <Float64 name="z" valueReference="12"/>
    <Float64 name="energy" valueReference="13"/>
    <Float64 name="size_of_a" valueReference="14" variability="constant" start="0.01"/>
    <Boolean name="flag" valueReference="15" causality="parameter" start="false"/>
  </ModelVariables>
  <ModelStructure>
    <Output valueReference="2"/>
    <ContinuousStateDerivative valueReference="3" dependencies="2 4"/>
    <ContinuousStateDerivative valueReference="5" dependencies="2 4"/>
    <InitialUnknown valueReference="3"/>
    <EventIndicator valueReference="12" dependencies="2"/>
  </ModelStructure>
</fmiModelDescription>
)xml";

/// The attributes of a root, with the namespaces of its time.
std::string says(const std::string& name, const std::string& version) {
  return R"( xmlns:fmi-ls="http://fmi-standard.org/fmi-ls-manifest" fmi-ls:fmi-ls-name=")" + name +
         R"(" fmi-ls:fmi-ls-version=")" + version + R"(" fmi-ls:fmi-ls-description="for a test")";
}
const std::string kLayered = R"( xmlns="http://fmi-standard.org/fmi-ls-manifest")";
const std::string kAlgebraics =
    R"(<AlgebraicVariables><AlgebraicVariable valueReference="6"/><AlgebraicVariable valueReference="7"/></AlgebraicVariables>)";
const std::string kSlopes =
    R"(<ContinuousStateDerivative valueReference="3" dependencies="4 6"/><ContinuousStateDerivative valueReference="5" dependencies="2 7"/>)";
const std::string kFlat =
    R"(<Residual valueReference="8" dependencies="2 6" dependenciesKind="dependent constant"/><Residual valueReference="9" dependencies="4 7"/>)";
const std::string kFormulated =
    R"(<Residual><Formulation valueReference="8" index="1" dependencies="2 6"/></Residual><Residual><Formulation valueReference="9"/></Residual>)";

std::string structure(const std::string& content) {
  return "<ModelStructure>" + content + "</ModelStructure>";
}
std::string alpha(const std::string& content) {
  return "<fmiDAEManifest" + says("org.fmi-standard.fmi-ls-dae", "1.0.0-alpha.1") + ">" +
         R"(<EnableDAEParameter valueReference="1"/>)" + content + "</fmiDAEManifest>";
}

struct Opened {
  explicit Opened(const std::string& manifest, const std::string& description = kDescription) {
    ZipWriter zip;
    zip.add("modelDescription.xml", description);
    zip.add("extra/org.fmi-standard.fmi-ls-dae/fmi-ls-manifest.xml", manifest);
    zip.save(scratch.file("pair.fmu"));
    fmu = std::make_unique<Fmu>(Fmu::open(scratch.file("pair.fmu")));
  }
  const DaeManifest* operator->() const { return fmu->dae_manifest(); }
  std::string name(std::size_t variable) const {
    return fmu->description().variables[variable].name;
  }
  Names names(const std::vector<Unknown>& list) const {
    Names all;
    for (const Unknown& each : list) all.push_back(name(each.variable));
    return all;
  }
  std::string warnings() const {
    std::string all;
    for (const std::string& each : fmu->dae_manifest()->warnings) all += each + "\n";
    return all;
  }
  Scratch scratch;
  std::unique_ptr<Fmu> fmu;
};

/// What every draft with two equations for two algebraic variables has to come to.
void check_pair(const Opened& found, const std::string& variant, const std::string& enable) {
  REQUIRE(found.fmu->dae_manifest() != nullptr);
  INFO(found->why_unusable << found.warnings());
  CHECK(found->variant == variant);
  CHECK(found->form == Form::semi_explicit);
  CHECK((found->enable ? found.name(*found->enable) : "") == enable);
  CHECK(found.names(found->residuals) == Names{"r_a", "r_b"});
  REQUIRE(found->algebraics.size() == 2);
  CHECK(found.name(found->algebraics[1].variable) == "b");
  CHECK(found.names(found->structure.continuous_state_derivatives) == Names{"der(x)", "der(v)"});
  CHECK(found.names(found->structure.event_indicators) == Names{"z"});
}

}  // namespace

TEST_CASE("an FMU without the layered standard has no DAE manifest", "[dae_manifest]") {
  const Scratch scratch;
  CHECK(Fmu::open(pack(scratch, small_description())).dae_manifest() == nullptr);
}

TEST_CASE("the manifest of 1.0.0-alpha.1 is read", "[dae_manifest]") {
  const Opened found(
      alpha(kAlgebraics + structure(R"(<Output valueReference="2" dependencies="2"/>)" + kSlopes +
                                    R"(<InitialUnknown valueReference="6"/>)"
                                    R"(<EventIndicator valueReference="12" dependencies="6"/>)" +
                                    kFlat)));
  check_pair(found, "1.0.0-alpha.1", "as_dae");
  CHECK(found->version == "1.0.0-alpha.1");
  CHECK(found->residuals[0].dependencies == std::vector<ValueReference>{2, 6});
  CHECK(found->residuals[0].kinds ==
        std::vector{DependencyKind::dependent, DependencyKind::constant});
  CHECK(found->structure.event_indicators[0].dependencies == std::vector<ValueReference>{6});
  CHECK(found.names(found->structure.initial_unknowns) == Names{"a"});
  CHECK(found->replaced.size() == 4);
  CHECK(found.warnings().empty());
}

TEST_CASE("rows for states and algebraics without derivatives are a fully implicit form",
          "[dae_manifest]") {
  const Opened found(
      alpha(kAlgebraics + structure(kFlat + R"(<Residual valueReference="10" dependencies="2 3"/>)"
                                            R"(<Residual valueReference="11"/>)")));
  CHECK(found->variant == "1.0.0-alpha.1, fully implicit");
  CHECK(found->form == Form::fully_implicit);
  CHECK(found.names(found->residuals) == Names{"r_a", "r_b", "r_x", "r_v"});
  CHECK(found->residuals[2].dependencies == std::vector<ValueReference>{2, 3});
}

TEST_CASE("invariants are read", "[dae_manifest]") {
  const Opened found(
      alpha(kAlgebraics + structure(kSlopes + kFlat +
                                    R"(<Invariant valueReference="13" dependencies="2 4"/>)"
                                    R"(<Invariant valueReference="99"/>)")));
  check_pair(found, "1.0.0-alpha.1 with invariants", "as_dae");
  CHECK(found.names(found->invariants) == Names{"energy"});
  CHECK_THAT(found.warnings(), Contains("an invariant is left out"));
}

TEST_CASE("the drafts of 2025 are read: flat residuals, no switch", "[dae_manifest]") {
  const auto file = [](const std::string& version, const std::string& residuals) {
    return "<fmiLayeredStandardManifest" + kLayered + says("fmi-ls-dae", version) + ">" +
           kAlgebraics + structure(residuals + kSlopes) + "</fmiLayeredStandardManifest>";
  };
  check_pair(Opened(file("0.1", kFlat)), "draft of 2025: flat residuals", "");
  check_pair(Opened(file("1.0", kFlat)), "draft of 2025: flat residuals, version 1.0", "");
  check_pair(Opened(file("0.0.1", R"(<Residual valueReference="8" index="1"/>)"
                                  R"(<Residual valueReference="9" index="1"/>)")),
             "draft of 2025: flat residuals with index", "");
}

TEST_CASE("the stubs of early 2026 say what they are and leave the FMU an ODE", "[dae_manifest]") {
  const auto check = [](const std::string& text, const std::string& variant, bool has_switch) {
    const Opened found(text);
    CHECK(found->variant == variant);
    CHECK(found->enable.has_value() == has_switch);
    CHECK(found->form == Form::none);
    CHECK_THAT(found->why_unusable, Contains("neither algebraic variables nor residuals"));
  };
  const std::string own = says("org.fmi-standard.fmi-ls-dae", "0.1");
  check("<fmi-dae" + own + R"( isDaeFmu="true"/>)", "stub of early 2026: isDaeFmu", false);
  check("<fmi-dae" + own + R"( enableDAEModeVariable="1"/>)",
        "stub of 2026: enableDAEModeVariable as a reference", true);
  check("<fmi-ls-dae" + kLayered + own + R"( enableDAEModeVariable="as_dae"/>)",
        "stub of 2026: enableDAEModeVariable as a name", true);
  const Opened no_dae("<fmi-dae" + own + R"( isDaeFmu="false"/>)");
  CHECK_THAT(no_dae->why_unusable, Contains("isDaeFmu=\"false\""));
}

TEST_CASE("drafts with formulations are read", "[dae_manifest]") {
  const std::string own = says("org.fmi-standard.fmi-ls-dae", "0.1");
  const std::string body = kAlgebraics + structure(kFormulated + kSlopes);
  check_pair(Opened("<fmiLayeredStandardManifest" + kLayered + own + ">" + body +
                    "</fmiLayeredStandardManifest>"),
             "draft of April 2026: formulations", "");
  check_pair(Opened("<fmiLayeredStandardManifest" + kLayered + own +
                    R"( enableDAEModeVariable="as_dae">)" + body + "</fmiLayeredStandardManifest>"),
             "draft of mid 2026: enableDAEModeVariable, formulations", "as_dae");
  check_pair(Opened("<fmi-ls-dae" + kLayered + own + R"(><EnableDAE valueReference="1"/>)" + body +
                    "</fmi-ls-dae>"),
             "draft of July 2026: EnableDAE", "as_dae");
  const Opened august(
      "<fmiLayeredStandardManifest" + kLayered + says("fmi-ls-dae", "") +
      R"(><EnableDAE valueReference="1"/><AlgebraicVariables>)"
      R"(<AlgebraicVariable valueReference="6" nominal="14"/>)"
      R"(<AlgebraicVariable valueReference="7" nominal="2.5"/></AlgebraicVariables>)" +
      structure(kSlopes + kFormulated) + "</fmiLayeredStandardManifest>");
  check_pair(august, "draft of August 2026: EnableDAE under the old root", "as_dae");
  CHECK(august.name(august->algebraics[0].nominal_variable.value()) == "size_of_a");
  CHECK(august->algebraics[1].nominal == 2.5);
}

TEST_CASE("a prefix that nobody declares is no obstacle", "[dae_manifest]") {
  const Opened found(
      R"(<fmi-ls:fmiLayeredStandardManifest fmi-ls:fmi-ls-name="org.fmi-standard.fmi-ls-dae" fmi-ls:fmi-ls-version="">)" +
      kAlgebraics + structure(kSlopes + kFormulated) + "</fmi-ls:fmiLayeredStandardManifest>");
  check_pair(found, "formulations without a switch, as CasADi writes them", "");
}

TEST_CASE("of the formulations of a residual the one of index 1 is solved", "[dae_manifest]") {
  const auto file = [](const std::string& residual) {
    return "<fmi-ls-dae" + kLayered + says("org.fmi-standard.fmi-ls-dae", "0.1.0") +
           R"(><EnableDAE valueReference="1"/><AlgebraicVariables><AlgebraicVariable valueReference="6"/></AlgebraicVariables>)" +
           structure(kSlopes + "<Residual>" + residual + "</Residual>") + "</fmi-ls-dae>";
  };
  const Opened found(file(R"(<Formulation valueReference="9" index="2"/>)"
                          R"(<Formulation valueReference="8" index="1"/>)"));
  CHECK(found.names(found->residuals) == Names{"r_a"});
  CHECK(found.names(found->constraints) == Names{"r_b"});
  REQUIRE(found->groups.size() == 1);
  CHECK(found->groups[0][0].index == 2);
  const Opened high(file(R"(<Formulation valueReference="9" index="2"/>)"));
  CHECK_THAT(high->why_unusable, Contains("without a formulation of index 1"));
  const Opened several(
      file(R"(<Formulation valueReference="9"/><Formulation valueReference="8"/>)"));
  CHECK_THAT(several->why_unusable, Contains("without a formulation of index 1"));
}

TEST_CASE("what a manifest names wrongly and need not name is forgiven", "[dae_manifest]") {
  const Opened found(alpha(
      kAlgebraics +
      structure(R"(<Output valueReference="77"/>)" + kSlopes +
                R"(<InitialUnknown valueReference="8"/><InitialUnknown valueReference="6"/>)"
                R"(<EventIndicator valueReference="12"/><EventIndicator valueReference="16"/>)"
                R"(<Residual valueReference="8" dependencies="2 6 55"/>)"
                R"(<Residual valueReference="9" dependencies="7" dependenciesKind="wild"/>)"
                R"(<Surprise/>)")));
  check_pair(found, "1.0.0-alpha.1", "as_dae");
  CHECK_FALSE(found->residuals[0].dependencies.has_value());
  CHECK(found->residuals[1].kinds.empty());
  CHECK(found.names(found->structure.initial_unknowns) == Names{"a"});
  CHECK(found.names(found->structure.outputs) == Names{"x"});
  const std::string warnings = found.warnings();
  CHECK_THAT(warnings, Contains("<Output>: there is no variable with value reference 77"));
  CHECK_THAT(warnings, Contains("<EventIndicator>: there is no variable with value reference 16"));
  CHECK_THAT(warnings, Contains("lists residuals as initial unknowns"));
  CHECK_THAT(warnings, Contains("\"r_a\" depends on 55, which does not exist"));
  CHECK_THAT(warnings, Contains("the kinds of the dependencies of \"r_b\""));
  CHECK_THAT(warnings, Contains("<Surprise> is unknown"));
}

TEST_CASE("a manifest that cannot be used says why, and the FMU opens all the same",
          "[dae_manifest]") {
  struct Case {
    std::string manifest, reason;
  };
  const std::string one =
      R"(<AlgebraicVariables><AlgebraicVariable valueReference="6"/></AlgebraicVariables>)";
  const auto found = GENERATE_COPY(values<Case>({
      {"<fmiDAEManifest", "not well-formed XML"},
      {"<fmiTerminalsAndIcons/>", "is not a manifest of FMI-LS-DAE"},
      {"<fmiLayeredStandardManifest" + says("org.fmi-standard.fmi-ls-bus", "1.0") + "/>",
       "is not a manifest of FMI-LS-DAE"},
      {alpha(one + structure(kSlopes + kFlat)), "2 residuals cannot determine 1 algebraic"},
      {alpha(kAlgebraics + structure(kSlopes + R"(<Residual valueReference="8"/>)")),
       "1 residuals cannot determine 2 algebraic variables and 2 states"},
      {alpha(one + structure(kSlopes + R"(<Residual valueReference="98"/>)")),
       "a residual: there is no variable with value reference 98"},
      {alpha(one + structure(kSlopes + R"(<Residual/>)")), "a residual without a variable"},
      {alpha(one + structure(kSlopes + R"(<Residual valueReference="6"/>)")),
       "\"a\" is an algebraic variable and a residual"},
      {alpha(R"(<AlgebraicVariables><AlgebraicVariable valueReference="2"/></AlgebraicVariables>)" +
             structure(kSlopes + R"(<Residual valueReference="8"/>)")),
       "\"x\" is a state and an algebraic variable"},
      {alpha(
           R"(<AlgebraicVariables><AlgebraicVariable valueReference="15"/></AlgebraicVariables>)" +
           structure(kSlopes + R"(<Residual valueReference="8"/>)")),
       "\"flag\", an algebraic variable, is not a continuous Float64"},
      {alpha(one + structure(R"(<ContinuousStateDerivative valueReference="3"/>)"
                             R"(<Residual valueReference="8"/>)")),
       "1 derivatives for 2 states"},
      {with(alpha(kAlgebraics + structure(kSlopes + kFlat)), "Parameter valueReference=\"1\"",
            "Parameter valueReference=\"15\""),
       "the switch \"flag\" is not a Boolean structural parameter"},
      {with(alpha(kAlgebraics + structure(kSlopes + kFlat)), "Parameter valueReference=\"1\"",
            "Parameter valueReference=\"44\""),
       "there is no variable with value reference 44"},
  }));
  const Opened opened(found.manifest);
  REQUIRE(opened.fmu->dae_manifest() != nullptr);
  CHECK(opened->form == Form::none);
  CHECK_THAT(opened->why_unusable, Contains(found.reason));
}

TEST_CASE("equations that cannot determine the algebraics are told of", "[dae_manifest]") {
  const Opened found(alpha(
      kAlgebraics + structure(kSlopes + R"(<Residual valueReference="8" dependencies="6"/>)"
                                        R"(<Residual valueReference="9" dependencies="2 6"/>)")));
  CHECK(found->form == Form::semi_explicit);
  CHECK_THAT(found.warnings(), Contains("\"b\" occurs in no residual"));
  CHECK_THAT(found.warnings(), Contains("nothing is left for \"r_b\" to be solved for"));
  const Opened swapped(
      alpha(kAlgebraics + structure(R"(<ContinuousStateDerivative valueReference="5"/>)"
                                    R"(<ContinuousStateDerivative valueReference="3"/>)" +
                                    kFlat)));
  CHECK_THAT(swapped.warnings(), Contains("in another order"));
}

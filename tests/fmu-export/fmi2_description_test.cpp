// SPDX-License-Identifier: BSD-2-Clause
#include <catch2/catch.hpp>

#include "exported.hpp"
#include "fmi2/description.hpp"
#include "own_description.hpp"
#include "saltus/modeling/native_model.hpp"

using namespace saltus::fmu_export;
using namespace saltus::modeling;
using Catch::Matchers::Contains;

namespace {

template <class Real>
struct Wide {
  Discrete<std::int64_t> big{"big", {.start = 3'000'000'000}};
  void equations(Equations<Real>&) {}
};

std::string text() {
  const ExportedModel exported = exported_model(Interface::model_exchange);
  return fmi2::model_description(exported, exported.model->dependencies());
}

}  // namespace

TEST_CASE("the description of FMI 2.0 holds the GUID that the functions ask for", "[fmi2]") {
  CHECK(text() == text());
  CHECK_THAT(text(), Contains("guid=\"" + own_guid() + "\""));
  CHECK_THAT(text(), Contains("fmiVersion=\"2.0\""));
  CHECK_THAT(text(), Contains("numberOfEventIndicators=\"4\""));
  CHECK_THAT(text(), Contains("<EventIndicator name=\"h &gt; 3\"/>"));
  CHECK_THAT(text(), Contains("<EventIndicator name=\"h &lt;= 0\" partOfCondition=\"true\"/>"));
}

TEST_CASE("variables of FMI 2.0 have its four types, its indices and no initial of an input",
          "[fmi2]") {
  CHECK_THAT(text(),
             Contains("<ScalarVariable name=\"h\" valueReference=\"1\" description=\"height\" "
                      "causality=\"local\" variability=\"continuous\" initial=\"exact\">\n"
                      "      <Real unit=\"m\" nominal=\"2\" start=\"1\" reinit=\"true\"/>"));
  CHECK_THAT(text(), Contains("<Real derivative=\"2\"/>"));  // h is the second of all variables
  CHECK_THAT(text(), Contains("causality=\"local\" variability=\"discrete\" initial=\"exact\">\n"
                              "      <Integer start=\"7\"/>"));
  CHECK_THAT(text(), Contains("<ScalarVariable name=\"lamp\" valueReference=\"12\" "
                              "causality=\"input\" variability=\"discrete\">\n"
                              "      <Boolean start=\"false\"/>"));
  CHECK_THAT(text(), Contains("causality=\"independent\" variability=\"continuous\">\n"
                              "      <Real/>"));
}

TEST_CASE(
    "the structure lists outputs, derivatives in the order of the states, and what is "
    "computed at the start",
    "[fmi2]") {
  CHECK_THAT(text(), Contains("<Outputs>\n"
                              "      <Unknown index=\"9\" dependencies=\"2 4\" "
                              "dependenciesKind=\"fixed dependent\"/>\n"
                              "      <Unknown index=\"11\"/>\n      <Unknown index=\"14\"/>\n"
                              "    </Outputs>"));
  CHECK_THAT(text(), Contains("<Derivatives>\n"
                              "      <Unknown index=\"3\" dependencies=\"4\" "
                              "dependenciesKind=\"constant\"/>\n"
                              "      <Unknown index=\"5\" dependencies=\"2 4 8\" "
                              "dependenciesKind=\"dependent dependent constant\"/>\n"
                              "    </Derivatives>"));
  CHECK_THAT(text(), Contains("<InitialUnknowns>\n      <Unknown index=\"3\"/>\n      <Unknown "
                              "index=\"5\"/>\n      <Unknown index=\"9\"/>\n    "
                              "</InitialUnknowns>"));
}

TEST_CASE("a start value that FMI 2.0 cannot say is refused by name", "[fmi2]") {
  ExportedModel exported;
  exported.model = std::make_unique<NativeModel<Wide>>("Wide");
  exported.identifier = "wide";
  CHECK_THROWS_WITH(fmi2::model_description(exported, {}),
                    Contains("the start value 3000000000 of \"big\" does not fit"));
}

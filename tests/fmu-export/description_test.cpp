// SPDX-License-Identifier: BSD-2-Clause
#include "fmi3/description.hpp"

#include <catch2/catch.hpp>

#include "exported.hpp"
#include "own_description.hpp"
#include "rig.hpp"

using namespace saltus::fmu_export;
using namespace saltus::fmu_export::fmi3;
using Catch::Matchers::Contains;

namespace {

ExportedModel exported() { return exported_model(Interface::model_exchange); }

std::string described(const ExportedModel& model) {
  return model_description(model, model.model->dependencies());
}

}  // namespace

TEST_CASE("the description holds the token that the functions ask for, and is the same every time",
          "[description]") {
  const std::string text = described(exported());
  CHECK(text == described(exported()));
  CHECK_THAT(text, Contains("instantiationToken=\"" + own_instantiation_token() + "\""));
  ExportedModel other = exported();
  other.identifier = "Other";
  CHECK_THAT(described(other), !Contains(own_instantiation_token()));
}

TEST_CASE("each variable is described by what the model says of it", "[description]") {
  const std::string text = described(exported());
  CHECK_THAT(text, Contains("modelName=\"Rig\""));
  CHECK_THAT(text, Contains("description=\"a ball, a pull &amp; a lamp\""));
  CHECK_THAT(text, Contains("description=\"per &quot;kilogram&quot; &lt;of ball&gt;\""));
  CHECK_THAT(text,
             Contains("<Float64 name=\"h\" valueReference=\"1\" description=\"height\" "
                      "causality=\"local\" variability=\"continuous\" intermediateUpdate=\"true\" "
                      "initial=\"exact\" unit=\"m\" nominal=\"2\" start=\"1\" reinit=\"true\"/>"));
  CHECK_THAT(text, Contains("derivative=\"1\""));
  CHECK_THAT(
      text, Contains("causality=\"parameter\" variability=\"tunable\" initial=\"exact\" unit=\"1\" "
                     "start=\"0.7\"/>"));
  CHECK_THAT(text, Contains("<Int64 name=\"ticks\" valueReference=\"11\" causality=\"local\" "
                            "variability=\"discrete\" initial=\"exact\" start=\"7\"/>"));
  CHECK_THAT(text, Contains("<Boolean name=\"lamp\" valueReference=\"12\" causality=\"input\" "
                            "variability=\"discrete\" initial=\"exact\" start=\"false\"/>"));
  CHECK_THAT(text,
             Contains("<DefaultExperiment startTime=\"0\" stopTime=\"3\" tolerance=\"1e-07\"/>"));
  CHECK_THAT(text, Contains("<EventIndicator valueReference=\"15\"/>"));
}

TEST_CASE("units are stated in base units", "[description]") {
  const std::string text = described(exported());
  CHECK_THAT(text, Contains("<BaseUnit m=\"1\" s=\"-2\"/>"));
  CHECK_THAT(text, Contains("<BaseUnit kg=\"1\" m=\"2\" s=\"-2\"/>"));
  CHECK_THAT(text, Contains("<BaseUnit/>"));
}

TEST_CASE("a name that is no C identifier cannot be the name of a binary", "[description]") {
  ExportedModel named = exported();
  named.identifier = "3d model";
  CHECK_THROWS_WITH(described(named), "the modelIdentifier \"3d model\" is not a C identifier");
}

TEST_CASE("a qualified name is shown by its last part", "[description]") {
  CHECK(unqualified("Ball") == "Ball");
  CHECK(unqualified("a::b::Ball") == "Ball");
  CHECK(unqualified(":: a :: Ball ") == "Ball");
}

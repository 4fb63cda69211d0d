// SPDX-License-Identifier: BSD-2-Clause
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "fmi2_rig.hpp"
#include "rig.hpp"

using Catch::Contains;
using rig::Fmu;
using Names = std::vector<std::string>;

namespace {

std::vector<fmi3ValueReference> references(const Names& names) {
  std::vector<fmi3ValueReference> found;
  for (const std::string& name : names) {
    found.push_back(name == "time" ? 0 : rig::reference(name));
  }
  return found;
}

// The derivative of one variable by another, both ways.
double derivative(const Fmu& fmu, const std::string& unknown, const std::string& known) {
  const auto of = references({unknown});
  const auto by = references({known});
  const double one = 1.0;
  double along = 0.0;
  double adjoint = 0.0;
  REQUIRE(fmi3GetDirectionalDerivative(fmu.instance(), of.data(), 1, by.data(), 1, &one, 1, &along,
                                       1) == fmi3OK);
  REQUIRE(fmi3GetAdjointDerivative(fmu.instance(), of.data(), 1, by.data(), 1, &one, 1, &adjoint,
                                   1) == fmi3OK);
  CHECK(along == adjoint);
  return along;
}

// Against what pencil and paper say of the rig.
void check_all(const Fmu& fmu) {
  const double h = fmu.number("h");
  const double v = fmu.number("v");
  const double g = fmu.number("g");
  CHECK(derivative(fmu, "der(h)", "v") == 1.0);
  CHECK(derivative(fmu, "der(h)", "h") == 0.0);
  CHECK(derivative(fmu, "der(v)", "h") == Approx(0.05 * v / std::sqrt(4.0 - h)));
  CHECK(derivative(fmu, "der(v)", "v") == Approx(-0.1 * std::sqrt(4.0 - h)));
  CHECK(derivative(fmu, "der(v)", "pull") == 1.0);
  CHECK(derivative(fmu, "der(v)", "g") == -1.0);
  CHECK(derivative(fmu, "der(v)", "time") == 0.0);
  CHECK(derivative(fmu, "energy", "h") == Approx(g));
  CHECK(derivative(fmu, "energy", "v") == Approx(v));
  CHECK(derivative(fmu, "energy", "g") == Approx(h));
  CHECK(derivative(fmu, "room", "h") == Approx(-0.5 / std::sqrt(4.0 - h)));
}

}  // namespace

TEST_CASE("derivatives are there in every state in which the standard allows them",
          "[derivatives]") {
  Fmu fmu = Fmu::model_exchange();
  CHECK(fmu.set("h", 2.5) == fmi3OK);
  CHECK(fmu.set("v", -3.0) == fmi3OK);
  CHECK(fmu.set("g", 5.0) == fmi3OK);
  fmu.enter_initialization();
  check_all(fmu);
  CHECK(fmi3ExitInitializationMode(fmu.instance()) == fmi3OK);
  check_all(fmu);  // Event Mode
  fmu.settle_and_leave();
  check_all(fmu);
  const double states[] = {1.5, 2.0};
  CHECK(fmi3SetContinuousStates(fmu.instance(), states, 2) == fmi3OK);
  CHECK(fmi3SetTime(fmu.instance(), 0.1) == fmi3OK);
  check_all(fmu);
  CHECK(fmi3Terminate(fmu.instance()) == fmi3OK);
  check_all(fmu);
}

TEST_CASE("derivatives leave no trace", "[derivatives]") {
  for (const bool ask : {false, true}) {
    static std::vector<double> without;
    Fmu fmu = Fmu::co_simulation({.event_mode = false});
    fmu.initialize();
    std::vector<double> values;
    for (int i = 0; i < 20; ++i) {
      fmu.step(0.1 * i, 0.1);
      if (ask) {
        check_all(fmu);
      }
      const std::vector<double> now = fmu.everything();
      values.insert(values.end(), now.begin(), now.end());
    }
    CHECK((!ask || rig::difference(without, values).empty()));
    without = values;
  }
}

TEST_CASE("a seed belongs to the variables in their order, each as often as it is named",
          "[derivatives]") {
  Fmu fmu = Fmu::model_exchange();
  fmu.initialize();
  fmu.settle_and_leave();
  const auto of = references({"energy", "der(v)", "energy"});
  const auto by = references({"v", "h", "pull", "h"});
  const std::vector<double> seed{2.0, 3.0, 5.0, 7.0};
  std::vector<double> along(3);
  REQUIRE(fmi3GetDirectionalDerivative(fmu.instance(), of.data(), 3, by.data(), 4, seed.data(), 4,
                                       along.data(), 3) == fmi3OK);
  const double room = std::sqrt(3.0);  // h = 1, v = 0
  CHECK(along[0] == Approx(9.81 * 10.0));
  CHECK(along[1] == Approx(5.0 - 0.2 * room));
  CHECK(along[2] == along[0]);
  std::vector<double> back(4);
  REQUIRE(fmi3GetAdjointDerivative(fmu.instance(), of.data(), 3, by.data(), 4, seed.data(), 3,
                                   back.data(), 4) == fmi3OK);
  CHECK(back[0] == Approx(-0.1 * room * 3.0));
  CHECK(back[1] == Approx(9.81 * 7.0));
  CHECK(back[2] == 3.0);
  CHECK(back[3] == back[1]);
}

TEST_CASE("derivatives that do not exist are refused by name", "[derivatives]") {
  struct Case {
    const char* unknown;
    const char* known;
    const char* says;
  };
  for (const Case& wrong :
       {Case{"h", "v", "\"h\" has no derivatives"}, Case{"bounces", "v", "has no derivatives"},
        Case{"energy", "room", "\"room\" is nothing to differentiate by"},
        Case{"energy", "lamp", "\"lamp\" is nothing to differentiate by"}}) {
    Fmu fmu = Fmu::model_exchange();
    fmu.initialize();
    fmu.settle_and_leave();
    const auto of = references({wrong.unknown});
    const auto by = references({wrong.known});
    double value = 1.0;
    CHECK(fmi3GetDirectionalDerivative(fmu.instance(), of.data(), 1, by.data(), 1, &value, 1,
                                       &value, 1) == fmi3Error);
    CHECK_THAT(fmu.messages(), Contains(wrong.says));
  }
  Fmu fmu = Fmu::model_exchange();
  fmu.initialize();
  const auto of = references({"energy"});
  double value[2] = {1.0, 1.0};
  CHECK(fmi3GetDirectionalDerivative(fmu.instance(), of.data(), 1, of.data(), 1, value, 2, value,
                                     1) == fmi3Error);
  CHECK_THAT(fmu.messages(), Contains("for 2 knowns and 1 unknowns, but there are 1 and 1"));
}

TEST_CASE("a point without derivatives is discarded", "[derivatives]") {
  Fmu fmu = Fmu::model_exchange();
  fmu.initialize();
  fmu.settle_and_leave();
  const double edge[] = {4.0, 1.0};  // sqrt(4 - h) has no slope there
  CHECK(fmi3SetContinuousStates(fmu.instance(), edge, 2) == fmi3OK);
  const auto of = references({"room"});
  const auto by = references({"h"});
  const double one = 1.0;
  double value = 0.0;
  CHECK(fmi3GetDirectionalDerivative(fmu.instance(), of.data(), 1, by.data(), 1, &one, 1, &value,
                                     1) == fmi3Discard);
}

TEST_CASE("the FMU of FMI 2.0 has the same directional derivatives", "[derivatives][fmi2]") {
  for (const bool me : {true, false}) {
    rig2::Fmu fmu = me ? rig2::Fmu::model_exchange() : rig2::Fmu::co_simulation();
    fmu.initialize();
    if (me) {
      fmu.settle_and_leave();
    } else {
      fmu.step(0.0, 0.2);
    }
    const auto of = references({"der(v)", "energy"});
    const auto by = references({"h", "v"});
    const double seed[] = {1.0, 2.0};
    double along[2];
    REQUIRE(fmi2GetDirectionalDerivative(fmu.c(), of.data(), 2, by.data(), 2, seed, along) ==
            fmi2OK);
    const double h = fmu.number("h");
    const double v = fmu.number("v");
    const double room = std::sqrt(4.0 - h);
    CHECK(along[0] == Approx(0.05 * v / room - 0.2 * room));
    CHECK(along[1] == Approx(9.81 + 2.0 * v));
  }
}

TEST_CASE("dependencies are told while the FMU runs", "[derivatives]") {
  Fmu fmu = Fmu::model_exchange();
  const auto ask = [&](const std::string& name) {
    size_t count = 0;
    REQUIRE(fmi3GetNumberOfVariableDependencies(fmu.instance(), rig::reference(name), &count) ==
            fmi3OK);
    std::vector<size_t> of(count), elements(count);
    std::vector<fmi3ValueReference> on(count);
    std::vector<fmi3DependencyKind> kinds(count);
    REQUIRE(fmi3GetVariableDependencies(fmu.instance(), rig::reference(name), of.data(), on.data(),
                                        elements.data(), kinds.data(), count) == fmi3OK);
    CHECK(of == std::vector<size_t>(count, 1));
    CHECK(elements == std::vector<size_t>(count, 1));
    return std::pair(on, kinds);
  };
  fmu.enter_initialization();
  CHECK(ask("der(h)").first == references({"time", "h", "v", "g", "e", "pull", "bounces", "ticks",
                                           "lamp", "lamp_seen", "last_speed"}));
  CHECK(fmi3ExitInitializationMode(fmu.instance()) == fmi3OK);
  fmu.settle_and_leave();
  const auto slope = ask("der(v)");
  CHECK(slope.first == references({"h", "v", "pull"}));
  CHECK(slope.second ==
        std::vector<fmi3DependencyKind>{fmi3Dependent, fmi3Dependent, fmi3Constant});
  CHECK(ask("energy").second == std::vector<fmi3DependencyKind>{fmi3Fixed, fmi3Dependent});
  CHECK(ask("bounces").first == references({"time", "h", "v", "pull", "lamp"}));
  size_t count = 0;
  CHECK(fmi3GetNumberOfVariableDependencies(fmu.instance(), rig::reference("g"), &count) ==
        fmi3Error);
  CHECK_THAT(fmu.messages(), Contains("\"g\" is not computed"));
}

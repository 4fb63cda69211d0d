// SPDX-License-Identifier: BSD-2-Clause
// The functions of an FMU whose description lists arrays. The table that the describing program
// would write is written here by hand, from the order of the members in arrays_model.cpp.
#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "exported.hpp"
#include "find_arrays.hpp"
#include "fmi3/description.hpp"
#include "rig.hpp"

namespace {

using Catch::Matchers::Contains;
using saltus::fmu_export::DescribedArray;
using saltus::fmu_export::DescribedArrays;
using saltus::fmu_export::exported_model;
using saltus::fmu_export::find_arrays;
using saltus::fmu_export::Interface;
using References = std::vector<fmi3ValueReference>;
using Numbers = std::vector<double>;

constexpr fmi3ValueReference kGain = 1, kT = 2, kDerT = 3, kK = 8, kU = 10, kFlow = 12, kMean = 14,
                             kX = 15, kDerX = 16, kWallT = 17, kDerWallT = 18, kWall1T = 22,
                             kDerWall1T = 23;

}  // namespace

extern "C" {
extern const unsigned saltus_described_arrays[] = {
    10,                // arrays
    kT,         3, 2,  // T[0], T[1], T[2], with the derivatives in between
    kDerT,      3, 2,  //
    kK,         2, 1,  //
    kU,         2, 1,  //
    kFlow,      2, 1,  //
    kMean,      1, 1,  //
    kWallT,     2, 2,  //
    kDerWallT,  2, 2,  //
    kWall1T,    2, 2,  //
    kDerWall1T, 2, 2};
}

namespace {

Numbers get(const rig::Fmu& fmu, const References& which, std::size_t count) {
  Numbers values(count, -1.0);
  REQUIRE(fmi3GetFloat64(fmu.instance(), which.data(), which.size(), values.data(), count) ==
          fmi3OK);
  return values;
}
fmi3Status set(const rig::Fmu& fmu, const References& which, const Numbers& values) {
  return fmi3SetFloat64(fmu.instance(), which.data(), which.size(), values.data(), values.size());
}

std::string description() {
  const auto exported = exported_model(Interface::model_exchange);
  return saltus::fmu_export::fmi3::model_description(exported, exported.model->dependencies(),
                                                     find_arrays(*exported.model));
}

TEST_CASE("arrays are found by their names, where all elements are alike", "[arrays]") {
  const DescribedArrays found = find_arrays(*exported_model(Interface::model_exchange).model);
  REQUIRE(found.all.size() == saltus_described_arrays[0]);
  for (std::size_t i = 0; i < found.all.size(); ++i) {
    const unsigned* const expected = saltus_described_arrays + 1 + 3 * i;
    CAPTURE(found.all[i].name);
    CHECK(found.all[i].first + 1 == expected[0]);
    CHECK(found.all[i].size == expected[1]);
    CHECK(found.all[i].stride == expected[2]);
  }
  CHECK(found.all[0].name == "T");
  CHECK(found.all[1].name == "der(T)");
  CHECK(found.all[9].name == "der(walls[1].T)");
  CHECK(found.not_alike == std::vector<std::string>{"a", "c", "g"});
}

TEST_CASE("the description lists arrays with dimensions and all start values", "[arrays]") {
  const std::string xml = description();
  CHECK_THAT(xml,
             Contains(R"(<Float64 name="T" valueReference="2" description="of the layers" )"
                      R"(causality="local" variability="continuous" intermediateUpdate="true" )"
                      R"(initial="exact" unit="K" max="1000" nominal="2" start="1 2 4" )"
                      R"(reinit="true">)"));
  CHECK_THAT(xml, Contains(R"(<Dimension start="3"/>)"));
  CHECK_THAT(xml, Contains(R"(name="mean" valueReference="14")"));
  CHECK_THAT(xml, Contains(R"(<Dimension start="1"/>)"));
  CHECK_THAT(xml, Contains(R"x(name="der(T)" valueReference="3")x"));
  CHECK_THAT(xml, Contains(R"(description="derivative of T" )"));
  CHECK_THAT(xml, Contains(R"(derivative="2")"));
  CHECK_THAT(xml, Contains(R"(name="a[0]")"));
  CHECK_THAT(xml, Contains(R"(name="c[0]")"));
  CHECK_THAT(xml, !Contains("T[0]\""));
  CHECK_THAT(xml, Contains(R"(<Alias name="temperatures" description="of all layers"/>)"));
  // What its elements depend on, together: T by k, which is tunable, and u by a constant.
  CHECK_THAT(xml, Contains(R"(<ContinuousStateDerivative valueReference="3" dependencies="2 10" )"
                           R"(dependenciesKind="tunable constant"/>)"));
  CHECK_THAT(xml, Contains(R"(<Output valueReference="12" dependencies="2")"));
  CHECK_THAT(xml, Contains(R"(<ContinuousStateDerivative valueReference="16" dependencies="2" )"
                           R"(dependenciesKind="dependent"/>)"));
  CHECK_THAT(xml, !Contains(R"(valueReference="5")"));
  const auto exported = exported_model(Interface::model_exchange);
  using saltus::fmu_export::fmi3::instantiation_token;
  CHECK(instantiation_token(exported) !=
        instantiation_token(exported, find_arrays(*exported.model)));
}

TEST_CASE("arrays are read and set as wholes", "[arrays]") {
  rig::Fmu fmu = rig::Fmu::model_exchange();
  CHECK(get(fmu, {kT, kGain, kWall1T}, 6) == Numbers{1.0, 2.0, 4.0, 0.5, 1.0, 0.5});
  REQUIRE(set(fmu, {kGain, kT, kK}, {0.25, 3.0, 5.0, 7.0, 2.0, 4.0}) == fmi3OK);
  fmu.initialize();
  // The event at the start has set T[1].
  fmu.settle_and_leave();
  CHECK(get(fmu, {kT, kK, kT}, 8) == Numbers{3.0, 0.0, 7.0, 2.0, 4.0, 3.0, 0.0, 7.0});
  CHECK(get(fmu, {kFlow, kMean}, 3) == Numbers{6.0, -28.0, 10.0 / 3.0});
  REQUIRE(set(fmu, {kU}, {1.0, 2.0}) == fmi3OK);
  CHECK(get(fmu, {kDerT}, 3) == Numbers{-5.0, 34.0, -28.0 - 0.25 * 7.0 + 2.0});
  Numbers states(8);
  REQUIRE(fmi3GetContinuousStates(fmu.instance(), states.data(), states.size()) == fmi3OK);
  CHECK(states == get(fmu, {kT, kX, kWallT, kWall1T}, 8));
  Numbers slopes(8);
  REQUIRE(fmi3GetContinuousStateDerivatives(fmu.instance(), slopes.data(), 8) == fmi3OK);
  CHECK(slopes == get(fmu, {kDerT, kDerX, kDerWallT, kDerWall1T}, 8));
}

TEST_CASE("a wrong number of values, and the reference of an element, are refused", "[arrays]") {
  std::array<double, 3> three{};
  for (const fmi3ValueReference which : {fmi3ValueReference{kT}, fmi3ValueReference{4}}) {
    rig::Fmu fmu = rig::Fmu::model_exchange();
    const std::size_t count = which == kT ? 2 : 1;
    CHECK(fmi3GetFloat64(fmu.instance(), &which, 1, three.data(), count) == fmi3Error);
    CHECK_THAT(fmu.messages(),
               Contains(which == kT ? "these variables have 3 values, but nValues is 2"
                                    : "there is no variable with value reference 4; the array "
                                      "around it has 2"));
  }
  rig::Fmu fmu = rig::Fmu::model_exchange();
  fmu.initialize();
  CHECK(set(fmu, {kFlow}, {1.0, 2.0}) == fmi3Error);
  CHECK_THAT(fmu.messages(), Contains("variable 12 \"flow[0]\""));
  rig::Fmu other = rig::Fmu::model_exchange();
  std::size_t number = 0;
  CHECK(fmi3GetNumberOfVariableDependencies(other.instance(), 13, &number) == fmi3Error);
  CHECK_THAT(other.messages(), Contains("the array around it has 12"));
  // As are those of elements by any other function.
  rig::Fmu third = rig::Fmu::model_exchange();
  const fmi3ValueReference hidden = 6;
  fmi3Int32 whole = 0;
  CHECK(fmi3GetInt32(third.instance(), &hidden, 1, &whole, 1) == fmi3Error);
  CHECK_THAT(third.messages(), Contains("reference 6; the array around it has 2"));
}

TEST_CASE("seeds and sensitivities of arrays are those of their elements", "[arrays]") {
  rig::Fmu fmu = rig::Fmu::model_exchange();
  fmu.initialize();
  fmu.settle_and_leave();
  // Of der(T) and flow by T and u: k = (1, 2), gain = 0.5.
  const std::vector<Numbers> expected{{-1.0, 1.0, 0.0, 1.0, 0.0},
                                      {1.0, -3.0, 2.0, 0.0, 0.0},
                                      {0.0, 2.0, -2.5, 0.0, 1.0},
                                      {1.0, -1.0, 0.0, 0.0, 0.0},
                                      {0.0, 2.0, -2.0, 0.0, 0.0}};
  const References unknowns{kDerT, kFlow};
  const References knowns{kT, kU};
  for (std::size_t j = 0; j < 5; ++j) {
    Numbers seed(5, 0.0);
    Numbers result(5, -9.0);
    seed[j] = 1.0;
    REQUIRE(fmi3GetDirectionalDerivative(fmu.instance(), unknowns.data(), 2, knowns.data(), 2,
                                         seed.data(), 5, result.data(), 5) == fmi3OK);
    for (std::size_t i = 0; i < 5; ++i) {
      CAPTURE(i, j);
      CHECK(result[i] == expected[i][j]);
    }
    REQUIRE(fmi3GetAdjointDerivative(fmu.instance(), unknowns.data(), 2, knowns.data(), 2,
                                     seed.data(), 5, result.data(), 5) == fmi3OK);
    CHECK(result == expected[j]);
  }
  Numbers two(2);
  CHECK(fmi3GetDirectionalDerivative(fmu.instance(), unknowns.data(), 2, knowns.data(), 2,
                                     two.data(), 2, two.data(), 2) == fmi3Error);
  CHECK_THAT(fmu.messages(), Contains("2 knowns and 2 unknowns, but there are 5 and 5"));
}

TEST_CASE("dependencies are told by element", "[arrays]") {
  rig::Fmu fmu = rig::Fmu::model_exchange();
  const auto dependencies = [&](fmi3ValueReference of) {
    std::size_t n = 0;
    REQUIRE(fmi3GetNumberOfVariableDependencies(fmu.instance(), of, &n) == fmi3OK);
    std::vector<std::size_t> elements(n), of_on(n);
    References on(n);
    std::vector<fmi3DependencyKind> kinds(n);
    REQUIRE(fmi3GetVariableDependencies(fmu.instance(), of, elements.data(), on.data(),
                                        of_on.data(), kinds.data(), n) == fmi3OK);
    std::vector<std::array<std::size_t, 3>> found;
    for (std::size_t i = 0; i < n; ++i) found.push_back({elements[i], on[i], of_on[i]});
    return found;
  };
  fmu.initialize();
  fmu.settle_and_leave();
  using Rows = std::vector<std::array<std::size_t, 3>>;
  CHECK(dependencies(kFlow) == Rows{{1, kT, 1}, {1, kT, 2}, {2, kT, 2}, {2, kT, 3}});
  CHECK(dependencies(kDerX) == Rows{{1, kT, 1}, {1, kT, 3}});
  CHECK(dependencies(kDerWall1T) == Rows{{1, kT, 2},
                                         {1, kT, 3},
                                         {1, kWall1T, 1},
                                         {1, kWall1T, 2},
                                         {2, kWall1T, 1},
                                         {2, kWall1T, 2}});
}

TEST_CASE("arrays of outputs have derivatives, with one order each", "[arrays]") {
  rig::Fmu fmu = rig::Fmu::co_simulation();
  fmu.initialize();
  fmu.step(0.0, 0.1);
  const Numbers slopes = get(fmu, {kDerT}, 3);
  Numbers rates(2);
  const fmi3ValueReference flow = kFlow;
  fmi3Int32 order = 1;
  REQUIRE(fmi3GetOutputDerivatives(fmu.instance(), &flow, 1, &order, rates.data(), 2) == fmi3OK);
  CHECK(rates[0] == Approx(slopes[0] - slopes[1]).epsilon(1e-12));
  CHECK(rates[1] == Approx(2.0 * (slopes[1] - slopes[2])).epsilon(1e-12));
  order = 2;
  CHECK(fmi3GetOutputDerivatives(fmu.instance(), &flow, 1, &order, rates.data(), 2) == fmi3Error);
}

TEST_CASE("arrays are read and set in intermediate updates", "[arrays]") {
  int updates = 0;
  rig::Fmu fmu = rig::Fmu::co_simulation(
      {.intermediate = {"T[0]", "u[0]", "flow[0]"}, .callback = [&](rig::Intermediate& now) {
         const References which{kT, kFlow};
         Numbers values(5);
         REQUIRE(fmi3GetFloat64(now.instance, which.data(), 2, values.data(), 5) == fmi3OK);
         CHECK(values[3] == values[0] - values[1]);
         CHECK(values[4] == 2.0 * (values[1] - values[2]));
         if (now.set_requested) {
           const fmi3ValueReference u = kU;
           const Numbers inputs{0.5, 0.25};
           REQUIRE(fmi3SetFloat64(now.instance, &u, 1, inputs.data(), 2) == fmi3OK);
         }
         ++updates;
       }});
  fmu.initialize();
  fmu.step(0.0, 0.5);
  CHECK(updates > 0);
}

TEST_CASE("a state that is saved within an event has what was set of arrays", "[arrays]") {
  rig::Fmu fmu = rig::Fmu::model_exchange();
  fmu.initialize();
  REQUIRE(set(fmu, {kK}, {3.0, 4.0}) == fmi3OK);
  fmi3FMUState saved = nullptr;
  REQUIRE(fmi3GetFMUState(fmu.instance(), &saved) == fmi3OK);
  std::size_t size = 0;
  REQUIRE(fmi3SerializedFMUStateSize(fmu.instance(), saved, &size) == fmi3OK);
  std::vector<fmi3Byte> bytes(size);
  REQUIRE(fmi3SerializeFMUState(fmu.instance(), saved, bytes.data(), size) == fmi3OK);
  REQUIRE(fmi3FreeFMUState(fmu.instance(), &saved) == fmi3OK);
  fmu.settle_and_leave();
  const Numbers there = get(fmu, {kK, kFlow, kDerT}, 7);
  rig::Fmu other = rig::Fmu::model_exchange();
  REQUIRE(fmi3DeserializeFMUState(other.instance(), bytes.data(), size, &saved) == fmi3OK);
  REQUIRE(fmi3SetFMUState(other.instance(), saved) == fmi3OK);
  REQUIRE(fmi3FreeFMUState(other.instance(), &saved) == fmi3OK);
  CHECK(get(other, {kK}, 2) == Numbers{3.0, 4.0});
  other.settle_and_leave();
  CHECK(get(other, {kK, kFlow, kDerT}, 7) == there);
}

}  // namespace

// SPDX-License-Identifier: BSD-2-Clause
// The functions of an FMU whose arrays have a structural parameter as their size. The tables that
// the describing program would write are written here by hand, from the order of the members in
// heat_rod.hpp.
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "content_hash.hpp"
#include "exported.hpp"
#include "find_sizes.hpp"
#include "fmi3/description.hpp"
#include "heat_rod.hpp"
#include "own_description.hpp"
#include "rig.hpp"

namespace {

using Catch::Matchers::Contains;
using saltus::fmu_export::DescribedArrays;
using saltus::fmu_export::exported_model;
using saltus::fmu_export::Interface;
using saltus::test::decay_of_first_mode;
using saltus::test::first_mode;
using saltus::test::mean_of_first_mode;
using References = std::vector<fmi3ValueReference>;
using Numbers = std::vector<double>;

constexpr fmi3ValueReference kK = 1, kN = 2, kT = 3, kDerT = 4, kLoss = 23, kWeights = 33,
                             kHeat = 35, kFlow = 45, kMean = 55, kLevel = 56, kHalvings = 57,
                             kWeighted = 58, kDerWeighted = 59, kIndicator = 60;

}  // namespace

extern "C" {
extern const unsigned saltus_described_arrays[] = {6,                //
                                                   kT,       10, 2,  //
                                                   kDerT,    10, 2,  //
                                                   kLoss,    10, 1,  //
                                                   kWeights, 2,  1,  //
                                                   kHeat,    10, 1,  //
                                                   kFlow,    10, 1};
extern const unsigned saltus_described_sizes[] = {1, kIndicator, 1, kN, 10, 1, 1, 1, 0, 1, 1};
}

// Here nothing stands in for the search.
saltus::fmu_export::DependencySearch saltus::fmu_export::dependency_search = nullptr;

namespace {

Numbers get(const rig::Fmu& fmu, const References& which, std::size_t count) {
  Numbers values(count, -1.0);
  REQUIRE(fmi3GetFloat64(fmu.instance(), which.data(), which.size(), values.data(), count) ==
          fmi3OK);
  return values;
}
double get(const rig::Fmu& fmu, fmi3ValueReference which) { return get(fmu, {which}, 1)[0]; }
fmi3Status set(const rig::Fmu& fmu, const References& which, const Numbers& values) {
  return fmi3SetFloat64(fmu.instance(), which.data(), which.size(), values.data(), values.size());
}
std::uint64_t size_of(const rig::Fmu& fmu) {
  fmi3UInt64 n = 0;
  REQUIRE(fmi3GetUInt64(fmu.instance(), &kN, 1, &n, 1) == fmi3OK);
  return n;
}
fmi3Status set_size(const rig::Fmu& fmu, std::uint64_t n) {
  return fmi3SetUInt64(fmu.instance(), &kN, 1, &n, 1);
}
void configure(const rig::Fmu& fmu, std::uint64_t n) {
  REQUIRE(fmi3EnterConfigurationMode(fmu.instance()) == fmi3OK);
  REQUIRE(set_size(fmu, n) == fmi3OK);
  REQUIRE(fmi3ExitConfigurationMode(fmu.instance()) == fmi3OK);
}
rig::Fmu configured(bool model_exchange, std::uint64_t n) {
  rig::Fmu fmu = model_exchange ? rig::Fmu::model_exchange() : rig::Fmu::co_simulation();
  configure(fmu, n);
  return fmu;
}

DescribedArrays described(saltus::modeling::DescribedModel& model) {
  DescribedArrays arrays = saltus::fmu_export::find_arrays(model);
  saltus::Warnings warnings;
  find_sizes(arrays, model, warnings);
  return arrays;
}

TEST_CASE("arrays of a size are found by making the model with another one", "[Size]") {
  const auto exported = exported_model(Interface::model_exchange);
  const DescribedArrays found = described(*exported.model);
  REQUIRE(found.all.size() == saltus_described_arrays[0]);
  for (std::size_t i = 0; i < found.all.size(); ++i) {
    CAPTURE(found.all[i].name);
    CHECK(found.all[i].first + 1 == saltus_described_arrays[1 + 3 * i]);
    CHECK(found.all[i].size_number == saltus_described_sizes[5 + i]);
  }
  REQUIRE(found.sizes.size() == 1);
  CHECK(found.sizes[0].position + 1 == kN);
  CHECK(found.sizes[0].standard == 10);
  CHECK(found.last_reference == kIndicator);
  CHECK(found.indicators == 1);
  const std::string xml =
      saltus::fmu_export::fmi3::model_description(exported, exported.model->dependencies(), found);
  CHECK_THAT(xml, Contains(R"(<UInt64 name="n" valueReference="2" description="cells" )"
                           R"(causality="structuralParameter" variability="fixed" )"
                           R"(initial="exact" min="2" max="100" start="10"/>)"));
  CHECK_THAT(xml, Contains(R"(<Dimension valueReference="2"/>)"));
  CHECK_THAT(xml, Contains(R"(<Dimension start="2"/>)"));
  CHECK_THAT(xml, !Contains(R"(<Dimension start="10"/>)"));
}

TEST_CASE("an instance has the size that was set in Configuration Mode", "[Size]") {
  for (const bool model_exchange : {true, false}) {
    for (const std::size_t n : {std::size_t{2}, std::size_t{4}, std::size_t{10}, std::size_t{40}}) {
      CAPTURE(model_exchange, n);
      const rig::Fmu fmu = configured(model_exchange, n);
      CHECK(size_of(fmu) == n);
      CHECK(get(fmu, {kT}, n) == first_mode(n));
      CHECK(get(fmu, {kWeights, kK}, 3) == Numbers{1.0, 2.0, 1.0});
      CHECK(get(fmu, {kLevel, kWeighted}, 2) == Numbers{0.5, 0.0});
      fmi3Int32 halvings = -1;
      REQUIRE(fmi3GetInt32(fmu.instance(), &kHalvings, 1, &halvings, 1) == fmi3OK);
      CHECK(halvings == 0);
      fmu.initialize();
      CHECK(get(fmu, kMean) == Approx(mean_of_first_mode(n)).epsilon(1e-14));
      const Numbers slopes = get(fmu, {kDerT}, n);
      for (std::size_t i = 0; i < n; ++i) {
        CHECK(slopes[i] == Approx(-decay_of_first_mode(n, 1.0) * first_mode(n)[i]).epsilon(1e-10));
      }
      CHECK(get(fmu, kDerWeighted) == Approx(3.0 * first_mode(n)[0]).epsilon(1e-14));
      CHECK(std::fabs(get(fmu, kIndicator)) ==
            Approx(std::fabs(mean_of_first_mode(n) - 0.5)).epsilon(1e-12));
    }
  }
}

TEST_CASE("the counts of Model Exchange follow a size", "[Size]") {
  const rig::Fmu fmu = configured(true, 4);
  std::size_t states = 0;
  std::size_t indicators = 0;
  REQUIRE(fmi3GetNumberOfContinuousStates(fmu.instance(), &states) == fmi3OK);
  REQUIRE(fmi3GetNumberOfEventIndicators(fmu.instance(), &indicators) == fmi3OK);
  CHECK(states == 5);
  CHECK(indicators == 1);
  fmu.initialize();
  fmu.settle_and_leave();
  Numbers x(5), dx(5), nominals(5), z(1);
  REQUIRE(fmi3GetContinuousStates(fmu.instance(), x.data(), 5) == fmi3OK);
  CHECK(x == get(fmu, {kT, kWeighted}, 5));
  REQUIRE(fmi3GetContinuousStateDerivatives(fmu.instance(), dx.data(), 5) == fmi3OK);
  CHECK(dx == get(fmu, {kDerT, kDerWeighted}, 5));
  REQUIRE(fmi3GetNominalsOfContinuousStates(fmu.instance(), nominals.data(), 5) == fmi3OK);
  CHECK(nominals == Numbers(5, 1.0));
  REQUIRE(fmi3GetEventIndicators(fmu.instance(), z.data(), 1) == fmi3OK);
  CHECK(z[0] == get(fmu, kIndicator));
  x = {1.0, 2.0, 3.0, 4.0, 5.0};
  REQUIRE(fmi3SetContinuousStates(fmu.instance(), x.data(), 5) == fmi3OK);
  CHECK(get(fmu, {kWeighted, kT}, 5) == Numbers{5.0, 1.0, 2.0, 3.0, 4.0});
  CHECK(fmi3GetContinuousStates(fmu.instance(), x.data(), 4) == fmi3Error);
}

TEST_CASE("co-simulations of several sizes run side by side and are right", "[Size]") {
  const std::array<std::size_t, 3> sizes{3, 10, 40};
  std::vector<rig::Fmu> rods;
  for (const std::size_t n : sizes) {
    rods.push_back(configured(false, n));
    rods.back().initialize(0.0, 1e-9);
  }
  for (int i = 0; i < 10; ++i) {
    for (const rig::Fmu& rod : rods) rod.step(0.01 * i, 0.01);
  }
  for (std::size_t r = 0; r < sizes.size(); ++r) {
    const std::size_t n = sizes[r];
    CAPTURE(n);
    const Numbers T = get(rods[r], {kT}, n);
    const double decay = decay_of_first_mode(n, 1.0);
    for (std::size_t i = 0; i < n; ++i) {
      CHECK(T[i] == Approx(first_mode(n)[i] * std::exp(-0.1 * decay)).margin(1e-7));
    }
    double level = 0.5;
    int times = 0;
    for (; mean_of_first_mode(n) * std::exp(-0.1 * decay) < level; ++times) level *= 0.5;
    CHECK(get(rods[r], kLevel) == level);
    fmi3Int32 halvings = -1;
    REQUIRE(fmi3GetInt32(rods[r].instance(), &kHalvings, 1, &halvings, 1) == fmi3OK);
    CHECK(halvings == times);
  }
}

TEST_CASE("what was set before stays, where it has not another size now", "[Size]") {
  rig::Fmu fmu = rig::Fmu::model_exchange();
  const Numbers ten(10, 0.5);
  REQUIRE(set(fmu, {kK, kWeights, kLevel, kWeighted}, {2.0, 3.0, 4.0, 0.125, 7.0}) == fmi3OK);
  REQUIRE(set(fmu, {kT}, ten) == fmi3OK);
  const fmi3Int32 three = 3;
  REQUIRE(fmi3SetInt32(fmu.instance(), &kHalvings, 1, &three, 1) == fmi3OK);
  // The same size: nothing is lost.
  configure(fmu, 10);
  CHECK(get(fmu, {kT}, 10) == ten);
  CHECK(fmu.messages().empty());
  configure(fmu, 5);
  CHECK_THAT(fmu.messages(), Contains("the values that were set of \"T\" are lost"));
  CHECK(get(fmu, {kK, kWeights, kLevel, kWeighted}, 5) == Numbers{2.0, 3.0, 4.0, 0.125, 7.0});
  fmi3Int32 halvings = 0;
  REQUIRE(fmi3GetInt32(fmu.instance(), &kHalvings, 1, &halvings, 1) == fmi3OK);
  CHECK(halvings == 3);
  CHECK(get(fmu, {kT}, 5) == first_mode(5));
  REQUIRE(set(fmu, {kHeat, kLoss}, Numbers(10, 1.5)) == fmi3OK);
  fmu.initialize();
  const Numbers slopes = get(fmu, {kDerT}, 5);
  for (std::size_t i = 0; i < 5; ++i) {
    const double T = first_mode(5)[i];
    CHECK(slopes[i] == Approx(-decay_of_first_mode(5, 2.0) * T + 1.5 - 1.5 * T).epsilon(1e-10));
  }
  // All variables have their default values again (FMI 3.0, 2.3.1), sizes too.
  REQUIRE(fmi3Reset(fmu.instance()) == fmi3OK);
  CHECK(size_of(fmu) == 10);
  CHECK(get(fmu, {kK, kT}, 11)[0] == 1.0);
}

TEST_CASE("sizes are refused where and as they cannot be set", "[Size]") {
  for (const std::uint64_t wrong :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{101}, ~std::uint64_t{0}}) {
    rig::Fmu fmu = rig::Fmu::co_simulation();
    REQUIRE(fmi3EnterConfigurationMode(fmu.instance()) == fmi3OK);
    CHECK(set_size(fmu, wrong) == fmi3Error);
    CHECK_THAT(fmu.messages(), Contains("the size \"n\" cannot be") && Contains("from 2 to 100"));
    REQUIRE(fmi3Reset(fmu.instance()) == fmi3OK);
    CHECK(size_of(fmu) == 10);
  }
  rig::Fmu early = rig::Fmu::model_exchange();
  CHECK(set_size(early, 12) == fmi3Error);
  CHECK_THAT(early.messages(), Contains("\"n\" (structuralParameter, fixed) cannot be set in"));
  rig::Fmu other = rig::Fmu::model_exchange();
  REQUIRE(fmi3EnterConfigurationMode(other.instance()) == fmi3OK);
  CHECK(set(other, {kK}, {2.0}) == fmi3Error);
  CHECK_THAT(other.messages(), Contains("\"k\""));
  rig::Fmu late = rig::Fmu::model_exchange();
  late.initialize();
  CHECK(fmi3EnterConfigurationMode(late.instance()) == fmi3Error);
  CHECK_THAT(late.messages(), Contains("no structural parameter can be set here"));
  CHECK(fmi3ExitConfigurationMode(late.instance()) == fmi3Error);
}

TEST_CASE("value references are those of the description, whatever the size", "[Size]") {
  for (const std::uint64_t n : {std::uint64_t{3}, std::uint64_t{10}, std::uint64_t{20}}) {
    // An element has none, and behind the last one there is nothing.
    for (const fmi3ValueReference none :
         {fmi3ValueReference{5}, fmi3ValueReference{24}, fmi3ValueReference{34},
          fmi3ValueReference{54}, kIndicator + 1, kIndicator + 7, ~fmi3ValueReference{0}}) {
      CAPTURE(n, none);
      rig::Fmu fmu = configured(true, n);
      double value = 0.0;
      CHECK(fmi3GetFloat64(fmu.instance(), &none, 1, &value, 1) == fmi3Error);
      CHECK_THAT(fmu.messages(),
                 Contains("there is no variable with value reference " + std::to_string(none)));
    }
    rig::Fmu fmu = configured(true, n);
    Numbers values(n + 1);
    CHECK(fmi3GetFloat64(fmu.instance(), &kFlow, 1, values.data(), n + 1) == fmi3Error);
    CHECK_THAT(fmu.messages(), Contains("these variables have " + std::to_string(n) + " values"));
    rig::Fmu another = configured(true, n);
    another.initialize();
    CHECK(set(another, {kMean}, {1.0}) == fmi3Error);
    CHECK_THAT(another.messages(), Contains("variable 55 \"mean\""));
    rig::Fmu last = configured(true, n);
    fmi3Int32 whole = 0;
    CHECK(fmi3GetInt32(last.instance(), &kMean, 1, &whole, 1) == fmi3Error);
    CHECK_THAT(last.messages(), Contains("variable 55 \"mean\" is of type Float64"));
  }
}

TEST_CASE("derivatives and dependencies are those of the size in force", "[Size]") {
  const std::size_t n = 3;
  rig::Fmu fmu = configured(true, n);
  fmu.initialize();
  fmu.settle_and_leave();
  const double c = 16.0;
  const std::vector<Numbers> expected{
      {-2.0 * c, c, 0.0}, {c, -2.0 * c, c}, {0.0, c, -2.0 * c}, {1.0, 0.0, 2.0}};
  const References unknowns{kDerT, kDerWeighted};
  for (std::size_t j = 0; j < n; ++j) {
    Numbers seed(n, 0.0), result(4, -9.0);
    seed[j] = 1.0;
    REQUIRE(fmi3GetDirectionalDerivative(fmu.instance(), unknowns.data(), 2, &kT, 1, seed.data(), 3,
                                         result.data(), 4) == fmi3OK);
    for (std::size_t i = 0; i < 4; ++i) CHECK(result[i] == expected[i][j]);
    Numbers back(4, 0.0), adjoint(3, -9.0);
    back[j] = 1.0;
    REQUIRE(fmi3GetAdjointDerivative(fmu.instance(), unknowns.data(), 2, &kT, 1, back.data(), 4,
                                     adjoint.data(), 3) == fmi3OK);
    CHECK(adjoint == expected[j]);
  }
  const auto dependencies = [&](fmi3ValueReference of) {
    std::size_t count = 0;
    REQUIRE(fmi3GetNumberOfVariableDependencies(fmu.instance(), of, &count) == fmi3OK);
    std::vector<std::size_t> elements(count), of_on(count);
    References on(count);
    std::vector<fmi3DependencyKind> kinds(count);
    REQUIRE(fmi3GetVariableDependencies(fmu.instance(), of, elements.data(), on.data(),
                                        of_on.data(), kinds.data(), count) == fmi3OK);
    std::vector<std::array<std::size_t, 3>> found;
    for (std::size_t i = 0; i < count; ++i) found.push_back({elements[i], on[i], of_on[i]});
    return found;
  };
  using Rows = std::vector<std::array<std::size_t, 3>>;
  CHECK(dependencies(kFlow) == Rows{{1, kT, 1}, {1, kT, 2}, {2, kT, 2}, {2, kT, 3}, {3, kT, 3}});
  CHECK(dependencies(kDerWeighted) == Rows{{1, kT, 1}, {1, kT, 3}});
  REQUIRE(fmi3Reset(fmu.instance()) == fmi3OK);
  fmu.initialize();
  CHECK(dependencies(kDerWeighted) == Rows{{1, kT, 1}, {1, kT, 10}});
  // In Initialization Mode a copy of the model is asked, which has the size too.
  rig::Fmu other = configured(true, n);
  other.enter_initialization();
  Numbers seed{1.0, 0.0, 0.0}, result(3);
  REQUIRE(fmi3GetDirectionalDerivative(other.instance(), &kDerT, 1, &kT, 1, seed.data(), 3,
                                       result.data(), 3) == fmi3OK);
  CHECK(result == Numbers{-2.0 * c, c, 0.0});
}

TEST_CASE("derivatives of outputs and intermediate updates follow a size", "[Size]") {
  const std::size_t n = 4;
  int updates = 0;
  rig::Fmu fmu = rig::Fmu::co_simulation(
      {.intermediate = {"T[0]", "flow[0]", "heat[0]"}, .callback = [&](rig::Intermediate& now) {
         const References which{kT, kFlow};
         Numbers values(2 * n);
         REQUIRE(fmi3GetFloat64(now.instance, which.data(), 2, values.data(), 2 * n) == fmi3OK);
         CHECK(values[2 * n - 1] == 5.0 * values[n - 1]);
         const Numbers heat(n, 0.0);
         REQUIRE(fmi3SetFloat64(now.instance, &kHeat, 1, heat.data(), n) == fmi3OK);
         ++updates;
       }});
  configure(fmu, n);
  fmu.initialize(0.0, 1e-9);
  fmu.step(0.0, 0.02);
  CHECK(updates > 0);
  Numbers rates(n);
  const fmi3Int32 order = 1;
  REQUIRE(fmi3GetOutputDerivatives(fmu.instance(), &kFlow, 1, &order, rates.data(), n) == fmi3OK);
  CHECK(rates[n - 1] == Approx(5.0 * get(fmu, {kDerT}, n)[n - 1]).epsilon(1e-12));
}

std::vector<fmi3Byte> saved_bytes(const rig::Fmu& fmu) {
  fmi3FMUState saved = nullptr;
  REQUIRE(fmi3GetFMUState(fmu.instance(), &saved) == fmi3OK);
  std::size_t size = 0;
  REQUIRE(fmi3SerializedFMUStateSize(fmu.instance(), saved, &size) == fmi3OK);
  std::vector<fmi3Byte> bytes(size);
  REQUIRE(fmi3SerializeFMUState(fmu.instance(), saved, bytes.data(), size) == fmi3OK);
  REQUIRE(fmi3FreeFMUState(fmu.instance(), &saved) == fmi3OK);
  return bytes;
}

TEST_CASE("a saved state brings its size along", "[Size]") {
  for (const bool model_exchange : {true, false}) {
    CAPTURE(model_exchange);
    const std::size_t n = 5;
    const rig::Fmu fmu = configured(model_exchange, n);
    fmu.initialize(0.0, 1e-8);
    if (model_exchange) {
      fmu.settle_and_leave();
    } else {
      fmu.step(0.0, 0.02);
    }
    const Numbers here = get(fmu, {kT, kLevel, kWeighted, kFlow}, 2 * n + 2);
    fmi3FMUState saved = nullptr;
    REQUIRE(fmi3GetFMUState(fmu.instance(), &saved) == fmi3OK);
    const std::vector<fmi3Byte> bytes = saved_bytes(fmu);
    const auto go_on = [&](const rig::Fmu& one) {
      if (!model_exchange) one.step(0.02, 0.05);
      return get(one, {kT, kLevel, kWeighted, kFlow}, 2 * n + 2);
    };
    const Numbers there = go_on(fmu);
    for (const std::uint64_t other_size : {std::uint64_t{10}, std::uint64_t{5}, std::uint64_t{3}}) {
      CAPTURE(other_size);
      // Before it runs, while it runs, and after an error.
      for (const int when : {0, 1, 2}) {
        CAPTURE(when);
        rig::Fmu other = configured(model_exchange, other_size);
        if (when > 0) other.initialize();
        if (when == 2) CHECK(set_size(other, 4) == fmi3Error);
        const fmi3Status status = fmi3SetFMUState(other.instance(), saved);
        INFO(other.messages());
        REQUIRE(status == fmi3OK);
        CHECK(size_of(other) == n);
        CHECK(get(other, {kT, kLevel, kWeighted, kFlow}, 2 * n + 2) == here);
        CHECK(go_on(other) == there);
        fmi3FMUState read = nullptr;
        const rig::Fmu third = configured(model_exchange, other_size);
        REQUIRE(fmi3DeserializeFMUState(third.instance(), bytes.data(), bytes.size(), &read) ==
                fmi3OK);
        REQUIRE(fmi3SetFMUState(third.instance(), read) == fmi3OK);
        CHECK(go_on(third) == there);
        REQUIRE(fmi3FreeFMUState(third.instance(), &read) == fmi3OK);
      }
    }
    // Back to before it was configured.
    const rig::Fmu plain = model_exchange ? rig::Fmu::model_exchange() : rig::Fmu::co_simulation();
    fmi3FMUState before = nullptr;
    REQUIRE(fmi3GetFMUState(plain.instance(), &before) == fmi3OK);
    configure(plain, 7);
    plain.initialize();
    REQUIRE(fmi3SetFMUState(plain.instance(), before) == fmi3OK);
    CHECK(size_of(plain) == 10);
    CHECK(get(plain, {kT}, 10) == first_mode(10));
    configure(plain, 6);
    CHECK(size_of(plain) == 6);
    REQUIRE(fmi3FreeFMUState(plain.instance(), &before) == fmi3OK);
    REQUIRE(fmi3FreeFMUState(fmu.instance(), &saved) == fmi3OK);
  }
}

TEST_CASE("saved states with forged sizes are refused", "[Size]") {
  const rig::Fmu fmu = configured(true, 5);
  fmu.initialize();
  const std::vector<fmi3Byte> bytes = saved_bytes(fmu);
  const std::uint64_t five = 5;
  std::size_t changed = 0;
  std::size_t refused = 0;
  for (const std::uint64_t forged :
       {std::uint64_t{0}, std::uint64_t{4}, std::uint64_t{6}, std::uint64_t{1000}, ~five}) {
    for (std::size_t place = 0; place + 16 <= bytes.size(); ++place) {
      if (std::memcmp(bytes.data() + place, &five, sizeof five) != 0) continue;
      std::vector<fmi3Byte> wrong = bytes;
      std::memcpy(wrong.data() + place, &forged, sizeof forged);
      const auto all = std::as_writable_bytes(std::span(wrong));
      const std::uint64_t sum = saltus::fmu_export::content_hash(all.first(all.size() - 8));
      std::memcpy(wrong.data() + wrong.size() - 8, &sum, sizeof sum);
      ++changed;
      rig::Fmu other = rig::Fmu::model_exchange();
      fmi3FMUState read = nullptr;
      if (fmi3DeserializeFMUState(other.instance(), wrong.data(), wrong.size(), &read) != fmi3OK) {
        ++refused;
        continue;
      }
      // What nobody looks at any more, the start value of a running model, may be anything.
      if (fmi3SetFMUState(other.instance(), read) == fmi3OK) {
        CHECK(size_of(other) == five);
      } else {
        ++refused;
        CHECK_FALSE(other.messages().empty());
      }
      REQUIRE(fmi3FreeFMUState(other.instance(), &read) == fmi3OK);
      // Whatever came of it can be read, and begun anew.
      const std::uint64_t n = size_of(other);
      CHECK(get(other, {kT}, n).size() == n);
      REQUIRE(fmi3Reset(other.instance()) == fmi3OK);
      CHECK(size_of(other) == 10);
      other.initialize();
    }
  }
  CHECK(changed >= 10);
  CHECK(refused >= 10);
  CHECK(refused < changed);
}

}  // namespace

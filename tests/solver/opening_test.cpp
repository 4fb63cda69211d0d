// SPDX-License-Identifier: BSD-2-Clause
// How a stretch between two events is begun: like the last one in the same configuration, and
// without paying in full for a first step that is far too long.
#include <catch2/catch.hpp>
#include <cmath>
#include <set>
#include <utility>

#include "event_run.hpp"
#include "events/domain_number.hpp"
#include "integrators/known_phases.hpp"
#include "integrators/step_memory.hpp"
#include "problems.hpp"

namespace saltus::test {
namespace {

/// Circles the origin, at a frequency that may be changed.
class Turning : public FunctionModel {
 public:
  explicit Turning(double start_frequency) : FunctionModel({0.0, 1.0}), frequency(start_frequency) {
    f = [this](double, ConstVec y, Vec yp) {
      yp[0] = frequency * y[1];
      yp[1] = -frequency * y[0];
    };
  }
  void begin(DormandPrince& integrator, double time, double configuration, double angle = 0.0) {
    const std::vector y{std::sin(angle), std::cos(angle)};
    std::vector<double> yp(2);
    f(time, y, yp);
    integrator.restart(time, y, yp);
    integrator.enter(configuration);
  }
  double frequency;
};

double stretch(DormandPrince& integrator, double until) {
  const double first = integrator.step(until) - integrator.begin();
  while (integrator.end() < until) {
    integrator.step(until);
  }
  return first;
}

}  // namespace

TEST_CASE("a configuration met again begins with the step that suited it", "[opening]") {
  constexpr double kSlow = 1.0, kFast = 2.0;  // numbers of configurations
  Turning model(1.0);
  DormandPrince integrator(model, {.relative_tolerance = 1e-6});
  model.begin(integrator, 0.0, kSlow);
  stretch(integrator, 10.0);
  model.frequency = 1e3;
  model.begin(integrator, 10.0, kFast);
  const double fast = stretch(integrator, 10.01);
  model.frequency = 1.0;
  model.begin(integrator, 10.01, kSlow);
  const double slow = stretch(integrator, 20.0);
  CHECK(slow > 100.0 * fast);
  const std::size_t failed = integrator.stats().rejected;
  model.frequency = 1e3;
  model.begin(integrator, 20.0, kFast);
  CHECK(integrator.step(20.01) - 20.0 == Approx(fast).epsilon(0.5));
  CHECK(integrator.stats().rejected == failed);

  SECTION("and so it does after the memory was saved and restored") {
    DormandPrince other(model, {.relative_tolerance = 1e-6});
    other.restart(20.0, std::vector{0.0, 1.0}, std::vector{0.0, 0.0});
    other.restore(integrator.save());
    for (DormandPrince* each : {&integrator, &other}) {
      model.frequency = 1.0;
      model.begin(*each, 21.0, kSlow);
      each->step(30.0);
    }
    CHECK(other.length() == integrator.length());
    CHECK(integrator.length() > 100.0 * fast);
  }
}

TEST_CASE("what rounding left of the time is not believed to be more", "[opening]") {
  Turning model(1.0);
  DormandPrince integrator(model, {.relative_tolerance = 1e-6});
  model.begin(integrator, 0.0, 1.0);
  integrator.step(1.0);
  const std::vector<std::byte> good = integrator.save();
  StepMemory memory = *restored_steps("DormandPrince", good);
  CHECK_NOTHROW(integrator.restore(good));
  for (const double rest : {0.5, -1e5, 1e-9}) {
    memory.rest = rest;
    CHECK_THROWS_AS(integrator.restore(saved_steps("DormandPrince", memory)),
                    std::invalid_argument);
  }
  memory.rest = 0.0;
  CHECK_NOTHROW(integrator.restore(saved_steps("Radau", memory)));  // another method's
}

TEST_CASE("balls that bounce on springs do not pay for each change of speed", "[opening]") {
  FunctionModel model({1.0, 0.0});
  bool touching = false;
  model.f = [&](double, ConstVec y, Vec yp) {
    yp[0] = y[1];
    yp[1] = -9.81 - (touching ? 1e6 * y[0] + 50.0 * y[1] : 0.0);
  };
  model.z = {[](double, ConstVec y) { return y[0]; }};
  model.update = [&](double, Vec y) {
    const bool before = std::exchange(touching, y[0] <= 0.0);
    return EventUpdate{.iterate = touching != before};
  };
  EventRun run(model);
  run.to(4.0);
  CHECK(run.event_times().size() >= 10);
  // 766 if each stretch is taken to be like the one that has just ended.
  CHECK(run.integrator.stats().rhs_evaluations <= 620);
}

TEST_CASE("a first step that is far too long is abandoned after three evaluations", "[opening]") {
  const double frequency = GENERATE(1.0, 1e2, 1e4);  // the right step is 0.1 divided by it
  const double phase = GENERATE(0.0, 0.25, 0.5);     // of a quarter turn
  Turning model(frequency);
  DormandPrince integrator(model, {.relative_tolerance = 1e-6, .initial_step = 50.0});
  model.begin(integrator, 0.0, 1.0, std::acos(0.0) * phase);
  integrator.step(100.0);
  const IntegratorStats& stats = integrator.stats();
  CHECK(stats.abandoned >= 1);
  CHECK(stats.abandoned <= 5);
  // Rejections alone, each of them to a fifth at least, would be four to ten.
  CHECK(stats.rejected <= 2);
  CHECK(stats.rhs_evaluations == 1 + 3 * stats.abandoned + 6 * (stats.rejected + 1));
  // Neither so short that many have to follow before one is as long as it may be.
  CHECK(frequency * integrator.length() > 0.05);
}

TEST_CASE("a first step that is right is not abandoned", "[opening]") {
  const double frequency = GENERATE(1.0, 1e2, 1e4);
  const double phase = GENERATE(0.0, 0.25, 0.5);
  Turning model(frequency);
  DormandPrince integrator(model, {.relative_tolerance = 1e-6, .initial_step = 0.1 / frequency});
  model.begin(integrator, 0.0, 1.0, std::acos(0.0) * phase);
  integrator.step(100.0);
  CHECK(integrator.stats().abandoned == 0);
  CHECK(integrator.stats().rejected == 0);
}

TEST_CASE("of each configuration the latest stretch is known, of many the latest eight",
          "[opening]") {
  StepMemory::Phases memory{};
  KnownPhases known(memory);
  CHECK(known.in(1.0) == nullptr);
  CHECK(known.shortest_opening() == kNever);
  for (const double each : {1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0}) {
    known.keep({.configuration = each, .opening = each, .length = 1.0, .certain = true});
  }
  known.keep({.configuration = 1.0, .opening = 0.5, .length = 2.0, .certain = true});
  REQUIRE(known.in(1.0) != nullptr);
  CHECK(known.in(1.0)->opening == 0.5);
  CHECK(known.in(1.0)->length == 2.0);
  CHECK(known.shortest_opening() == 0.5);
  known.keep({.configuration = 9.0, .opening = 9.0, .length = 1.0});
  CHECK(known.in(2.0) == nullptr);  // the oldest
  for (const double each : {1.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0}) {
    CHECK(known.in(each) != nullptr);
  }
  // A first step that might have been longer is no measure for others.
  known.keep({.configuration = 4.0, .opening = 0.1, .length = 1.0});
  CHECK(known.in(4.0)->opening == 0.1);
  CHECK(known.shortest_opening() == 0.5);
  // What was merely passed through says nothing.
  known.keep({.configuration = 3.0, .opening = 1.0, .length = 1e-8});
  CHECK(known.in(3.0)->opening == 3.0);
}

TEST_CASE("configurations are told apart by a number", "[opening]") {
  constexpr std::size_t kIndicators = 12;
  DomainNumber domains;
  domains.resize(kIndicators);
  const auto number = [&](std::size_t bits) {
    domains.clear();
    for (std::size_t i = 0; i < kIndicators; ++i) {
      domains.add(i, (bits >> i & 1U) != 0);
    }
    return domains.value();
  };
  std::set<double> all;
  for (std::size_t bits = 0; bits < std::size_t{1} << kIndicators; ++bits) {
    all.insert(number(bits));
  }
  CHECK(all.size() == std::size_t{1} << kIndicators);
  CHECK(*all.begin() >= 1.0);
  CHECK(number(5) == number(5));
}

}  // namespace saltus::test

// SPDX-License-Identifier: BSD-2-Clause
// Carver's third problem (1978), as printed in the manual of DSL48SE: two diodes feed one load. A
// diode conducts where its current or its voltage is positive; where one takes over from the other,
// both voltages vanish at one instant, and a current that has ceased rests at zero.
#include <array>
#include <catch2/catch.hpp>

#include "event_run.hpp"
#include "saltus/core/model.hpp"

namespace saltus::test {
namespace {

class Rectifier : public OdeModel {
 public:
  // The manual prints -11.64; the inverse of the inductances has -11.3636...
  explicit Rectifier(double mutual) : mutual_(mutual) {}

  Shape shape() const override { return {.states = 2, .algebraics = 0, .indicators = 2}; }
  void initialize(const Experiment&, Vec y) override {
    y[0] = y[1] = 0.0;
    on_ = {true, false};
  }
  Eval derivatives(double t, ConstVec y, Vec yp) override {
    const double v1 = source(t), v2 = -v1;
    if (on_[0] && on_[1]) {
      yp[0] = kOwn * v1 + mutual_ * v2 - 50.0 * y[0];
      yp[1] = mutual_ * v1 + kOwn * v2 - 50.0 * y[1];
    } else {
      yp[0] = on_[0] ? (v1 - 12.0 * y[0]) / 0.24 : 0.0;
      yp[1] = on_[1] ? (v2 - 12.0 * y[1]) / 0.24 : 0.0;
    }
    return Eval::ok;
  }
  Eval indicators(double t, ConstVec y, Vec z) override {
    const double v1 = source(t);
    // The load's voltage 10 (x1 + x2) + 0.2 (x1' + x2') does not depend on the currents.
    const double v3 = on_[0] == on_[1] ? 0.0 : 5.0 / 6.0 * (on_[0] ? v1 : -v1);
    z[0] = std::fmax(y[0], v1 - v3);
    z[1] = std::fmax(y[1], -v1 - v3);
    return Eval::ok;
  }
  EventUpdate update_discrete_states(double t, Vec y) override {
    std::array<double, 2> z{};
    if (indicators(t, y, z) == Eval::discard) throw std::logic_error("always evaluable");
    const std::array<bool, 2> before = on_;
    on_ = {z[0] > 0.0, z[1] > 0.0};
    for (std::size_t i = 0; i < 2; ++i) {
      y[i] = on_[i] ? y[i] : 0.0;
    }
    return {.iterate = on_ != before, .states_changed = on_ != before};
  }

 private:
  static constexpr double kOwn = 13.64;
  static double source(double t) { return 100.0 * std::cos(100.0 * 3.14159265358979323846 * t); }
  double mutual_;
  std::array<bool, 2> on_{true, false};
};

struct Reference {
  double mutual;
  std::array<double, 10> times;
  double current;  // x2 at 0.05
};

}  // namespace

TEST_CASE("the rectifier commutates ten times and no current sticks", "[rectifier]") {
  // From the closed solution of each configuration, in extended precision.
  const Reference expected = GENERATE(
      Reference{-11.64,
                {0.005, 0.006662002216900565, 0.015, 0.017544832750479503, 0.025,
                 0.027897068615958255, 0.035, 0.038062053038821209, 0.045, 0.048142873496871146},
                3.8207188284339182},
      Reference{-11.3636,
                {0.005, 0.006671120821893441, 0.015, 0.017558426995951130, 0.025,
                 0.027911868188587417, 0.035, 0.038077119633050194, 0.045, 0.048157913604115257},
                3.8104655861963142});
  const EventOptions options = GENERATE(
      EventOptions{}, EventOptions{.concurrency_time = 1e-6, .concurrency_amplitude = 0.01});
  Rectifier model(expected.mutual);
  EventRun run(model, {}, options);
  CHECK(run.to(0.05).events == 10);
  const auto times = run.event_times();
  REQUIRE(times.size() == 10);
  for (std::size_t k = 0; k < 10; ++k) {
    CHECK(times[k] == Approx(expected.times[k]).epsilon(0).margin(1e-7));
  }
  CHECK(run.system.unknowns()[0] == 0.0);
  CHECK(run.system.unknowns()[1] == Approx(expected.current).epsilon(1e-5));
}

}  // namespace saltus::test

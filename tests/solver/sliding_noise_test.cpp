// SPDX-License-Identifier: BSD-2-Clause
// Sliding on the surfaces of a black box whose indicators are not exact, as those of an FMU with a
// solver inside.
#include <array>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <vector>

#include "saltus/control/mode_controller.hpp"
#include "saltus/core/configurations.hpp"
#include "saltus/core/error.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/integrators/dormand_prince.hpp"
#include "saltus/switching/sliding_model.hpp"

namespace saltus::sliding_noise_test {
namespace {

/// Two bodies under dry friction of their own, shaken so that they stick and slip.
class Noisy : public OdeModel, public Configurations {
 public:
  Noisy(double noise, double shaking, bool turns_over)
      : noise_(noise), shaking_(shaking), turns_over_(turns_over) {}
  Shape shape() const override { return {.states = 4, .indicators = 2}; }
  void initialize(const Experiment&, Vec y) override {
    const std::array<double, 4> start{0.3, 0.0, -0.2, 0.0};
    std::copy(start.begin(), start.end(), y.begin());
  }
  Eval derivatives(double t, ConstVec y, Vec yp) override {
    const double first = now()[0] ? 1.0 : -1.0, second = now()[1] ? 1.0 : -1.0;
    yp[0] = shaking_ * std::sin(3.0 * t) - first;
    yp[1] = 0.7 * first + y[0];
    yp[2] = 0.8 * shaking_ * std::cos(2.0 * t) - second;
    yp[3] = second;
    return Eval::ok;
  }
  Eval indicators(double t, ConstVec y, Vec z) override {
    for (std::size_t i = 0; i < 2; ++i) {
      z[i] = seen(t, y, i) * (turns_over_ && !now()[i] ? -1.0 : 1.0);
    }
    return Eval::ok;
  }
  EventUpdate update_discrete_states(double t, Vec y) override {
    const Configuration before = now();
    now() = {seen(t, y, 0) > 0.0, seen(t, y, 1) > 0.0};
    return {.iterate = before != now()};
  }
  Capabilities capabilities() override { return {.is_explicit = true, .configurations = this}; }
  Slot selected() const override { return selected_; }
  Slot fork() override {
    slots_.push_back(now());
    return slots_.size() - 1;
  }
  void select(Slot slot) override { selected_ = slot; }
  void drop(Slot) override {}

 private:
  using Configuration = std::array<bool, 2>;
  Configuration& now() { return slots_[selected_]; }
  // Another number between -1 and 1 at every point, the same one whenever it is asked for.
  double seen(double t, ConstVec y, std::size_t i) const {
    std::uint64_t mixed = 0x2545f4914f6cdd1dU + i;
    const auto stir = [&](double value) {
      mixed = (mixed ^ std::bit_cast<std::uint64_t>(value)) * 0x9e3779b97f4a7c15U;
      mixed ^= mixed >> 29U;
    };
    stir(t);
    for (const double value : y) stir(value);
    return y[2 * i] + noise_ * (static_cast<double>(mixed >> 11U) * 0x1p-52 - 1.0);
  }

  double noise_, shaking_;
  bool turns_over_;
  std::vector<Configuration> slots_{{true, false}};
  Slot selected_ = 0;
};

std::vector<double> end_of_run(double noise, double shaking, bool turns_over, double tolerance) {
  Noisy model{noise, shaking, turns_over};
  SlidingModel sliding{model};
  DormandPrince solver{sliding, {.relative_tolerance = tolerance, .absolute_tolerance = tolerance}};
  IntegratedModel system{sliding, solver};
  ModeController{system}.run({.stop = 5.0, .tolerance = tolerance});
  return {system.unknowns().begin(), system.unknowns().end()};
}

}  // namespace

TEST_CASE("Indicators may be noisy where the motion slides", "[sliding]") {
  const double noise = GENERATE(1e-11, 1e-9, 1e-8), shaking = GENERATE(0.6, 1.4);
  const bool turns_over = GENERATE(false, true);
  const double tolerance = GENERATE(1e-4, 1e-6);
  INFO("noise " << noise << ", shaking " << shaking << ", turns over " << turns_over
                << ", tolerance " << tolerance);
  const std::vector<double> exact = end_of_run(0.0, shaking, turns_over, 1e-10);
  const std::vector<double> found = end_of_run(noise, shaking, turns_over, tolerance);
  for (std::size_t i = 0; i < exact.size(); ++i) {
    CHECK(found[i] == Approx(exact[i]).margin(20.0 * tolerance));
  }
}

TEST_CASE("Noise beyond the tolerance ends a sliding run with what helps", "[sliding]") {
  using Catch::Contains;
  CHECK_THROWS_WITH(end_of_run(1e-7, 0.6, false, 1e-9), Contains("uncertain") &&
                                                            Contains("loosen the tolerance") &&
                                                            Contains("HysteresisModel"));
}

}  // namespace saltus::sliding_noise_test

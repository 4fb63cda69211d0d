// SPDX-License-Identifier: BSD-2-Clause
#include "impact_problem.hpp"

#include "bouncing_ball/bouncing_ball.hpp"

namespace saltus::benchmarks {
namespace {

using namespace saltus::modeling;

template <class Real>
struct ImpactPendulum {
  State<Real> theta{"theta", {.unit = "rad", .start = 1.0}};
  State<Real> omega{"omega", {.unit = "rad/s"}};
  void equations(Equations<Real>&) {
    der(theta) = omega;
    der(omega) = -sin(theta);
  }
  void events(Events<Real>& ev) {
    if (ev.when(theta < 0.0)) {
      theta = 0.0;
      omega = -omega;
    }
  }
};

// The quarter period of amplitude 1, K(sin(1/2)), and the speed at the bottom, 2 sin(1/2).
constexpr long double kQuarterPeriod = 1.67499391609261318L;
const double kBottomSpeed = 2.0 * std::sin(0.5);

// The wall at zero, and walls that the pendulum never reaches, each at its own place.
class Walls {
 public:
  explicit Walls(std::size_t count) : places_(count) {
    for (std::size_t i = 1; i < count; ++i) {
      places_[i] = 1.5 + 1e-4 * static_cast<double>(i);
    }
  }
  std::size_t count() const { return places_.size(); }
  // As fast as it gets, so that what is measured is the search and not the walls.
  [[gnu::optimize("tree-vectorize")]] void watch(const double* y, double* __restrict z) const {
    const double theta = y[0];
    const double* const places = places_.data();
    const std::size_t count = places_.size();
    for (std::size_t i = 0; i < count; ++i) {
      z[i] = places[i] - theta;
    }
    z[0] = theta;
  }

 private:
  std::vector<double> places_;
};

class CrowdedPendulum : public OdeModel {
 public:
  explicit CrowdedPendulum(std::size_t indicators) : walls_(indicators) {}
  Shape shape() const override {
    return {.states = 2, .algebraics = 0, .indicators = walls_.count()};
  }
  void initialize(const Experiment&, Vec y) override {
    y[0] = 1.0;
    y[1] = 0.0;
  }
  EventUpdate update_discrete_states(double, Vec y) override {
    if (y[0] > 0.0) {
      return {};
    }
    y[0] = std::numeric_limits<double>::min();  // zero would belong to the far side
    y[1] = -y[1];
    return {.states_changed = true};
  }
  Eval derivatives(double, ConstVec y, Vec yp) override {
    yp[0] = y[1];
    yp[1] = -std::sin(y[0]);
    return Eval::ok;
  }
  Eval indicators(double, ConstVec y, Vec z) override {
    walls_.watch(y.data(), z.data());
    return Eval::ok;
  }

 private:
  Walls walls_;
};

}  // namespace

ImpactProblem elastic_ball() {
  constexpr long double kGravity = 9.81L;
  return {.name = "elastic ball",
          .first_impact = std::sqrt(2.0L / kGravity),
          .impact_speed = static_cast<double>(std::sqrt(2.0L * kGravity)),
          .make_model =
              [] {
                auto ball = std::make_unique<NativeModel<reference::BouncingBall>>("BouncingBall");
                const auto variables = ball->variables();
                for (std::size_t i = 0; i < variables.size(); ++i) {
                  if (variables[i].name == "e") ball->set_number(i, 1.0);
                  if (variables[i].name == "v_min") ball->set_number(i, 0.0);
                }
                return ball;
              },
          .roots = [](const double* y, double* z) { z[0] = y[0]; }};
}

ImpactProblem impact_pendulum() {
  return {
      .name = "impact pendulum",
      .first_impact = kQuarterPeriod,
      .impact_speed = kBottomSpeed,
      .make_model = [] { return std::make_unique<NativeModel<ImpactPendulum>>("ImpactPendulum"); },
      .roots = [](const double* y, double* z) { z[0] = y[0]; }};
}

ImpactProblem crowded_pendulum(std::size_t indicators) {
  return {.name = "crowded pendulum",
          .first_impact = kQuarterPeriod,
          .impact_speed = kBottomSpeed,
          .make_model = [=] { return std::make_unique<CrowdedPendulum>(indicators); },
          .root_functions = indicators,
          .roots = [walls = Walls(indicators)](const double* y, double* z) { walls.watch(y, z); }};
}

}  // namespace saltus::benchmarks

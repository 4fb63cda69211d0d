// SPDX-License-Identifier: BSD-2-Clause
// Multibody models on their own: derivatives, redundant and moving constraints, options, errors.
#include "saltus/multibody/multibody_model.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "fixed_step.hpp"
#include "problems/compound_pendulum.hpp"
#include "problems/rolling_spheres.hpp"
#include "saltus/control/mode_controller.hpp"
#include "saltus/core/error.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/events/trajectory.hpp"
#include "saltus/integrators/dormand_prince.hpp"

namespace saltus::test {
namespace {

using namespace problems;
using benchmarks::FixedStep;
using modeling::Jet;
using Stabilize = MultibodyOptions::Stabilize;

std::vector<double> last_point(Model& model, Integrator& integrator, double stop) {
  IntegratedModel system(model, integrator);
  ModeController controller(system);
  controller.run({.stop = stop, .tolerance = 1e-8});
  return {system.unknowns().begin(), system.unknowns().end()};
}

std::vector<double> last_point(const MultibodySystem& bodies, double stop,
                               const MultibodyOptions& options = {}) {
  MultibodyModel model(bodies, options);
  DormandPrince integrator(model, {.relative_tolerance = 1e-8});
  return last_point(model, integrator, stop);
}

// The message of the error that ends a run.
template <class Exception>
std::string failure(const MultibodySystem& bodies, const MultibodyOptions& options = {}) {
  try {
    last_point(bodies, 1.0, options);
  } catch (const Exception& error) {
    return error.what();
  }
  return "";
}

bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("A jet knows first and second derivatives", "[Jet]") {
  // Along x(s) = 0.3 + 0.7 s + s^2 / 5, against differences, whose error is about 1e-6.
  const auto check = [](auto f) {
    constexpr double e = 1e-4;
    const auto at = [&](double s) { return f(Jet(0.3 + 0.7 * s + 0.2 * s * s)).value(); };
    const Jet found = f(Jet(0.3, 0.7, 0.4));
    CHECK(found.value() == at(0.0));
    CHECK(found.rate() == Approx((at(e) - at(-e)) / (2.0 * e)).margin(1e-6));
    CHECK(found.bend() == Approx((at(e) - 2.0 * at(0.0) + at(-e)) / (e * e)).margin(1e-6));
  };
  check([](Jet x) { return x * x - 2.0 * x + 1.0; });
  check([](Jet x) { return (x + 1.0) / (x * x + 2.0); });
  check([](Jet x) { return sqrt(x); });
  check([](Jet x) { return exp(x); });
  check([](Jet x) { return log(x); });
  check([](Jet x) { return sin(x); });
  check([](Jet x) { return cos(x); });
  check([](Jet x) { return tan(x); });
  check([](Jet x) { return asin(x); });
  check([](Jet x) { return acos(x); });
  check([](Jet x) { return atan(x); });
  check([](Jet x) { return sinh(x); });
  check([](Jet x) { return cosh(x); });
  check([](Jet x) { return tanh(x); });
  check([](Jet x) { return atan2(x, 2.0 - x * x); });
  check([](Jet x) { return pow(x, 2.5); });
}

TEST_CASE("Differentiated constraints are those derived by hand", "[DifferentiatedMultibody]") {
  const RollingSpheres spheres;
  const std::array<double, 6> q{0.61, 0.2, 1.4, 0.3, 1.2, 1.7}, v{0.1, -0.2, 0.3, 1.1, 0.9, -0.4};
  std::array<double, 3> residual{}, drift{};
  std::array<double, 1> rate{};
  std::array<double, 18> jacobian{};
  spheres.constraints(0.0, q, v,
                      {.residual = residual, .rate = rate, .jacobian = jacobian, .drift = drift});
  // Compere, section 3.6.2: J_v, J_q, and J_qn times the velocities.
  constexpr double r = RollingSpheres::small_radius, d = RollingSpheres::large_radius + r;
  const double st = std::sin(q[4]), ct = std::cos(q[4]), sp = std::sin(q[5]), cp = std::cos(q[5]);
  const std::array<double, 18> by_hand{0.0, d,   0.0, -r * st * cp, r * sp,  0.0,
                                       0.0, 0.0, d,   -r * st * sp, -r * cp, 0.0,
                                       1.0, 0.0, 0.0, 0.0,          0.0,     0.0};
  for (std::size_t i = 0; i < by_hand.size(); ++i) {
    CHECK(jacobian[i] == Approx(by_hand[i]).margin(1e-16));
  }
  CHECK(rate[0] == v[0]);
  const double first = -r * v[3] * ct * cp * v[4] + (r * v[3] * st * sp + r * v[4] * cp) * v[5];
  const double second = -r * v[3] * ct * sp * v[4] + (-r * v[3] * st * cp + r * v[4] * sp) * v[5];
  CHECK(drift[0] == Approx(first).epsilon(1e-14));
  CHECK(drift[1] == Approx(second).epsilon(1e-14));
  CHECK(drift[2] == 0.0);
}

TEST_CASE("Every report lies on the constraints", "[MultibodyModel]") {
  const PinnedRod rod;
  const auto largest_at_reports = [&](Stabilize where) {
    MultibodyOptions options;
    options.stabilize = where;
    MultibodyModel model(rod, options);
    DormandPrince integrator(model, {.relative_tolerance = 1e-8});
    IntegratedModel system(model, integrator);
    Trajectory trajectory(system);
    ModeController controller(system, {.report_interval = 0.03});
    controller.add(trajectory);
    controller.run({.stop = Rod::stop, .tolerance = 1e-8});
    double largest = 0.0;
    for (const Trajectory::Point& point : trajectory.points()) {
      std::array<double, 2> s{};
      REQUIRE(model.surfaces(point.time, point.y, s) == Eval::ok);
      largest = std::max({largest, std::fabs(s[0]), std::fabs(s[1])});
    }
    CHECK(model.energy_record().first == Approx(-159.930923));
    CHECK(model.energy_record().drift() < 1e-6);
    return largest;
  };
  CHECK(largest_at_reports(Stabilize::every_point) < 1e-14);
  CHECK(largest_at_reports(Stabilize::accepted_points) > 1e-14);
}

// The rod again, with its angle in other units.
class RodInUnits : public DifferentiatedMultibody<RodInUnits> {
 public:
  explicit RodInUnits(double per_radian) : unit_(per_radian) {}
  std::vector<std::string> coordinates() const override { return {"x", "y", "theta"}; }
  std::vector<std::string> holonomic_constraints() const override { return {"pin x", "pin y"}; }
  void start(Vec q, Vec v) const override {
    rod_.start(q, v);
    q[2] *= unit_;
    v[2] *= unit_;
  }
  void mass(double t, ConstVec q, Vec matrix) const override {
    rod_.mass(t, q, matrix);
    matrix[8] /= unit_ * unit_;
  }
  void forces(double t, ConstVec q, ConstVec v, Vec force) const override {
    rod_.forces(t, q, v, force);
  }
  template <class Real>
  void holonomic(Real t, std::span<const Real> q, std::span<Real> phi) const {
    const std::array<Real, 3> in_radians{q[0], q[1], q[2] / unit_};
    rod_.holonomic<Real>(t, in_radians, phi);
  }

 private:
  PinnedRod rod_;
  double unit_;
};

TEST_CASE("Distances weighted by masses do not depend on units", "[MultibodyModel]") {
  const auto last_angle = [](double unit, bool weighted) {
    const RodInUnits rod(unit);
    MultibodyOptions options;
    options.mass_weighted = weighted;
    options.bound = AdjustmentBound::none();
    MultibodyModel model(rod, options);
    FixedStep integrator(model, benchmarks::kutta_3(), 0.05);
    return last_point(model, integrator, 1.0)[2] / unit;
  };
  CHECK(last_angle(57.3, true) == Approx(last_angle(1.0, true)).epsilon(1e-12));
  CHECK(std::fabs(last_angle(57.3, false) - last_angle(1.0, false)) > 1e-8);
}

// A mass point in the plane under gravity, with holonomic constraints to choose from.
class Point : public DifferentiatedMultibody<Point> {
 public:
  enum class Held { by_time, twice, apart, tearing, without_inertia, in_domain, on_start };
  explicit Point(Held held) : held_(held) {}
  std::vector<std::string> coordinates() const override { return {"x", "y"}; }
  std::vector<std::string> holonomic_constraints() const override {
    return held_ == Held::twice || held_ == Held::apart || held_ == Held::tearing
               ? std::vector<std::string>{"rail", "second rail"}
               : std::vector<std::string>{"rail"};
  }
  void start(Vec q, Vec v) const override {
    q[0] = 0.2;
    q[1] = held_ == Held::on_start ? 0.1 : 0.0;
    v[0] = 1.0;
    v[1] = held_ == Held::by_time ? 1.0 : 0.0;
  }
  void mass(double, ConstVec, Vec matrix) const override {
    matrix[0] = held_ == Held::without_inertia ? 0.0 : 2.0;
    matrix[3] = 2.0;
  }
  void forces(double, ConstVec q, ConstVec, Vec force) const override {
    force[0] = held_ == Held::in_domain ? std::sqrt(0.5 - q[0]) : 0.0;
    force[1] = -2.0 * 9.81;
  }
  template <class Real>
  void holonomic(Real t, std::span<const Real> q, std::span<Real> phi) const {
    using std::sin;
    phi[0] = held_ == Held::by_time ? q[1] - sin(t) : q[1];
    if (held_ == Held::twice) {
      phi[1] = 100.0 * q[1];
    } else if (held_ == Held::apart) {
      phi[1] = q[1] - 1.0;
    } else if (held_ == Held::tearing) {
      phi[1] = q[1] - t * t;
    }
  }

 private:
  Held held_;
};

TEST_CASE("A constraint may depend on time", "[MultibodyModel]") {
  const Point point(Point::Held::by_time);
  const std::vector<double> y = last_point(point, 2.0);
  CHECK(y[0] == Approx(2.2).epsilon(1e-12));
  CHECK(y[1] == Approx(std::sin(2.0)).epsilon(1e-14));
  CHECK(y[3] == Approx(std::cos(2.0)).epsilon(1e-14));
  MultibodyModel model(point);
  std::array<double, 1> lambda{};
  REQUIRE(model.multipliers(2.0, y, lambda) == Eval::ok);
  CHECK(lambda[0] == Approx(2.0 * (9.81 - std::sin(2.0))));
}

TEST_CASE("Redundant constraints share their force", "[MultibodyModel]") {
  const Point point(Point::Held::twice);
  const std::vector<double> y = last_point(point, 1.0);
  CHECK(y[0] == Approx(1.2).epsilon(1e-12));
  CHECK(std::fabs(y[1]) < 1e-15);
  MultibodyModel model(point);
  std::array<double, 2> lambda{};
  REQUIRE(model.multipliers(1.0, y, lambda) == Eval::ok);
  CHECK(lambda[0] + 100.0 * lambda[1] == Approx(2.0 * 9.81));
  CHECK(lambda[0] == Approx(100.0 * lambda[1]));
}

TEST_CASE("A start off the constraints is moved onto them", "[MultibodyModel]") {
  const std::vector<double> y = last_point(Point(Point::Held::on_start), 1.0);
  CHECK(y[1] == 0.0);
  CHECK(y[0] == Approx(1.2).epsilon(1e-12));
}

TEST_CASE("What cannot move is refused by name", "[MultibodyModel]") {
  const std::string apart = failure<DaeError>(Point(Point::Held::apart));
  CAPTURE(apart);
  CHECK(mentions(apart, "rail\" stays 0.5 away"));
  const std::string tearing = failure<DaeError>(Point(Point::Held::tearing));
  CAPTURE(tearing);
  CHECK(mentions(tearing, "different accelerations"));
  CHECK(mentions(tearing, "rail\" contradicts"));
  const std::string light = failure<DaeError>(Point(Point::Held::without_inertia));
  CAPTURE(light);
  CHECK(mentions(light, "\"x\" has no inertia"));
}

TEST_CASE("A force that ends is no endless loop", "[MultibodyModel]") {
  const Point point(Point::Held::in_domain);
  const std::string stopped = failure<IntegrationError>(point);
  CAPTURE(stopped);
  CHECK(mentions(stopped, "discards every point ahead"));
  MultibodyModel model(point);
  const std::array<double, 4> beyond{0.6, 0.0, 1.0, 0.0};
  std::array<double, 4> slope{}, moved = beyond;
  CHECK(model.derivatives(0.0, beyond, slope) == Eval::discard);
  REQUIRE_THROWS_WITH(model.make_consistent(0.0, moved, slope),
                      Catch::Contains("the force on \"x\""));
}

TEST_CASE("A bound follows the tolerance unless an order is given", "[MultibodyModel]") {
  const PinnedRod rod;
  MultibodyOptions options;
  CHECK(failure<DaeError>(rod, options).empty());
  options.bound.factor = 1e-4;
  const std::string refused = failure<DaeError>(rod, options);
  CAPTURE(refused);
  CHECK(mentions(refused, "post-stabilisation would move the state"));
  CHECK(mentions(refused, "\"pin "));
}

/// On a circle, but started beside it and with a velocity across it.
class Beside : public DifferentiatedMultibody<Beside> {
 public:
  std::vector<std::string> coordinates() const override { return {"x", "y"}; }
  std::vector<std::string> holonomic_constraints() const override { return {"circle"}; }
  void start(Vec q, Vec v) const override {
    q[0] = 1.2;
    v[0] = 1.0;
    v[1] = 0.5;
  }
  void mass(double, ConstVec, Vec matrix) const override { matrix[0] = matrix[3] = 1.0; }
  void forces(double, ConstVec, ConstVec, Vec) const override {}
  template <class Real>
  void holonomic(Real, std::span<const Real> q, std::span<Real> phi) const {
    phi[0] = q[0] * q[0] + q[1] * q[1] - 1.0;
  }
};

TEST_CASE("A start that is moved onto the constraints is warned of", "[MultibodyModel]") {
  const Beside system;
  MultibodyModel model(system);
  DormandPrince integrator(model);
  IntegratedModel run(model, integrator);
  const RunResult result = ModeController(run).run({.stop = 1.0});
  REQUIRE(result.warnings.size() == 2);
  CHECK(result.warnings[0].subject == "x");
  CHECK(mentions(result.warnings[0].message, "its start value 1.2 was moved to 1"));
  CHECK(result.warnings[1].subject == "der(x)");
  CHECK(ModeController(run).run({.stop = 1.0}).warnings.size() == 2);
}

TEST_CASE("Options that do not fit the constraints are refused", "[MultibodyModel]") {
  const PinnedRod rod;
  MultibodyOptions options;
  options.sigma = {1.0, 2.0, 3.0};
  CHECK_THROWS_AS(MultibodyModel(rod, options), std::invalid_argument);
  options.sigma = {-1.0};
  CHECK_THROWS_AS(MultibodyModel(rod, options), std::invalid_argument);
  options = {};
  options.reaching = {1.0, -1.0};
  CHECK_THROWS_AS(MultibodyModel(rod, options), std::invalid_argument);
  options.reaching = {1.0, 1.0, 1.0};
  CHECK_THROWS_AS(MultibodyModel(rod, options), std::invalid_argument);
  options = {};
  options.passes = 0;
  CHECK_THROWS_AS(MultibodyModel(rod, options), std::invalid_argument);
}

}  // namespace
}  // namespace saltus::test

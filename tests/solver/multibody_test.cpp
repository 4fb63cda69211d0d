// SPDX-License-Identifier: BSD-2-Clause
// Multibody systems held against M. D. Compere's dissertation (University of Texas, 2001).
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "compere_rows.hpp"
#include "fixed_step.hpp"
#include "problems/compound_pendulum.hpp"
#include "problems/rolling_spheres.hpp"
#include "saltus/control/mode_controller.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/events/trajectory.hpp"
#include "saltus/integrators/dormand_prince.hpp"
#include "saltus/multibody/multibody_model.hpp"

namespace saltus::test {
namespace {

using namespace problems;
using benchmarks::FixedStep;

MultibodyOptions with_bound_of(int order) {
  MultibodyOptions options;
  options.bound = AdjustmentBound::of_order(order);
  return options;
}

std::vector<double> last_point(Model& model, Integrator& integrator, double stop) {
  IntegratedModel system(model, integrator);
  ModeController controller(system);
  controller.run({.stop = stop});
  return {system.unknowns().begin(), system.unknowns().end()};
}

TEST_CASE("All cells of Tables 3.1 to 3.3 agree with the print", "[MultibodyModel]") {
  const std::vector<benchmarks::EnergyCell> cells = benchmarks::run_compere_tables();
  REQUIRE(cells.size() == 36);
  for (const benchmarks::EnergyCell& cell : cells) {
    INFO("Table 3." << cell.table << ", " << cell.method << ", h = " << cell.step << ": "
                    << cell.drift << ", printed " << cell.published);
    CHECK(cell.agrees());
    // Rounding: the dissertation says "near machine tolerance".
    CHECK(cell.largest_residual < 1e-14);
    CHECK(cell.largest_surface < 1e-14);
  }
  CHECK(std::count_if(cells.begin(), cells.end(),
                      [](const auto& cell) { return cell.is_truncation(); }) == 24);
}

TEST_CASE("The pendulum moves the same as a DAE and as an ODE", "[MultibodyModel]") {
  const PinnedRod rod;
  MultibodyModel model(rod, with_bound_of(8));
  FixedStep as_dae(model, benchmarks::fehlberg_8(), 0.01);
  const std::vector<double> y = last_point(model, as_dae, Rod::stop);
  RodByAngle angle;
  FixedStep as_ode(angle, benchmarks::fehlberg_8(), 0.01);
  const std::vector<double> reference = last_point(angle, as_ode, Rod::stop);
  // "The RK8 solutions were within O(1e-12) of each other", section 3.5.3.
  CHECK(std::fabs(y[2] - reference[0]) < 1e-12);
  CHECK(std::fabs(y[5] - reference[1]) < 4e-12);
}

TEST_CASE("Multipliers held over a step satisfy the constraints and break the bound",
          "[MultibodyModel]") {
  const benchmarks::HeldMultipliers held = benchmarks::run_held_multipliers();
  CHECK(held.largest_residual < 1e-14);
  // 13.8 J are printed for a run whose step and length are not.
  CHECK(held.drift > 5.0);
  CHECK(held.drift < 20.0);
  CHECK(held.largest_adjustment > 1e-3);
  CHECK(held.refusal.find("\"pin y\"") != std::string::npos);
}

TEST_CASE("One pass leaves an error of order eight after a method of order three",
          "[MultibodyModel]") {
  const PinnedRod rod;
  const auto largest_surface = [&](double h) {
    MultibodyOptions options = with_bound_of(3);
    options.bound = AdjustmentBound::none();  // the longest steps are too long for it
    options.passes = 1;
    MultibodyModel model(rod, options);
    FixedStep integrator(model, benchmarks::kutta_3(), h);
    last_point(model, integrator, Rod::stop);
    return model.stabilization_record().largest_surface;
  };
  // Section 3.4.1: O(h^(2(p+1))), 256 for half the step.
  const double at_02 = largest_surface(0.2), at_01 = largest_surface(0.1),
               at_005 = largest_surface(0.05);
  CAPTURE(at_02, at_01, at_005);
  CHECK(at_02 / at_01 == Approx(256.0).epsilon(0.25));
  CHECK(at_01 / at_005 == Approx(256.0).epsilon(0.25));
}

// The rates at which surfaces are approached are not printed; |s(0)| / eta is exact.
struct ReachingSpheres {
  explicit ReachingSpheres(const MultibodyOptions& options)
      : bodies(RollingSpheres::Start::inconsistent), model(bodies, options) {}
  void run(Integrator& integrator) {
    IntegratedModel system(model, integrator);
    Trajectory trajectory(system);
    ModeController controller(system);
    controller.add(trajectory);
    controller.run({.stop = RollingSpheres::stop});
    points = trajectory.points();
    events = trajectory.events();
  }
  void check_times() const {
    REQUIRE(model.reaching().size() == 3);
    const double predicted[] = {1.472621556, 1.178097245, 2.0};
    for (std::size_t i = 0; i < 3; ++i) {
      CHECK(model.reaching()[i].predicted == Approx(predicted[i]).epsilon(0.0).margin(1e-9));
      CHECK(model.reaching()[i].reached == Approx(predicted[i]).epsilon(0.0).margin(1e-6));
    }
    REQUIRE(events.size() == 3);
    const std::string names[] = {"reach rolling along beta", "reach rolling along alpha",
                                 "reach contact"};
    for (std::size_t i = 0; i < 3; ++i) {
      REQUIRE(events[i].indicators.size() == 1);
      CHECK(model.indicator_name(events[i].indicators.front()) == names[i]);
    }
  }
  // The points before and after the last event.
  const Trajectory::Point& before_contact() const { return points[points.size() - 3]; }
  const Trajectory::Point& at_contact() const { return points[points.size() - 2]; }

  RollingSpheres bodies;
  MultibodyModel model;
  std::vector<Trajectory::Point> points;
  std::vector<Trajectory::Event> events;
};

constexpr double kDistance = RollingSpheres::large_radius + RollingSpheres::small_radius;

TEST_CASE("Inconsistent spheres reach their constraints on time", "[MultibodyModel]") {
  MultibodyOptions options = with_bound_of(5);
  options.reaching = {0.02, 0.01, 0.5};
  ReachingSpheres spheres(options);
  FixedStep integrator(spheres.model, benchmarks::fehlberg_5(), 0.01);
  spheres.run(integrator);
  spheres.check_times();
  // phi' = -sigma phi + s(0) - eta t has come to eta / sigma^2, but for exp(-20).
  CHECK(spheres.before_contact().y[0] - kDistance == Approx(5e-3).epsilon(1e-6));
  CHECK(std::fabs(spheres.at_contact().y[0] - kDistance) < 1e-15);
  // From then on the energy stays, to the error of the method.
  CHECK(spheres.model.energy_record().drift() < 1e-11);
  CHECK(spheres.model.stabilization_record().largest_residual < 1e-14);
}

TEST_CASE("Inconsistent spheres reach them with an error-controlled method too",
          "[MultibodyModel]") {
  MultibodyOptions options;
  options.stabilize = GENERATE(MultibodyOptions::Stabilize::accepted_points,
                               MultibodyOptions::Stabilize::every_point);
  options.reaching = {0.02, 0.01, 0.5};
  ReachingSpheres spheres(options);
  DormandPrince integrator(spheres.model, {.relative_tolerance = 1e-8});
  spheres.run(integrator);
  spheres.check_times();
  CHECK(spheres.model.energy_record().drift() < 1e-8);
}

TEST_CASE("A constraint that decays is not jumped to", "[MultibodyModel]") {
  MultibodyOptions options = with_bound_of(5);
  options.reaching = {0.02, 0.01, 0.5};
  options.arrival = MultibodyOptions::Arrival::decay;
  ReachingSpheres spheres(options);
  FixedStep integrator(spheres.model, benchmarks::fehlberg_5(), 0.01);
  spheres.run(integrator);
  spheres.check_times();
  CHECK(spheres.at_contact().y[0] - kDistance == Approx(5e-3).epsilon(1e-6));
  // Where the decay ended, the move was within h^4; the bound would have ended the run otherwise.
  CHECK(spheres.model.stabilization_record().largest_adjustment <= 1e-8);
  CHECK(std::fabs(spheres.points.back().y[0] - kDistance) < 1e-15);
  CHECK(spheres.model.energy_record().drift() < 1e-11);
}

}  // namespace
}  // namespace saltus::test

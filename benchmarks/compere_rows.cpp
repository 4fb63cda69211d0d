// SPDX-License-Identifier: BSD-2-Clause
#include "compere_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "fixed_step.hpp"
#include "problems/compound_pendulum.hpp"
#include "problems/rolling_spheres.hpp"
#include "saltus/control/mode_controller.hpp"
#include "saltus/core/error.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/multibody/multibody_model.hpp"

namespace saltus::benchmarks {
namespace {

using Positions = MultibodyOptions::Positions;

constexpr std::array kSteps{0.05, 0.01, 0.005, 0.001};

// Rows: steps. Columns: RK-3, RK-5, RK-8.
using Table = std::array<std::array<double, 3>, 4>;
constexpr Table kTable31{{{1.8e-1, 1.4e-4, 5.3e-11},
                          {1.4e-3, 4.5e-8, 5.7e-14},
                          {1.8e-4, 1.4e-9, 5.7e-14},
                          {1.4e-6, 5.1e-13, 1.4e-13}}};
constexpr Table kTable32{{{2.0e-1, 2.8e-4, 4.4e-8},
                          {1.8e-3, 8.9e-8, 1.7e-13},
                          {2.3e-4, 2.8e-9, 8.5e-14},
                          {1.8e-6, 9.7e-13, 1.4e-13}}};
constexpr Table kTable33{{{6.0e-7, 3.3e-10, 2.3e-14},
                          {4.6e-9, 9.2e-14, 2.4e-17},
                          {5.7e-10, 2.8e-15, 2.3e-17},
                          {4.6e-12, 6.2e-17, 6.6e-17}}};

// The method of the dissertation: two passes at the end of each step, positions by (3.27) as
// printed.
MultibodyOptions as_published(AdjustmentBound bound) {
  MultibodyOptions options;
  options.positions = Positions::all;
  options.bound = bound;
  return options;
}

// Sees the energy of a model that does not watch it itself.
class WatchedRod : public problems::RodByAngle, private Consistency {
 public:
  Capabilities capabilities() override { return {.is_explicit = true, .consistency = this}; }
  Eval make_consistent(double t, Vec y, Vec yp) override {
    watch(y);
    return derivatives(t, y, yp);
  }
  StepVerdict completed_step(double, ConstVec y) override {
    watch(y);
    return {};
  }
  EnergyRecord energies;

 private:
  void watch(ConstVec y) {
    energies.last = energy(y);
    energies.first = energies.least < kNever ? energies.first : energies.last;
    energies.least = std::min(energies.least, energies.last);
    energies.largest = std::max(energies.largest, energies.last);
  }
};

void run(Model& model, Integrator& integrator, double stop) {
  IntegratedModel system(model, integrator);
  ModeController controller(system);
  controller.run({.stop = stop});
}

void keep(EnergyCell& cell, const EnergyRecord& energies, const IntegratorStats& stats) {
  cell.energy = energies.first;
  cell.drift = energies.drift();
  cell.steps = stats.steps;
  cell.rhs_evaluations = stats.rhs_evaluations;
}

void run_ode_cell(EnergyCell& cell, const RungeKutta& method) {
  WatchedRod model;
  FixedStep integrator(model, method, cell.step);
  run(model, integrator, problems::Rod::stop);
  keep(cell, model.energies, integrator.stats());
}

void run_multibody_cell(EnergyCell& cell, const RungeKutta& method, const MultibodySystem& bodies,
                        double stop) {
  MultibodyModel model(bodies, as_published(AdjustmentBound::of_order(method.order)));
  FixedStep integrator(model, method, cell.step);
  run(model, integrator, stop);
  keep(cell, model.energy_record(), integrator.stats());
  cell.largest_residual = model.stabilization_record().largest_residual;
  cell.largest_surface = model.stabilization_record().largest_surface;
}

// The wrong method: accelerations with the multipliers of the beginning of the step.
class HeldMultipliersModel : public MultibodyModel {
 public:
  HeldMultipliersModel(const MultibodySystem& bodies, const MultibodyOptions& options)
      : MultibodyModel(bodies, options), bodies_(bodies) {}

  Eval make_consistent(double t, Vec y, Vec yp) override {
    const Eval answer = MultibodyModel::make_consistent(t, y, yp);
    return answer == Eval::ok ? multipliers(t, y, held_) : answer;
  }
  // With the diagonal mass matrix of the rod.
  Eval derivatives(double t, ConstVec y, Vec yp) override {
    std::array<double, 9> mass{};
    std::array<double, 6> jacobian{};
    std::array<double, 2> residual{}, rate{}, drift{};
    std::array<double, 3> force{};
    bodies_.mass(t, y.first(3), mass);
    bodies_.forces(t, y.first(3), y.subspan(3), force);
    bodies_.constraints(t, y.first(3), y.subspan(3),
                        {.residual = residual, .rate = rate, .jacobian = jacobian, .drift = drift});
    for (std::size_t i = 0; i < 3; ++i) {
      yp[i] = y[3 + i];
      yp[3 + i] = (force[i] + jacobian[i] * held_[0] + jacobian[3 + i] * held_[1]) / mass[4 * i];
    }
    return Eval::ok;
  }

 private:
  const MultibodySystem& bodies_;
  std::array<double, 2> held_{};
};

}  // namespace

bool EnergyCell::is_truncation() const {
  const bool of_low_order = method != "RK-8";
  return of_low_order ? published > 1e-13 * std::fabs(energy) : step == kSteps.front();
}

bool EnergyCell::agrees() const {
  if (!is_truncation()) {
    return drift < 1e-13 * std::fabs(energy);
  }
  return std::fabs(drift / published - 1.0) <= (method == "RK-8" ? 0.15 : 0.05);
}

std::vector<EnergyCell> run_compere_tables() {
  const problems::PinnedRod rod;
  const problems::RollingSpheres spheres;
  std::vector<EnergyCell> cells;
  for (const int table : {1, 2, 3}) {
    const Table& published = table == 1 ? kTable31 : table == 2 ? kTable32 : kTable33;
    for (std::size_t row = 0; row < kSteps.size(); ++row) {
      const std::array methods{&kutta_3(), &fehlberg_5(), &fehlberg_8()};
      for (std::size_t column = 0; column < methods.size(); ++column) {
        const RungeKutta& method = *methods[column];
        EnergyCell cell{.table = table,
                        .method = method.name,
                        .step = kSteps[row],
                        .published = published[row][column]};
        if (table == 1) {
          run_ode_cell(cell, method);
        } else if (table == 2) {
          run_multibody_cell(cell, method, rod, problems::Rod::stop);
        } else {
          run_multibody_cell(cell, method, spheres, problems::RollingSpheres::stop);
        }
        cells.push_back(cell);
      }
    }
  }
  return cells;
}

HeldMultipliers run_held_multipliers() {
  constexpr double kStep = 0.01;
  const problems::PinnedRod rod;
  HeldMultipliers found;
  {
    HeldMultipliersModel model(rod, as_published(AdjustmentBound::none()));
    FixedStep integrator(model, fehlberg_8(), kStep);
    run(model, integrator, problems::Rod::stop);
    found.drift = model.energy_record().drift();
    found.largest_residual = model.stabilization_record().largest_residual;
    found.largest_adjustment = model.stabilization_record().largest_adjustment;
  }
  try {
    HeldMultipliersModel model(rod, as_published(AdjustmentBound::of_order(8)));
    FixedStep integrator(model, fehlberg_8(), kStep);
    run(model, integrator, problems::Rod::stop);
  } catch (const DaeError& error) {
    found.refusal = error.what();
  }
  return found;
}

ReachingRun run_reaching_spheres() {
  const problems::RollingSpheres spheres(problems::RollingSpheres::Start::inconsistent);
  MultibodyOptions options = as_published(AdjustmentBound::of_order(5));
  options.positions = Positions::holonomic;
  options.reaching = {0.02, 0.01, 0.5};
  MultibodyModel model(spheres, options);
  FixedStep integrator(model, fehlberg_5(), 0.01);
  run(model, integrator, problems::RollingSpheres::stop);
  ReachingRun found;
  found.energy_at_last = model.energy_record().first;
  found.drift_after_last = model.energy_record().drift();
  found.largest_ratio = model.stabilization_record().largest_ratio;
  for (const Reaching& one : model.reaching()) {
    found.constraints.push_back(one.constraint);
    found.predicted.push_back(one.predicted);
    found.reached.push_back(one.reached);
  }
  return found;
}

std::vector<Figure> compere_figures(const std::vector<EnergyCell>& cells) {
  const auto at_most = [](const char* problem, const char* metric, double value, double bound) {
    return Figure{.problem = problem,
                  .metric = metric,
                  .value = value,
                  .direction = Figure::Bound::at_most,
                  .bound = bound};
  };
  const auto differing =
      std::count_if(cells.begin(), cells.end(), [](const EnergyCell& c) { return !c.agrees(); });
  const HeldMultipliers held = run_held_multipliers();
  const ReachingRun reaching = run_reaching_spheres();
  double late = 0.0;
  for (std::size_t i = 0; i < reaching.reached.size(); ++i) {
    late = std::max(late, std::fabs(reaching.reached[i] - reaching.predicted[i]));
  }
  return {at_most("Compere, Tables 3.1 to 3.3", "cells of 36 that differ from print",
                  static_cast<double>(differing), 0.0),
          at_most("pendulum, multipliers held", "largest constraint residual",
                  held.largest_residual, 1e-14),
          at_most("pendulum, multipliers held", "runs that the bound lets pass",
                  held.refusal.empty() ? 1.0 : 0.0, 0.0),
          at_most("spheres, inconsistent start", "error of a reaching time", late, 1e-6),
          at_most("spheres, inconsistent start", "energy drift after the last one",
                  reaching.drift_after_last, 1e-11)};
}

}  // namespace saltus::benchmarks

// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <vector>

#include "saltus/control/mode_controller.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/events/trajectory.hpp"
#include "saltus/integrators/bdf.hpp"

namespace saltus::test {

/// A model under Bdf, from zero to some time, with what was seen.
struct BdfRun {
  explicit BdfRun(Model& model, IntegratorOptions options = {},
                  BdfMatrix matrix = BdfMatrix::automatic)
      : integrator(model, options, matrix), system(model, integrator), trajectory(system) {}
  RunResult to(double stop, ControllerOptions options = {}) {
    ModeController controller(system, options);
    controller.add(trajectory);
    return controller.run({.stop = stop});
  }
  std::vector<double> event_times() const {
    std::vector<double> times;
    for (const auto& event : trajectory.events()) {
      times.push_back(event.time);
    }
    return times;
  }
  const IntegratorStats& stats() const { return integrator.stats(); }
  Bdf integrator;
  IntegratedModel system;
  Trajectory trajectory;
};

}  // namespace saltus::test

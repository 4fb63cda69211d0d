// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <memory>

#include "saltus/importer/input_table.hpp"
#include "saltus/importer/instance_options.hpp"
#include "saltus/simulation.hpp"

namespace saltus::importer {

/// What only FMUs ask for, beside `SimulationOptions`.
struct FmuSimulationOptions {
  enum class Interface {
    automatic,            ///< Model Exchange where the FMU offers it, else Co-Simulation
    model_exchange,       ///< an integrator of this library
    co_simulation,        ///< the FMU brings its own
    scheduled_execution,  ///< its clocks alone move it
  };
  Interface interface = Interface::automatic;
  InstanceOptions instance = {};
  /// Inputs over time; null: they stay as they are set.
  std::shared_ptr<const InputTable> inputs = nullptr;
};

/// An FMU as a simulation: the same options, the same results by name as for a native model.
///
///     auto ball = importer::simulation_of("ball.fmu", {.stop = 3.0, .values = {{"e", 0.8}}});
///     auto run = ball.run();
///     run["h"].back();
///
/// Start, stop, tolerance and distance of rows are those of the FMU's default experiment, where
/// nobody says more. Numbers, Booleans and enumerations are recorded, arrays element by element
/// (`x[2]`), clocks and clocked variables as by `Recorder`; strings and binaries are not. Model
/// Exchange FMUs slide where they can save their states. While a run rests its continuous inputs
/// can be set.
///
/// A run can be saved if the FMU declares canGetAndSetFMUState; it has values at its rows only.
/// Throws `FmuError`, and `std::invalid_argument` where an option does not fit the FMU.
Simulation simulation_of(const std::filesystem::path& fmu, const SimulationOptions& options = {},
                         const FmuSimulationOptions& fmu_options = {});

/// One run from start to stop.
SimulationResult simulate(const std::filesystem::path& fmu, const SimulationOptions& options = {},
                          const FmuSimulationOptions& fmu_options = {});

}  // namespace saltus::importer

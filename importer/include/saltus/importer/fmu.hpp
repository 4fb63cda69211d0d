// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "saltus/importer/archive_entry.hpp"
#include "saltus/importer/co_simulation.hpp"
#include "saltus/importer/dae_manifest.hpp"
#include "saltus/importer/fmu_error.hpp"
#include "saltus/importer/fmu_model.hpp"
#include "saltus/importer/instance_options.hpp"
#include "saltus/importer/model_description.hpp"
#include "saltus/importer/scheduled_execution.hpp"

namespace saltus::importer {

class Instance;
enum class InterfaceType;

/// FMI's name of the machine we run on, such as "x86_64-linux" (FMI 3.0, 2.5.1).
std::string host_platform();

/// An opened FMU: its description, and a maker of instances.
///
/// To run one, `simulate` of `saltus/importer/fmu_simulation.hpp` is enough. For systems of one's
/// own:
///
///     Fmu fmu = Fmu::open("ball.fmu");
///     auto model = fmu.instantiate_model_exchange("ball", {.start_values = {{"e", "0.8"}}});
///     DormandPrince integrator(*model);
///     IntegratedModel system(*model, integrator);
///     Recorder recorder(*model, system);
///     ModeController controller(system, {.report_interval = 0.01});
///     controller.add(recorder);
///     controller.run({.stop = 3.0});
///
/// `open` unpacks the archive into a temporary folder and reads the description; the binary is
/// loaded when the first instance is made, so an FMU for another machine can still be looked at.
/// The folder goes when the `Fmu` and all its instances are gone. Every failure is one `FmuError`.
class Fmu {
 public:
  /// What of the archive is unpacked: for runs all but documentation, sources and reference
  /// results, which no FMU is told the place of.
  enum class Unpacked { all, for_runs };
  static Fmu open(const std::filesystem::path& path, Unpacked unpacked = Unpacked::all);
  Fmu(Fmu&&) noexcept;
  Fmu& operator=(Fmu&&) noexcept;
  Fmu(const Fmu&) = delete;
  Fmu& operator=(const Fmu&) = delete;
  ~Fmu();

  const std::filesystem::path& path() const;
  const ModelDescription& description() const;
  /// How it can be run as a system of differential-algebraic equations (FMI-LS-DAE); nullptr where
  /// it has no manifest of that layered standard.
  const DaeManifest* dae_manifest() const;
  /// The platforms it has binaries for, sorted.
  const std::vector<std::string>& platforms() const;
  /// Where it is unpacked.
  const std::filesystem::path& folder() const;
  /// What is wrong but does no harm: of the description, and of the binaries loaded so far.
  std::vector<std::string> warnings() const;
  /// Takes the binaries that no instance uses any more out of memory; the next instance loads its
  /// binary again. Else they stay until the `Fmu` is gone.
  void unload();

  /// Throws `FmuError` if the FMU does not offer the interface, has no binary for this machine or
  /// refuses, and `std::invalid_argument` if an option does not fit the FMU.
  std::unique_ptr<FmuModel> instantiate_model_exchange(const std::string& name,
                                                       const InstanceOptions& options = {});
  std::unique_ptr<CoSimulationFmu> instantiate_co_simulation(const std::string& name,
                                                             const InstanceOptions& options = {});
  std::unique_ptr<ScheduledExecutionFmu> instantiate_scheduled_execution(
      const std::string& name, const InstanceOptions& options = {});
  /// An instance that does what it is told, in any order, and is told nothing: for the checks of
  /// `validate`.
  std::unique_ptr<Instance> instantiate_bare(InterfaceType type, const InstanceOptions& options);

 private:
  struct State;
  explicit Fmu(std::unique_ptr<State> state);
  void check_switch(const InstanceOptions& options) const;
  std::unique_ptr<State> state_;
};

}  // namespace saltus::importer

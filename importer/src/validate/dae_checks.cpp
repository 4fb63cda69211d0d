// SPDX-License-Identifier: BSD-2-Clause
// Rule 40: FMI-LS-DAE. What the manifest says is judged as a run judges it; then the FMU runs as
// the ODE that it is by default and as the DAE that the manifest makes of it, and both are
// compared.
#include <fmt/format.h>

#include <cmath>
#include <span>

#include "../parse_dae_manifest.hpp"
#include "../parse_description.hpp"
#include "rules.hpp"
#include "run_checks.hpp"
#include "saltus/importer/fmu_simulation.hpp"

namespace saltus::importer::validation {
namespace {

/// A look at both, not a simulation: this part of the default experiment.
constexpr double kPartOfExperiment = 1.0 / 50.0;
// A run at the usual tolerance of 1e-6 is off by some of them, and so is an FMU that solves for its
// algebraics alone. What is a thousandth apart is not the same motion.
constexpr double kSameMotion = 1e-3;

bool is_comparable(const Variable& variable) {
  return variable.type == VariableType::float64 && variable.dimensions.empty();
}

/// The states, and in the run as an ODE the residuals.
struct Watched {
  std::vector<std::string> states, residuals;
};

Watched watched_of(const ModelDescription& description, const DaeManifest& manifest) {
  Watched watched;
  for (const Unknown& unknown : description.structure.continuous_state_derivatives) {
    const Variable* const state = description.state_of(unknown);
    if (state != nullptr && is_comparable(*state)) watched.states.push_back(state->name);
  }
  for (const Unknown& residual : manifest.residuals) {
    const Variable& variable = description.variables[residual.variable];
    if (is_comparable(variable)) watched.residuals.push_back(variable.name);
  }
  return watched;
}

template <class Column>
double largest(const Column& column) {
  double most = 0.0;
  for (const double value : column) most = std::max(most, std::abs(value));
  return most;
}

class DaeComparison {
 public:
  DaeComparison(const Fmu& fmu, const ValidationOptions& options, RunFindings& findings)
      : fmu_(fmu),
        options_(options),
        findings_(findings),
        watched_(watched_of(fmu.description(), *fmu.dae_manifest())) {}

  void check() {
    const SimulationResult ode = run(false);
    check_residuals(ode);
    try {
      const SimulationResult dae = run(true);
      if (is_refused(dae)) return;
      check_states(ode, dae);
    } catch (const Error& error) {
      findings_.add({40, "run.dae.failed"}, Severity::error,
                    fmt::format("as a DAE the FMU does not run: {}", error.what()));
    }
  }

 private:
  SimulationResult run(bool as_dae) const {
    const Experiment all = experiment_of(fmu_.description());
    std::vector<std::string> names = watched_.states;
    names.insert(names.end(), watched_.residuals.begin(), watched_.residuals.end());
    return simulate(fmu_.path(),
                    {.start = all.start,
                     .stop = all.start + kPartOfExperiment * (all.stop - all.start),
                     .record = names},
                    {.interface = FmuSimulationOptions::Interface::model_exchange,
                     .instance = {.start_values = options_.start_values, .dae_mode = as_dae}});
  }

  void check_residuals(const SimulationResult& ode) {
    double scale = 1.0;
    for (const std::string& name : watched_.states) scale = std::max(scale, largest(ode[name]));
    for (const std::string& name : watched_.residuals) {
      const double residual = largest(ode[name]);
      if (residual <= kSameMotion * scale) continue;
      findings_.add({40, "run.dae.residual"}, Severity::error,
                    fmt::format("the residual \"{}\" reaches {:.3g} while the FMU runs as an ODE",
                                name, residual),
                    "what solves the equations makes all residuals vanish",
                    fmu_.description().find(name));
    }
  }

  /// A DAE mode that cannot be entered ends in a run as an ODE, with a warning.
  bool is_refused(const SimulationResult& dae) {
    for (const Warning& warning : dae.warnings()) {
      if (warning.message.find("runs as an ODE") == std::string::npos) continue;
      findings_.add({40, "run.dae.refused"}, Severity::error, warning.message);
      return true;
    }
    return false;
  }

  /// At the rows that both runs have. Events may fall on the two sides of one row, not of two.
  void check_states(const SimulationResult& ode, const SimulationResult& dae) {
    const std::span<const double> times = dae.time();
    for (const std::string& name : watched_.states) {
      const double scale = std::max(largest(ode[name]), largest(dae[name]));
      bool differed = false;
      for (std::size_t i = 0; i < ode.rows(); ++i) {
        const double t = ode.time()[i];
        const auto same = std::upper_bound(times.begin(), times.end(), t);
        if (same == times.begin() || *(same - 1) != t) continue;
        const double a = ode[name][i];
        const double b = dae[name][static_cast<std::size_t>(same - times.begin()) - 1];
        const bool differs = !(std::abs(a - b) <= kSameMotion * scale);
        if (differs && differed) {
          findings_.add({40, "run.dae.differs"}, Severity::error,
                        fmt::format("at t = {} \"{}\" is {:.6g} as an ODE and {:.6g} as a DAE", t,
                                    name, a, b),
                        "both forms are the same equations", fmu_.description().find(name));
          break;
        }
        differed = differs;
      }
    }
  }

  const Fmu& fmu_;
  const ValidationOptions& options_;
  RunFindings& findings_;
  Watched watched_;
};

}  // namespace

void check_manifest(const Package& package, Findings& findings) {
  if (!package.has(kDaeManifest)) return;
  try {
    const ModelDescription description =
        parse_description(package.fmu, package.content("modelDescription.xml"));
    const DaeManifest manifest =
        parse_dae_manifest(package.fmu, package.content(kDaeManifest), description);
    if (!manifest.why_unusable.empty()) {
      findings.add({40, "dae.manifest"}, Severity::error, kDaeManifest,
                   fmt::format("it cannot be used: {}", manifest.why_unusable));
    }
    for (const std::string& warning : manifest.warnings) {
      findings.add({40, "dae.manifest.oddity"}, Severity::warning, kDaeManifest, warning);
    }
  } catch (const FmuError& error) {
    findings.add({40, "dae.manifest.skipped"}, Severity::note, kDaeManifest,
                 fmt::format("it was not looked at: {}", error.reason()));
  }
}

void check_dae_run(RunContext& context) {
  const DaeManifest* const manifest = context.fmu.dae_manifest();
  if (manifest == nullptr || !manifest->why_unusable.empty()) return;
  try {
    DaeComparison(context.fmu, context.options, context.findings).check();
  } catch (const std::exception& error) {
    // Rules 35 to 39 have said why it does not run at all.
    context.findings.add({40, "run.dae.skipped"}, Severity::note,
                         fmt::format("the run as a DAE was not compared: {}", error.what()));
  }
}

}  // namespace saltus::importer::validation

// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <string>

#include "dae_run.hpp"
#include "saltus/core/model.hpp"
#include "saltus/core/observer.hpp"
#include "saltus/dae/reduced_model.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/integrators/radau.hpp"

namespace saltus::benchmarks {

/// Radau for what may be stiff; Taylor for what is smooth and not.
enum class SaltusMethod { radau, taylor };

/// An implicit model through `ReducedModel` and one of our methods, with rtol = atol as in the Bari
/// set and default settings otherwise.
class SaltusDae {
 public:
  /// `model` must outlive it.
  SaltusDae(Model& model, double tolerance, SaltusMethod method = SaltusMethod::radau);

  /// The observer may read `unknowns` when it is called. `model`'s own come first.
  DaeRun run(double stop, double report_interval = kNever, Observer* observer = nullptr);
  ConstVec unknowns() const { return system_.unknowns(); }

 private:
  double tolerance_;
  std::size_t own_unknowns_;
  std::string name_;
  ReducedModel reduced_;
  std::unique_ptr<Integrator> integrator_;
  IntegratedModel system_;
};

}  // namespace saltus::benchmarks

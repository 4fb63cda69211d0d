// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "dae_run.hpp"
#include "saltus/integrated_model.hpp"
#include "saltus/model.hpp"
#include "saltus/observer.hpp"
#include "saltus/radau.hpp"
#include "saltus/reduced_model.hpp"

namespace saltus::benchmarks {

/// An implicit model through `ReducedModel` and `Radau`, with rtol = atol as in the Bari set and
/// default settings otherwise.
class SaltusDae {
 public:
  /// `model` must outlive it.
  SaltusDae(Model& model, double tolerance);

  /// The observer may read `unknowns` when it is called. `model`'s own come first.
  DaeRun run(double stop, double report_interval = kNever, Observer* observer = nullptr);
  ConstVec unknowns() const { return system_.unknowns(); }

 private:
  double tolerance_;
  std::size_t own_unknowns_;
  ReducedModel reduced_;
  Radau radau_;
  IntegratedModel system_;
};

}  // namespace saltus::benchmarks

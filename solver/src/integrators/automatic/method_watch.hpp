// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "saltus/integrators/dormand_prince.hpp"
#include "saltus/integrators/integrator.hpp"
#include "spectral_radius.hpp"

namespace saltus {

/// Whether the other kind of method should take over: the explicit one is asked for stiffness, the
/// implicit one for its cost. It is told of every step and every change.
class MethodWatch {
 public:
  /// After a step of the explicit method: whether the equations are stiff.
  bool is_stiff(const DormandPrince& method);

  /// The implicit method, which has done `stats` before, begins at `t`; the explicit one, if there
  /// is one, would have gone on with steps of `explicit_step`.
  void implicit_begins(double t, const IntegratorStats& stats, double explicit_step);
  /// After a step of it: whether it is time to ask ...
  bool is_window_over(const Integrator& method) const;
  /// ... whether the explicit one would be cheaper. `evaluations` grows by what it takes to know.
  bool explicit_is_cheaper(Model& model, const Integrator& method, ConstVec sizes,
                           std::size_t& evaluations);
  /// The explicit method takes over again.
  void explicit_begins(bool implicit_failed);

  /// What `is_stiff` remembers, see `StepMemory::stiffness`.
  std::array<double, 3> stiffness() const;
  void recall_stiffness(const std::array<double, 3>& stiffness);

  /// The step that the explicit method can begin with, after `explicit_is_cheaper`.
  double explicit_step() const { return explicit_step_; }
  /// Why, in words, after a yes.
  const std::string& why() const { return why_; }

 private:
  double factorization_cost(Model& model) const;

  // Of the explicit method.
  int stiff_steps_ = 0;
  int other_steps_ = 0;
  int patience_ = 15;

  // Of the implicit method: what was so at the beginning of the present window.
  double window_begin_ = 0.0;
  IntegratorStats window_stats_;
  std::size_t window_ = 20;
  double step_before_ = 0.0;
  bool has_paid_ = false;
  double explicit_step_ = 0.0;
  SpectralRadius radius_;

  std::string why_;
};

}  // namespace saltus

// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <string>

#include "saltus/integrators/adams.hpp"
#include "saltus/integrators/dormand_prince.hpp"
#include "saltus/integrators/integrator.hpp"
#include "spectral_radius.hpp"

namespace saltus {

/// Whether another method should take over: Dormand-Prince is asked for stiffness, Adams and the
/// implicit one for their cost. It is told of every step and every change.
class MethodWatch {
 public:
  /// After a step of the explicit method: whether the equations are stiff.
  /// `with_variations`: of a model with such parts.
  bool is_stiff(const DormandPrince& method, bool with_variations);

  /// After a step of Dormand-Prince on a model whose evaluations are dear, `steps` and `phases`
  /// being those of the run: whether Adams should have a try.
  bool adams_may_try(const DormandPrince& method, std::size_t steps, std::size_t phases);
  /// Adams, which has done `stats` before, takes over at `t`.
  void adams_begins(double t, const IntegratorStats& stats);
  /// After a step of it: whether Dormand-Prince should go on, because it is cheaper or to look for
  /// stiffness again.
  bool adams_should_end(const Adams& method);

  /// The implicit method, which has done `stats` before, begins at `t`; the explicit one, if there
  /// is one, would have gone on with steps of `explicit_step`.
  void implicit_begins(double t, const IntegratorStats& stats, double explicit_step);
  /// After a step of it: whether it is time to ask ...
  bool is_window_over(const Integrator& method) const;
  /// ... whether the explicit one would be cheaper. `evaluations` grows by what it takes to know.
  bool explicit_is_cheaper(Model& whole, const Integrator& method, ConstVec sizes,
                           std::size_t& evaluations);
  /// Dormand-Prince takes over again from it ...
  void explicit_begins(bool implicit_failed);
  /// ... or from Adams, at `t`.
  void explicit_begins_anew(double t, const IntegratorStats& stats);

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

  // Of Dormand-Prince where evaluations are dear, and of Adams: where the present stretch began,
  // how many steps it takes before the other is considered, and what a unit of time cost the
  // former.
  double stretch_begin_ = kNever;
  IntegratorStats stretch_stats_;
  std::size_t before_adams_ = 20;
  std::size_t before_look_ = 500;
  double explicit_cost_ = 0.0;
  int low_orders_ = 0;
  bool adams_paid_ = false;

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

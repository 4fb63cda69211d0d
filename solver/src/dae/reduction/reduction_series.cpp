// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cmath>

#include "reduction_state.hpp"
#include "saltus/core/number_text.hpp"

namespace saltus {

ReductionSeries::ReductionSeries(ReducedModel& model, Reduction& reduction, DerivativeArray& array)
    : model_(model),
      reduction_(reduction),
      solver_(array, reduction.analysis.level, reduction.analysis.order) {}

// A consistent point contains the coefficients of all stages up to 0.
Eval ReductionSeries::expand(double t, Vec y, double scale, std::size_t degree, Vec c) {
  if (model_.project(t, y) == Eval::discard) {
    return Eval::discard;
  }
  const ExtendedSystem& system = reduction_.system;
  const int last_stage = static_cast<int>(degree) - solver_.lowest_offset_of_differential();
  solver_.prepare(last_stage);
  const std::size_t n = system.unknowns();
  const double ratio = scale / system.scale();
  double power = 1.0;
  int power_of = 0;
  for (std::size_t k = 0; k < system.columns().size(); ++k) {
    const auto& column = system.columns()[k];
    for (; power_of < column.degree; ++power_of) {
      power *= ratio;
    }
    c[static_cast<std::size_t>(column.degree) * n + static_cast<std::size_t>(column.unknown)] =
        power * reduction_.z[k];
  }
  const Eval outcome = solver_.run(t, scale, 1, last_stage, degree, c);
  if (outcome == Eval::ok) {
    look_at_orientation(t);
  }
  begin_ = outcome == Eval::ok ? t : kNever;
  scale_ = scale;
  degree_ = degree;
  last_.assign(c.begin(), c.end());
  return outcome;
}

void ReductionSeries::nominals(Vec y) const {
  std::copy_n(reduction_.weight.begin(), reduction_.system.unknowns(), y.begin());
}

// Along a path of regular points the determinant of the system Jacobian keeps its sign.
void ReductionSeries::look_at_orientation(double t) {
  if (orientation_ != 0 && solver_.orientation() != orientation_) {
    throw DaeError(DaeError::Reason::index_changed, t, {}, {},
                   "the equations were singular shortly before t = " + number_text(t) +
                       ": the determinant of their system Jacobian has changed its sign. A "
                       "coefficient passed through zero, or a mechanism through a singular "
                       "position; stop before, or describe what happens there by equations of "
                       "its own");
  }
  orientation_ = solver_.orientation();
}

bool ReductionSeries::predict(double t, Vec z) const {
  const double tau = (t - begin_) / scale_;
  if (!(tau > 0.0)) {
    return false;
  }
  // The last term, as a part of the unknown: the sum then has three digits, enough for Newton's
  // method.
  constexpr double kReach = 1e-3;
  const ExtendedSystem& system = reduction_.system;
  const std::size_t n = system.unknowns();
  const double last_power = std::pow(tau, static_cast<double>(degree_));
  for (std::size_t j = 0; j < n; ++j) {
    if (std::fabs(last_[degree_ * n + j]) * last_power >
        kReach * (reduction_.weight[j] + std::fabs(last_[j]))) {
      return false;
    }
  }
  const double ratio = system.scale() / scale_;
  for (std::size_t k = n; k < system.columns().size(); ++k) {
    const auto& column = system.columns()[k];
    const auto l = static_cast<std::size_t>(column.degree);
    const double* const of = last_.data() + static_cast<std::size_t>(column.unknown);
    // Coefficient l of the polynomial about tau: sum over m of m! / (m - l)! / l! c_m tau^(m - l).
    double sum = 0.0;
    for (std::size_t m = degree_; m >= l; --m) {
      double choose = 1.0;
      for (std::size_t i = 1; i <= l; ++i) {
        choose *= static_cast<double>(m - l + i) / static_cast<double>(i);
      }
      sum = sum * tau + choose * of[m * n];
      if (m == 0) {
        break;
      }
    }
    double power = 1.0;
    for (std::size_t i = 0; i < l; ++i) {
      power *= ratio;
    }
    z[k] = power * sum;
  }
  return true;
}

void ReducedModel::explain_missing_series(double t) {
  if (Diagnosis* const inner = wrapped().capabilities().diagnosis; inner != nullptr) {
    inner->explain_missing_series(t);
  }
  if (state_->now != nullptr && !state_->now->held.empty()) {
    state_->refuse_unused(t);
  }
}

void ReducedModel::State::refuse_unused(double t) {
  std::vector<std::string> names;
  std::string list;
  for (const int j : now->held) {
    names.push_back(model.unknown_name(static_cast<std::size_t>(j)));
    list += (list.empty() ? "" : ", ") + names.back();
  }
  throw DaeError(DaeError::Reason::singular, t, {}, names,
                 "Taylor needs an equation for each unknown, and at t = " + number_text(t) +
                     " none mentions " + list +
                     ": give one (an equation that says what it is while it has no effect), "
                     "remove it, or use Radau or DormandPrince, which keep its value");
}

SolutionSeries* ReducedModel::series() {
  State& s = *state_;
  if (s.passes()) {
    return wrapped().series();
  }
  if (!s.explicit_form() || s.now == nullptr || !s.now->analysis.structural ||
      s.now->completed != nullptr || !s.model.derivative_array()->offers_series()) {
    return nullptr;
  }
  if (s.now->series == nullptr) {
    s.now->series = std::make_unique<ReductionSeries>(*this, *s.now, *s.model.derivative_array());
  }
  return s.now->series.get();
}

}  // namespace saltus

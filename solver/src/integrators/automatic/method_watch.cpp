// SPDX-License-Identifier: BSD-2-Clause
#include "method_watch.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "saltus/core/linearization.hpp"
#include "saltus/core/variations.hpp"

namespace saltus {
namespace {

// The limit of stability on the negative real axis is 3.3. The number of steps that meet it and how
// many others in a row make them forgotten are those of DOPRI5 (Hairer, Wanner II, IV.2), which
// counts steps beyond 3.25. At tight tolerances the stiff components already shorten steps before
// they become unstable, to 2 and more; where nothing is stiff, steps stay below 1.
constexpr double kStabilityLimit = 3.25;
constexpr double kStiffFrom = 2.0;
// Variations meet the eigenvalues of the equations twice, and what the errors of the unknowns have
// disturbed: where they are controlled, stiff components shorten steps to 1 and more.
constexpr double kVariationsStiffFrom = 1.0;
constexpr int kForgottenAfter = 6;
constexpr int kMostPatience = 15 * 1024;
constexpr std::size_t kLongestWindow = 20 * 1024;

constexpr double kExplicitEvaluations = 6.0;  // a step
// A multistep method pays where events are rarer than this many steps.
constexpr std::size_t kAdamsStepsAnEvent = 10;
// So many steps of Adams tell what it costs; so many in succession of at most this order, that
// stability holds it short (Shampine, Gordon 1975, chapter 8).
constexpr std::size_t kTellingSteps = 50;
constexpr int kLowOrder = 4;
constexpr int kMostLowOrders = 50;
// What a factorisation is worth in evaluations, if one of n equations takes this many operations.
constexpr double kOperationsOnce = 500.0;
constexpr double kOperationsEach = 20.0;
// A real one of a dense matrix takes 2/3 n^3 operations, a complex one four times that.
constexpr double kDenseOperations = 5.0 / 3.0;
constexpr double kSparseOperations = 50.0;  // for each entry: most of them stay sparse
// Derivatives by a model's own formulas.
constexpr double kJacobianEvaluations = 5.0;

std::string short_number(double value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.2g", value);
  return buffer;
}

}  // namespace

bool MethodWatch::is_stiff(const DormandPrince& method, bool with_variations) {
  if (method.stiffness() > (with_variations ? kVariationsStiffFrom : kStiffFrom)) {
    other_steps_ = 0;
    if (++stiff_steps_ < patience_) return false;
    why_ = "the equations are stiff: " + std::to_string(stiff_steps_) +
           " steps of dormand-prince were held short by components that have long died out, now " +
           short_number(method.length());
    return true;
  }
  if (++other_steps_ >= kForgottenAfter) stiff_steps_ = 0;
  return false;
}

bool MethodWatch::adams_may_try(const DormandPrince& method, std::size_t steps,
                                std::size_t phases) {
  if (stretch_begin_ == kNever) {
    explicit_begins_anew(method.begin(), method.stats());
  }
  const std::size_t taken = method.stats().steps - stretch_stats_.steps;
  if (taken < before_adams_ || stiff_steps_ > 0 || steps < kAdamsStepsAnEvent * phases) {
    return false;
  }
  explicit_cost_ =
      kExplicitEvaluations * static_cast<double>(taken) / (method.end() - stretch_begin_);
  why_ = "an evaluation of this model is dear, and adams needs two a step where events are rare";
  return true;
}

void MethodWatch::explicit_begins_anew(double t, const IntegratorStats& stats) {
  stretch_begin_ = t;
  stretch_stats_ = stats;
}

void MethodWatch::adams_begins(double t, const IntegratorStats& stats) {
  explicit_begins_anew(t, stats);
  low_orders_ = 0;
  adams_paid_ = false;
}

// An order that stays low may mean that the equations have become stiff, which Dormand-Prince can
// tell. It is asked every so often in any case, less and less: a step that stability holds short
// looks like any other, and may still be cheaper than one of Dormand-Prince.
bool MethodWatch::adams_should_end(const Adams& method) {
  low_orders_ = method.order() <= kLowOrder ? low_orders_ + 1 : 0;
  const std::size_t taken = method.stats().steps - stretch_stats_.steps;
  if (!adams_paid_ && taken >= kTellingSteps) {
    const auto evaluations =
        static_cast<double>(method.stats().rhs_evaluations - stretch_stats_.rhs_evaluations);
    adams_paid_ = evaluations < explicit_cost_ * (method.end() - stretch_begin_);
    if (!adams_paid_) {
      before_adams_ = std::min(2 * before_adams_, kLongestWindow);
      why_ = "adams needed no fewer evaluations";
      return true;
    }
  }
  if (low_orders_ > kMostLowOrders) {
    before_adams_ = std::min(2 * before_adams_, kLongestWindow);
    why_ = "adams stayed at low orders; dormand-prince can tell whether the equations are stiff";
    return true;
  }
  if (taken < before_look_) {
    return false;
  }
  before_look_ = std::min(2 * before_look_, kLongestWindow);
  why_ = "after " + std::to_string(taken) +
         " steps of adams a look whether the equations have "
         "become stiff is due";
  return true;
}

std::array<double, 3> MethodWatch::stiffness() const {
  return {static_cast<double>(stiff_steps_), static_cast<double>(other_steps_),
          static_cast<double>(patience_)};
}

void MethodWatch::recall_stiffness(const std::array<double, 3>& stiffness) {
  if (stiffness[2] > 0.0) {
    stiff_steps_ = static_cast<int>(stiffness[0]);
    other_steps_ = static_cast<int>(stiffness[1]);
    patience_ = static_cast<int>(stiffness[2]);
  }
}

void MethodWatch::implicit_begins(double t, const IntegratorStats& stats, double explicit_step) {
  window_begin_ = t;
  window_stats_ = stats;
  step_before_ = explicit_step;
  has_paid_ = false;
}

void MethodWatch::explicit_begins(bool implicit_failed) {
  stiff_steps_ = other_steps_ = 0;
  // Where the implicit method never paid, it has to wait longer for its next chance; where it did,
  // it may go on for longer before it is asked again: there is no use in going to and fro.
  if (implicit_failed || !has_paid_) {
    patience_ = std::min((implicit_failed ? 8 : 2) * patience_, kMostPatience);
  } else {
    window_ = std::min(2 * window_, kLongestWindow);
  }
}

double MethodWatch::factorization_cost(Model& model) const {
  const auto n = static_cast<double>(model.shape().unknowns());
  double operations = kDenseOperations * n * n * n;
  if (Linearization* linearization = model.linearization()) {
    const auto entries = static_cast<double>(linearization->pattern().entries());
    operations = std::min(operations, kSparseOperations * entries);
  }
  return operations / (kOperationsOnce + kOperationsEach * n);
}

bool MethodWatch::is_window_over(const Integrator& method) const {
  return method.stats().steps - window_stats_.steps >= window_ && method.end() > window_begin_;
}

bool MethodWatch::explicit_is_cheaper(Model& whole, const Integrator& method, ConstVec sizes,
                                      std::size_t& evaluations) {
  Model& model = equations_of(whole);
  const std::size_t n = model.shape().unknowns();
  const IntegratorStats& stats = method.stats();
  const std::size_t steps = stats.steps - window_stats_.steps;
  const double time = method.end() - window_begin_;
  const auto since = [&](std::size_t IntegratorStats::*count) {
    return static_cast<double>(stats.*count - window_stats_.*count);
  };
  double cost = since(&IntegratorStats::rhs_evaluations) +
                factorization_cost(model) * since(&IntegratorStats::factorizations);
  if (model.linearization() != nullptr) {
    cost += kJacobianEvaluations * since(&IntegratorStats::jacobians);
  }
  std::vector<double> y(sizes.size());
  method.interpolate(1.0, y);
  const double radius =
      radius_.estimate(model, method.end(), ConstVec(y).first(n), sizes.first(n), evaluations);
  const double mean_step = time / static_cast<double>(steps);
  // Where accuracy decides, both methods, of order 5, take about the same steps.
  explicit_step_ = std::min(mean_step, radius > 0.0 ? kStabilityLimit / radius : kNever);
  const double explicit_cost = kExplicitEvaluations * time / explicit_step_;
  has_paid_ = has_paid_ || cost * step_before_ < kExplicitEvaluations * time;
  if (!(explicit_cost < cost)) {
    window_begin_ = method.end();
    window_stats_ = stats;
    return false;
  }
  why_ = "the last " + std::to_string(steps) + " steps cost as much as " + short_number(cost) +
         " evaluations, dormand-prince would need " + short_number(explicit_cost);
  return true;
}

}  // namespace saltus

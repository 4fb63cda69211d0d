// SPDX-License-Identifier: BSD-2-Clause
// Points at which the equations of an FMU in DAE mode hold.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "dae_equations.hpp"
#include "saltus/core/error.hpp"

namespace saltus::importer {
namespace {

// Of what is solved for, beside the tolerance of the run: so that nobody sees the rest.
constexpr double kShare = 1e-3, kMostPrecise = 1e-10;
// Not even this much is left: no second look is needed.
constexpr double kNothingLeft = 1e-4;
constexpr double kFast = 0.1;  // a contraction at which old factors are good enough

}  // namespace

double DaeEquations::solved_scale(std::size_t k) const {
  const std::size_t j = first_solved() + k;
  const double value = is_implicit() && j < states_ ? xp_[j] : y_[j];
  return std::fabs(value) + nominals_[j];
}

Eval DaeEquations::solved_rows(double t, ConstVec shift, std::vector<double>& r) {
  std::vector<double>& all = products_;
  if (rows(t, y_, xp_, all, Rows::solved) == Eval::discard) return Eval::discard;
  const std::size_t first = first_solved();
  for (std::size_t k = 0; k < r.size(); ++k) {
    r[k] = all[first + k] - (shift.empty() ? 0.0 : shift[k]);
  }
  return Eval::ok;
}

bool DaeEquations::factor(double t) {
  const std::size_t first = first_solved(), n = solved_count();
  matrix_.resize(n);
  if (rows(t, y_, xp_, base_, Rows::solved) == Eval::discard) return false;
  for (const Group& group : solved_groups_) {
    // States stay as they are: of theirs the slopes are solved for.
    const By by = group.slopes.empty() ? By::value : By::slope;
    if (product(t, group, by, base_, Rows::solved) == Eval::discard) return false;
    for (const std::size_t j : group.columns) {
      for (int k = pattern_.first[j]; k < pattern_.first[j + 1]; ++k) {
        const auto i = static_cast<std::size_t>(pattern_.row[static_cast<std::size_t>(k)]);
        if (i >= first) matrix_(i - first, j - first) = products_[i] / increments_[j];
      }
    }
  }
  return matrix_.factor();
}

double DaeEquations::correction(const std::vector<double>& r, const std::vector<double>& scale,
                                std::vector<double>& change) const {
  change = r;
  matrix_.solve(change);
  double largest = 0.0;
  for (std::size_t k = 0; k < change.size(); ++k) {
    if (!std::isfinite(change[k])) return std::numeric_limits<double>::infinity();
    largest = std::max(largest, std::fabs(change[k]) / scale[k]);
  }
  return largest;
}

// Newton's method with damping by the natural monotonicity test and with old factors as long as
// they do (Deuflhard, Newton Methods for Nonlinear Problems, 3.3.3 and 2.1.2).
DaeEquations::Newton DaeEquations::newton(double t, ConstVec shift) {
  constexpr int kMostIterations = 60;
  constexpr double kLeastPart = 1e-5;
  const std::size_t n = solved_count();
  if (n == 0) return Newton::solved;
  const double goal = std::min(kShare * experiment_.tolerance, kMostPrecise);
  std::vector<double> r(n), change(n), next_r(n), next_change(n), before(n), scale(n);
  if (solved_rows(t, shift, r) == Eval::discard) return Newton::failed;
  bool is_fresh = false, is_proved = false;
  for (int i = 0; i < kMostIterations; ++i) {
    if (!matrix_.is_factored()) {
      if (!factor(t)) return Newton::singular;
      is_fresh = true;
    }
    for (std::size_t k = 0; k < n; ++k) {
      before[k] = solved(k);
      scale[k] = solved_scale(k);
    }
    const auto move = [&](double part) {
      for (std::size_t k = 0; k < n; ++k) solved(k) = before[k] - part * change[k];
    };
    const double size = correction(r, scale, change);
    if (size <= (is_fresh || is_proved ? goal : kNothingLeft * goal)) {
      move(1.0);
      return Newton::solved;
    }
    double part = 1.0, next_size = std::numeric_limits<double>::infinity();
    for (; part >= kLeastPart; part *= 0.5) {
      move(part);
      if (solved_rows(t, shift, next_r) == Eval::ok) {
        next_size = correction(next_r, scale, next_change);
        if (next_size <= (1.0 - 0.25 * part) * size) break;
      }
      if (!is_fresh) break;  // new factors come before short steps
    }
    if (!(next_size <= (1.0 - 0.25 * part) * size)) {
      move(0.0);
      if (is_fresh) {
        // What rounding does not let become smaller is small enough.
        return size <= 0.1 * experiment_.tolerance ? Newton::solved : Newton::failed;
      }
      matrix_.forget();
      continue;
    }
    r.swap(next_r);
    is_proved = part == 1.0 && next_size <= kFast * size;
    is_fresh = false;
    if (!is_proved) matrix_.forget();
  }
  return Newton::failed;
}

// The homotopy r(w) = (1 - s) r(w0) from s = 0 to 1, in strides that succeed.
DaeEquations::Newton DaeEquations::follow(double t) {
  constexpr double kFirst = 0.25, kLeast = 1e-3;
  const std::size_t n = solved_count();
  std::vector<double> start(n), shift(n), before(n);
  if (solved_rows(t, {}, start) == Eval::discard) return Newton::failed;
  double s = 0.0, stride = kFirst;
  Newton answer = Newton::failed;
  while (s < 1.0) {
    const double target = std::min(1.0, s + stride);
    for (std::size_t k = 0; k < n; ++k) {
      before[k] = solved(k);
      shift[k] = (1.0 - target) * start[k];
    }
    matrix_.forget();
    answer = newton(t, shift);
    if (answer == Newton::solved) {
      s = target;
      stride *= 2.0;
      continue;
    }
    for (std::size_t k = 0; k < n; ++k) solved(k) = before[k];
    stride *= 0.5;
    if (stride < kLeast) return answer;
  }
  return answer;
}

void DaeEquations::load(ConstVec y) {
  y_.assign(y.begin(), y.begin() + static_cast<std::ptrdiff_t>(unknowns_));
  if (is_implicit()) xp_ = guess_;
}

bool DaeEquations::solve(double t, Vec y) {
  load(y);
  matrix_.forget();
  if (newton(t, {}) != Newton::solved) return false;
  std::copy(y_.begin(), y_.end(), y.begin());
  return true;
}

void DaeEquations::accept(double t, ConstVec y) {
  if (is_implicit() && states_ > 0 && place_slopes(t, y) == Eval::ok) guess_ = xp_;
}

Eval DaeEquations::project(double t, Vec y) { return solve(t, y) ? Eval::ok : Eval::discard; }

Eval DaeEquations::place_slopes(double t, ConstVec y) {
  if (!is_implicit() || states_ == 0) return place_(t, y);
  std::vector<double> point(y.begin(), y.begin() + static_cast<std::ptrdiff_t>(unknowns_));
  if (!solve(t, point) || place_(t, y) == Eval::discard) return Eval::discard;
  return instance_.set_numbers(VariableType::float64, slope_references_, xp_);
}

Eval DaeEquations::make_consistent(double t, Vec y, Vec yp) {
  load(y);
  if (is_implicit() && states_ > 0 && phase_begins_) {
    // What the FMU has computed in event mode, if it has.
    std::vector<double> guess(states_);
    if (instance_.get_numbers(VariableType::float64, slope_references_, guess) == Eval::ok &&
        std::all_of(guess.begin(), guess.end(), [](double x) { return std::isfinite(x); })) {
      xp_ = guess;
    }
  }
  matrix_.forget();
  const std::vector<double> given = y_, slopes = xp_;
  const auto go_back = [&](bool to_left_limit) {
    y_ = given;
    xp_ = slopes;
    matrix_.forget();
    if (to_left_limit) {
      std::copy(left_.begin(), left_.end(), y_.begin() + static_cast<std::ptrdiff_t>(states_));
    }
  };
  const bool has_left_limit = left_.size() == names_.size() && !left_.empty();
  Newton found = newton(t, {});
  for (const bool following : {false, true}) {
    for (const bool from_left : {false, true}) {
      if (found == Newton::solved || (!following && !from_left) || (from_left && !has_left_limit)) {
        continue;
      }
      go_back(from_left);
      found = following ? follow(t) : newton(t, {});
    }
  }
  if (found != Newton::solved) {
    go_back(false);
    refuse(t, found);
  }
  std::copy(y_.begin(), y_.end(), y.begin());
  guess_ = xp_;
  if (phase_begins_) {
    begin_keeping(t, y);
  } else if (has_drifted_ && mend(t, y) == Eval::discard) {
    warn_once("invariants have drifted, and no point nearby restores them");
  }
  has_drifted_ = false;
  if (is_implicit()) {
    if (place_slopes(t, y) == Eval::discard) return Eval::discard;
    guess_ = xp_;
    load(y);
    std::copy(xp_.begin(), xp_.end(), yp.begin());
  } else {
    load(y);
    const std::vector<double> rest(states_, 0.0);
    std::vector<double> r(unknowns_);
    if (rows(t, y_, rest, r, Rows::all) == Eval::discard) return Eval::discard;
    for (std::size_t i = 0; i < states_; ++i) yp[i] = 0.0 - r[i];
    xp_.assign(yp.begin(), yp.begin() + static_cast<std::ptrdiff_t>(states_));
  }
  estimate_slopes(t, yp);
  if (phase_begins_) verify(t, y, yp.first(unknowns_));
  phase_begins_ = false;
  return Eval::ok;
}

// How the algebraics move with the states; what time adds is left out, for it cannot be moved here.
// Integrators only guess from it.
void DaeEquations::estimate_slopes(double t, Vec yp) {
  std::fill(yp.begin() + static_cast<std::ptrdiff_t>(states_), yp.end(), 0.0);
  const std::size_t n = solved_count();
  double stride = kNever;
  for (std::size_t j = 0; j < states_; ++j) {
    const double moved = std::fabs(yp[j]);
    if (moved > 0.0) {
      stride = std::min(stride, 0x1p-26 * (std::fabs(y_[j]) + nominals_[j]) / moved);
    }
  }
  std::vector<double> r(n), moved_r(n);
  if (n == 0 || stride == kNever || (!matrix_.is_factored() && !factor(t)) ||
      solved_rows(t, {}, r) == Eval::discard) {
    return;
  }
  const std::vector<double> before = y_;
  for (std::size_t j = 0; j < states_; ++j) y_[j] += stride * yp[j];
  const Eval answer = solved_rows(t, {}, moved_r);
  y_ = before;
  if (answer == Eval::discard) return;
  for (std::size_t k = 0; k < n; ++k) r[k] = (moved_r[k] - r[k]) / stride;
  matrix_.solve(r);
  for (std::size_t j = states_; j < unknowns_; ++j) {
    const double slope = -r[j - first_solved()];
    yp[j] = std::isfinite(slope) ? slope : 0.0;
  }
}

void DaeEquations::refuse(double t, Newton why) {
  constexpr std::size_t kMostNames = 5;
  const std::size_t n = solved_count(), first = first_solved();
  if (why == Newton::singular) {
    const std::size_t j = std::min(first + matrix_.dependent_column(), unknowns_ - 1);
    const std::string name = j < states_ ? "der(" + std::to_string(j) + ")" : names_[j - states_];
    throw DaeError(DaeError::Reason::singular, t, {}, {name},
                   fmt::format("at t = {} the residuals of the FMU do not determine \"{}\": the "
                               "matrix of their derivatives is singular or not finite there. Is "
                               "this configuration of index 1?",
                               t, name));
  }
  std::vector<double> r(n, 0.0);
  std::vector<std::string> names;
  if (solved_rows(t, {}, r) == Eval::ok) {
    std::vector<std::size_t> order(n);
    for (std::size_t k = 0; k < n; ++k) order[k] = k;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return std::fabs(r[a]) > std::fabs(r[b]);
    });
    order.resize(std::min(n, kMostNames));
    for (const std::size_t k : order) names.push_back(row_names_[first + k]);
  }
  throw DaeError(
      DaeError::Reason::no_consistent_point, t, names, names_,
      fmt::format("at t = {} there is no consistent point of the FMU in DAE mode: with "
                  "the states as they are, its residuals ({}) cannot be brought to "
                  "zero. Give better start values of algebraic variables, or run it "
                  "without DAE mode",
                  t, names.empty() ? "not evaluable" : fmt::format("{}", fmt::join(names, ", "))));
}

}  // namespace saltus::importer

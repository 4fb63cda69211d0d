// SPDX-License-Identifier: BSD-2-Clause
#include "point_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "linear/sparse_lu.hpp"

namespace saltus {
namespace {

// With factors that still serve it takes half a dozen; beyond this new ones are cheaper.
constexpr int kMostCorrections = 15;
// A correction of this size, relative to the column's weight and value, is none.
constexpr double kDone = 1e-14;
// Corrections that no longer shrink are rounding if they are as small as this; with a Jacobian of
// the very point, already if they are as small as that.
constexpr double kRoundingIfKept = 1e-10;
constexpr double kRoundingIfFresh = 1e-8;
// Corrections of this size hardly change the matrix.
constexpr double kNear = 1e-6;
constexpr double kUnproved = 0.3;
constexpr double kTooSlow = 0.5;
constexpr int kPatience = 3;
constexpr std::size_t kMostGroups = 12;
// A reference that takes more corrections than this is replaced when the next one is set: so many
// evaluations cost about as much as a factorisation.
constexpr int kServesWell = 6;

}  // namespace

struct PointSolver::Factors {
  Pattern pattern;
  SparseLu<double> lu;
  bool factored = false;
};

PointSolver::PointSolver(ExtendedSystem& system)
    : system_(system),
      factors_(std::make_unique<Factors>()),
      entries_(system.pattern().entries()),
      rest_(system.rows().size()) {}
PointSolver::~PointSolver() = default;

void PointSolver::select(const StateSelection& selection) {
  selection_ = selection;
  entries_.resize(system_.pattern().entries());
  rest_.resize(system_.rows().size());
  const Pattern& whole = system_.pattern();
  factors_ = std::make_unique<Factors>();
  Pattern& part = factors_->pattern;
  part.rows = whole.rows;
  kept_.clear();
  for (const int column : selection_.free) {
    for (int k = whole.first[column]; k < whole.first[column + 1]; ++k) {
      kept_.push_back(k);
      part.row.push_back(whole.row[k]);
    }
    part.first.push_back(static_cast<int>(part.row.size()));
  }
  kept_entries_.resize(kept_.size());
  std::vector<char> is_used(system_.columns().size(), 0);
  for (const auto* used : {&selection_.states, &selection_.free}) {
    for (const int c : *used) {
      is_used[c] = 1;
    }
  }
  undetermined_.clear();
  for (std::size_t c = 0; c < is_used.size(); ++c) {
    if (is_used[c] == 0) {
      undetermined_.push_back(static_cast<int>(c));
    }
  }
  factors_->lu.analyze(part);
  valid_ = false;
}

Eval PointSolver::factorize(double t, ConstVec z) {
  valid_ = false;
  singular_column_ = -1;
  return system_.jacobian(t, z, entries_) == Eval::ok ? factorize(t, z, entries_) : Eval::discard;
}

Eval PointSolver::factorize(double t, ConstVec z, ConstVec entries) {
  place_.time = t;
  place_.z.assign(z.begin(), z.end());
  for (std::size_t k = 0; k < kept_.size(); ++k) {
    kept_entries_[k] = entries[kept_[k]];
  }
  if (entries.data() != entries_.data()) {
    std::copy(entries.begin(), entries.end(), entries_.begin());
  }
  SparseLu<double>& lu = factors_->lu;
  // Pivots that were chosen elsewhere round differently.
  factors_->factored =
      (factors_->factored && !refers_ && lu.refactor(kept_entries_)) || lu.factor(kept_entries_);
  valid_ = factors_->factored;
  news_ = true;
  if (!valid_) {
    singular_column_ = selection_.free[lu.weakest().column];
  }
  return valid_ ? Eval::ok : Eval::discard;
}

PointSolver::End PointSolver::solve(double t, Vec z, ConstVec weight, bool anew) {
  const std::vector<double> begin(z.begin(), z.end());
  reference_serves_ = false;
  const Factors* const known = refers_  ? reference_.factors.get()
                               : valid_ ? factors_.get()
                                        : nullptr;
  if (known != nullptr && !anew) {
    if (iterate(*known, t, z, weight, kRoundingIfKept) == End::found) {
      reference_serves_ = refers_ && corrections_ <= kServesWell;
      return End::found;
    }
    std::copy(begin.begin(), begin.end(), z.begin());
  }
  if (factorize(t, z) == Eval::discard) {
    return singular_column_ >= 0 ? End::singular : End::not_evaluable;
  }
  End end = iterate(*factors_, t, z, weight, kRoundingIfFresh);
  if (end == End::no_convergence) {
    std::copy(begin.begin(), begin.end(), z.begin());
    end = iterate_with_new_factors(t, z, weight);
  }
  if (end != End::found) {
    std::copy(begin.begin(), begin.end(), z.begin());
    valid_ = false;
  }
  return end;
}

// Further away the matrix has to follow the point.
PointSolver::End PointSolver::iterate_with_new_factors(double t, Vec z, ConstVec weight) {
  for (int iteration = 0; iteration < kMostCorrections; ++iteration) {
    if (factorize(t, z) == Eval::discard) {
      return singular_column_ >= 0 ? End::singular : End::not_evaluable;
    }
    const double size = correct(*factors_, t, z, weight);
    if (!std::isfinite(size)) {
      return End::not_evaluable;
    }
    if (size <= kNear) {
      return iterate(*factors_, t, z, weight, kRoundingIfFresh);
    }
  }
  return End::no_convergence;
}

// One correction; its size, which is infinite where the equations cannot be evaluated.
double PointSolver::correct(const Factors& factors, double t, Vec z, ConstVec weight) {
  if (system_.values(t, z, rest_) == Eval::discard) {
    return std::numeric_limits<double>::infinity();
  }
  factors.lu.solve(rest_);
  double size = 0.0;
  for (std::size_t k = 0; k < selection_.free.size(); ++k) {
    const int c = selection_.free[k];
    const double part = std::fabs(rest_[k]) / (weight[c] + std::fabs(z[c]));
    size = part <= size ? size : part;  // not a number stays
    z[c] -= rest_[k];
  }
  return size;
}

PointSolver::End PointSolver::iterate(const Factors& factors, double t, Vec z, ConstVec weight,
                                      double rounding) {
  double last = 0.0;
  for (int iteration = 0; iteration < kMostCorrections; ++iteration) {
    corrections_ = iteration + 1;
    const double size = correct(factors, t, z, weight);
    if (!std::isfinite(size)) {
      return End::not_evaluable;
    }
    const double rate = iteration == 0 ? kUnproved : size / last;
    if (size <= kDone || (iteration > 0 && size * rate / (1.0 - std::min(rate, 0.9)) <= kDone)) {
      return End::found;
    }
    if (iteration > 0 && rate > kTooSlow && size <= rounding) {
      return End::found;
    }
    // The first corrections of derivatives, which are poorly predicted, feed the next ones of what
    // they multiply: only after some iterations is the rate what it is.
    if (iteration >= kPatience && rate > kTooSlow) {
      return End::no_convergence;
    }
    last = size;
  }
  return End::no_convergence;
}

void PointSolver::set_reference() {
  reference_.selection = selection_;
  reference_.factors = std::make_unique<Factors>(*factors_);
  reference_.place = place_;
}
void PointSolver::forget_pivots() { factors_->factored = false; }
void PointSolver::refer() {
  if (selection_.states != reference_.selection.states ||
      selection_.free != reference_.selection.free) {
    select(reference_.selection);
  }
  refers_ = true;
}

bool PointSolver::has_factors() const { return factors_->lu.is_factored(); }
int PointSolver::orientation() const { return factors_->lu.orientation(); }
// F_R(t, z) = 0 differentiated: J_free z_free' = -J_states z_states' - dF_R/dt.
Eval PointSolver::follow(double t, ConstVec z, Vec along) {
  std::vector<double> right(rest_.size());
  if (factorize(t, z) == Eval::discard ||
      system_.time_slopes(t, z, entries_, right) == Eval::discard) {
    return Eval::discard;
  }
  const Pattern& whole = system_.pattern();
  for (const int state : selection_.states) {
    for (int k = whole.first[state]; k < whole.first[state + 1]; ++k) {
      right[whole.row[k]] += entries_[k] * along[state];
    }
  }
  factors_->lu.solve(right);
  for (std::size_t k = 0; k < selection_.free.size(); ++k) {
    if (selection_.free[k] < static_cast<int>(system_.unknowns())) {
      along[selection_.free[k]] = -right[k];
    }
  }
  return Eval::ok;
}

void PointSolver::follow_state(int state, ConstVec weight) {
  const Pattern& whole = system_.pattern();
  std::fill(rest_.begin(), rest_.end(), 0.0);
  for (int k = whole.first[state]; k < whole.first[state + 1]; ++k) {
    rest_[whole.row[k]] = -entries_[k] * weight[state];
  }
  factors_->lu.solve(rest_);
}

void PointSolver::response(std::size_t state, ConstVec weight, Vec change) {
  const int held = selection_.states[state];
  follow_state(held, weight);
  std::fill(change.begin(), change.end(), 0.0);
  change[held] = 1.0;
  for (std::size_t k = 0; k < selection_.free.size(); ++k) {
    change[selection_.free[k]] = rest_[k] / weight[selection_.free[k]];
  }
}

// Many columns are moved in groups, to and fro in turns.
double PointSolver::largest_response(const std::vector<int>& moved,
                                     const std::vector<std::size_t>& watched, ConstVec weight) {
  const std::size_t groups = watched.empty() ? 0 : std::min(moved.size(), kMostGroups);
  const Pattern& whole = system_.pattern();
  double largest = 0.0;
  for (std::size_t group = 0; group < groups; ++group) {
    std::fill(rest_.begin(), rest_.end(), 0.0);
    double sign = 1.0;
    for (std::size_t s = group; s < moved.size(); s += groups, sign = -sign) {
      for (int k = whole.first[moved[s]]; k < whole.first[moved[s] + 1]; ++k) {
        rest_[whole.row[k]] += sign * entries_[k] * weight[moved[s]];
      }
    }
    factors_->lu.solve(rest_);
    for (const std::size_t k : watched) {
      largest = std::max(largest, std::fabs(rest_[k]) / weight[selection_.free[k]]);
    }
  }
  return largest;
}

double PointSolver::astray(ConstVec weight, bool with_slopes) {
  std::vector<std::size_t> shown;
  for (std::size_t k = 0; k < selection_.free.size(); ++k) {
    const auto& column = system_.columns()[selection_.free[k]];
    const bool is_slope =
        with_slopes && column.degree == 1 &&
        std::binary_search(selection_.states.begin(), selection_.states.end(), column.unknown);
    if (column.degree == 0 || is_slope) {
      shown.push_back(k);
    }
  }
  return largest_response(undetermined_, shown, weight);
}

PointSolver::Sensitivity PointSolver::sensitivity(ConstVec weight) {
  const auto n = static_cast<int>(system_.unknowns());
  std::vector<std::size_t> unknowns, derivatives;  // the former as far as they are differentiated
  for (std::size_t k = 0; k < selection_.free.size(); ++k) {
    const int c = selection_.free[k];
    if (c >= n) {
      derivatives.push_back(k);
    } else if (system_.order(c) > 0) {
      unknowns.push_back(k);
    }
  }
  return {.to_states = largest_response(selection_.states, unknowns, weight),
          .to_undetermined = largest_response(undetermined_, derivatives, weight)};
}

}  // namespace saltus

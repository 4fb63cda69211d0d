// SPDX-License-Identifier: BSD-2-Clause
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "dense_scaling.hpp"
#include "reduction_state.hpp"

namespace saltus {
namespace {

bool nothing_hidden(const IndexAnalysis& analysis) {
  return std::all_of(analysis.level.begin(), analysis.level.end(),
                     [](int level) { return level <= 0; });
}

Eigen::Index scaled_rank(const Eigen::MatrixXd& matrix) {
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(matrix);
  qr.setThreshold(kIndependent);
  return qr.rank();
}

/// Whether the rows of these levels determine the derivative of each unknown that may become a
/// state, at the point of the analysis. Then the derivative columns without those have so much
/// less rank.
bool determines_slopes(DerivativeArray& array, double t, const IndexAnalysis& analysis,
                       const std::vector<int>& level) {
  ExtendedSystem system(array, level, analysis.scale);
  const std::size_t n = system.unknowns();
  std::vector<double> z(system.columns().size());
  std::vector<int> slopes, others;
  for (std::size_t c = 0; c < z.size(); ++c) {
    const auto& column = system.columns()[c];
    const std::size_t k = static_cast<std::size_t>(column.degree) * n + column.unknown;
    z[c] = k < analysis.coefficients.size() ? analysis.coefficients[k] : 0.0;
    if (column.degree > 0) {
      const bool may_be_a_state = column.degree == 1 && analysis.differential[column.unknown] != 0;
      (may_be_a_state ? slopes : others).push_back(static_cast<int>(c));
    }
  }
  std::vector<double> entries(system.pattern().entries());
  if (system.jacobian(t, z, entries) == Eval::discard) {
    return true;  // whoever starts there will say so
  }
  const Equilibrated scaled(dense(system.pattern(), entries));
  const auto rank = [&](const std::vector<int>& columns) {
    return columns.empty() ? 0 : scaled_rank(scaled.matrix(Eigen::all, columns));
  };
  const Eigen::Index without = rank(others);
  others.insert(others.end(), slopes.begin(), slopes.end());
  return rank(others) == without + static_cast<Eigen::Index>(slopes.size());
}

// Where ranks tell the index, the rows of `level` may determine sums of derivatives alone. That is
// enough for an integrator that gets the equations as they are, not for one that gets the slopes of
// states. If those of `explicit_level` do not determine them either, none is left out.
IndexAnalysis analyze(DerivativeArray& array, double t, ConstVec x, const IndexOptions& options,
                      bool complete) {
  IndexAnalysis analysis = analyze_index(array, t, x, options);
  if (!options.explicit_levels && !analysis.structural && !(complete && nothing_hidden(analysis)) &&
      !determines_slopes(array, t, analysis, analysis.level)) {
    IndexOptions more = options;
    more.explicit_levels = true;
    analysis = analyze_index(array, t, x, more);
  }
  if (!analysis.structural && analysis.values.is_regular() &&
      analysis.explicit_level != analysis.level &&
      !determines_slopes(array, t, analysis, analysis.explicit_level)) {
    analysis.explicit_level.assign(analysis.level.size(), analysis.values.mu + 1);
  }
  return analysis;
}

/// With the same index rows that are needed at either place do no harm at the other.
IndexAnalysis joined(IndexAnalysis analysis, const IndexAnalysis* earlier) {
  if (earlier == nullptr || analysis.structural || earlier->structural ||
      !(analysis.values == earlier->values) || analysis.values.v > 0) {
    return analysis;
  }
  for (std::size_t i = 0; i < analysis.level.size(); ++i) {
    analysis.level[i] = std::max(analysis.level[i], earlier->level[i]);
    analysis.explicit_level[i] = std::max(analysis.explicit_level[i], earlier->explicit_level[i]);
  }
  for (std::size_t j = 0; j < analysis.differential.size(); ++j) {
    analysis.differential[j] = std::max(analysis.differential[j], earlier->differential[j]);
  }
  return analysis;
}

}  // namespace

Reduction::Reduction(DerivativeArray& model, double t, ConstVec x, const IndexOptions& options,
                     double step_scale, bool for_explicit_form, Irregular irregular,
                     const IndexAnalysis* earlier)
    : held(unmentioned_unknowns(model)),
      analysis(joined(analyze_completed(model, t, x, options, irregular), earlier)),
      whole(analysis.values.v == 0 ? nullptr
                                   : std::make_unique<ExtendedSystem>(
                                         array(model), levels(for_explicit_form), analysis.scale)),
      system(array(model), levels(for_explicit_form),
             analysis.structural && options.scale == 0.0 ? step_scale : analysis.scale),
      solver(system),
      z(system.columns().size(), 0.0),
      weight(system.columns().size(), 1.0),
      direct_(nothing_hidden(analysis) && held.empty() && analysis.values.v == 0),
      shows_slopes_(for_explicit_form || !direct_) {
  const int undetermined = static_cast<int>(held.size());
  analysis.values.d -= undetermined;
  analysis.values.m -= undetermined;
  analysis.values.u += undetermined;
  analysis.free_unknowns.insert(analysis.free_unknowns.end(), held.begin(), held.end());
  if (whole != nullptr) {
    std::vector<double> point(z.size(), 0.0);
    for (std::size_t c = 0; c < point.size(); ++c) {
      const auto& column = system.columns()[c];
      const std::size_t k = static_cast<std::size_t>(column.degree) * x.size() + column.unknown;
      point[c] = k < analysis.coefficients.size() ? analysis.coefficients[k] : 0.0;
    }
    choose_rows(t, point);
    // Which unknowns the differential equations contain was looked at in one point alone.
    for (std::size_t j = 0; j < system.unknowns(); ++j) {
      analysis.differential[j] = system.order(j) > 0 ? 1 : 0;
    }
  }
  differentiated.assign(model.unknowns(), 0);
  for (const DerivativeArray::Entry& entry : model.entries()) {
    differentiated[entry.unknown] |= entry.order > 0 ? 1 : 0;
  }
}

// Row k of an equation is of size scale^k, and a column of degree l of size scale^-l.
StateSelection Reduction::states_for(ConstVec entries) const {
  std::vector<double> scaled(entries.begin(), entries.end());
  const Pattern& pattern = system.pattern();
  const double unit = analysis.scale / system.scale();
  for (std::size_t c = 0; c < pattern.columns(); ++c) {
    for (int k = pattern.first[c]; k < pattern.first[c + 1]; ++k) {
      scaled[k] *= std::pow(unit, system.rows()[pattern.row[k]].level - system.columns()[c].degree);
    }
  }
  return select_states(system, scaled, analysis.differential, freedoms(), weight);
}

bool Reduction::is_like(const IndexAnalysis& other) const {
  return other.values == analysis.values && other.level == analysis.level &&
         other.explicit_level == analysis.explicit_level &&
         other.differential == analysis.differential;
}

// Whatever solves the equations solves these rows. If the states determine all unknowns and their
// own slopes by them, whatever the derivatives are that no row determines, there is one solution
// for each choice of states, and no equation is hidden.
bool Reduction::serves(double t, ConstVec x) {
  if (!has_states() || whole != nullptr || !held.empty()) {
    return false;
  }
  std::vector<double> point = z;
  std::copy(x.begin(), x.end(), point.begin());
  if (solver.factorize(t, point) == Eval::discard) {
    return false;
  }
  return astray() <= std::max(kAstray, most_astray) &&
         !sensitivity().exceeds(sensitivity_when_chosen, 1.0 / kAstray);
}

// Any unknown that takes part in what is free may be held, and then so much less is free.
IndexAnalysis Reduction::analyze_completed(DerivativeArray& model, double t, ConstVec x,
                                           const IndexOptions& options, Irregular irregular) {
  std::vector<char> is_state(model.unknowns(), 0);
  for (const DerivativeArray::Entry& entry : model.entries()) {
    is_state[entry.unknown] |= entry.order > 0 ? 1 : 0;
  }
  for (;;) {
    completed = held.empty() ? nullptr : std::make_unique<HeldUnknowns>(model, held);
    IndexAnalysis found = analyze(array(model), t, x, options, held.empty());
    if (irregular == Irregular::refused || found.values.u == 0 || found.free_unknowns.empty()) {
      return found;
    }
    const auto other = std::find_if(found.free_unknowns.begin(), found.free_unknowns.end(),
                                    [&](int unknown) { return is_state[unknown] == 0; });
    const int unknown = other != found.free_unknowns.end() ? *other : found.free_unknowns.front();
    if (std::find(held.begin(), held.end(), unknown) != held.end()) {
      return found;
    }
    assumed.push_back(unknown);
    held.insert(std::upper_bound(held.begin(), held.end(), unknown), unknown);
  }
}

void Reduction::load(ConstVec y) {
  const std::size_t n = system.unknowns();
  std::copy_n(y.begin(), n, z.begin());
  for (std::size_t i = n; i < std::min(y.size(), kept.size()); ++i) {
    z[kept[i]] = y[i];
  }
}
void Reduction::store(Vec y) const {
  const std::size_t n = system.unknowns();
  std::copy_n(z.begin(), n, y.begin());
  for (std::size_t i = n; i < std::min(y.size(), kept.size()); ++i) {
    y[i] = z[kept[i]];
  }
}

// Rows: first the states' own equations, then those of the extended system.
void ExtendedLinearization::rebuild(Reduction& reduction) {
  reduction_ = &reduction;
  const ExtendedSystem& system = reduction.system;
  const Pattern& inner = system.pattern();
  const std::vector<int>& states = reduction.solver.selection().states;
  const int shift = static_cast<int>(states.size());
  pattern_ = Pattern{};
  pattern_.rows = inner.rows + states.size();
  source_.clear();
  place_.clear();
  slope_place_.assign(states.size(), 0);
  value_place_.assign(states.size(), 0);
  entries_.resize(inner.entries());
  for (const int c : reduction.kept) {
    const auto& column = system.columns()[c];
    const auto state = std::lower_bound(states.begin(), states.end(), column.unknown);
    if (column.degree <= 1 && state != states.end() && *state == column.unknown) {
      auto& places = column.degree == 0 ? slope_place_ : value_place_;
      places[state - states.begin()] = static_cast<int>(pattern_.row.size());
      pattern_.row.push_back(static_cast<int>(state - states.begin()));
    }
    for (int k = inner.first[c]; k < inner.first[c + 1]; ++k) {
      source_.push_back(k);
      place_.push_back(static_cast<int>(pattern_.row.size()));
      pattern_.row.push_back(inner.row[k] + shift);
    }
    pattern_.first.push_back(static_cast<int>(pattern_.row.size()));
  }
}

Eval ExtendedLinearization::evaluate(double t, ConstVec y, ConstVec, Vec by_value, Vec by_slope) {
  reduction_->load(y);
  if (reduction_->system.jacobian(t, reduction_->z, entries_) == Eval::discard) {
    return Eval::discard;
  }
  news_ = true;
  evaluated_.time = t;
  evaluated_.z = reduction_->z;
  std::fill(by_value.begin(), by_value.end(), 0.0);
  std::fill(by_slope.begin(), by_slope.end(), 0.0);
  for (std::size_t k = 0; k < place_.size(); ++k) {
    by_value[place_[k]] = entries_[source_[k]];
  }
  for (std::size_t s = 0; s < slope_place_.size(); ++s) {
    by_slope[slope_place_[s]] = 1.0;
    by_value[value_place_[s]] = -1.0 / reduction_->system.scale();
  }
  return Eval::ok;
}

Eval ReducedModel::residual(double t, ConstVec y, ConstVec yp, Vec r) {
  State& s = *state_;
  if (!s.extended()) {
    return s.passes() || !s.explicit_form() ? wrapped().residual(t, y, yp, r)
                                            : Model::residual(t, y, yp, r);
  }
  Reduction& reduction = *s.now;
  ExtendedSystem& system = reduction.system;
  reduction.load(y);
  s.solved_time = kNever;
  const std::vector<int>& states = reduction.solver.selection().states;
  for (std::size_t i = 0; i < states.size(); ++i) {
    r[i] = yp[states[i]] - reduction.z[system.column(states[i], 1)] / system.scale();
  }
  return system.values(t, reduction.z, r.subspan(states.size()));
}

Linearization* ReducedModel::linearization() {
  State& s = *state_;
  if (s.passes()) {
    return wrapped().linearization();
  }
  if (s.explicit_form() || s.now == nullptr) {
    return nullptr;
  }
  if (s.now->direct()) {
    Linearization* const own = wrapped().linearization();
    if (own == nullptr) {
      return nullptr;
    }
    s.now->own_linearization.watch(*own);
    return &s.now->own_linearization;
  }
  return &s.now->linearization;
}

// A stage of the explicit form has just been projected, so that as a rule nothing is left to solve.
Eval ReducedModel::derivatives(double t, ConstVec y, Vec yp) {
  State& s = *state_;
  if (s.passes()) {
    return wrapped().derivatives(t, y, yp);
  }
  if (!s.is_solved(t, y) && !s.solve_at(t, y)) {
    return Eval::discard;
  }
  s.now->system.slopes(s.now->z, yp);
  return Eval::ok;
}

}  // namespace saltus

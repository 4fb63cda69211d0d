// SPDX-License-Identifier: BSD-2-Clause
// The derivatives of an FMU in DAE mode: from the FMU where it offers them, else by differences;
// columns that share no row at once.
#include <algorithm>
#include <cmath>
#include <map>

#include "column_groups.hpp"
#include "dae_equations.hpp"
#include "derivative_check.hpp"

namespace saltus::importer {
namespace {

// The square root of the rounding unit: half of the digits are left to the difference. And how
// small a change still matters, of the nominal value: those of the integrator `Radau`.
constexpr double kHalfOfDigits = 0x1p-26;
constexpr double kLeastChange = 0x1p-40, kMostChange = 0x1p-34;

/// The elements of variables in a row: which belong to which.
struct Layout {
  std::vector<std::size_t> variable;      ///< of each element, as a place in the list of references
  std::vector<std::size_t> first, count;  ///< of each variable
};

}  // namespace

void DaeEquations::find_pattern(bool dense) {
  dense_ = dense;
  const ModelDescription& description = instance_.description();
  // The columns of a variable; those of a derivative are those of its state.
  std::map<ValueReference, std::pair<std::size_t, std::size_t>> columns;
  std::size_t next = 0;
  const auto& slopes = description.structure.continuous_state_derivatives;
  for (const Unknown& each : slopes) {
    const Variable& state = *description.state_of(each);
    const std::pair range{next, next + instance_.element_count(state)};
    columns[state.reference] = range;
    if (is_implicit()) columns[variable(each.variable).reference] = range;
    next = range.second;
  }
  for (const AlgebraicVariable& each : manifest_->algebraics) {
    const Variable& algebraic = variable(each.variable);
    columns[algebraic.reference] = {next, next + instance_.element_count(algebraic)};
    next += instance_.element_count(algebraic);
  }
  std::vector<std::vector<int>> rows_of(unknowns_);
  std::size_t row = 0;
  const auto enter = [&](const Unknown& unknown, bool is_known, bool is_slope) {
    const std::size_t count = instance_.element_count(variable(unknown.variable));
    for (std::size_t i = row; i < row + count; ++i) {
      if (dense || !is_known || !unknown.dependencies) {
        for (std::size_t j = 0; j < unknowns_; ++j) rows_of[j].push_back(static_cast<int>(i));
        continue;
      }
      if (is_slope) rows_of[i].push_back(static_cast<int>(i));
      for (const ValueReference reference : *unknown.dependencies) {
        const auto found = columns.find(reference);
        if (found == columns.end()) continue;
        for (std::size_t j = found->second.first; j < found->second.second; ++j) {
          rows_of[j].push_back(static_cast<int>(i));
        }
      }
    }
    row += count;
  };
  if (!is_implicit()) {
    // Those of modelDescription.xml tell of the ODE, in which the algebraics do not occur.
    const bool is_known = replaces(*manifest_, "ContinuousStateDerivative");
    std::map<std::size_t, const Unknown*> own;
    for (const Unknown& each : manifest_->structure.continuous_state_derivatives) {
      own[each.variable] = &each;
    }
    for (const Unknown& each : slopes) enter(*own.at(each.variable), is_known, true);
  }
  for (const Unknown& each : manifest_->residuals) enter(each, true, false);
  pattern_ = {.rows = unknowns_, .first = {0}, .row = {}};
  for (std::vector<int>& each : rows_of) {
    std::sort(each.begin(), each.end());
    each.erase(std::unique(each.begin(), each.end()), each.end());
    pattern_.row.insert(pattern_.row.end(), each.begin(), each.end());
    pattern_.first.push_back(static_cast<int>(pattern_.row.size()));
  }
  groups_ = groups_of(Rows::all);
  solved_groups_ = groups_of(Rows::solved);
  matrix_.forget();
}

std::vector<DaeEquations::Group> DaeEquations::groups_of(Rows which) const {
  std::vector<Group> groups;
  for (auto& columns : column_groups(pattern_, which == Rows::all ? 0 : first_solved())) {
    groups.emplace_back().columns = std::move(columns);
  }
  // In the implicit form slopes and algebraics are solved for, which are asked one after the other.
  for (std::size_t k = 0; which == Rows::solved && k < groups.size(); ++k) {
    std::vector<std::size_t>& columns = groups[k].columns;
    const auto algebraic = std::lower_bound(columns.begin(), columns.end(), states_);
    if (algebraic == columns.begin() || algebraic == columns.end()) continue;
    std::vector<std::size_t> rest(algebraic, columns.end());
    columns.erase(algebraic, columns.end());
    groups.emplace_back().columns = std::move(rest);
  }
  // The variables behind the columns, for derivatives of the FMU.
  Layout layout;
  const auto lay_out = [&](const Variable& variable) {
    layout.first.push_back(layout.variable.size());
    layout.count.push_back(instance_.element_count(variable));
    layout.variable.insert(layout.variable.end(), layout.count.back(), layout.first.size() - 1);
  };
  const ModelDescription& description = instance_.description();
  for (const Unknown& each : description.structure.continuous_state_derivatives) {
    lay_out(*description.state_of(each));
  }
  for (const AlgebraicVariable& each : manifest_->algebraics) lay_out(variable(each.variable));
  for (Group& group : groups) {
    std::size_t last = layout.first.size();
    for (const std::size_t j : group.columns) {
      const std::size_t owner = layout.variable[j];
      const bool is_state = j < states_;
      if (owner != last) {
        group.knowns.push_back(is_state ? state_references_[owner]
                                        : algebraic_references_[owner - state_references_.size()]);
        group.seed.resize(group.seed.size() + layout.count[owner], 0.0);
        if (is_state) {
          group.slopes.push_back(slope_references_[owner]);
          group.slope_seed.resize(group.slope_seed.size() + layout.count[owner], 0.0);
        }
        last = owner;
      }
      const std::size_t back = layout.count[owner] - (j - layout.first[owner]);
      group.seed[group.seed.size() - back] = 1.0;
      if (is_state) group.slope_seed[group.slope_seed.size() - back] = 1.0;
    }
  }
  return groups;
}

double DaeEquations::increment(std::size_t column, double value) const {
  const double least =
      nominals_[column] * std::clamp(0.01 * experiment_.tolerance, kLeastChange, kMostChange);
  return std::max(kHalfOfDigits * std::fabs(value), least);
}

// How the rows change with the columns of a group, at (t, y_, xp_), where they are `base`: the
// entry of row i and column j is products_[i] / increments_[j].
Eval DaeEquations::product(double t, const Group& group, By by, ConstVec base, Rows which) {
  std::vector<double>& moved = by == By::value ? y_ : xp_;
  const std::size_t columns = by == By::value ? unknowns_ : states_;
  const std::size_t first = which == Rows::all ? 0 : first_solved();
  if (directional_ && instance_.mode() == Instance::Mode::continuous_time) {
    if (place_(t, y_) == Eval::discard) return Eval::discard;
    if (is_implicit() && states_ > 0 &&
        instance_.set_numbers(VariableType::float64, slope_references_, xp_) == Eval::discard) {
      return Eval::discard;
    }
    std::vector<ValueReference> unknowns;
    if (!is_implicit() && which == Rows::all) unknowns = slope_references_;
    unknowns.insert(unknowns.end(), residual_references_.begin(), residual_references_.end());
    const Vec wanted = Vec(products_).subspan(first);
    const Eval answer =
        by == By::value
            ? instance_.directional_derivative(unknowns, group.knowns, group.seed, wanted)
            : instance_.directional_derivative(unknowns, group.slopes, group.slope_seed, wanted);
    for (std::size_t i = 0; !is_implicit() && which == Rows::all && i < states_; ++i) {
      products_[i] = -products_[i];  // the row is x' - f
    }
    for (const std::size_t j : group.columns) increments_[j] = 1.0;
    return answer;
  }
  const std::vector<double> before = moved;
  // To the other side where the first is not evaluable.
  for (const double way : {1.0, -1.0}) {
    for (const std::size_t j : group.columns) {
      if (j >= columns) continue;
      moved[j] = before[j] + way * increment(j, before[j]);
      increments_[j] = moved[j] - before[j];
    }
    const Eval answer = rows(t, y_, xp_, products_, which);
    moved = before;
    if (answer == Eval::discard) continue;
    for (std::size_t i = first; i < unknowns_; ++i) products_[i] -= base[i];
    return Eval::ok;
  }
  return Eval::discard;
}

Eval DaeEquations::evaluate(double t, ConstVec y, ConstVec yp, Vec by_value, Vec by_slope) {
  y_.assign(y.begin(), y.begin() + static_cast<std::ptrdiff_t>(unknowns_));
  xp_.assign(yp.begin(), yp.begin() + static_cast<std::ptrdiff_t>(states_));
  if (!directional_ && rows(t, y_, xp_, base_, Rows::all) == Eval::discard) return Eval::discard;
  std::fill(by_slope.begin(), by_slope.end(), 0.0);
  const auto fill = [&](const Group& group, std::size_t columns, Vec entries) {
    for (const std::size_t j : group.columns) {
      if (j >= columns) continue;
      for (int k = pattern_.first[j]; k < pattern_.first[j + 1]; ++k) {
        const auto place = static_cast<std::size_t>(k);
        entries[place] = products_[static_cast<std::size_t>(pattern_.row[place])] / increments_[j];
      }
    }
  };
  for (const Group& group : groups_) {
    if (product(t, group, By::value, base_, Rows::all) == Eval::discard) return Eval::discard;
    fill(group, unknowns_, by_value);
    if (!is_implicit() || group.slopes.empty()) continue;
    if (product(t, group, By::slope, base_, Rows::all) == Eval::discard) return Eval::discard;
    fill(group, states_, by_slope);
  }
  for (std::size_t j = 0; !is_implicit() && j < states_; ++j) {
    for (int k = pattern_.first[j]; k < pattern_.first[j + 1]; ++k) {
      const auto place = static_cast<std::size_t>(k);
      if (static_cast<std::size_t>(pattern_.row[place]) == j) by_slope[place] = 1.0;
    }
  }
  return Eval::ok;
}

void DaeEquations::probe_directional_derivatives() {
  if (groups_.empty()) return;
  std::vector<ValueReference> unknowns;
  if (!is_implicit()) unknowns = slope_references_;
  unknowns.insert(unknowns.end(), residual_references_.begin(), residual_references_.end());
  const Group& group = groups_.back();
  if (instance_.directional_derivative(unknowns, group.knowns, group.seed, products_) ==
      Eval::discard) {
    use_differences();
  }
}

bool DaeEquations::agrees(double t, ConstVec y, ConstVec yp) {
  std::vector<double> by_value(pattern_.entries()), by_slope(pattern_.entries());
  if (evaluate(t, y, yp, by_value, by_slope) == Eval::discard) return true;
  const ClaimedDerivatives claimed{.pattern = pattern_,
                                   .by_value = by_value,
                                   .by_slope = by_slope,
                                   .y = y.first(unknowns_),
                                   .yp = yp.first(states_),
                                   .nominals = nominals_,
                                   .slopes = is_implicit() ? states_ : 0};
  return derivatives_agree(claimed, [&](ConstVec there, ConstVec slopes, Vec r) {
    y_.assign(there.begin(), there.end());
    xp_.assign(slopes.begin(), slopes.end());
    return rows(t, y_, xp_, r, Rows::all);
  });
}

void DaeEquations::verify(double t, ConstVec y, ConstVec yp) {
  // What is zero at one point may show at another; a run of many events need not ask for ever.
  constexpr int kVerified = 3;
  if (verifications_++ >= kVerified) return;
  if (directional_ && !agrees(t, y, yp)) {
    use_differences();
    warn_once(
        "the directional derivatives of the FMU are not those of its equations; differences "
        "are used");
  }
  if (!directional_ && !dense_ && !agrees(t, y, yp)) {
    find_pattern(true);
    warn_once(
        "the equations depend on more than the manifest says; every equation is taken to "
        "depend on every unknown");
  }
}

}  // namespace saltus::importer

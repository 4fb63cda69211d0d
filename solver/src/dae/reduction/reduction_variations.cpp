// SPDX-License-Identifier: BSD-2-Clause
#include "reduction_variations.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/at.hpp"
#include "point_derivatives.hpp"
#include "reduction_state.hpp"
#include "saltus/core/named_variables.hpp"

namespace saltus {

ReductionVariations::ReductionVariations(Reduction& reduction, EquationDerivatives& equations,
                                         std::span<const std::size_t> parameters)
    : r_(reduction),
      equations_(equations),
      parameters_(parameters.begin(), parameters.end()),
      states_(reduction.solver.selection().states),
      kept_(reduction.kept),
      n_(reduction.system.unknowns()),
      known_(equations.array(), levels_of(reduction, equations), reduction.system.scale()),
      point_(known_.columns().size()),
      entries_(known_.pattern().entries()) {
  row_of_.assign(known_.rows().size(), -1);
  const auto rows = known_.rows();
  for (std::size_t r = 0; r < r_.system.rows().size(); ++r) {
    const ExtendedSystem::Row& row = r_.system.rows()[r];
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const auto& other) {
      return other.equation == row.equation && other.level == row.level;
    });
    is_whole_ = is_whole_ && found != rows.end();
    if (found != rows.end()) row_of_[static_cast<std::size_t>(found - rows.begin())] = int(r);
  }
  for (const ExtendedSystem::Column& column : r_.system.columns()) {
    const bool is_there = column.degree <= known_.order(at(column.unknown));
    column_of_.push_back(is_there ? known_.column(column.unknown, column.degree) : -1);
    is_whole_ = is_whole_ && column_of_.back() >= 0;
  }
  if (!is_whole_) return;
  if (r_.direct()) {
    build_own();
  } else {
    build_extended();
  }
}

bool ReductionVariations::is_of(const Reduction& reduction, const EquationDerivatives& equations,
                                std::span<const std::size_t> parameters) const {
  return &reduction == &r_ && &equations == &equations_ &&
         std::equal(parameters.begin(), parameters.end(), parameters_.begin(), parameters_.end()) &&
         reduction.solver.selection().states == states_ && reduction.kept == kept_;
}

// Behind the unknowns; -1: nobody asks for it.
int ReductionVariations::parameter_column(int unknown, int unknowns) const {
  const std::size_t given = at(unknown) - n_;
  if (given >= equations_.given().size()) return -1;  // the time
  const auto found = std::find(parameters_.begin(), parameters_.end(), equations_.given()[given]);
  return found == parameters_.end() ? -1 : unknowns + static_cast<int>(found - parameters_.begin());
}

void ReductionVariations::make_pattern(std::vector<Cell> cells, std::size_t rows,
                                       std::size_t columns) {
  std::stable_sort(cells.begin(), cells.end(), [](const Cell& a, const Cell& b) {
    return a.column != b.column ? a.column < b.column : a.row < b.row;
  });
  pattern_.rows = rows;
  pattern_.first.assign(columns + 1, 0);
  const Cell* last = nullptr;
  for (const Cell& cell : cells) {
    if (last == nullptr || last->column != cell.column || last->row != cell.row) {
      pattern_.row.push_back(cell.row);
      ++pattern_.first[at(cell.column) + 1];
    }
    last = &cell;
    (cell.is_slope ? by_slope_ : by_value_).push_back({cell.source, pattern_.row.size() - 1});
  }
  for (std::size_t j = 0; j < columns; ++j) {
    pattern_.first[j + 1] += pattern_.first[j];
  }
}

void ReductionVariations::build_own() {
  DerivativeArray& array = equations_.array();
  const auto entries = array.entries();
  const std::size_t own = array.equations() - equations_.computed().size();
  std::vector<Cell> cells;
  for (std::size_t e = 0; e < entries.size(); ++e) {
    if (at(entries[e].row) >= own) continue;
    const bool is_unknown = at(entries[e].unknown) < n_;
    const int column =
        is_unknown ? entries[e].unknown : parameter_column(entries[e].unknown, int(n_));
    if (column >= 0) cells.push_back({column, entries[e].row, e, entries[e].order > 0});
  }
  make_pattern(std::move(cells), own, n_ + parameters_.size());
  curve_.assign(2 * array.unknowns(), 0.0);
  slopes_.resize(entries.size());
}

// Rows: first the states' own equations, then those of the extended system.
void ReductionVariations::build_extended() {
  const Pattern& inner = known_.pattern();
  const int shift = static_cast<int>(states_.size()), unknowns = static_cast<int>(kept_.size());
  const std::size_t none = inner.entries();
  std::vector<Cell> cells;
  const auto add = [&](int source_column, int column) {
    for (int e = inner.first[at(source_column)]; e < inner.first[at(source_column) + 1]; ++e) {
      if (const int row = row_of_[at(inner.row[at(e)])]; row >= 0) {
        cells.push_back({column, row + shift, at(e), false});
      }
    }
  };
  for (int i = 0; i < unknowns; ++i) {
    const auto& column = r_.system.columns()[at(kept_[at(i)])];
    const auto state = std::lower_bound(states_.begin(), states_.end(), column.unknown);
    if (column.degree <= 1 && state != states_.end() && *state == column.unknown) {
      // Its own equation: a one among the slopes, or the step of the scale among the values.
      cells.push_back({i, static_cast<int>(state - states_.begin()), none, column.degree == 0});
    }
    add(column_of_[at(kept_[at(i)])], i);
  }
  for (std::size_t i = 0; i < equations_.given().size(); ++i) {
    const int unknown = static_cast<int>(n_ + i);
    if (const int column = parameter_column(unknown, unknowns); column >= 0) {
      add(known_.column(unknown, 0), column);
    }
  }
  make_pattern(std::move(cells), at(unknowns), at(unknowns) + parameters_.size());
  for (auto* terms : {&by_value_, &by_slope_}) {
    auto& places = terms == &by_value_ ? steps_ : ones_;
    for (const Term& term : *terms) {
      if (term.source == none) places.push_back(term.place);
    }
    terms->erase(std::remove_if(terms->begin(), terms->end(),
                                [&](const Term& term) { return term.source == none; }),
                 terms->end());
  }
}

// Numbers rest, and the time goes on by one unit of the scale.
void ReductionVariations::place(double t, ConstVec z) {
  for (std::size_t c = 0; c < z.size(); ++c) {
    point_[at(column_of_[c])] = z[c];
  }
  const ConstVec numbers = equations_.given_values();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    point_[at(known_.column(static_cast<int>(n_ + i), 0))] = numbers[i];
  }
  const int time = static_cast<int>(n_ + numbers.size());
  point_[at(known_.column(time, 0))] = t;
  if (known_.order(at(time)) > 0) {
    point_[at(known_.column(time, 1))] = r_.system.scale();
  }
}

Eval ReductionVariations::evaluate(double t, ConstVec y, ConstVec yp, Vec by_value, Vec by_slope) {
  std::fill(by_value.begin(), by_value.end(), 0.0);
  std::fill(by_slope.begin(), by_slope.end(), 0.0);
  Eval answer = Eval::ok;
  if (r_.direct()) {
    const std::size_t width = equations_.array().unknowns();
    const ConstVec numbers = equations_.given_values();
    std::copy(y.begin(), y.end(), curve_.begin());
    std::copy(numbers.begin(), numbers.end(), curve_.begin() + static_cast<std::ptrdiff_t>(n_));
    curve_[n_ + numbers.size()] = t;
    std::copy(yp.begin(), yp.end(), curve_.begin() + static_cast<std::ptrdiff_t>(width));
    answer = equations_.array().linearize(t, 1.0, 0, curve_, slopes_);
  } else {
    r_.load(y);
    place(t, r_.z);
    answer = known_.jacobian(t, point_, entries_);
  }
  const std::vector<double>& source = r_.direct() ? slopes_ : entries_;
  for (const Term& term : by_value_) {
    by_value[term.place] = source[term.source];
  }
  for (const Term& term : by_slope_) {
    by_slope[term.place] = source[term.source];
  }
  for (const std::size_t one : ones_) {
    by_slope[one] = 1.0;
  }
  for (const std::size_t step : steps_) {
    by_value[step] = -1.0 / r_.system.scale();
  }
  return answer;
}

// The free columns at the z of the reduction.
bool ReductionVariations::factorize(double t) {
  const ConstVec numbers = equations_.given_values();
  if (t == factored_time_ && factored_z_ == r_.z &&
      std::equal(numbers.begin(), numbers.end(), factored_numbers_.begin(),
                 factored_numbers_.end())) {
    return true;
  }
  factored_time_ = kNever;
  place(t, r_.z);
  if (known_.jacobian(t, point_, entries_) == Eval::discard) return false;
  const Pattern& inner = known_.pattern();
  Pattern part;
  part.rows = r_.system.rows().size();
  free_entries_.clear();
  for (const int c : r_.solver.selection().free) {
    const std::size_t column = at(column_of_[at(c)]);
    std::vector<std::pair<int, double>> rows;
    for (int e = inner.first[column]; e < inner.first[column + 1]; ++e) {
      if (const int row = row_of_[at(inner.row[at(e)])]; row >= 0) {
        rows.emplace_back(row, entries_[at(e)]);
      }
    }
    std::sort(rows.begin(), rows.end());
    for (const auto& [row, value] : rows) {
      part.row.push_back(row);
      free_entries_.push_back(value);
    }
    part.first.push_back(static_cast<int>(part.row.size()));
  }
  if (!std::exchange(analyzed_, true)) lu_.analyze(part);
  if (!lu_.factor(free_entries_)) return false;
  factored_time_ = t;
  factored_z_ = r_.z;
  factored_numbers_.assign(numbers.begin(), numbers.end());
  return true;
}

// F_R(t, z, p) = 0 differentiated: J_free z_free' = -J_states z_states' - dF_R/dp.
Eval ReductionVariations::follow(double t, std::size_t parameter, Vec s, Vec slopes) {
  if (!factorize(t)) return Eval::discard;
  const Pattern& inner = known_.pattern();
  right_.assign(r_.system.rows().size(), 0.0);
  const auto add = [&](int column, double factor) {
    for (int e = inner.first[at(column)]; e < inner.first[at(column) + 1]; ++e) {
      if (const int row = row_of_[at(inner.row[at(e)])]; row >= 0) {
        right_[at(row)] -= factor * entries_[at(e)];
      }
    }
  };
  std::vector<double> moved(r_.z.size(), 0.0);
  for (const int state : states_) {
    moved[at(state)] = s[at(state)];
    add(column_of_[at(state)], s[at(state)]);
  }
  const auto given = equations_.given();
  const auto found = std::find(given.begin(), given.end(), parameters_[parameter]);
  if (found != given.end()) {
    add(known_.column(static_cast<int>(n_) + static_cast<int>(found - given.begin()), 0), 1.0);
  }
  lu_.solve(right_);
  const std::vector<int>& free = r_.solver.selection().free;
  for (std::size_t k = 0; k < free.size(); ++k) {
    moved[at(free[k])] = right_[k];
  }
  const bool finite =
      std::all_of(moved.begin(), moved.end(), [](double value) { return std::isfinite(value); });
  if (!finite) return Eval::discard;
  std::copy_n(moved.begin(), n_, s.begin());
  for (std::size_t i = n_; i < std::min(s.size(), kept_.size()); ++i) {
    s[i] = moved[at(kept_[i])];
  }
  std::fill(slopes.begin(), slopes.end(), 0.0);
  r_.system.slopes(moved, slopes.first(n_));
  return Eval::ok;
}

Linearization* ReducedModel::linearization_by(std::span<const std::size_t> parameters) {
  State& s = *state_;
  NamedVariables* const named = wrapped().capabilities().variables;
  if (s.passes() || s.explicit_form() || s.now == nullptr || !s.now->has_states() ||
      named == nullptr) {
    return nullptr;
  }
  EquationDerivatives* const equations = named->equation_derivatives(NamedVariables::Knowns::all);
  if (equations == nullptr) return nullptr;
  // As many as states take turns.
  constexpr std::size_t kKept = 4;
  auto& known = s.variations;
  const auto found = std::find_if(known.begin(), known.end(), [&](const auto& each) {
    return each->is_of(*s.now, *equations, parameters);
  });
  if (found != known.end()) {
    std::rotate(found, found + 1, known.end());
  } else {
    if (known.size() == kKept) known.erase(known.begin());
    known.push_back(std::make_unique<ReductionVariations>(*s.now, *equations, parameters));
  }
  return known.back()->is_whole() ? known.back().get() : nullptr;
}

Eval ReducedModel::follow(std::size_t parameter, Vec s, Vec slopes) {
  State& state = *state_;
  if (state.variations.empty() || !(state.solved_time < kNever)) return Eval::discard;
  return state.variations.back()->follow(state.solved_time, parameter, s, slopes);
}

}  // namespace saltus

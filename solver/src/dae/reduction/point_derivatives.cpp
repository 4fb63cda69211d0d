// SPDX-License-Identifier: BSD-2-Clause
#include "point_derivatives.hpp"

#include <algorithm>
#include <cmath>

#include "core/at.hpp"

namespace saltus {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

}  // namespace

std::vector<int> levels_of(const Reduction& reduction, EquationDerivatives& equations) {
  std::vector<int> level(equations.array().equations(), -1);
  const std::size_t own = level.size() - equations.computed().size();
  for (const ExtendedSystem::Row& row : reduction.system.rows()) {
    if (at(row.equation) < own) {
      level[at(row.equation)] = std::max(level[at(row.equation)], row.level);
    }
  }
  return level;
}

PointDerivatives::PointDerivatives(Reduction& reduction, EquationDerivatives& equations, double t,
                                   ConstVec given)
    : r_(reduction),
      equations_(equations),
      time_(t),
      given_(given),
      numbers_(equations.given().size()),
      known_(equations.array(), levels_of(reduction, equations), reduction.system.scale()),
      point_(known_.columns().size()),
      known_entries_(known_.pattern().entries()) {
  for (const ExtendedSystem::Row& row : r_.system.rows()) {
    const auto rows = known_.rows();
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const auto& other) {
      return other.equation == row.equation && other.level == row.level;
    });
    row_of_.push_back(found == rows.end() ? -1 : static_cast<int>(found - rows.begin()));
  }
  for (const ExtendedSystem::Column& column : r_.system.columns()) {
    const bool is_there = column.degree <= known_.order(at(column.unknown));
    column_of_.push_back(is_there ? known_.column(column.unknown, column.degree) : -1);
  }
}

// Numbers rest, and the time goes on by one unit of the scale.
void PointDerivatives::place(ConstVec z) {
  std::fill(point_.begin(), point_.end(), 0.0);
  for (std::size_t c = 0; c < z.size(); ++c) {
    if (column_of_[c] >= 0) {
      point_[at(column_of_[c])] = z[c];
    }
  }
  const auto first = static_cast<int>(r_.system.unknowns());
  for (std::size_t i = 0; i < numbers_; ++i) {
    point_[at(known_.column(first + static_cast<int>(i), 0))] = equations_.given_values()[i];
  }
  const int time = first + static_cast<int>(numbers_);
  point_[at(known_.column(time, 0))] = time_;
  if (known_.order(at(time)) > 0) {
    point_[at(known_.column(time, 1))] = r_.system.scale();
  }
}

Eval PointDerivatives::linearize(ConstVec z, Tangent& tangent) {
  tangent.z.assign(z.begin(), z.end());
  tangent.entries.resize(r_.system.pattern().entries());
  place(z);
  if (r_.system.jacobian(time_, z, tangent.entries) == Eval::discard ||
      known_.jacobian(time_, point_, known_entries_) == Eval::discard) {
    return Eval::discard;
  }
  const Pattern& pattern = known_.pattern();
  tangent.by_known = MatrixXd::Zero(index(row_of_.size()), index(numbers_ + 1));
  std::vector<int> rows(known_.rows().size(), -1);
  for (std::size_t r = 0; r < row_of_.size(); ++r) {
    if (row_of_[r] >= 0) {
      rows[at(row_of_[r])] = static_cast<int>(r);
    }
  }
  for (std::size_t i = 0; i <= numbers_; ++i) {
    const int column = known_.column(static_cast<int>(r_.system.unknowns() + i), 0);
    for (int e = pattern.first[at(column)]; e < pattern.first[at(column) + 1]; ++e) {
      if (const int row = rows[at(pattern.row[at(e)])]; row >= 0) {
        tangent.by_known(row, index(i)) = known_entries_[at(e)];
      }
    }
  }
  if (!factorize(tangent, false, tangent.lu)) {
    return Eval::discard;
  }
  find_responses(tangent);
  return Eval::ok;
}

// The free columns of the rows, or the transposed of that.
bool PointDerivatives::factorize(const Tangent& tangent, bool transposed,
                                 SparseLu<double>& lu) const {
  struct Triplet {
    int row, column;
    double value;
  };
  const std::vector<int>& free = r_.solver.selection().free;
  const Pattern& whole = r_.system.pattern();
  std::vector<Triplet> triplets;
  for (std::size_t k = 0; k < free.size(); ++k) {
    for (int e = whole.first[at(free[k])]; e < whole.first[at(free[k]) + 1]; ++e) {
      const int row = whole.row[at(e)], column = static_cast<int>(k);
      triplets.push_back(
          {transposed ? column : row, transposed ? row : column, tangent.entries[at(e)]});
    }
  }
  std::sort(triplets.begin(), triplets.end(), [](const Triplet& a, const Triplet& b) {
    return a.column != b.column ? a.column < b.column : a.row < b.row;
  });
  Pattern part;
  part.rows = free.size();
  part.first.assign(free.size() + 1, 0);
  std::vector<double> values;
  for (const Triplet& triplet : triplets) {
    part.row.push_back(triplet.row);
    values.push_back(triplet.value);
    ++part.first[at(triplet.column) + 1];
  }
  for (std::size_t j = 0; j < free.size(); ++j) {
    part.first[j + 1] += part.first[j];
  }
  lu.analyze(part);
  return lu.factor(values);
}

void PointDerivatives::find_responses(Tangent& tangent) const {
  const StateSelection& selection = r_.solver.selection();
  const Pattern& pattern = r_.system.pattern();
  tangent.responses = MatrixXd::Zero(index(pattern.columns()), index(selection.states.size()));
  std::vector<double> right(pattern.rows);
  for (std::size_t s = 0; s < selection.states.size(); ++s) {
    const std::size_t state = at(selection.states[s]);
    std::fill(right.begin(), right.end(), 0.0);
    for (int e = pattern.first[state]; e < pattern.first[state + 1]; ++e) {
      right[at(pattern.row[at(e)])] = -tangent.entries[at(e)];
    }
    tangent.lu.solve(right);
    tangent.responses(index(state), index(s)) = 1.0;
    for (std::size_t k = 0; k < selection.free.size(); ++k) {
      tangent.responses(selection.free[k], index(s)) = right[k];
    }
  }
}

// With the states held. What is given of the unknowns counts through the states alone.
VectorXd PointDerivatives::follow(const Tangent& tangent, std::size_t known) const {
  VectorXd moved = VectorXd::Zero(index(tangent.z.size()));
  if (known < given_.size()) {
    return moved;
  }
  VectorXd right = -tangent.by_known.col(index(known - given_.size()));
  tangent.lu.solve(std::span<double>(right.data(), static_cast<std::size_t>(right.size())));
  const std::vector<int>& free = r_.solver.selection().free;
  for (std::size_t k = 0; k < free.size(); ++k) {
    moved[free[k]] = right[index(k)];
  }
  return moved;
}

Eval PointDerivatives::evaluate(const std::vector<char>& counts, std::vector<double>& by) {
  Tangent here;
  if (linearize(r_.z, here) == Eval::discard) {
    return Eval::discard;
  }
  const std::vector<int>& states = r_.solver.selection().states;
  MatrixXd moves;
  if (!counts.empty() && nearest(counts, here, moves) == Eval::discard) {
    return Eval::discard;
  }
  const std::size_t n = r_.system.unknowns();
  by.assign(2 * n * knowns(), 0.0);
  bool finite = true;
  for (std::size_t k = 0; k < knowns(); ++k) {
    VectorXd moved = follow(here, k);
    if (!counts.empty()) {
      moved += here.responses * moves.col(index(k));
    } else if (const auto state = std::find(states.begin(), states.end(), static_cast<int>(k));
               k < given_.size() && state != states.end()) {
      moved = here.responses.col(state - states.begin());
    }
    finite = finite && moved.allFinite();
    double* const column = by.data() + 2 * n * k;
    std::copy_n(moved.data(), n, column);
    r_.system.slopes(std::span<const double>(moved.data(), r_.z.size()), Vec(column + n, n));
  }
  return finite ? Eval::ok : Eval::discard;
}

}  // namespace saltus

// SPDX-License-Identifier: BSD-2-Clause
#include "stage_solver.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace saltus {

StageSolver::StageSolver(DerivativeArray& array, std::vector<int> equation_offset,
                         std::vector<int> unknown_offset)
    : array_(array),
      equation_offset_(std::move(equation_offset)),
      unknown_offset_(std::move(unknown_offset)) {
  const std::size_t n = unknown_offset_.size();
  const auto entries = array_.entries();
  for (const int d : unknown_offset_) {
    highest_ = std::max(highest_, d);
  }
  std::vector<std::vector<std::size_t>> columns(n);
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const auto row = static_cast<std::size_t>(entries[e].row);
    const auto unknown = static_cast<std::size_t>(entries[e].unknown);
    if (entries[e].order == unknown_offset_[unknown] - equation_offset_[row]) {
      columns[unknown].push_back(e);
    }
  }
  Pattern pattern;
  pattern.rows = n;
  for (const std::vector<std::size_t>& column : columns) {
    for (const std::size_t e : column) {
      entry_.push_back(e);
      pattern.row.push_back(entries[e].row);
    }
    pattern.first.push_back(static_cast<int>(pattern.row.size()));
  }
  lu_.analyze(pattern);
  derivatives_.resize(entries.size());
  jacobian_.resize(entry_.size());
  x_.resize(n);
  rest_.resize(n);
  start_.resize((array_.order() + 1) * n);
  row_factor_.resize(static_cast<std::size_t>(highest_) + 1);
  column_factor_.resize(static_cast<std::size_t>(highest_) + 1);
}

int StageSolver::lowest_offset_of_differential() const {
  int lowest = std::max(highest_, 1);
  for (const int d : unknown_offset_) {
    lowest = d > 0 ? std::min(lowest, d) : lowest;
  }
  return lowest;
}

void StageSolver::prepare(int last_stage) {
  if (last_stage > prepared_) {
    equations_ = array_.series(equation_offset_, unknown_offset_, last_stage);
    prepared_ = last_stage;
  }
}

Eval StageSolver::factorize(double t, double scale, ConstVec c) {
  std::fill(start_.begin(), start_.end(), 0.0);
  std::copy_n(c.begin(), std::min(c.size(), start_.size()), start_.begin());
  if (array_.linearize(t, scale, 0, start_, derivatives_) == Eval::discard) {
    return Eval::discard;
  }
  for (std::size_t k = 0; k < entry_.size(); ++k) {
    jacobian_[k] = derivatives_[entry_[k]];
  }
  factored_ = (factored_ && lu_.refactor(jacobian_)) || lu_.factor(jacobian_);
  return factored_ ? Eval::ok : Eval::discard;
}

// The coefficients that make the rest vanish.
void StageSolver::solve(int stage, double scale, Vec x) {
  double row = 1.0, column = 1.0;  // (s + c)! / s! / scale^c, and the inverse for d
  for (std::size_t offset = 0; offset < row_factor_.size(); ++offset) {
    row_factor_[offset] = row;
    column_factor_[offset] = column;
    row *= (stage + static_cast<int>(offset) + 1) / scale;
    column = 1.0 / row;
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = -rest_[i] * row_factor_[static_cast<std::size_t>(equation_offset_[i])];
  }
  lu_.solve(x);
  for (std::size_t j = 0; j < x.size(); ++j) {
    x[j] *= column_factor_[static_cast<std::size_t>(unknown_offset_[j])];
  }
}

Eval StageSolver::run(double t, double scale, int from_stage, int last_stage, std::size_t degree,
                      Vec c) {
  const std::size_t n = x_.size();
  const auto place = [&](int stage, std::size_t j) {
    return static_cast<std::size_t>(stage + unknown_offset_[j]) * n + j;
  };
  for (std::size_t j = 0; j < n; ++j) {
    for (auto k = static_cast<std::size_t>(from_stage + unknown_offset_[j]); k <= degree; ++k) {
      c[k * n + j] = 0.0;
    }
  }
  if (factorize(t, scale, c) == Eval::discard) {
    return Eval::discard;
  }
  EquationSeries& equations = *equations_;
  equations.begin(t, scale);
  for (int stage = -highest_; stage <= 0; ++stage) {
    for (std::size_t j = 0; j < n; ++j) {
      x_[j] = stage + unknown_offset_[j] >= 0 ? c[place(stage, j)] : 0.0;
    }
    equations.give(stage, x_);
    equations.evaluate(stage, rest_);
  }
  if (from_stage == 0) {
    solve(0, scale, x_);
    equations.give(0, x_);
    equations.evaluate(0, rest_);
    for (std::size_t j = 0; j < n; ++j) {
      c[place(0, j)] = x_[j];
    }
  }
  equations.linearize();
  double check = 0.0;  // 0 * x is not a number unless x is finite
  for (int stage = 1; stage <= last_stage; ++stage) {
    equations.evaluate(stage, rest_);
    solve(stage, scale, x_);
    if (stage < last_stage) {
      equations.correct(stage, x_);
    }
    for (std::size_t j = 0; j < n; ++j) {
      const auto k = static_cast<std::size_t>(stage + unknown_offset_[j]);
      check += 0.0 * x_[j];
      if (k <= degree) {
        c[k * n + j] = x_[j];
      }
    }
  }
  return check == 0.0 ? Eval::ok : Eval::discard;
}

}  // namespace saltus

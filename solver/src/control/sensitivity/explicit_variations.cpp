// SPDX-License-Identifier: BSD-2-Clause
#include "explicit_variations.hpp"

#include <algorithm>

namespace saltus::modeling {

using Role = Variable::Role;

ExplicitVariations::ExplicitVariations(const DescribedModel& model,
                                       VariableDerivatives& derivatives, const Parts& parts)
    : derivatives_(derivatives) {
  const std::size_t n = model.shape().unknowns(), count = parts.directions.size();
  const auto variables = model.variables();
  const auto entries = derivatives.entries();
  values_.resize(entries.size());
  struct Cell {
    std::size_t column, row, entry;
  };
  constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::vector<Cell> cells, given;
  for (std::size_t i = 0; i < n; ++i) {
    cells.push_back({i, i, kNone});
  }
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const Variable& computed = variables[entries[e].variable];
    if (computed.role != Role::derivative || entries[e].by == kTimePosition) continue;
    const Variable& by = variables[entries[e].by];
    if (by.role == Role::state) {
      cells.push_back({by.index, computed.index, e});
    } else {
      given.push_back({entries[e].by, computed.index, e});
    }
  }
  std::sort(cells.begin(), cells.end(), [](const Cell& a, const Cell& b) {
    return a.column != b.column ? a.column < b.column : a.row < b.row;
  });
  pattern_.rows = n;
  pattern_.first.assign(n + count + 1, 0);
  diagonal_.resize(n);
  const Cell* last = nullptr;
  for (const Cell& cell : cells) {
    if (last == nullptr || last->column != cell.column || last->row != cell.row) {
      pattern_.row.push_back(static_cast<int>(cell.row));
      ++pattern_.first[cell.column + 1];
    }
    last = &cell;
    const std::size_t place = pattern_.row.size() - 1;
    if (cell.row == cell.column) diagonal_[cell.row] = place;
    if (cell.entry != kNone) terms_.push_back({cell.entry, place, -1.0});
  }
  for (std::size_t j = 0; j < n; ++j) {
    pattern_.first[j + 1] += pattern_.first[j];
  }
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t begin = pattern_.row.size();
    for (std::size_t i = 0; i < n; ++i) {
      pattern_.row.push_back(static_cast<int>(i));
    }
    pattern_.first[n + k + 1] = static_cast<int>(pattern_.row.size());
    for (const Cell& cell : given) {
      if (const double factor = parts.directions[k].numbers[cell.column]; factor != 0.0) {
        terms_.push_back({cell.entry, begin + cell.row, -factor});
      }
    }
    for (const Cell& cell : cells) {
      const double factor = parts.beyond.empty() ? 0.0 : parts.beyond[k][cell.column];
      if (cell.entry != kNone && factor != 0.0) {
        terms_.push_back({cell.entry, begin + cell.row, -factor});
      }
    }
  }
}

Eval ExplicitVariations::evaluate(double t, ConstVec x, ConstVec, Vec by_value, Vec by_slope) {
  const Eval answer = derivatives_.evaluate(t, x, values_);
  std::fill(by_value.begin(), by_value.end(), 0.0);
  std::fill(by_slope.begin(), by_slope.end(), 0.0);
  for (const Term& term : terms_) {
    by_value[term.place] += term.factor * values_[term.entry];
  }
  for (const std::size_t place : diagonal_) {
    by_slope[place] = 1.0;
  }
  return answer;
}

}  // namespace saltus::modeling

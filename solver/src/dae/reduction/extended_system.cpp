// SPDX-License-Identifier: BSD-2-Clause
#include "extended_system.hpp"

#include <algorithm>

namespace saltus {
namespace {

// l! / (l - q)!
double falling_factorial(int l, int q) {
  double product = 1.0;
  for (int i = 0; i < q; ++i) {
    product *= l - i;
  }
  return product;
}

}  // namespace

ExtendedSystem::ExtendedSystem(DerivativeArray& array, std::span<const int> level, double scale)
    : array_(array),
      level_(level.begin(), level.end()),
      scale_(scale),
      unknowns_(array.unknowns()) {
  for (std::size_t i = 0; i < level_.size(); ++i) {
    for (int k = 0; k <= level_[i]; ++k) {
      rows_.push_back({static_cast<int>(i), k});
    }
    degree_ = std::max(degree_, static_cast<std::size_t>(std::max(level_[i], 0)));
  }
  all_rows_ = rows_;
  find_columns();
  find_pattern();
  coefficients_.assign((degree_ + array_.order() + 1) * unknowns_, 0.0);
  F_.assign((degree_ + 1) * array_.equations(), 0.0);
  a_.assign((degree_ + 1) * array_.entries().size(), 0.0);
}

void ExtendedSystem::find_columns() {
  order_.assign(unknowns_, 0);
  for (const DerivativeArray::Entry& e : array_.entries()) {
    if (level_[e.row] >= 0) {
      order_[e.unknown] = std::max(order_[e.unknown], level_[e.row] + e.order);
    }
  }
  const int highest = order_.empty() ? 0 : *std::max_element(order_.begin(), order_.end());
  column_of_.assign(highest + 1, std::vector<int>(unknowns_, -1));
  for (int degree = 0; degree <= highest; ++degree) {
    for (std::size_t j = 0; j < unknowns_; ++j) {
      if (order_[j] >= degree) {
        column_of_[degree][j] = static_cast<int>(columns_.size());
        columns_.push_back({static_cast<int>(j), degree});
      }
    }
  }
}

int ExtendedSystem::column(int unknown, int degree) const {
  return degree < static_cast<int>(column_of_.size()) ? column_of_[degree][unknown] : -1;
}

// dF[i][k] / dc[j][l] = sum over q of  l!/(l-q)! / scale^q * a[q][k - l + q]
void ExtendedSystem::find_pattern() {
  struct Triple {
    int column, row, source;
    double factor;
  };
  std::vector<std::vector<int>> row_of(degree_ + 1, std::vector<int>(array_.equations(), -1));
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    row_of[rows_[r].level][rows_[r].equation] = static_cast<int>(r);
  }
  const auto entries = array_.entries();
  std::vector<Triple> triples;
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const auto& entry = entries[e];
    double power = 1.0;
    for (int q = 0; q < entry.order; ++q) {
      power /= scale_;
    }
    for (int k = 0; k <= level_[entry.row]; ++k) {
      const int row = row_of[k][entry.row];
      for (int l = entry.order; row >= 0 && l <= k + entry.order; ++l) {
        const int m = k - l + entry.order;
        triples.push_back({column_of_[l][entry.unknown], row,
                           static_cast<int>(m * entries.size() + e),
                           falling_factorial(l, entry.order) * power});
      }
    }
  }
  std::sort(triples.begin(), triples.end(), [](const Triple& a, const Triple& b) {
    return a.column != b.column ? a.column < b.column
           : a.row != b.row     ? a.row < b.row
                                : a.source < b.source;
  });
  pattern_.rows = rows_.size();
  pattern_.first.assign(columns_.size() + 1, 0);
  pattern_.row.clear();
  int last_column = -1;
  for (const Triple& triple : triples) {
    if (triple.column != last_column || pattern_.row.back() != triple.row) {
      pattern_.row.push_back(triple.row);
      ++pattern_.first[triple.column + 1];
      last_column = triple.column;
    }
    terms_.push_back({static_cast<int>(pattern_.row.size()) - 1, triple.source, triple.factor});
  }
  for (std::size_t j = 0; j < columns_.size(); ++j) {
    pattern_.first[j + 1] += pattern_.first[j];
  }
}

void ExtendedSystem::use(std::span<const char> rows) {
  rows_.clear();
  for (std::size_t r = 0; r < all_rows_.size(); ++r) {
    if (rows[r] != 0) {
      rows_.push_back(all_rows_[r]);
    }
  }
  pattern_ = Pattern{};
  terms_.clear();
  find_pattern();
}

void ExtendedSystem::spread(ConstVec z) {
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    coefficients_[columns_[c].degree * unknowns_ + columns_[c].unknown] = z[c];
  }
}

std::vector<double> ExtendedSystem::coefficients(ConstVec z) const {
  std::vector<double> c(coefficients_.size(), 0.0);
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    c[columns_[k].degree * unknowns_ + columns_[k].unknown] = z[k];
  }
  return c;
}

Eval ExtendedSystem::values(double t, ConstVec z, Vec rest) {
  spread(z);
  if (array_.values_upto(t, scale_, level_, coefficients_, F_) == Eval::discard) {
    return Eval::discard;
  }
  const std::size_t equations = array_.equations();
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    rest[r] = F_[rows_[r].level * equations + rows_[r].equation];
  }
  return Eval::ok;
}

Eval ExtendedSystem::jacobian(double t, ConstVec z, Vec entries) {
  spread(z);
  if (array_.linearize(t, scale_, degree_, coefficients_, a_) == Eval::discard) {
    return Eval::discard;
  }
  std::fill(entries.begin(), entries.end(), 0.0);
  for (const Term& term : terms_) {
    entries[term.target] += term.factor * a_[term.source];
  }
  return Eval::ok;
}

// (k + 1) F[k + 1] is the derivative of F[k] along the curve, times the scale; what the motion of
// the columns contributes to it, (l + 1) c[l + 1] for column l, is taken away again.
Eval ExtendedSystem::time_slopes(double t, ConstVec z, ConstVec entries, Vec slopes) {
  spread(z);
  std::vector<int> level = level_;
  for (int& c : level) {
    c += c >= 0 ? 1 : 0;
  }
  const std::size_t equations = array_.equations();
  std::vector<double> F((degree_ + 2) * equations, 0.0);
  std::vector<double> further = coefficients_;
  further.resize(coefficients_.size() + unknowns_, 0.0);
  if (array_.values_upto(t, scale_, level, further, F) == Eval::discard) {
    return Eval::discard;
  }
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    const int next = rows_[r].level + 1;
    slopes[r] = next * F[next * equations + rows_[r].equation];
  }
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const auto [unknown, degree] = columns_[c];
    const int next = column(unknown, degree + 1);
    for (int k = pattern_.first[c]; next >= 0 && k < pattern_.first[c + 1]; ++k) {
      slopes[pattern_.row[k]] -= entries[k] * (degree + 1) * z[next];
    }
  }
  for (double& slope : slopes) {
    slope /= scale_;
  }
  return Eval::ok;
}

void ExtendedSystem::slopes(ConstVec z, Vec xp) const {
  std::fill(xp.begin(), xp.end(), 0.0);
  for (std::size_t c = unknowns_; c < columns_.size() && columns_[c].degree == 1; ++c) {
    xp[columns_[c].unknown] = z[c] / scale_;
  }
}

}  // namespace saltus

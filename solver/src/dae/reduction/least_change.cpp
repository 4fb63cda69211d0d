// SPDX-License-Identifier: BSD-2-Clause
#include "least_change.hpp"

#include <algorithm>
#include <cmath>

#include "core/at.hpp"
#include "linear/elimination.hpp"
#include "sparse_scaling.hpp"

namespace saltus {
namespace {

// What stands for the one of "r + A' m = 0": multipliers are divided by it, solutions are the same.
// With s for the smallest singular value of A, the condition of the whole system is about 1 / it
// where s is larger, it / s^2 where s is smaller (Bjorck, the same section): 1e12 at most for s
// down to 1e-8.
constexpr double kUnit = 1e-4;

std::vector<int> numbered(const std::vector<int>& members, std::size_t size) {
  std::vector<int> number(size, -1);
  for (std::size_t k = 0; k < members.size(); ++k) {
    number[at(members[k])] = static_cast<int>(k);
  }
  return number;
}

}  // namespace

bool LeastChange::factorize(const Pattern& pattern, ConstVec values,
                            std::span<const Mobility> mobility) {
  rows_ = pattern.rows;
  mobility_.assign(mobility.begin(), mobility.end());
  free_.clear();
  reluctant_.clear();
  for (std::size_t j = 0; j < mobility_.size(); ++j) {
    if (mobility_[j] != Mobility::held) {
      (mobility_[j] == Mobility::free ? free_ : reluctant_).push_back(static_cast<int>(j));
    }
  }
  read(pattern, values);
  choose_pivots(pattern, values);
  free_choice_ = by_free_ < free_.size();
  reluctant_needed_ = pivot_rows_.size() > by_free_;
  return (!reluctant_needed_ || factorize_reluctant()) && (by_free_ == 0 || factorize_free());
}

void LeastChange::read(const Pattern& pattern, ConstVec values) {
  entries_.clear();
  for (std::size_t j = 0; j < pattern.columns(); ++j) {
    for (int k = pattern.first[j]; mobility_[j] != Mobility::held && k < pattern.first[j + 1];
         ++k) {
      if (values[at(k)] != 0.0) {
        entries_.push_back({pattern.row[at(k)], static_cast<int>(j), values[at(k)]});
      }
    }
  }
}

// Which columns are independent must not depend on their units.
void LeastChange::choose_pivots(const Pattern& pattern, ConstVec values) {
  std::vector<int> stage(pattern.columns(), EliminationPlan::kNever);
  for (const int j : free_) {
    stage[at(j)] = 0;
  }
  for (const int j : reluctant_) {
    stage[at(j)] = 1;
  }
  std::vector<double> moving(values.begin(), values.end());
  for (std::size_t j = 0; j < pattern.columns(); ++j) {
    if (mobility_[j] == Mobility::held) {
      std::fill(moving.begin() + pattern.first[j], moving.begin() + pattern.first[j + 1], 0.0);
    }
  }
  const SparseEquilibrated scaled(pattern, moving);
  Elimination found = eliminate(pattern, scaled.values,
                                {.stage = stage, .clearly = {0.0}, .tolerance = kRankTolerance});
  by_free_ = at(found.rank[0]);
  pivot_rows_ = std::move(found.rows);
  pivot_columns_ = std::move(found.columns);
  independent_.assign(rows_, 0);
  for (const int i : pivot_rows_) {
    independent_[at(i)] = 1;
  }
}

bool LeastChange::factorize(std::size_t size, std::vector<Triplet>& triplets,
                            SparseLu<double>& lu) {
  std::sort(triplets.begin(), triplets.end(), [](const Triplet& a, const Triplet& b) {
    return a.column != b.column ? a.column < b.column : a.row < b.row;
  });
  Pattern pattern;
  pattern.rows = size;
  pattern.first.assign(size + 1, 0);
  std::vector<double> values;
  for (const Triplet& triplet : triplets) {
    pattern.row.push_back(triplet.row);
    values.push_back(triplet.value);
    ++pattern.first[at(triplet.column) + 1];
  }
  for (std::size_t j = 0; j < size; ++j) {
    pattern.first[j + 1] += pattern.first[j];
  }
  lu.analyze(pattern);
  return lu.factor(values);
}

// Unknowns: the free columns that are pivots, f, the reluctant ones, r, and a multiplier of each
// row:  A_f' m = 0,  r + A_r' m = 0,  A_f f + A_r r = b.
bool LeastChange::factorize_reluctant() {
  const std::vector<int> basic(pivot_columns_.begin(), pivot_columns_.begin() + by_free_);
  const std::vector<int> f = numbered(basic, mobility_.size());
  const std::vector<int> r = numbered(reluctant_, mobility_.size());
  const std::vector<int> m = numbered(pivot_rows_, rows_);
  const auto first_r = static_cast<int>(basic.size());
  const auto first_m = first_r + static_cast<int>(reluctant_.size());
  std::vector<Triplet> triplets;
  for (const Triplet& entry : entries_) {
    const int column = f[at(entry.column)] >= 0   ? f[at(entry.column)]
                       : r[at(entry.column)] >= 0 ? first_r + r[at(entry.column)]
                                                  : -1;
    if (column >= 0 && m[at(entry.row)] >= 0) {
      triplets.push_back({first_m + m[at(entry.row)], column, entry.value});
      triplets.push_back({column, first_m + m[at(entry.row)], entry.value});
    }
  }
  for (int k = first_r; k < first_m; ++k) {
    triplets.push_back({k, k, kUnit});
  }
  return factorize(at(first_m) + pivot_rows_.size(), triplets, for_reluctant_);
}

// With what the reluctant columns do on the right: a square system, or the smallest solution by
// f + A_f' m = 0,  A_f f = b.
bool LeastChange::factorize_free() {
  const std::vector<int> chosen =
      free_choice_ ? free_
                   : std::vector<int>(pivot_columns_.begin(), pivot_columns_.begin() + by_free_);
  free_ = chosen;
  const std::vector<int> f = numbered(chosen, mobility_.size());
  const std::vector<int> m = numbered({pivot_rows_.begin(), pivot_rows_.begin() + by_free_}, rows_);
  const auto first_m = static_cast<int>(free_choice_ ? chosen.size() : 0);
  std::vector<Triplet> triplets;
  for (const Triplet& entry : entries_) {
    const int row = m[at(entry.row)], column = f[at(entry.column)];
    if (row >= 0 && column >= 0) {
      triplets.push_back({first_m + row, column, entry.value});
      if (free_choice_) {
        triplets.push_back({column, first_m + row, entry.value});
      }
    }
  }
  for (int k = 0; k < first_m; ++k) {
    triplets.push_back({k, k, kUnit});
  }
  return factorize(at(first_m) + by_free_, triplets, for_free_);
}

void LeastChange::solve(ConstVec b, Vec x) const {
  std::fill(x.begin(), x.end(), 0.0);
  std::vector<double> left(b.begin(), b.end());
  if (reluctant_needed_) {
    std::vector<double> work(for_reluctant_.size(), 0.0);
    const std::size_t first_m = by_free_ + reluctant_.size();
    for (std::size_t k = 0; k < pivot_rows_.size(); ++k) {
      work[first_m + k] = b[at(pivot_rows_[k])];
    }
    for_reluctant_.solve(work);
    for (std::size_t k = 0; k < reluctant_.size(); ++k) {
      x[at(reluctant_[k])] = work[by_free_ + k];
    }
    for (const Triplet& entry : entries_) {
      if (mobility_[at(entry.column)] == Mobility::reluctant) {
        left[at(entry.row)] -= entry.value * x[at(entry.column)];
      }
    }
  }
  if (by_free_ > 0) {
    std::vector<double> work(for_free_.size(), 0.0);
    const std::size_t first_m = free_choice_ ? free_.size() : 0;
    for (std::size_t k = 0; k < by_free_; ++k) {
      work[first_m + k] = left[at(pivot_rows_[k])];
    }
    for_free_.solve(work);
    for (std::size_t k = 0; k < free_.size(); ++k) {
      x[at(free_[k])] = work[k];
    }
  }
}

}  // namespace saltus

// SPDX-License-Identifier: BSD-2-Clause
#include "combined_array.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace saltus::fmu_export {

CombinedArray& CombinedArray::over(DerivativeArray& array) {
  if (array_ == &array) return *this;
  array_ = &array;
  entries_.clear();
  sources_.clear();
  const auto below = array.entries();
  std::map<std::tuple<int, int, int>, std::vector<Source>> found;
  const auto is_sum = [&](int row) {
    return std::any_of(combinations_.begin(), combinations_.end(),
                       [&](const Combination& one) { return one.equation == row; });
  };
  const auto add = [&](int row, std::size_t entry, double factor) {
    if (below[entry].order > 0 && is_sum(row)) return;  // they cancel
    found[{row, below[entry].unknown, below[entry].order}].push_back({entry, factor});
  };
  for (std::size_t e = 0; e < below.size(); ++e) {
    add(below[e].row, e, 1.0);
    for (const Combination& one : combinations_) {
      if (one.added == below[e].row) add(one.equation, e, one.factor);
    }
  }
  for (auto& [place, sources] : found) {
    entries_.push_back({std::get<0>(place), std::get<1>(place), std::get<2>(place)});
    sources_.push_back(std::move(sources));
  }
  return *this;
}

std::string CombinedArray::equation_name(std::size_t i) const {
  std::string name = array_->equation_name(i);
  for (const Combination& one : combinations_) {
    if (one.equation == static_cast<int>(i)) {
      name += " together with " + array_->equation_name(static_cast<std::size_t>(one.added));
    }
  }
  return name;
}

Eval CombinedArray::values(double t, double scale, std::size_t degree, ConstVec c, Vec F) {
  return values_upto(t, scale, std::vector<int>(equations(), static_cast<int>(degree)), c, F);
}

Eval CombinedArray::values_upto(double t, double scale, std::span<const int> level, ConstVec c,
                                Vec F) {
  levels_.assign(level.begin(), level.end());
  for (const Combination& one : combinations_) {
    int& needed = levels_[static_cast<std::size_t>(one.added)];
    needed = std::max(needed, level[static_cast<std::size_t>(one.equation)]);
  }
  F_.resize(F.size());
  if (array_->values_upto(t, scale, levels_, c, F_) == Eval::discard) return Eval::discard;
  const std::size_t m = equations();
  for (std::size_t i = 0; i < m; ++i) {
    for (int k = 0; k <= level[i]; ++k) {
      const std::size_t first = static_cast<std::size_t>(k) * m;
      F[first + i] = F_[first + i];
      for (const Combination& one : combinations_) {
        if (one.equation == static_cast<int>(i)) {
          F[first + i] += one.factor * F_[first + static_cast<std::size_t>(one.added)];
        }
      }
    }
  }
  return Eval::ok;
}

Eval CombinedArray::linearize(double t, double scale, std::size_t degree, ConstVec c, Vec a) {
  const std::size_t below = array_->entries().size();
  a_.resize((degree + 1) * below);
  if (array_->linearize(t, scale, degree, c, a_) == Eval::discard) return Eval::discard;
  for (std::size_t k = 0; k <= degree; ++k) {
    for (std::size_t e = 0; e < entries_.size(); ++e) {
      double sum = 0.0;
      for (const Source& source : sources_[e]) {
        sum += source.factor * a_[k * below + source.entry];
      }
      a[k * entries_.size() + e] = sum;
    }
  }
  return Eval::ok;
}

}  // namespace saltus::fmu_export

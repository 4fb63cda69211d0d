// SPDX-License-Identifier: BSD-2-Clause
#include "combinations.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace saltus::sliding {

Combinations Combinations::all(std::size_t surfaces) { return {surfaces, true}; }

Combinations Combinations::grouped(std::size_t surfaces,
                                   std::vector<std::vector<std::size_t>> groups,
                                   const std::vector<Combination>& checks) {
  Combinations made{surfaces, false};
  std::vector<char> has_group(surfaces, 0);
  for (const auto& group : groups) {
    for (const std::size_t j : group) has_group[j] = 1;
  }
  for (std::size_t j = 0; j < surfaces; ++j) {
    if (has_group[j] == 0) groups.push_back({j});
  }
  made.alone_.resize(surfaces);
  made.sides_.emplace_back(surfaces, char{0});
  for (const auto& group : groups) {
    made.first_.push_back(made.sides_.size());
    for (std::size_t v = 1; v < std::size_t{1} << group.size(); ++v) {
      Combination sides(surfaces, 0);
      for (std::size_t b = 0; b < group.size(); ++b) {
        sides[group[b]] = static_cast<char>(v >> b & 1);
        if (v == std::size_t{1} << b) made.alone_[group[b]] = made.sides_.size();
      }
      made.sides_.push_back(std::move(sides));
    }
  }
  made.groups_ = std::move(groups);
  made.count_of_groups_ = made.sides_.size();
  for (const Combination& check : checks) {
    if (std::find(made.sides_.begin(), made.sides_.end(), check) == made.sides_.end()) {
      made.sides_.push_back(check);
    }
  }
  return made;
}

std::vector<Combination> Combinations::pairs(std::size_t m) {
  std::vector<Combination> found;
  for (std::size_t a = 0; a < m; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      found.emplace_back(m, char{0});
      found.back()[a] = found.back()[b] = 1;
    }
  }
  return found;
}

// Besides, where surfaces are few, each two of them. Else sets that tell any two surfaces apart,
// their complements, and some that follow no rule: terms that several surfaces switch together
// would have to cancel in each of them.
std::vector<Combination> Combinations::checks(std::size_t m) {
  // Pairs of six surfaces are fifteen: as many configurations more, each of which costs one
  // evaluation where sliding begins. More sets without a rule miss fewer of the terms that cancel
  // by chance, at the same price each.
  constexpr std::size_t kFew = 6, kWithoutRule = 8;
  std::vector<Combination> found;
  if (m <= kFew) found = pairs(m);
  const auto add = [&](const auto& has) {
    found.emplace_back(m, char{0});
    for (std::size_t j = 0; j < m; ++j) found.back()[j] = has(j) ? 1 : 0;
  };
  add([](std::size_t) { return true; });
  for (std::size_t bit = 1; bit < m && m > kFew; bit *= 2) {
    add([&](std::size_t j) { return (j & bit) != 0; });
    add([&](std::size_t j) { return (j & bit) == 0; });
  }
  std::uint32_t number = 1;
  for (std::size_t k = 0; k < kWithoutRule && m > kFew; ++k) {
    add([&](std::size_t) {
      number = number * 1664525U + 1013904223U;
      return (number >> 31U) != 0;
    });
  }
  return found;
}

Combination Combinations::sides(std::size_t combination) const {
  if (!is_complete_) return sides_[combination];
  Combination sides(surfaces_);
  for (std::size_t j = 0; j < surfaces_; ++j) {
    sides[j] = static_cast<char>(combination >> j & 1);
  }
  return sides;
}

}  // namespace saltus::sliding

// SPDX-License-Identifier: BSD-2-Clause
#include "column_groups.hpp"

namespace saltus::importer {

std::vector<std::vector<std::size_t>> column_groups(const Pattern& pattern, std::size_t first) {
  std::vector<std::vector<std::size_t>> groups, columns_of(pattern.rows);
  const auto each_row = [&](std::size_t j, const auto& action) {
    for (int k = pattern.first[j]; k < pattern.first[j + 1]; ++k) {
      const auto i = static_cast<std::size_t>(pattern.row[static_cast<std::size_t>(k)]);
      if (i >= first) action(i);
    }
  };
  std::vector<std::size_t> group_of(pattern.columns(), 0), taken_for;
  for (std::size_t j = first; j < pattern.columns(); ++j) {
    each_row(j, [&](std::size_t i) {
      for (const std::size_t other : columns_of[i]) taken_for[group_of[other]] = j + 1;
    });
    std::size_t group = 0;
    while (group < groups.size() && taken_for[group] == j + 1) ++group;
    if (group == groups.size()) {
      groups.emplace_back();
      taken_for.push_back(0);
    }
    groups[group].push_back(j);
    group_of[j] = group;
    each_row(j, [&](std::size_t i) { columns_of[i].push_back(j); });
  }
  return groups;
}

}  // namespace saltus::importer

// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/modeling/written_equations.hpp"

#include <utility>

namespace saltus::modeling {
namespace {

std::vector<std::int64_t> key(std::span<const Lock> locks, std::span<const std::int64_t> wholes) {
  std::vector<std::int64_t> parts(wholes.begin(), wholes.end());
  for (const Lock lock : locks) {
    parts.push_back(static_cast<std::int64_t>(lock));
  }
  return parts;
}

}  // namespace

SolutionSeries* WrittenEquations::solution_series() {
  if (series == nullptr) {
    series = explicit_series(equations);
  }
  return series.get();
}

WrittenEquations* WrittenConfigurations::find(std::span<const Lock> locks,
                                              std::span<const std::int64_t> wholes) {
  const auto found = known_.find(key(locks, wholes));
  return found == known_.end() ? nullptr : found->second.get();
}

WrittenEquations& WrittenConfigurations::add(std::span<const Lock> locks,
                                             std::span<const std::int64_t> wholes,
                                             WrittenEquations written) {
  auto entry = std::make_unique<WrittenEquations>(std::move(written));
  return *(known_[key(locks, wholes)] = std::move(entry));
}

}  // namespace saltus::modeling

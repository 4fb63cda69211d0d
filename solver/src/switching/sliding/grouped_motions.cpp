// SPDX-License-Identifier: BSD-2-Clause
#include "grouped_motions.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace saltus::sliding {
namespace {

// A side that changes how fast a surface is left by so little, in what that surface's own sides do,
// does not act on it.
constexpr double kActs = 1e-12;

std::size_t root_of(std::vector<std::size_t>& parents, std::size_t i) {
  while (parents[i] != i) {
    i = parents[i] = parents[parents[i]];
  }
  return i;
}

}  // namespace

std::vector<CoupledSurfaces> coupled_surfaces(const Combinations& combinations,
                                              std::span<const double> rates) {
  const std::size_t m = combinations.surfaces();
  std::vector<double> own(m);
  for (std::size_t j = 0; j < m; ++j) {
    own[j] = std::fabs(rates[combinations.alone(j) * m + j] - rates[j]);
  }
  std::vector<std::size_t> parents(m);
  std::iota(parents.begin(), parents.end(), std::size_t{0});
  std::vector<char> tied(m, 0);
  const auto& groups = combinations.groups();
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const std::size_t first = combinations.first_of(g), member = groups[g].front();
    for (const std::size_t j : groups[g]) {
      parents[root_of(parents, j)] = root_of(parents, member);
      tied[j] = groups[g].size() > 1 ? 1 : 0;
    }
    const std::size_t end = first + (std::size_t{1} << groups[g].size()) - 1;
    for (std::size_t v = first; v < end; ++v) {
      for (std::size_t j = 0; j < m; ++j) {
        if (std::fabs(rates[v * m + j] - rates[j]) > kActs * own[j]) {
          parents[root_of(parents, j)] = root_of(parents, member);
        }
      }
    }
  }
  std::vector<CoupledSurfaces> found;
  std::vector<std::size_t> number(m, m);
  for (std::size_t j = 0; j < m; ++j) {
    const std::size_t root = root_of(parents, j);
    if (number[root] == m) {
      number[root] = found.size();
      found.emplace_back();
    }
    found[number[root]].surfaces.push_back(j);
    found[number[root]].own_terms = found[number[root]].own_terms && tied[j] == 0;
  }
  return found;
}

std::vector<double> enumerated_rates(const Combinations& combinations,
                                     std::span<const double> rates,
                                     const CoupledSurfaces& coupled) {
  const std::size_t m = combinations.surfaces(), s = coupled.surfaces.size();
  const auto place = [&](std::size_t j) {
    return static_cast<std::size_t>(std::find(coupled.surfaces.begin(), coupled.surfaces.end(), j) -
                                    coupled.surfaces.begin());
  };
  std::vector<double> all(s << s);
  for (std::size_t u = 0; u < std::size_t{1} << s; ++u) {
    for (std::size_t j = 0; j < s; ++j) {
      all[u * s + j] = rates[coupled.surfaces[j]];
    }
    for (std::size_t g = 0; g < combinations.groups().size(); ++g) {
      const auto& group = combinations.groups()[g];
      if (place(group.front()) == s) continue;
      std::size_t own = 0;
      for (std::size_t b = 0; b < group.size(); ++b) {
        own |= (u >> place(group[b]) & 1) << b;
      }
      if (own == 0) continue;
      const std::size_t v = combinations.first_of(g) + own - 1;
      for (std::size_t j = 0; j < s; ++j) {
        all[u * s + j] += rates[v * m + coupled.surfaces[j]] - rates[coupled.surfaces[j]];
      }
    }
  }
  return all;
}

OwnTerms own_terms_of(const Combinations& combinations, std::span<const double> rates,
                      const CoupledSurfaces& coupled) {
  const std::size_t m = combinations.surfaces(), s = coupled.surfaces.size();
  OwnTerms terms{
      .surfaces = s, .base = std::vector<double>(s), .pushes = std::vector<double>(s * s)};
  for (std::size_t i = 0; i < s; ++i) {
    const std::size_t row = coupled.surfaces[i];
    terms.base[i] = rates[row];
    for (std::size_t j = 0; j < s; ++j) {
      const std::size_t v = combinations.alone(coupled.surfaces[j]);
      terms.pushes[i * s + j] = rates[v * m + row] - rates[row];
    }
  }
  return terms;
}

bool weigh_groups(const Combinations& combinations, std::span<const double> rates,
                  std::span<const Side> sides, Motion& motion, std::span<const double> given) {
  motion.sides.assign(sides.begin(), sides.end());
  motion.shares.assign(sides.size(), 0.0);
  for (const CoupledSurfaces& coupled : coupled_surfaces(combinations, rates)) {
    std::vector<Side> own_sides;
    std::vector<double> own_given;
    for (const std::size_t j : coupled.surfaces) {
      own_sides.push_back(sides[j]);
      if (!given.empty()) own_given.push_back(given[j]);
    }
    Motion own;
    const bool weighed =
        coupled.own_terms
            ? weigh_own_terms(own_terms_of(combinations, rates, coupled), own_sides, own, own_given)
            : coupled.surfaces.size() <= kMostEnumerated &&
                  weigh(enumerated_rates(combinations, rates, coupled), own_sides, own);
    if (!weighed) return false;
    for (std::size_t j = 0; j < coupled.surfaces.size(); ++j) {
      motion.shares[coupled.surfaces[j]] = own.shares[j];
    }
  }
  set_group_weights(combinations, motion);
  return true;
}

void set_group_weights(const Combinations& combinations, Motion& motion) {
  motion.weights.assign(combinations.count(), 0.0);
  motion.weights[0] = 1.0;
  for (std::size_t g = 0; g < combinations.groups().size(); ++g) {
    const auto& group = combinations.groups()[g];
    for (std::size_t own = 1; own < std::size_t{1} << group.size(); ++own) {
      double weight = 1.0;
      for (std::size_t b = 0; b < group.size(); ++b) {
        const double share = motion.shares[group[b]];
        weight *= (own >> b & 1) != 0 ? share : 1.0 - share;
      }
      motion.weights[combinations.first_of(g) + own - 1] = weight;
      motion.weights[0] -= weight;
    }
  }
}

}  // namespace saltus::sliding

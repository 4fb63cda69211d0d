// SPDX-License-Identifier: BSD-2-Clause
#include "normals.hpp"

#include <algorithm>
#include <numeric>

#include "filippov.hpp"

namespace saltus::sliding {
namespace {

// Parts smaller than this, in the length of the normal, are roundings of none.
constexpr double kNoPart = 1e-12;

bool overlap(const std::vector<double>& a, const std::vector<char>& touched) {
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (a[k] != 0.0 && touched[k] != 0) return true;
  }
  return false;
}

// The surfaces that have to do with a normal: by the unknowns that they look at, and those that
// others of them look at.
std::vector<std::size_t> connected(const std::vector<double>& normal,
                                   const std::vector<std::vector<double>>& surfaces) {
  std::vector<char> touched(normal.size(), 0), is_found(surfaces.size(), 0);
  const auto touch = [&](const std::vector<double>& by) {
    for (std::size_t k = 0; k < by.size(); ++k) touched[k] = touched[k] != 0 || by[k] != 0.0;
  };
  touch(normal);
  for (bool any_new = true; any_new;) {
    any_new = false;
    for (std::size_t j = 0; j < surfaces.size(); ++j) {
      if (is_found[j] != 0 || !overlap(surfaces[j], touched)) continue;
      touch(surfaces[j]);
      is_found[j] = 1;
      any_new = true;
    }
  }
  std::vector<std::size_t> found;
  for (std::size_t j = 0; j < surfaces.size(); ++j) {
    if (is_found[j] != 0) found.push_back(j);
  }
  return found;
}

}  // namespace

double product(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

bool are_parallel(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return false;
  const double both = product(a, b);
  return both * both >= (1.0 - kParallel) * product(a, a) * product(b, b) && both != 0.0;
}

Parts parts_of(const std::vector<double>& normal,
               const std::vector<std::vector<double>>& surfaces) {
  const std::vector<std::size_t> near = connected(normal, surfaces);
  const std::size_t m = near.size();
  std::vector<double> gram(m * m);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < m; ++j) {
      gram[i * m + j] = product(surfaces[near[i]], surfaces[near[j]]);
    }
  }
  std::vector<std::size_t> order(m);
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::vector<std::size_t> basis = independent(gram, m, order);
  std::vector<double> a, shares;
  for (const std::size_t i : basis) {
    for (const std::size_t j : basis) a.push_back(gram[i * m + j]);
    shares.push_back(product(surfaces[near[i]], normal));
  }
  Parts parts{.of = {}, .rest = normal};
  if (!solve(a, shares)) return parts;
  for (std::size_t i = 0; i < basis.size(); ++i) {
    const std::size_t j = near[basis[i]];
    const double square = product(surfaces[j], surfaces[j]) * shares[i] * shares[i];
    if (square <= kNoPart * kNoPart * product(normal, normal)) continue;
    parts.of.emplace_back(j, shares[i]);
    for (std::size_t k = 0; k < normal.size(); ++k) {
      parts.rest[k] -= shares[i] * surfaces[j][k];
    }
  }
  parts.is_whole = product(parts.rest, parts.rest) <= kParallel * product(normal, normal);
  return parts;
}

}  // namespace saltus::sliding

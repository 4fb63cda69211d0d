// SPDX-License-Identifier: BSD-2-Clause
// Surfaces each of which switches a term of its own, however many meet.
#include <algorithm>
#include <cmath>
#include <utility>

#include "filippov.hpp"

namespace saltus::sliding {
namespace {

// Pivots a combination of sides: a bound that no example comes near.
constexpr std::size_t kMostPivots = 4;
// The test of all principal minors doubles with each surface.
constexpr std::size_t kMostMinors = 12;
// Products of rates in two orders, which are equal but for rounding.
constexpr double kSymmetric = 1e-9;

// All principal minors are positive: the first entry is, and so are those of the matrix without its
// first row and column, and of what elimination leaves of it (Tsatsomeros and Li: A recursive test
// for P-matrices, 2000).
bool has_positive_minors(std::vector<double> a, std::size_t n) {
  if (n == 0) {
    return true;
  }
  if (!(a[0] > 0.0)) {
    return false;
  }
  std::vector<double> rest, eliminated;
  for (std::size_t i = 1; i < n; ++i) {
    for (std::size_t j = 1; j < n; ++j) {
      rest.push_back(a[i * n + j]);
      eliminated.push_back(a[i * n + j] - a[i * n] * a[j] / a[0]);
    }
  }
  return has_positive_minors(std::move(rest), n - 1) &&
         has_positive_minors(std::move(eliminated), n - 1);
}

// Symmetric and positive definite once each column is divided by a positive number, as for dry
// friction: the inverse mass between contacts times the force of each. Such a matrix is a P-matrix
// as well (Cottle, Pang and Stone: The Linear Complementarity Problem, 1992, section 3.3).
bool is_definite_by_columns(std::vector<double> a, std::size_t n) {
  std::vector<double> divisor(n, 0.0);
  for (std::size_t root = 0; root < n; ++root) {
    if (divisor[root] != 0.0) continue;
    divisor[root] = 1.0;
    std::vector<std::size_t> open{root};
    while (!open.empty()) {
      const std::size_t i = open.back();
      open.pop_back();
      for (std::size_t j = 0; j < n; ++j) {
        if (divisor[j] != 0.0 || a[i * n + j] == 0.0) continue;
        divisor[j] = divisor[i] * a[i * n + j] / a[j * n + i];
        if (!(divisor[j] > 0.0) || !std::isfinite(divisor[j])) return false;
        open.push_back(j);
      }
    }
  }
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] /= divisor[i % n];
  }
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = k + 1; i < n; ++i) {
      const double size = std::sqrt(std::fabs(a[i * n + i] * a[k * n + k]));
      if (std::fabs(a[i * n + k] - a[k * n + i]) > kSymmetric * size) return false;
    }
  }
  for (std::size_t k = 0; k < n; ++k) {
    if (!(a[k * n + k] > 0.0)) return false;
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = a[i * n + k] / a[k * n + k];
      for (std::size_t j = k; j < n && factor != 0.0; ++j) {
        a[i * n + j] -= factor * a[k * n + j];
      }
    }
  }
  return true;
}

bool is_p_matrix(const std::vector<double>& a, std::size_t n) {
  return is_definite_by_columns(a, n) || (n <= kMostMinors && has_positive_minors(a, n));
}

}  // namespace

double OwnTerms::rate(std::span<const double> shares, std::size_t j) const {
  double rate = base[j];
  for (std::size_t k = 0; k < surfaces; ++k) {
    rate += shares[k] * push(j, k);
  }
  return rate;
}

OwnTerms OwnTerms::of_all_combinations(std::size_t surfaces, std::span<const double> rates) {
  const auto own = rates.first(surfaces);
  OwnTerms terms{.surfaces = surfaces,
                 .base = {own.begin(), own.end()},
                 .pushes = std::vector<double>(surfaces * surfaces)};
  for (std::size_t i = 0; i < surfaces; ++i) {
    for (std::size_t j = 0; j < surfaces; ++j) {
      terms.pushes[i * surfaces + j] = rates[(std::size_t{1} << j) * surfaces + i] - rates[i];
    }
  }
  return terms;
}

bool weigh_own_terms(const OwnTerms& terms, std::span<const Side> sides, Motion& motion,
                     std::span<const double> given) {
  const std::size_t m = sides.size();
  motion.sides.assign(sides.begin(), sides.end());
  motion.shares.assign(m, 0.0);
  std::vector<std::size_t> on;
  for (std::size_t j = 0; j < m; ++j) {
    const bool is_given = !given.empty() && !std::isnan(given[j]);
    motion.shares[j] = is_given ? given[j] : sides[j] == Side::positive ? 1.0 : 0.0;
    if (sides[j] == Side::on && !is_given) {
      on.push_back(j);
    }
  }
  std::vector<double> a(on.size() * on.size()), shares(on.size());
  for (std::size_t row = 0; row < on.size(); ++row) {
    shares[row] = -terms.base[on[row]];
    for (std::size_t j = 0; j < m; ++j) {
      shares[row] -= motion.shares[j] * terms.push(on[row], j);
    }
    for (std::size_t column = 0; column < on.size(); ++column) {
      a[row * on.size() + column] = terms.push(on[row], on[column]);
    }
  }
  if (!solve(a, shares)) {
    return false;
  }
  bool finite = true;
  for (std::size_t i = 0; i < on.size(); ++i) {
    motion.shares[on[i]] = shares[i];
    finite = finite && std::isfinite(shares[i]);
  }
  return finite;
}

// A box-constrained linear complementarity problem: each surface is left to its negative side, slid
// on, or left to its positive one. Principal pivoting by the least index that is not yet right,
// which ends for P-matrices (Murty: Note on a Bard-type scheme, 1974).
std::vector<Motion> own_terms_motion(const OwnTerms& terms) {
  const std::size_t m = terms.surfaces;
  std::vector<double> pushes = terms.pushes;
  for (double& push : pushes) {
    push = -push;
  }
  if (!is_p_matrix(pushes, m)) {
    return {};
  }
  std::vector<Side> sides(m, Side::on);
  Motion motion;
  for (std::size_t round = 0; round < kMostPivots << std::min<std::size_t>(m, kMostMinors);
       ++round) {
    if (!weigh_own_terms(terms, sides, motion)) {
      return {};
    }
    std::size_t wrong = 0;
    for (; wrong < m; ++wrong) {
      if (sides[wrong] == Side::on) {
        if (!(motion.shares[wrong] > 0.0 && motion.shares[wrong] < 1.0)) {
          sides[wrong] = motion.shares[wrong] > 0.5 ? Side::positive : Side::negative;
          break;
        }
        continue;
      }
      const double rate = terms.rate(motion.shares, wrong);
      if (sides[wrong] == Side::positive ? rate < 0.0 : rate > 0.0) {
        sides[wrong] = Side::on;
        break;
      }
    }
    if (wrong == m) {
      return {motion};
    }
  }
  return {};
}

}  // namespace saltus::sliding

// SPDX-License-Identifier: BSD-2-Clause
#include "filippov.hpp"

#include <algorithm>
#include <cmath>

namespace saltus::sliding {
namespace {

// Newton's method takes a few where it converges; more delay the answer that there is no solution.
constexpr int kMostNewtonRounds = 40;
// Of shares between 0 and 1: some roundings.
constexpr double kConverged = 1e-14;
// Pivots a combination of sides: a bound that no example comes near.
constexpr std::size_t kMostPivots = 4;

bool is_positive(std::size_t vertex, std::size_t surface) { return (vertex >> surface & 1) != 0; }

// w_v as a product of shares, leaving out surface `without` (none if it is m).
double product(const std::vector<double>& shares, std::size_t vertex, std::size_t without) {
  double weight = 1.0;
  for (std::size_t j = 0; j < shares.size(); ++j) {
    if (j != without) {
      weight *= is_positive(vertex, j) ? shares[j] : 1.0 - shares[j];
    }
  }
  return weight;
}

// The rates, per surface marked `on`, of the field's dependence on the share of each such surface.
std::vector<double> jacobian(std::span<const double> rates, const Motion& motion,
                             const std::vector<std::size_t>& on) {
  const std::size_t m = motion.shares.size();
  std::vector<double> a(on.size() * on.size(), 0.0);
  for (std::size_t v = 0; v < motion.weights.size(); ++v) {
    for (std::size_t column = 0; column < on.size(); ++column) {
      const double part = product(motion.shares, v, on[column]);
      const double signed_part = is_positive(v, on[column]) ? part : -part;
      for (std::size_t row = 0; row < on.size(); ++row) {
        a[row * on.size() + column] += signed_part * rates[v * m + on[row]];
      }
    }
  }
  return a;
}

void set_weights(Motion& motion) {
  for (std::size_t v = 0; v < motion.weights.size(); ++v) {
    motion.weights[v] = product(motion.shares, v, motion.shares.size());
  }
}

// Both sides push towards each surface the motion stays on: a larger share of the positive side
// lowers the surface function. For several surfaces all principal minors of the negative Jacobian
// up to order two are positive.
bool attracts_to(std::span<const double> rates, const Motion& motion,
                 const std::vector<std::size_t>& on) {
  const std::vector<double> a = jacobian(rates, motion, on);
  const std::size_t k = on.size();
  for (std::size_t i = 0; i < k; ++i) {
    if (!(a[i * k + i] < 0.0)) {
      return false;
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (!(a[i * k + i] * a[j * k + j] > a[i * k + j] * a[j * k + i])) {
        return false;
      }
    }
  }
  return true;
}

// All principal minors are positive: the first entry is, and so are those of the matrix without its
// first row and column, and of what elimination leaves of it (Tsatsomeros and Li: A recursive test
// for P-matrices, 2000).
bool is_p_matrix(std::vector<double> a, std::size_t n) {
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
  return is_p_matrix(std::move(rest), n - 1) && is_p_matrix(std::move(eliminated), n - 1);
}

std::vector<std::size_t> surfaces_on(std::span<const Side> sides) {
  std::vector<std::size_t> on;
  for (std::size_t j = 0; j < sides.size(); ++j) {
    if (sides[j] == Side::on) {
      on.push_back(j);
    }
  }
  return on;
}

bool is_possible(std::span<const double> rates, const Motion& motion) {
  const std::size_t m = motion.sides.size();
  for (std::size_t j = 0; j < m; ++j) {
    const double rate = combined_rate(rates, motion.weights, m, j);
    switch (motion.sides[j]) {
      case Side::positive:
        if (!(rate >= 0.0)) return false;
        break;
      case Side::negative:
        if (!(rate <= 0.0)) return false;
        break;
      case Side::on:
        if (!(motion.shares[j] > 0.0 && motion.shares[j] < 1.0)) return false;
        break;
    }
  }
  return attracts_to(rates, motion, surfaces_on(motion.sides));
}

}  // namespace

bool attracts(std::span<const double> rates, const Motion& motion) {
  const std::vector<std::size_t> on = surfaces_on(motion.sides);
  return attracts_to(rates, motion, on) && std::all_of(on.begin(), on.end(), [&](std::size_t j) {
           return motion.shares[j] > 0.0 && motion.shares[j] < 1.0;
         });
}

bool solve(std::vector<double>& a, std::vector<double>& b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i) {
      if (std::fabs(a[i * n + k]) > std::fabs(a[pivot * n + k])) {
        pivot = i;
      }
    }
    if (!(std::fabs(a[pivot * n + k]) > 0.0)) {
      return false;
    }
    for (std::size_t j = 0; j < n; ++j) {
      std::swap(a[k * n + j], a[pivot * n + j]);
    }
    std::swap(b[k], b[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = a[i * n + k] / a[k * n + k];
      for (std::size_t j = k; j < n; ++j) {
        a[i * n + j] -= factor * a[k * n + j];
      }
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) {
      b[k] -= a[k * n + j] * b[j];
    }
    b[k] /= a[k * n + k];
  }
  return true;
}

double combined_rate(std::span<const double> rates, std::span<const double> weights,
                     std::size_t surfaces, std::size_t j) {
  double rate = 0.0;
  for (std::size_t v = 0; v < weights.size(); ++v) {
    if (weights[v] != 0.0) {
      rate += weights[v] * rates[v * surfaces + j];
    }
  }
  return rate;
}

bool weigh(std::span<const double> rates, std::span<const Side> sides, Motion& motion) {
  const std::size_t m = sides.size();
  const std::vector<std::size_t> on = surfaces_on(sides);
  motion.sides.assign(sides.begin(), sides.end());
  motion.weights.assign(std::size_t{1} << m, 0.0);
  motion.shares.resize(m);
  for (std::size_t j = 0; j < m; ++j) {
    motion.shares[j] = sides[j] == Side::positive ? 1.0 : sides[j] == Side::negative ? 0.0 : 0.5;
  }
  for (int round = 0; round < kMostNewtonRounds; ++round) {
    set_weights(motion);
    std::vector<double> step(on.size());
    for (std::size_t i = 0; i < on.size(); ++i) {
      step[i] = -combined_rate(rates, motion.weights, m, on[i]);
    }
    std::vector<double> a = jacobian(rates, motion, on);
    if (!solve(a, step)) {
      return false;
    }
    double largest = 0.0;
    for (std::size_t i = 0; i < on.size(); ++i) {
      motion.shares[on[i]] += step[i];
      largest = std::max(largest, std::fabs(step[i]));
    }
    if (!std::isfinite(largest)) {
      return false;
    }
    if (on.size() <= 1 || largest < kConverged) {
      set_weights(motion);
      return true;
    }
  }
  return false;
}

bool weigh_own_terms(std::span<const double> rates, std::span<const Side> sides, Motion& motion,
                     std::span<const double> given) {
  const std::size_t m = sides.size();
  std::vector<std::size_t> on = surfaces_on(sides);
  const auto push = [&](std::size_t row, std::size_t surface) {
    return rates[(std::size_t{1} << surface) * m + row] - rates[row];
  };
  motion.sides.assign(sides.begin(), sides.end());
  motion.shares.assign(m, 0.0);
  for (std::size_t j = 0; j < m; ++j) {
    const bool is_given = !given.empty() && !std::isnan(given[j]);
    motion.shares[j] = is_given ? given[j] : sides[j] == Side::positive ? 1.0 : 0.0;
  }
  if (!given.empty()) {
    std::erase_if(on, [&](std::size_t j) { return !std::isnan(given[j]); });
  }
  std::vector<double> a(on.size() * on.size()), shares(on.size());
  for (std::size_t row = 0; row < on.size(); ++row) {
    shares[row] = -rates[on[row]];
    for (std::size_t j = 0; j < m; ++j) {
      shares[row] -= motion.shares[j] * push(on[row], j);
    }
    for (std::size_t column = 0; column < on.size(); ++column) {
      a[row * on.size() + column] = push(on[row], on[column]);
    }
  }
  if (!solve(a, shares)) {
    return false;
  }
  motion.weights.assign(std::size_t{1} << m, 0.0);
  for (std::size_t i = 0; i < on.size(); ++i) {
    motion.shares[on[i]] = shares[i];
  }
  motion.weights[0] = 1.0;
  for (std::size_t j = 0; j < m; ++j) {
    motion.weights[std::size_t{1} << j] = motion.shares[j];
    motion.weights[0] -= motion.shares[j];
  }
  return std::isfinite(motion.weights[0]);
}

// A box-constrained linear complementarity problem: each surface is left to its negative side, slid
// on, or left to its positive one. Principal pivoting by the least index that is not yet right,
// which ends for P-matrices (Murty: Note on a Bard-type scheme, 1974).
std::vector<Motion> own_terms_motion(std::size_t surfaces, std::span<const double> rates) {
  const std::size_t m = surfaces;
  std::vector<double> pushes(m * m);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < m; ++j) {
      pushes[i * m + j] = rates[i] - rates[(std::size_t{1} << j) * m + i];
    }
  }
  if (!is_p_matrix(std::move(pushes), m)) {
    return {};
  }
  std::vector<Side> sides(m, Side::on);
  Motion motion;
  for (std::size_t round = 0; round < kMostPivots << m; ++round) {
    if (!weigh_own_terms(rates, sides, motion)) {
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
      const double rate = combined_rate(rates, motion.weights, m, wrong);
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

std::vector<Motion> possible_motions(std::size_t surfaces, std::span<const double> rates) {
  std::vector<Motion> possible;
  std::vector<Side> sides(surfaces, Side::negative);
  for (;;) {
    Motion motion;
    if (weigh(rates, sides, motion) && is_possible(rates, motion)) {
      possible.push_back(std::move(motion));
    }
    // The next combination, counting in threes.
    std::size_t j = 0;
    while (j < surfaces && sides[j] == Side::positive) {
      sides[j++] = Side::negative;
    }
    if (j == surfaces) {
      return possible;
    }
    sides[j] = sides[j] == Side::negative ? Side::on : Side::positive;
  }
}

}  // namespace saltus::sliding

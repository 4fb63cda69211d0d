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

bool solve_in_blocks(std::vector<double>& a, std::vector<double>& b) {
  const std::size_t n = b.size();
  if (n <= kMostEnumerated) return solve(a, b);
  std::vector<char> is_solved(n, 0);
  for (std::size_t root = 0; root < n; ++root) {
    if (is_solved[root] != 0) continue;
    std::vector<std::size_t> block{root};
    is_solved[root] = 1;
    for (std::size_t next = 0; next < block.size(); ++next) {
      for (std::size_t j = 0; j < n; ++j) {
        if (is_solved[j] == 0 && (a[block[next] * n + j] != 0.0 || a[j * n + block[next]] != 0.0)) {
          is_solved[j] = 1;
          block.push_back(j);
        }
      }
    }
    std::vector<double> own(block.size() * block.size()), right(block.size());
    for (std::size_t i = 0; i < block.size(); ++i) {
      right[i] = b[block[i]];
      for (std::size_t j = 0; j < block.size(); ++j) {
        own[i * block.size() + j] = a[block[i] * n + block[j]];
      }
    }
    if (!solve(own, right)) return false;
    for (std::size_t i = 0; i < block.size(); ++i) {
      b[block[i]] = right[i];
    }
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

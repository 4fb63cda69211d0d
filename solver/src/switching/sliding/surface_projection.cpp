// SPDX-License-Identifier: BSD-2-Clause
// The way onto surfaces, and to points beside them.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "grouped_motions.hpp"
#include "surfaces.hpp"

namespace saltus::sliding {
namespace {

// With the directions of the last step each takes the distance to a tenth or less where it gets
// anywhere, from a thousandth to rounding.
constexpr int kMostProjections = 12;
// What is this near to a surface, in its scale, is on it.
constexpr double kOnSurface = 4.0 * std::numeric_limits<double>::epsilon();

}  // namespace

// How far to go along each direction for the surface functions to change by `values`.
bool SurfaceSet::find_steps(std::vector<double>& values) const {
  const std::size_t k = size(), n = aim_.basis.size();
  if (aim_.slopes.size() != k * k) return false;  // nobody has aimed
  std::vector<double> a(n * n), b(n);
  for (std::size_t row = 0; row < n; ++row) {
    b[row] = values[aim_.basis[row]];
    for (std::size_t column = 0; column < n; ++column) {
      a[row * n + column] = aim_.slopes[aim_.basis[row] * k + aim_.basis[column]];
    }
  }
  if (!solve_in_blocks(a, b)) return false;
  std::fill(values.begin(), values.end(), 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    values[aim_.basis[i]] = b[i];
  }
  return true;
}

Eval SurfaceSet::gradients(double t, ConstVec y, std::vector<double>& gradients,
                           std::vector<double>& gram) {
  const std::size_t n = y.size(), k = size();
  gradients.resize(k * n);
  gram.assign(k * k, 0.0);
  for (std::size_t j = 0; j < k; ++j) {
    const Vec gradient = Vec(gradients).subspan(j * n, n);
    if (sides_.gradient(asked_slot(j), t, y, surfaces_[j].indicator, gradient) == Eval::discard) {
      return Eval::discard;
    }
    for (double& part : gradient) {
      part *= surfaces_[j].low_orientation;
    }
  }
  for (std::size_t l = 0; l < k; ++l) {
    for (std::size_t i = 0; i < n; ++i) {
      if (gradients[l * n + i] == 0.0) continue;
      for (std::size_t j = 0; j < k; ++j) {
        gram[l * k + j] +=
            gradients[l * n + i] * (gradients[j * n + i] * sides_.reach(i) * sides_.reach(i));
      }
    }
  }
  return Eval::ok;
}

// Direction j is the gradient of indicator j, each component in the size of its unknown.
Eval SurfaceSet::aim_by_gradient(double t, ConstVec y) {
  const std::size_t n = y.size(), k = size();
  std::vector<double> directions;
  if (gradients(t, y, directions, aim_.slopes) == Eval::discard) return Eval::discard;
  for (std::size_t i = 0; i < directions.size(); ++i) {
    directions[i] *= sides_.reach(i % n) * sides_.reach(i % n);
  }
  aim_.directions = std::move(directions);
  if (k > 2) {
    std::vector<std::size_t> order(k);
    std::iota(order.begin(), order.end(), std::size_t{0});
    aim_.basis = independent(aim_.slopes, k, order);
  }
  return Eval::ok;
}

Eval SurfaceSet::project(double t, Vec y, double precision) {
  const std::size_t n = y.size(), k = size();
  if (aim_.directions.empty() && aim_by_gradient(t, y) == Eval::discard) return Eval::discard;
  for (int round = 0; round < kMostProjections; ++round) {
    if (values(t, y, values_) == Eval::discard) return Eval::discard;
    bool there = true;
    for (const std::size_t j : aim_.basis) {
      const double near = std::max(kOnSurface, 2.0 * surfaces_[j].noise);
      there = there && std::fabs(values_[j]) <= near * surfaces_[j].scale;
    }
    if (there) return Eval::ok;
    double size_of_move = 0.0;
    if (!find_steps(values_)) return Eval::discard;
    for (std::size_t i = 0; i < n; ++i) {
      double move = 0.0;
      for (std::size_t j = 0; j < k; ++j) {
        move += values_[j] * aim_.directions[j * n + i];
      }
      y[i] -= move;
      const double size_of_y = std::max(sides_.nominals()[i], std::fabs(y[i]));
      size_of_move = std::max(size_of_move, std::fabs(move) / size_of_y);
    }
    if (size_of_move <= precision) return Eval::ok;
    if (!std::isfinite(size_of_move)) return Eval::discard;
  }
  return Eval::discard;
}

bool SurfaceSet::asks_beside() const {
  return !aim_.one_sided.empty() && std::all_of(aim_.one_sided.begin(), aim_.one_sided.end(),
                                                [](char one_sided) { return one_sided != 0; });
}

std::vector<double> SurfaceSet::where_to_ask(double t, ConstVec y, std::size_t vertex) {
  if (aim_.one_sided[vertex] == 0) {
    return {y.begin(), y.end()};
  }
  const Combination sides = combinations_.sides(vertex);
  return may_be_off ? beside(t, y, sides, kBeside) : displaced(y, sides, kBeside);
}

std::vector<double> SurfaceSet::beside(double t, ConstVec y, const Combination& sides,
                                       double distance) {
  std::vector<double> nearest(y.begin(), y.end());
  if (project(t, nearest, kBeside) == Eval::discard) {
    nearest.assign(y.begin(), y.end());
  }
  return displaced(nearest, sides, distance);
}

std::vector<double> SurfaceSet::displaced(ConstVec y, const Combination& sides,
                                          double distance) const {
  const std::size_t n = y.size(), k = size();
  std::vector<double> target(k);
  for (std::size_t j = 0; j < k; ++j) {
    target[j] = (sides[j] != 0 ? distance : -distance) * surfaces_[j].scale;
  }
  std::vector<double> moved(y.begin(), y.end());
  if (find_steps(target)) {
    for (std::size_t j = 0; j < k; ++j) {
      for (std::size_t i = 0; i < n; ++i) {
        moved[i] += target[j] * aim_.directions[j * n + i];
      }
    }
  }
  return moved;
}

}  // namespace saltus::sliding

// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

/// Gradients of indicators, each component in the size of its unknown: which of them point alike,
/// and what surfaces make of others.
namespace saltus::sliding {

/// How far the squared cosine of two normals that point alike may be off 1.
inline constexpr double kParallel = 1e-9;

double product(const std::vector<double>& a, const std::vector<double>& b);

bool are_parallel(const std::vector<double>& a, const std::vector<double>& b);

/// A normal as a sum of those of surfaces, and what is left of it along them.
struct Parts {
  std::vector<std::pair<std::size_t, double>> of;  ///< surface by surface, without those of no part
  std::vector<double> rest;
  bool is_whole = false;  ///< nothing is left: what has this normal rests while the motion slides
};

/// Of surfaces that follow from others, some have no part.
Parts parts_of(const std::vector<double>& normal, const std::vector<std::vector<double>>& surfaces);

}  // namespace saltus::sliding

// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "normals.hpp"
#include "surfaces.hpp"

/// Numbers that are zero wherever a motion slides, because their zeros are those of the surfaces,
/// or of sums of them: while the motion slides they are roundings, of which nobody is to be told.
namespace saltus::sliding {

/// A number that conditions look at, at y; not a number where the model cannot tell.
using Compared = std::function<double(ConstVec y)>;

/// What such a number is: positive or not where it is exactly zero, and within what distance it is
/// to count as that.
struct AtZero {
  bool positive;
  double within;
};

/// Looks at a number on both sides of its zero, along its gradient and so far from y that it
/// changes by `distance`. None if it does not change its sign there, or is zero elsewhere than the
/// surfaces are. `normals` are those of the surfaces.
std::optional<AtZero> zero_on(const SurfaceSet& on, SidesEvaluation& sides,
                              const std::vector<std::vector<double>>& normals, double t, ConstVec y,
                              const std::vector<double>& normal, double distance,
                              const Compared& compared);

/// The point moved along a normal until what has it for a gradient has changed by so much.
std::vector<double> moved_along(const SidesEvaluation& sides, ConstVec y,
                                const std::vector<double>& normal, double change);

}  // namespace saltus::sliding

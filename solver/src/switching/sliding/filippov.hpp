// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <span>
#include <vector>

/// Filippov's theory where switching surfaces meet, as arithmetic on rates.
///
/// At a point on m surfaces there are 2^m configurations, one a combination of sides; bit j of a
/// configuration's number says that it belongs to the positive side of surface j. All that decides
/// about the motion is how fast each field leaves each surface: rates[v * m + j] is the total time
/// derivative of surface function j along the field of configuration v (Filippov: Differential
/// Equations with Discontinuous Righthand Configurations, 1988, section 2.4).
namespace saltus::sliding {

/// Up to so many surfaces that act on each other all combinations of sides are looked at; beyond,
/// each has to switch a term of its own.
inline constexpr std::size_t kMostEnumerated = 3;

enum class Side : signed char { negative, on, positive };

/// One way to go on: off each surface to a side, or on it.
struct Motion {
  std::vector<Side> sides;      ///< per surface
  std::vector<double> shares;   ///< per surface: the weight of its positive side
  std::vector<double> weights;  ///< per configuration: its part in the field; they add up to 1
  /// Per surface: a share that is given, where surfaces depend on each other and the motion does
  /// not determine all of them; not a number: it is determined. Empty: all are.
  std::vector<double> given = {};
};

/// The weights with which the fields of the configurations that belong to `sides` combine to one
/// that stays on all surfaces marked `on`: products of one share a surface, found by Newton's
/// method; a linear system in one go where each surface switches a term of its own. A share beyond
/// [0, 1] means that the motion has left the surface. False where there is no solution near.
bool weigh(std::span<const double> rates, std::span<const Side> sides, Motion& motion);

/// Whether both sides of each surface that a weighed motion stays on push towards it.
bool attracts(std::span<const double> rates, const Motion& motion);

/// All ways to go on: those on no surface or some of them, for which the combined field leaves the
/// others to the side assumed and both sides of each surface it stays on push towards it. One is
/// the rule; none or several make the solution not unique.
std::vector<Motion> possible_motions(std::size_t surfaces, std::span<const double> rates);

/// Surfaces each of which switches a term of its own, so that the field is that of configuration 0
/// and, for each share, so much of what that surface alone adds: how fast surface functions grow.
struct OwnTerms {
  std::size_t surfaces = 0;
  std::vector<double> base;    ///< per surface: along the field of configuration 0
  std::vector<double> pushes;  ///< by rows: what the positive side of the column's surface adds

  double push(std::size_t row, std::size_t surface) const {
    return pushes[row * surfaces + surface];
  }
  /// How fast surface function j grows where surfaces have these shares.
  double rate(std::span<const double> shares, std::size_t j) const;
  /// From the rates of all combinations of sides.
  static OwnTerms of_all_combinations(std::size_t surfaces, std::span<const double> rates);
};

/// As `weigh`, for such surfaces: one linear system for the shares. Shares that are `given` stay
/// what they are. Weights are left to the caller.
bool weigh_own_terms(const OwnTerms& terms, std::span<const Side> sides, Motion& motion,
                     std::span<const double> given = {});

/// The way to go on for such surfaces, however many meet. None if it is not unique: it is where the
/// pushes of all surfaces, as they act on each other, make a P-matrix (all principal minors
/// positive), which those of dry friction do.
std::vector<Motion> own_terms_motion(const OwnTerms& terms);

/// The same for surfaces some of which follow from others, as those of contacts that make a closed
/// loop: the motion is unique, the shares are not. Of all that are possible the ones nearest to one
/// half are taken; those of surfaces that follow from others are given from there on. `gram` are
/// the products of the surfaces' gradients; `left` are sides on which shares have arrived.
std::vector<Motion> dependent_motion(const OwnTerms& terms, std::span<const double> gram,
                                     std::span<const Side> left);

/// Of vectors with these products, taken in this order: which are independent of those before.
std::vector<std::size_t> independent(std::span<const double> gram, std::size_t count,
                                     std::span<const std::size_t> order);

/// How fast surface function j grows along a combined field.
double combined_rate(std::span<const double> rates, std::span<const double> weights,
                     std::size_t surfaces, std::size_t j);

/// Solves a small dense system in place, with pivoting; `a` by rows. False where it is singular.
bool solve(std::vector<double>& a, std::vector<double>& b);
/// The same, block by block of what has common entries: for surfaces most of which have nothing to
/// do with each other.
bool solve_in_blocks(std::vector<double>& a, std::vector<double>& b);

}  // namespace saltus::sliding

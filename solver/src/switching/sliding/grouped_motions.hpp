// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "combinations.hpp"
#include "filippov.hpp"

/// Filippov's theory where many surfaces meet that come in groups, see `Combinations`: those that
/// act on each other are weighed together, all others apart.
///
/// `rates` are one row a combination, as in filippov.hpp. Twenty blocks with dry friction, each on
/// a base of its own, are twenty problems of one unknown.
namespace saltus::sliding {

/// Surfaces that act on each other: a side of one changes how fast another one is left.
struct CoupledSurfaces {
  std::vector<std::size_t> surfaces;
  bool own_terms = true;  ///< each of them is a group of its own
};

/// All surfaces, each in one of these.
std::vector<CoupledSurfaces> coupled_surfaces(const Combinations& combinations,
                                              std::span<const double> rates);

/// The rates of coupled surfaces alone in all combinations of their sides.
std::vector<double> enumerated_rates(const Combinations& combinations,
                                     std::span<const double> rates, const CoupledSurfaces& coupled);
OwnTerms own_terms_of(const Combinations& combinations, std::span<const double> rates,
                      const CoupledSurfaces& coupled);

/// As `weigh`, coupled surfaces by coupled surfaces. False where more than `kMostEnumerated` are
/// coupled that do not switch terms of their own.
bool weigh_groups(const Combinations& combinations, std::span<const double> rates,
                  std::span<const Side> sides, Motion& motion, std::span<const double> given = {});

/// The weights that follow from the shares: those of a group are products; combination 0 has what
/// is left.
void set_group_weights(const Combinations& combinations, Motion& motion);

}  // namespace saltus::sliding

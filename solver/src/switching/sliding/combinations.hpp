// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <vector>

namespace saltus::sliding {

/// One combination of sides. Per surface: whether the positive side is meant.
using Combination = std::vector<char>;

/// The combinations of sides that have configurations of their own.
///
/// On up to `kMostEnumerated` surfaces these are all: bit j of a combination's number says that
/// surface j is on its positive side. Where more surfaces meet, they come in groups, and each group
/// switches terms of its own, so that what a group adds to the field does not depend on the sides
/// of the others. Combination 0 is then that of all negative sides; behind it stand, group by
/// group, the other combinations of the group's sides, with the negative sides of all others. Two
/// surfaces that make a group and a third one alone have the combinations
///
///     000  100 010 110  001
///
/// Further combinations may stand behind these, with which it is checked that the groups are right.
class Combinations {
 public:
  /// Of no surface.
  Combinations() : Combinations(all(0)) {}
  static Combinations all(std::size_t surfaces);
  /// Surfaces that none of the groups contains are groups of one; each combination is there once.
  static Combinations grouped(std::size_t surfaces, std::vector<std::vector<std::size_t>> groups,
                              const std::vector<Combination>& checks = {});

  /// Combinations that show whether each surface is a group of its own, all positive sides among
  /// them.
  static std::vector<Combination> checks(std::size_t surfaces);
  /// The positive sides of each two surfaces: show which ones are not.
  static std::vector<Combination> pairs(std::size_t surfaces);

  std::size_t surfaces() const { return surfaces_; }
  std::size_t count() const { return is_complete_ ? std::size_t{1} << surfaces_ : sides_.size(); }
  bool is_complete() const { return is_complete_; }
  /// Those behind are for checks.
  std::size_t count_of_groups() const { return is_complete_ ? count() : count_of_groups_; }
  bool is_positive(std::size_t combination, std::size_t surface) const {
    return is_complete_ ? (combination >> surface & 1) != 0 : sides_[combination][surface] != 0;
  }
  Combination sides(std::size_t combination) const;
  /// The one in which this surface alone is on its positive side.
  std::size_t alone(std::size_t surface) const {
    return is_complete_ ? std::size_t{1} << surface : alone_[surface];
  }
  /// Empty where all combinations are there.
  const std::vector<std::vector<std::size_t>>& groups() const { return groups_; }
  /// The number of the first combination of a group that is not combination 0.
  std::size_t first_of(std::size_t group) const { return first_[group]; }

 private:
  Combinations(std::size_t surfaces, bool is_complete)
      : surfaces_(surfaces), is_complete_(is_complete) {}

  std::size_t surfaces_ = 0;
  bool is_complete_ = true;
  std::size_t count_of_groups_ = 0;
  std::vector<std::vector<std::size_t>> groups_;
  std::vector<std::size_t> first_, alone_;
  std::vector<Combination> sides_;
};

}  // namespace saltus::sliding

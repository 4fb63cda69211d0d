// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace saltus::modeling {

/// While it lives, passes with `Symbolic` note what they state, in full.
class EquationNotes {
 public:
  EquationNotes();
  ~EquationNotes();
  EquationNotes(const EquationNotes&) = delete;
  EquationNotes& operator=(const EquationNotes&) = delete;

  std::vector<std::string> lines;
  /// The comparisons that values have decided, see `no_event`, and one of them that is turned.
  std::vector<std::string> by_values;
  std::optional<std::size_t> turned;
  bool cut = false;
  /// Beyond this many characters an expression is cut.
  static constexpr std::size_t kLongest = 4000;
};

}  // namespace saltus::modeling

// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>

#include "saltus/core/variable.hpp"

namespace saltus::modeling {

/// What a comparison of a variable that is no number of the model gives: `mode == Mode::heating`,
/// `n >= 3`, `!on`. It is a `bool` that knows what it says, so that events are named as they are
/// written.
class WholeTruth {
 public:
  enum class Sign : std::uint8_t {
    equal,
    unequal,
    less,
    less_equal,
    greater,
    greater_equal,
    holds
  };
  /// A variable by its place, or a value.
  struct Side {
    const void* place = nullptr;
    std::int64_t value = 0;
    bool is_flag = false;
    const EnumerationType* items = nullptr;
  };

  WholeTruth(bool holds, Side left, Sign sign, Side right, bool opposite = false)
      : holds_(holds), opposite_(opposite), sign_(sign), left_(left), right_(right) {}
  operator bool() const { return holds_; }  // NOLINT(google-explicit-constructor)
  bool value() const { return holds_; }
  WholeTruth operator!() const { return {!holds_, left_, sign_, right_, !opposite_}; }

  bool is_opposite() const { return opposite_; }
  Sign sign() const { return sign_; }
  const Side& left() const { return left_; }
  const Side& right() const { return right_; }

 private:
  bool holds_;
  bool opposite_;
  Sign sign_;
  Side left_;
  Side right_;
};

/// As it is written, where the names of the variables are known.
std::string text_of(const WholeTruth& truth);

}  // namespace saltus::modeling

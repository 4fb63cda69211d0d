// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <string>

#include "saltus/core/variable.hpp"

/// The values of variables that `is_whole`: 64 bits, whatever their type.
namespace saltus::modeling {

/// What a whole number lies in memory as, and how large it may be there.
struct Whole {
  void* where = nullptr;
  /// An integer type, `boolean` or `float32`; items of enumerations lie there as an `int64`.
  Variable::Type stored = Variable::Type::int32;
};

std::int64_t read_other_whole(const Whole& whole);
void write_other_whole(const Whole& whole, std::int64_t value);
inline std::int64_t read_whole(const Whole& whole) {
  if (whole.stored == Variable::Type::boolean) {
    return *static_cast<const bool*>(whole.where) ? 1 : 0;
  }
  if (whole.stored == Variable::Type::int32) {
    return *static_cast<const std::int32_t*>(whole.where);
  }
  return read_other_whole(whole);
}
/// What the type cannot hold is cut off: see `check_whole`.
inline void write_whole(const Whole& whole, std::int64_t value) {
  if (whole.stored == Variable::Type::boolean) {
    *static_cast<bool*>(whole.where) = value != 0;
  } else if (whole.stored == Variable::Type::int32) {
    *static_cast<std::int32_t*>(whole.where) = static_cast<std::int32_t>(value);
  } else {
    write_other_whole(whole, value);
  }
}

/// Throws `std::invalid_argument`, naming the variable, when it cannot have the value: outside of
/// its type, of its declared limits, of its items.
inline void check_whole(const Variable& variable, std::int64_t value) {
  if (variable.check != nullptr) {
    variable.check(variable, value);
  }
}
/// What does that, for the types that a model has.
void check_integer(const Variable& variable, std::int64_t value);
void check_item(const Variable& variable, std::int64_t value);
void check_float(const Variable& variable, std::int64_t value);
/// The same of a number that shall become its value, and the bits of that. A Float32 takes the
/// nearest number that it can hold.
std::int64_t whole_from_number(const Variable& variable, double number);

/// Those of a Float32.
inline std::int64_t float_bits(double number) {
  return std::bit_cast<std::uint32_t>(static_cast<float>(number));
}
inline float float_of(std::int64_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}

double whole_as_number(const Variable& variable, std::int64_t value);
/// In digits, as FMI's descriptions write it; a boolean as 0 or 1.
std::string whole_text(const Variable& variable, std::int64_t value);

/// What an integer type can hold, in the manner of `Variable::lowest`.
struct WholeRange {
  std::int64_t lowest;
  std::int64_t highest;
};
WholeRange range_of(Variable::Type type);

/// A member of a model that holds a number which is not of the model's scalar type, and counts as
/// one in arithmetic with it.
template <class T>
concept HeldNumber = requires(const T& held) {
  { held.as_number() } -> std::same_as<double>;
};

}  // namespace saltus::modeling

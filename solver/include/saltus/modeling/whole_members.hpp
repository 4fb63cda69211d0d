// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "saltus/core/mistakes.hpp"
#include "saltus/core/number_text.hpp"
#include "saltus/modeling/enumerations.hpp"
#include "saltus/modeling/member_list.hpp"
#include "saltus/modeling/notes.hpp"
#include "saltus/modeling/steps.hpp"
#include "saltus/modeling/whole_conditions.hpp"

// Included by variables.hpp: parameters and discrete variables that are not of the model's scalar
// type, but integers, Booleans, items of an enumeration, or a Float32.
namespace saltus::modeling {

template <class Real>
class Parameter;
template <class T>
class Discrete;

template <class T>
concept IntegerType = std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char> &&
                      !std::same_as<T, wchar_t> && !std::same_as<T, char8_t> &&
                      !std::same_as<T, char16_t> && !std::same_as<T, char32_t>;
template <class T>
concept WholeType =
    IntegerType<T> || std::same_as<T, bool> || std::same_as<T, float> || std::is_enum_v<T>;

/// As what a value lies in memory, and how FMI calls the type.
template <WholeType T>
constexpr Variable::Type stored_type() {
  using enum Variable::Type;
  if constexpr (std::same_as<T, bool>) {
    return boolean;
  } else if constexpr (std::same_as<T, float>) {
    return float32;
  } else if constexpr (std::is_enum_v<T>) {
    return int64;
  } else if constexpr (sizeof(T) == 1) {
    return std::is_signed_v<T> ? int8 : uint8;
  } else if constexpr (sizeof(T) == 2) {
    return std::is_signed_v<T> ? int16 : uint16;
  } else if constexpr (sizeof(T) == 4) {
    return std::is_signed_v<T> ? int32 : uint32;
  } else {
    return std::is_signed_v<T> ? int64 : uint64;
  }
}
template <WholeType T>
constexpr auto stored_value(T value) {
  constexpr Variable::Type type = stored_type<T>();
  using enum Variable::Type;
  if constexpr (std::is_enum_v<T> || type == int64) {
    return static_cast<std::int64_t>(value);
  } else if constexpr (type == uint64) {
    return static_cast<std::uint64_t>(value);
  } else if constexpr (type == int32) {
    return static_cast<std::int32_t>(value);
  } else if constexpr (type == uint32) {
    return static_cast<std::uint32_t>(value);
  } else {
    return value;
  }
}
template <WholeType T>
using Stored = decltype(stored_value(T{}));
template <WholeType T>
constexpr std::int64_t bits_of(T value) {
  if constexpr (std::same_as<T, float>) {
    return std::bit_cast<std::uint32_t>(value);
  } else {
    return static_cast<std::int64_t>(value);
  }
}

/// Throw `std::range_error`: a whole number would become what its type cannot hold, or no item.
[[noreturn]] void throw_overflow(const std::string& value, Variable::Type type);
[[noreturn]] void throw_no_item(std::int64_t value, const EnumerationType& type);

template <WholeType T, class About>
AboutWhole about_whole(const char* name, const About& about, Variable::Role role,
                       Variable::Causality causality, bool tunable) {
  AboutWhole whole{.name = name,
                   .unit = about.unit,
                   .description = about.description,
                   .type = std::is_enum_v<T> ? Variable::Type::enumeration : stored_type<T>(),
                   .role = role,
                   .causality = causality,
                   .tunable = tunable,
                   .start = bits_of(about.start),
                   .lowest = std::numeric_limits<std::int64_t>::min(),
                   .highest = std::numeric_limits<std::int64_t>::max(),
                   .min = {},
                   .max = {},
                   .enumeration = nullptr,
                   .check = std::same_as<T, bool> ? nullptr : &check_integer};
  if constexpr (std::same_as<T, float>) {
    whole.min = about.min;
    whole.max = about.max;
    whole.check = &check_float;
  } else if constexpr (std::is_enum_v<T>) {
    whole.enumeration = &kEnumeration<T>;
    whole.check = &check_item;
    whole.lowest = about.min ? bits_of(*about.min) : whole.lowest;
    whole.highest = about.max ? bits_of(*about.max) : whole.highest;
  } else {
    whole.lowest = bits_of(about.min.value_or(std::numeric_limits<T>::min()));
    whole.highest = bits_of(about.max.value_or(std::numeric_limits<T>::max()));
  }
  return whole;
}

/// Holds the value. The model reads it as what it is.
template <WholeType T>
class HeldWhole {
 public:
  HeldWhole& operator=(const HeldWhole&) = delete;
  operator T() const { return value(); }  // NOLINT(google-explicit-constructor): n + 1 reads so
  T value() const {
    note_read(&value_);
    return static_cast<T>(value_);
  }
  /// For arithmetic with the model's scalar.
  double as_number() const requires(IntegerType<T> || std::same_as<T, float>) {
    return static_cast<double>(value());
  }
  const void* place() const { return &value_; }
  /// For the names of conditions.
  WholeTruth::Side side() const { return {.place = &value_}; }

 protected:
  explicit HeldWhole(T start) : value_(stored_value(start)) {}
  HeldWhole(const HeldWhole&) = default;
  void list(const AboutWhole& about) {
    if (auto* open = MemberList::open()) {
      open->whole(about, {&value_, stored_type<T>()});
    }
  }
  T held() const { return static_cast<T>(value_); }
  void hold(T value) {
    if constexpr (std::is_enum_v<T>) {
      bool is_item = false;
      for (const EnumerationItem& item : kEnumeration<T>.items) {
        is_item = is_item || item.value == bits_of(value);
      }
      if (!is_item) {
        throw_no_item(bits_of(value), kEnumeration<T>);
      }
    }
    note_write(&value_);
    value_ = stored_value(value);
  }

 private:
  Stored<T> value_;
};

/// What such a variable is compared with: an integer, or an item of the same enumeration.
template <class U, class T>
concept ComparedWhole =
    !std::same_as<T, float> && (std::same_as<U, T> || (std::integral<U> && std::integral<T>));
template <class U>
WholeTruth::Side side_of(U value) {
  if constexpr (std::is_enum_v<U>) {
    return {.value = bits_of(value), .items = &kEnumeration<U>};
  } else {
    return {.value = static_cast<std::int64_t>(value), .is_flag = std::same_as<U, bool>};
  }
}

#define SALTUS_WHOLE_COMPARISON(op, sign)                                        \
  template <WholeType T, ComparedWhole<T> U>                                     \
  WholeTruth operator op(const HeldWhole<T>& a, U b) {                           \
    return {a.value() op b, a.side(), WholeTruth::Sign::sign, side_of(b)};       \
  }                                                                              \
  template <WholeType T, ComparedWhole<T> U>                                     \
  WholeTruth operator op(U a, const HeldWhole<T>& b) {                           \
    return {a op b.value(), side_of(a), WholeTruth::Sign::sign, b.side()};       \
  }                                                                              \
  template <WholeType T, WholeType U>                                            \
  requires ComparedWhole<U, T> WholeTruth operator op(const HeldWhole<T>& a,     \
                                                      const HeldWhole<U>& b) {   \
    return {a.value() op b.value(), a.side(), WholeTruth::Sign::sign, b.side()}; \
  }
SALTUS_WHOLE_COMPARISON(==, equal)
SALTUS_WHOLE_COMPARISON(!=, unequal)
SALTUS_WHOLE_COMPARISON(<, less)
SALTUS_WHOLE_COMPARISON(<=, less_equal)
SALTUS_WHOLE_COMPARISON(>, greater)
SALTUS_WHOLE_COMPARISON(>=, greater_equal)
#undef SALTUS_WHOLE_COMPARISON
inline WholeTruth operator!(const HeldWhole<bool>& a) {
  return {!a.value(), a.side(), WholeTruth::Sign::holds, {}, true};
}

/// A whole number, a Boolean, an item or a Float32 that is constant in a run; `.tunable = true`
/// lets it change at events. A branch that it decides is no event while it is the same.
template <WholeType T>
class Parameter<T> : public HeldWhole<T> {
 public:
  [[gnu::noinline]] explicit Parameter(const char* name, const AboutParameter<T>& about = {})
      : HeldWhole<T>(about.start) {
    this->list(about_whole<T>(name, about, Variable::Role::parameter,
                              Variable::Causality::parameter, about.tunable));
  }
  Parameter(const Parameter&) = default;
  Parameter& operator=(const Parameter&) = delete;  // parameters are given from outside
};

/// A whole number, a Boolean, an item or a Float32 that changes at events only.
template <WholeType T>
class Discrete<T> : public HeldWhole<T> {
 public:
  [[gnu::noinline]] explicit Discrete(const char* name, const AboutDiscrete<T>& about = {})
      : HeldWhole<T>(about.start) {
    AboutWhole whole =
        about_whole<T>(name, about, Variable::Role::discrete, about.causality, false);
    whole.clocks = about.clocks;
    this->list(whole);
  }
  Discrete(const Discrete&) = default;
  Discrete& operator=(const Discrete& other) { return *this = other.held(); }
  Discrete& operator=(T value) {
    this->hold(value);
    return *this;
  }
  /// Throws `std::range_error` for what it cannot hold.
  template <IntegerType I>
  requires(IntegerType<T> && !std::same_as<I, T>) Discrete& operator=(I value) {
    if (!std::in_range<T>(value)) {
      throw_overflow(std::to_string(value), stored_type<T>());
    }
    return *this = static_cast<T>(value);
  }
  template <std::floating_point F>
  requires(!std::same_as<T, float>) Discrete& operator=(F) =
      delete;  // it holds whole numbers: nothing is cut off silently
  /// A condition: true while it holds. In `equations` it is an event like any other.
  template <class Condition>
  requires(
      std::same_as<T, bool>&& std::is_class_v<Condition>&& std::is_convertible_v<Condition, bool> &&
      !std::is_base_of_v<HeldWhole<bool>, Condition>) Discrete&
  operator=(const Condition& condition) {
    return *this = static_cast<bool>(condition);
  }

  /// Of `floor` and `ceil`: two conditions, the integer stays while neither holds.
  template <class Real>
  requires(IntegerType<T>) Discrete& operator=(const Stepped<Real>& step) {
    if (!step.is_held_by_name() || step.leaves(Real(*this))) {
      const double whole = step.is_held_by_name() ? step.value() : Real(step).value();
      if (!(whole >= static_cast<double>(std::numeric_limits<T>::min()) &&
            whole < 2.0 * static_cast<double>(std::numeric_limits<T>::max() / 2 + 1))) {
        throw_overflow(number_text(whole), stored_type<T>());
      }
      return *this = static_cast<T>(whole);
    }
    return *this;
  }

  Discrete& operator+=(T value) requires(IntegerType<T>) { return add(value); }
  Discrete& operator-=(T value) requires(IntegerType<T>) { return subtract(value); }
  template <IntegerType I>
  requires(IntegerType<T> && !std::same_as<I, T>) Discrete& operator+=(I value) {
    return add(value);
  }
  template <IntegerType I>
  requires(IntegerType<T> && !std::same_as<I, T>) Discrete& operator-=(I value) {
    return subtract(value);
  }
  Discrete& operator++() requires(IntegerType<T>) { return *this += T{1}; }
  Discrete& operator--() requires(IntegerType<T>) { return *this -= T{1}; }
  T operator++(int) requires(IntegerType<T>) {
    const T before = this->held();
    ++*this;
    return before;
  }
  T operator--(int) requires(IntegerType<T>) {
    const T before = this->held();
    --*this;
    return before;
  }

 private:
  template <class I>
  Discrete& add(I value) {
    T sum{};
    if (__builtin_add_overflow(this->held(), value, &sum)) {
      throw_overflow(std::to_string(this->held()) + " + " + std::to_string(value),
                     stored_type<T>());
    }
    return *this = sum;
  }
  template <class I>
  Discrete& subtract(I value) {
    T difference{};
    if (__builtin_sub_overflow(this->held(), value, &difference)) {
      throw_overflow(std::to_string(this->held()) + " - " + std::to_string(value),
                     stored_type<T>());
    }
    return *this = difference;
  }
};

}  // namespace saltus::modeling

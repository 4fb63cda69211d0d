// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "saltus/core/variable.hpp"

/// Sizes of a model that are decided when it is made:
///
///     template <class Real> struct Rod {
///       Size n{"n", 10, {.description = "cells", .max = 1000}};
///       States<Real> T{"T", n, {.unit = "K", .start = 300.0}};
///       void equations(Equations<Real>&) {
///         for (std::size_t i = 0; i < n; ++i) {
///           der(T[i]) = ...;
///         }
///       }
///     };
///     auto run = saltus::simulate<Rod>({.sizes = {{"n", 40}}});
///     NativeModel<Rod> rod{"Rod", {{"n", 40}}};
///
/// In an FMU of FMI 3.0 whose arrays are described as such, a size is a structural parameter: see
/// docs/fmi-support.md.
namespace saltus::modeling {

/// A `Size` without a `.max` is at most this: beyond it a number is more likely a mistake, which
/// would take all memory there is.
inline constexpr std::size_t kLargestSize = 1'000'000;

/// The metadata of a size.
struct AboutSize {
  const char* description = "";
  std::size_t min = 1;  ///< not less than 1: an array has an element
  std::size_t max = kLargestSize;
};

/// How many there are of something: a number that is known while the members behind it are
/// constructed, and that never changes in a model. It is used as the `std::size_t` that it is, and
/// as a number beside those of the model; a branch that it decides is no event.
class Size {
 public:
  /// `standard`: what it is where nobody says otherwise. Throws `std::invalid_argument` where what
  /// it is to be lies outside its limits.
  Size(const char* name, std::size_t standard, const AboutSize& about = {});
  Size(const Size&) = delete;
  Size& operator=(const Size&) = delete;  // it is decided when the model is made

  operator std::size_t() const { return value_; }  // NOLINT(google-explicit-constructor): i < n
  std::size_t value() const { return value_; }
  /// For arithmetic with the model's scalar.
  double as_number() const { return static_cast<double>(value_); }
  const void* place() const { return &shown_; }

 private:
  const std::size_t value_;
  std::uint64_t shown_;  // as a variable: whatever becomes of it, no loop runs too far
};

// With plain numbers it is one, too: 1.0 / n.
#define SALTUS_SIZE_ARITHMETIC(op)                  \
  template <std::floating_point F>                  \
  double operator op(const Size& a, F b) {          \
    return a.as_number() op static_cast<double>(b); \
  }                                                 \
  template <std::floating_point F>                  \
  double operator op(F a, const Size& b) {          \
    return static_cast<double>(a) op b.as_number(); \
  }
SALTUS_SIZE_ARITHMETIC(+)
SALTUS_SIZE_ARITHMETIC(-)
SALTUS_SIZE_ARITHMETIC(*)
SALTUS_SIZE_ARITHMETIC(/)
#undef SALTUS_SIZE_ARITHMETIC

/// Sizes by the names of their members, with those of the submodels that they stand in: "left.n".
using Sizes = std::map<std::string, std::uint64_t>;

/// While it lives, models that are constructed on this thread have these sizes; `sizes` has to
/// outlive it. Names that a model does not have are passed over: see `check_sizes`.
class SizeScope {
 public:
  explicit SizeScope(const Sizes& sizes);
  ~SizeScope();
  SizeScope(const SizeScope&) = delete;
  SizeScope& operator=(const SizeScope&) = delete;

 private:
  const Sizes* before_;
};

/// Those of a model.
Sizes sizes_of(std::span<const Variable> variables);

/// Throws `std::invalid_argument` where a model has no size of that name.
void check_sizes(std::span<const Variable> variables, const Sizes& sizes);

/// Throws `std::invalid_argument` where the variable, a size, may not be made anew with the value.
void check_new_size(const Variable& size, std::uint64_t value);

}  // namespace saltus::modeling

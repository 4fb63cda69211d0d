// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "saltus/core/connections.hpp"

namespace saltus::modeling {

/// A type of a few values with names.
struct EnumerationItem {
  std::string_view name;
  std::int64_t value = 0;
};
struct EnumerationType {
  std::string_view name;
  std::span<const EnumerationItem> items;
};

/// When a clock ticks, which is a variable like others for the outside.
struct ClockTiming {
  /// `triggered`: whenever somebody ticks it. `periodic`: at start + shift + k * interval.
  /// `changing` and `countdown`: when the model says, the first one in each of its ticks.
  enum class Kind { triggered, periodic, changing, countdown } kind = Kind::triggered;
  std::size_t number = 0;  ///< its position among the clocks
  double interval = 0.0;   ///< of a periodic one, unless a parameter says it
  double shift = 0.0;
  std::optional<std::size_t> parameter = {};  ///< which does, by its position among the variables
  /// Of changing ones and countdowns: the variable that says how long after the start of the run
  /// it ticks next, or something negative; by its position.
  std::size_t next = 0;
  std::uint32_t priority = 0;  ///< in Scheduled Execution

  bool is_periodic() const { return kind == Kind::periodic; }
  bool is_planned() const { return kind == Kind::changing || kind == Kind::countdown; }
};

class ClockMember;

/// The clocks that a variable belongs to, by their numbers: written `sample` or `{sample, reset}`.
struct OfClocks {
  std::uint64_t set = 0;  ///< bit i: that with the number i

  OfClocks() = default;
  bool has(std::size_t number) const { return number < 64 && ((set >> number) & 1U) != 0; }
  template <class... Clock>
  requires(sizeof...(Clock) > 0 && (std::is_base_of_v<ClockMember, Clock> && ...))
      OfClocks(const Clock&... clocks)  // NOLINT(google-explicit-constructor)
      : set((clocks.bit() | ...)) {}
};

/// What the outside of a model sees of one variable; the FMU's XML is written from these and from
/// nothing else.
struct Variable {
  /// Those of FMI 3.0.
  enum class Type {
    float64,
    float32,
    int8,
    uint8,
    int16,
    uint16,
    int32,
    uint32,
    int64,
    uint64,
    boolean,
    enumeration,
    string,
    binary,
    clock
  };
  /// `derivative` belongs to the state before it; `local` and `output` numbers are computed by
  /// `equations`; an `algebraic` is an unknown that the equations determine.
  enum class Role { state, derivative, algebraic, parameter, input, output, local, discrete };
  enum class Causality { parameter, input, output, local };

  std::string name;
  std::string unit;
  std::string description;
  Type type = Type::float64;
  Role role = Role::local;
  Causality causality = Causality::local;
  bool tunable = false;            ///< a parameter that may change at events
  bool continuous = false;         ///< may change between events
  bool is_size = false;            ///< a parameter that is decided when the model is made
  std::size_t index = 0;           ///< the position among the variables of its role and type family
  double start = 0.0;              ///< of a float64
  std::int64_t start_integer = 0;  ///< of what `is_whole`, as its bits
  std::optional<double> nominal;
  std::optional<double> min;  ///< of a float64 or float32
  std::optional<double> max;
  /// Of integers and enumerations, by declaration or by their type. Those of a uint64 are the bits
  /// of unsigned numbers.
  std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
  std::int64_t highest = std::numeric_limits<std::int64_t>::max();
  const EnumerationType* enumeration = nullptr;  ///< of an enumeration
  /// Of what `is_whole` and has more values than two: throws where it cannot have a value.
  void (*check)(const Variable& variable, std::int64_t value) = nullptr;
  const char* mime_type = "";     ///< of a binary
  const char* display_unit = "";  ///< of a float64
  ClockTiming clock = {};         ///< of a clock
  OfClocks clocks = {};           ///< in whose ticks alone it changes

  /// A number of the model's scalar type, which equations are differentiated by.
  bool is_number() const { return type == Type::float64; }
  bool is_text() const { return type == Type::string || type == Type::binary; }
  /// What 64 bits hold and equations are not differentiated by: integers, booleans (0, 1), items of
  /// an enumeration, the bits of a float32, and how often a clock ticks at the present instant.
  /// See `whole_values.hpp`.
  bool is_whole() const { return !is_number() && !is_text(); }
};

/// The metadata of a continuous variable, written in braces beside its name. `unit` uses FMI's
/// spelling ("m/s2").
struct About {
  const char* unit = "";
  double start = 0.0;
  const char* description = "";
  std::optional<double> nominal = {};
  std::optional<double> min = {};
  std::optional<double> max = {};
  bool tunable = false;
  /// In which an importer may show it, as "degC" where `unit` is "K": a literal.
  const char* display_unit = "";
};

/// The metadata of a discrete variable. Its causality makes it an input or an output of the FMU;
/// local is the default.
template <class T>
struct AboutDiscrete {
  const char* unit = "";
  T start = T{};
  const char* description = "";
  Variable::Causality causality = Variable::Causality::local;
  std::optional<T> min = {};
  std::optional<T> max = {};
  /// Declared before it. It is assigned in the bodies of their ticks and nowhere else.
  OfClocks clocks = {};
};

/// The metadata of a parameter that is not of the model's scalar type.
template <class T>
struct AboutParameter {
  const char* unit = "";
  T start = T{};
  const char* description = "";
  std::optional<T> min = {};
  std::optional<T> max = {};
  bool tunable = false;
};

/// What a model may say of itself as a whole: `static constexpr ModelInfo info{.description =
/// "...", .stop = 3.0};`
struct ModelInfo {
  const char* description = "";
  double start = 0.0;
  double stop = 1.0;
  double tolerance = 1e-6;
  double step_size = 0.0;  ///< a sensible distance of reports; 0: a five-hundredth of the run
  /// Some configuration has equations `eq(lhs, rhs)`. It need not be said where the first one has
  /// any, or where an `Algebraic` is declared.
  bool implicit = false;
  std::span<const Alias> aliases = {};
  std::span<const Terminal> terminals = {};  ///< of FMI 3.0
  /// Its FMU of FMI 3.0 offers Scheduled Execution, too, where each input clock is a task: for
  /// models that do something at ticks of clocks alone.
  bool scheduled = false;
};

}  // namespace saltus::modeling

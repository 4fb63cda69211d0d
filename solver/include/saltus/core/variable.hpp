// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace saltus::modeling {

/// What the outside of a model sees of one variable; the FMU's XML is written from these and from
/// nothing else.
struct Variable {
  enum class Type { float64, int32, int64, boolean };
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
  std::size_t index = 0;           ///< the position among the variables of its role and type family
  double start = 0.0;              ///< of a float64
  std::int64_t start_integer = 0;  ///< of an integer or a boolean (0, 1)
  std::optional<double> nominal;
  std::optional<double> min;
  std::optional<double> max;

  bool is_number() const { return type == Type::float64; }
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
};

/// The metadata of a discrete variable. Its causality makes it an input or an output of the FMU;
/// local is the default.
template <class T>
struct AboutDiscrete {
  const char* unit = "";
  T start = T{};
  const char* description = "";
  Variable::Causality causality = Variable::Causality::local;
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
};

}  // namespace saltus::modeling

// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>

namespace saltus::modeling {

/// Another name of a variable, as the FMU shows it:
///
///     static constexpr Alias aliases[] = {{"height", "h"}};
///     static constexpr ModelInfo info{.aliases = aliases};
struct Alias {
  const char* name;
  const char* of;  ///< the variable; the name of an array stands for the array
  const char* description = "";
};

/// One of the variables of a terminal.
struct TerminalMember {
  enum class Kind { signal, inflow, outflow };
  const char* variable;
  const char* name = "";  ///< within the terminal; empty: that of the variable
  Kind kind = Kind::signal;
};

/// Variables that are connected together, a plug of the FMU (FMI 3.0, 2.4.9):
///
///     static constexpr TerminalMember flange[] = {
///         {"phi", "angle"}, {"tau", "torque", TerminalMember::Kind::inflow}};
///     static constexpr Terminal terminals[] = {{"flange", flange}};
///     static constexpr ModelInfo info{.terminals = terminals};
///
/// Two terminals of the same `kind`, a word of one's own in the order of Internet names
/// ("org.modelica.Mechanics"), are meant for each other.
struct Terminal {
  /// What tools connect: members of the same names, all of them or those that both have, or members
  /// in the same order.
  enum class Matching { plug, bus, sequence };
  const char* name;
  std::span<const TerminalMember> members;
  Matching matching = Matching::plug;
  const char* kind = "";
  const char* description = "";
};

}  // namespace saltus::modeling

// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#ifdef __has_builtin
#if !__has_builtin(__builtin_source_location)
#define SALTUS_OWN_SOURCE_LOCATION
#endif
#endif
#ifndef SALTUS_OWN_SOURCE_LOCATION
#include <source_location>
#endif

/// What a model's author may have written by mistake, and how it is told.
namespace saltus::modeling {

/// A model that cannot mean what it seems to mean. The message names the variable or the condition
/// and says what to write instead.
class ModelMistake : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// A model that assigns its own input: a mistake on whichever path it does so.
class InputAssigned : public ModelMistake {
 public:
  using ModelMistake::ModelMistake;
};

/// Where in its source a model calls something.
#ifdef SALTUS_OWN_SOURCE_LOCATION
class Site {
 public:
  static constexpr Site current(unsigned line = __builtin_LINE(),
                                unsigned column = __builtin_COLUMN()) {
    Site here;
    here.line_ = line;
    here.column_ = column;
    return here;
  }
  constexpr unsigned line() const { return line_; }
  constexpr unsigned column() const { return column_; }

 private:
  unsigned line_ = 0;
  unsigned column_ = 0;
};
#undef SALTUS_OWN_SOURCE_LOCATION
#else
using Site = std::source_location;
#endif

/// A number that marks a variable as not yet assigned in a pass: not a number, with the position of
/// the variable inside. Arithmetic hands it on (IEEE 754-2019, 6.2.3), so that whatever was
/// computed from the variable too early shows which one it was.
inline double unassigned(std::size_t variable) {
  constexpr std::uint64_t kTag = 0x7ff8'5a17'0000'0000U;
  return std::bit_cast<double>(kTag | (variable & 0xffff'ffffU));
}
/// Whether it comes from such a mark; `variable` is then the position.
inline bool is_unassigned(double value) {
  return (std::bit_cast<std::uint64_t>(value) & 0x7fff'ffff'0000'0000U) == 0x7ff8'5a17'0000'0000U;
}
inline std::size_t unassigned_variable(double value) {
  return std::bit_cast<std::uint64_t>(value) & 0xffff'ffffU;
}

/// Throw `ModelMistake`: what the equations leave without a value, or read before they assign it;
/// an unknown that equations() moves, or events() outside of a body; what a body assigns although
/// it belongs to the equations.
[[noreturn]] void throw_unassigned(const std::string& variable, double t, bool never);
[[noreturn]] void throw_moved(const std::string& unknown, double t, bool by_equations);
[[noreturn]] void throw_assigned_in_body(const std::string& variable);
/// Throws `ModelMistake`: der() of what is no state.
[[noreturn]] void throw_no_state(const std::string& text);
/// Of a parameter.
[[noreturn]] void throw_no_value(const char* name);
/// Throw `ModelMistake`: events() assigns an input; equations() does in another configuration than
/// the first.
[[noreturn]] void throw_input_in_events();
[[noreturn]] void throw_input_assigned(const std::string& input, double t);
/// Throws `std::invalid_argument`: a member without a name.
[[noreturn]] void throw_nameless();
/// Throws `std::out_of_range`.
[[noreturn]] void no_such_element(const std::string& array, std::size_t element, std::size_t count);

}  // namespace saltus::modeling

// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace saltus::importer {

/// The fourteen types of FMI 3.0, enumeration included, and clocks.
enum class VariableType {
  float32,
  float64,
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  boolean,
  string,
  binary,
  enumeration,
  clock,
};
/// The standard's name of a type: "Float64", "Enumeration".
const char* to_string(VariableType type);

/// Whether values of the type are numbers or truth values, so that they fit into a table of
/// numbers. 64-bit integers beyond 2^53 lose their last digits there.
bool is_numeric(VariableType type);

/// A binary value: any bytes, perhaps none.
struct Binary {
  std::vector<std::uint8_t> bytes;
  friend bool operator==(const Binary&, const Binary&) = default;
};

/// One element of a variable, in the C++ type that belongs to its FMI type. An enumeration is an
/// `int64_t`, a clock a `bool`.
using Scalar = std::variant<double, float, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t,
                            std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, bool,
                            std::string, Binary>;

/// The value of a variable: one scalar, or as many as the array has elements, row by row.
using Value = std::vector<Scalar>;

/// The scalar as a number: 0 and 1 for truth values, NaN for texts and binaries.
double to_number(const Scalar& scalar);
/// A number as a scalar of type `type`, rounded to the nearest integer where needed and held at
/// the ends of the type's range. Throws `std::invalid_argument` for texts and binaries.
Scalar from_number(VariableType type, double number);

/// Reads one element. Numbers are those of XML Schema (`INF`, `-INF`, `NaN` included), truth values
/// are `true`, `false`, `1`, `0`; a binary is written in hexadecimal; a string is taken as it is.
/// Throws `std::invalid_argument` with a sentence that names text and type.
Scalar parse_scalar(VariableType type, std::string_view text);

/// Reads a list of elements, separated by any XML white space. A string or binary is one element.
Value parse_value(VariableType type, std::string_view text);

/// The reverse: the shortest text that reads back as the same value. Truth values become `true` and
/// `false`, elements of an array are separated by a blank.
std::string format_scalar(const Scalar& scalar);
std::string format_value(const Value& value);

}  // namespace saltus::importer

// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/importer/value.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <type_traits>

#include "number_text.hpp"

namespace saltus::importer {
namespace {

[[noreturn]] void reject(VariableType type, std::string_view text) {
  throw std::invalid_argument(
      fmt::format("\"{}\" is not a value of type {}", text, to_string(type)));
}

template <class Number>
Scalar parse_number(VariableType type, std::string_view text) {
  Number number{};
  if (!read_number(text, number)) reject(type, text);
  return number;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

Scalar parse_binary(std::string_view text) {
  const std::string_view digits = trim(text);
  Binary binary;
  if (digits.size() % 2 != 0) reject(VariableType::binary, text);
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    const int high = hex_digit(digits[i]);
    const int low = hex_digit(digits[i + 1]);
    if (high < 0 || low < 0) reject(VariableType::binary, text);
    binary.bytes.push_back(static_cast<std::uint8_t>(16 * high + low));
  }
  return binary;
}

/// The nearest integer of the type. A double cannot hold every limit of a 64-bit type, hence the
/// comparison with powers of two instead of a cast of the limit.
template <class Integer>
Integer nearest(double number) {
  using Limits = std::numeric_limits<Integer>;
  const double upper = std::ldexp(1.0, Limits::digits);
  if (std::isnan(number)) return 0;
  const double rounded = std::nearbyint(number);
  if (rounded >= upper) return Limits::max();
  if (rounded < static_cast<double>(Limits::min())) return Limits::min();
  return static_cast<Integer>(rounded);
}

}  // namespace

const char* to_string(VariableType type) {
  switch (type) {
    case VariableType::float32:
      return "Float32";
    case VariableType::float64:
      return "Float64";
    case VariableType::int8:
      return "Int8";
    case VariableType::uint8:
      return "UInt8";
    case VariableType::int16:
      return "Int16";
    case VariableType::uint16:
      return "UInt16";
    case VariableType::int32:
      return "Int32";
    case VariableType::uint32:
      return "UInt32";
    case VariableType::int64:
      return "Int64";
    case VariableType::uint64:
      return "UInt64";
    case VariableType::boolean:
      return "Boolean";
    case VariableType::string:
      return "String";
    case VariableType::binary:
      return "Binary";
    case VariableType::enumeration:
      return "Enumeration";
    case VariableType::clock:
      return "Clock";
  }
  return "?";
}

bool is_numeric(VariableType type) {
  return type != VariableType::string && type != VariableType::binary;
}

double to_number(const Scalar& scalar) {
  return std::visit(
      [](const auto& held) {
        if constexpr (std::is_arithmetic_v<std::decay_t<decltype(held)>>) {
          return static_cast<double>(held);
        } else {
          return std::numeric_limits<double>::quiet_NaN();
        }
      },
      scalar);
}

Scalar from_number(VariableType type, double number) {
  switch (type) {
    case VariableType::float32:
      return static_cast<float>(number);
    case VariableType::float64:
      return number;
    case VariableType::int8:
      return nearest<std::int8_t>(number);
    case VariableType::uint8:
      return nearest<std::uint8_t>(number);
    case VariableType::int16:
      return nearest<std::int16_t>(number);
    case VariableType::uint16:
      return nearest<std::uint16_t>(number);
    case VariableType::int32:
      return nearest<std::int32_t>(number);
    case VariableType::uint32:
      return nearest<std::uint32_t>(number);
    case VariableType::int64:
    case VariableType::enumeration:
      return nearest<std::int64_t>(number);
    case VariableType::uint64:
      return nearest<std::uint64_t>(number);
    case VariableType::boolean:
    case VariableType::clock:
      return number != 0.0;
    case VariableType::string:
    case VariableType::binary:
      break;
  }
  throw std::invalid_argument(fmt::format("a {} cannot hold a number", to_string(type)));
}

Scalar parse_scalar(VariableType type, std::string_view text) {
  switch (type) {
    case VariableType::float32:
      return parse_number<float>(type, text);
    case VariableType::float64:
      return parse_number<double>(type, text);
    case VariableType::int8:
      return parse_number<std::int8_t>(type, text);
    case VariableType::uint8:
      return parse_number<std::uint8_t>(type, text);
    case VariableType::int16:
      return parse_number<std::int16_t>(type, text);
    case VariableType::uint16:
      return parse_number<std::uint16_t>(type, text);
    case VariableType::int32:
      return parse_number<std::int32_t>(type, text);
    case VariableType::uint32:
      return parse_number<std::uint32_t>(type, text);
    case VariableType::int64:
    case VariableType::enumeration:
      return parse_number<std::int64_t>(type, text);
    case VariableType::uint64:
      return parse_number<std::uint64_t>(type, text);
    case VariableType::boolean:
    case VariableType::clock: {
      bool value = false;
      if (!read_boolean(text, value)) reject(type, text);
      return value;
    }
    case VariableType::string:
      return std::string(text);
    case VariableType::binary:
      return parse_binary(text);
  }
  reject(type, text);
}

Value parse_value(VariableType type, std::string_view text) {
  if (!is_numeric(type)) return {parse_scalar(type, text)};
  Value value;
  for (const std::string_view word : split(text)) value.push_back(parse_scalar(type, word));
  return value;
}

std::string format_scalar(const Scalar& scalar) {
  return std::visit(
      [](const auto& held) -> std::string {
        using Held = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<Held, bool>) {
          return held ? "true" : "false";
        } else if constexpr (std::is_arithmetic_v<Held>) {
          std::string text;
          append_number(text, held);
          return text;
        } else if constexpr (std::is_same_v<Held, Binary>) {
          std::string text;
          for (const std::uint8_t byte : held.bytes) text += fmt::format("{:02x}", byte);
          return text;
        } else {
          return held;
        }
      },
      scalar);
}

std::string format_value(const Value& value) {
  std::string text;
  for (const Scalar& scalar : value) {
    if (&scalar != value.data()) text += ' ';
    text += format_scalar(scalar);
  }
  return text;
}

}  // namespace saltus::importer

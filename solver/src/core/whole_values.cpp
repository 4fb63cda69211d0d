// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/core/whole_values.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "saltus/core/number_text.hpp"

namespace saltus::modeling {
namespace {

using Type = Variable::Type;

template <class T>
std::int64_t bits_at(const void* where) {
  return static_cast<std::int64_t>(*static_cast<const T*>(where));
}
template <class T>
void put_bits(void* where, std::int64_t value) {
  *static_cast<T*>(where) = static_cast<T>(value);
}

[[noreturn]] void refuse(const Variable& v, const std::string& value, const std::string& why) {
  throw std::invalid_argument("\"" + v.name + "\" cannot be " + value + ": " + why);
}

std::string items_text(const EnumerationType& type) {
  std::string text = "it is one of";
  const char* gap = " ";
  for (const EnumerationItem& item : type.items) {
    text += gap + std::to_string(item.value) + " (" + std::string(item.name) + ")";
    gap = ", ";
  }
  return text;
}

std::string limits_text(const Variable& v) {
  return "it has to be from " + whole_text(v, v.lowest) + " to " + whole_text(v, v.highest);
}

}  // namespace

std::int64_t read_other_whole(const Whole& whole) {
  switch (whole.stored) {
    case Type::int8:
      return bits_at<std::int8_t>(whole.where);
    case Type::uint8:
      return bits_at<std::uint8_t>(whole.where);
    case Type::int16:
      return bits_at<std::int16_t>(whole.where);
    case Type::uint16:
      return bits_at<std::uint16_t>(whole.where);
    case Type::uint32:
      return bits_at<std::uint32_t>(whole.where);
    case Type::uint64:
      return bits_at<std::uint64_t>(whole.where);
    case Type::float32:
      return std::bit_cast<std::uint32_t>(*static_cast<const float*>(whole.where));
    default:
      return bits_at<std::int64_t>(whole.where);
  }
}

void write_other_whole(const Whole& whole, std::int64_t value) {
  switch (whole.stored) {
    case Type::int8:
      return put_bits<std::int8_t>(whole.where, value);
    case Type::uint8:
      return put_bits<std::uint8_t>(whole.where, value);
    case Type::int16:
      return put_bits<std::int16_t>(whole.where, value);
    case Type::uint16:
      return put_bits<std::uint16_t>(whole.where, value);
    case Type::uint32:
      return put_bits<std::uint32_t>(whole.where, value);
    case Type::uint64:
      return put_bits<std::uint64_t>(whole.where, value);
    case Type::float32:
      *static_cast<float*>(whole.where) = float_of(value);
      return;
    default:
      return put_bits<std::int64_t>(whole.where, value);
  }
}

void check_float(const Variable& v, std::int64_t bits) {
  const float value = float_of(bits);
  if (!std::isfinite(value)) {
    refuse(v, number_text(value), "it is a finite number of 32 bits");
  }
  if ((v.min && value < *v.min) || (v.max && value > *v.max)) {
    refuse(v, number_text(value),
           "it is declared to be from " + number_text(v.min.value_or(-HUGE_VAL)) + " to " +
               number_text(v.max.value_or(HUGE_VAL)));
  }
}

void check_item(const Variable& v, std::int64_t value) {
  const auto is_it = [&](const EnumerationItem& item) { return item.value == value; };
  const auto items = v.enumeration->items;
  if (std::none_of(items.begin(), items.end(), is_it)) {
    refuse(v, std::to_string(value), items_text(*v.enumeration));
  }
  check_integer(v, value);
}

void check_integer(const Variable& v, std::int64_t value) {
  // With its first bit turned, an unsigned number is ordered as a signed one.
  const auto turned = [&](std::int64_t bits) {
    return v.type == Type::uint64 ? bits ^ std::numeric_limits<std::int64_t>::min() : bits;
  };
  if (turned(value) < turned(v.lowest) || turned(value) > turned(v.highest)) {
    refuse(v, whole_text(v, value), limits_text(v));
  }
}

std::int64_t whole_from_number(const Variable& v, double number) {
  std::int64_t value = 0;
  if (v.type == Type::float32) {
    value = float_bits(number);
  } else {
    // Beyond 2^53 doubles are no longer all whole numbers there are.
    if (v.type == Type::boolean && number != 0.0 && number != 1.0) {
      refuse(v, number_text(number), "it is 0 or 1");
    }
    if (number != std::trunc(number)) {
      refuse(v, number_text(number), "it is a whole number");
    }
    if (std::fabs(number) > 0x1p53) {
      refuse(v, number_text(number), "as a double, such a number is no longer exact");
    }
    if (v.type == Type::uint64 && number < 0.0) {
      refuse(v, number_text(number), limits_text(v));
    }
    value = static_cast<std::int64_t>(number);
  }
  check_whole(v, value);
  return value;
}

double whole_as_number(const Variable& v, std::int64_t value) {
  return v.type == Type::float32  ? static_cast<double>(float_of(value))
         : v.type == Type::uint64 ? static_cast<double>(static_cast<std::uint64_t>(value))
                                  : static_cast<double>(value);
}

std::string whole_text(const Variable& v, std::int64_t value) {
  return v.type == Type::float32  ? number_text(float_of(value))
         : v.type == Type::uint64 ? std::to_string(static_cast<std::uint64_t>(value))
                                  : std::to_string(value);
}

WholeRange range_of(Type type) {
  const auto of = [](auto limits) -> WholeRange {
    return {static_cast<std::int64_t>(limits.min()), static_cast<std::int64_t>(limits.max())};
  };
  switch (type) {
    case Type::int8:
      return of(std::numeric_limits<std::int8_t>());
    case Type::uint8:
      return of(std::numeric_limits<std::uint8_t>());
    case Type::int16:
      return of(std::numeric_limits<std::int16_t>());
    case Type::uint16:
      return of(std::numeric_limits<std::uint16_t>());
    case Type::int32:
      return of(std::numeric_limits<std::int32_t>());
    case Type::uint32:
      return of(std::numeric_limits<std::uint32_t>());
    case Type::uint64:
      return of(std::numeric_limits<std::uint64_t>());
    case Type::boolean:
      return {0, 1};
    default:
      return of(std::numeric_limits<std::int64_t>());
  }
}

}  // namespace saltus::modeling

// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

#include "saltus/core/variable.hpp"

/// The names of a C++ enumeration and of its enumerators, as the compiler writes them where a
/// function tells with which template arguments it was made.
namespace saltus::modeling {

/// Enumerators are looked for from zero up to here.
inline constexpr std::size_t kMostItems = 64;

// "... [with auto argument = tank::Mode::off; ...]" of gcc, "... [argument = tank::Mode::off]" of
// clang. What has no name is written as "(tank::Mode)5".
template <auto argument>
constexpr std::string_view told_value() {
  return __PRETTY_FUNCTION__;
}
template <class argument>
constexpr std::string_view told_type() {
  return __PRETTY_FUNCTION__;
}
constexpr std::string_view last_word(std::string_view told) {
  const std::size_t begin = told.find("argument = ");
  const std::string_view text = told.substr(begin, told.find_first_of(";]", begin) - begin);
  return text.substr(text.find_last_of(":) ") + 1);
}
constexpr bool is_name(std::string_view word) {
  return !word.empty() && word[0] != '-' && !(word[0] >= '0' && word[0] <= '9');
}

template <class Enum>
struct FoundItems {
  template <std::size_t... values>
  static constexpr auto find(std::index_sequence<values...>) {
    constexpr std::array names{last_word(told_value<static_cast<Enum>(values)>())...};
    constexpr std::size_t count = (std::size_t{0} + ... + std::size_t{is_name(names[values])});
    static_assert(count > 0,
                  "no enumerator was found between 0 and 63: specialize EnumerationNames for it");
    std::array<EnumerationItem, count> items{};
    std::size_t next = 0;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (is_name(names[i])) {
        items[next++] = {names[i], static_cast<std::int64_t>(i)};
      }
    }
    return items;
  }
};

/// What an enumeration is called, and its items. Whoever has enumerators beyond 63 or below zero,
/// or wants other names, says so:
///
///     template <> struct saltus::modeling::EnumerationNames<Gear> {
///       static constexpr std::string_view name = "Gear";
///       static constexpr EnumerationItem items[] = {{"reverse", -1}, {"neutral", 0}};
///     };
template <class Enum>
struct EnumerationNames {
  static_assert(std::is_enum_v<Enum> && !std::is_convertible_v<Enum, int>,
                "a variable's type is an enum class");
  static constexpr std::string_view name = last_word(told_type<Enum>());
  static constexpr auto items = FoundItems<Enum>::find(std::make_index_sequence<kMostItems>());
};

template <class Enum>
inline constexpr EnumerationType kEnumeration{EnumerationNames<Enum>::name,
                                              EnumerationNames<Enum>::items};

}  // namespace saltus::modeling

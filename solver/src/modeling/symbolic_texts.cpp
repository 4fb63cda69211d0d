// SPDX-License-Identifier: BSD-2-Clause
// How conditions and variables are called.
#include <algorithm>
#include <cstdint>
#include <string_view>

#include "saltus/core/number_text.hpp"
#include "saltus/modeling/variables.hpp"
#include "symbolic_spelling.hpp"

namespace saltus::modeling {
namespace {

// Letters of a formula as it is shown; longer ones are cut.
constexpr std::size_t kLongest = 160;

/// FNV-1a: G. Fowler, L. C. Noll, K.-P. Vo, with the published constants for 32 bits.
std::uint32_t hash(std::string_view text) {
  std::uint32_t sum = 2166136261U;
  for (const char letter : text) {
    sum = (sum ^ static_cast<unsigned char>(letter)) * 16777619U;
  }
  return sum;
}

}  // namespace

std::string shortened(std::string text) {
  const std::size_t longest = noted == nullptr ? kLongest : EquationNotes::kLongest;
  if (text.size() <= longest) return text;
  if (noted != nullptr) {
    noted->cut = true;
    text.resize(longest);
    return text + "...";
  }
  const std::string number = std::to_string(hash(text));
  text.resize(longest);
  return text + " #" + number + "...";
}

std::string name_at(const void* place, const std::string& otherwise) {
  if (spelling_now != nullptr && place != nullptr) {
    for (const Variable& variable : spelling_now->members.variables) {
      if (variable.is_whole() && spelling_now->members.wholes[variable.index].where == place) {
        return variable.name;
      }
    }
  }
  return otherwise;
}

std::string names_read() {
  std::string names;
  if (noted_reads == nullptr) return names;
  const auto begin = noted_reads->begin() + static_cast<std::ptrdiff_t>(std::min(
                                                spelling_now->reads_told, noted_reads->size()));
  for (auto read = begin; read != noted_reads->end(); ++read) {
    const std::string name = name_at(*read, "");
    if (!name.empty() && std::find(begin, read, *read) == read) {
      names += (names.empty() ? "" : ", ") + name;
    }
  }
  return names.empty() ? names : " (" + names + ")";
}

std::string SymbolicTruth::name_of(const void* flag) { return name_at(flag, ""); }
std::string Symbolic::held_name(const void* place, double value) {
  return name_at(place, number_text(value));
}

std::string text_of(const WholeTruth& truth) {
  using Sign = WholeTruth::Sign;
  constexpr const char* kSigns[] = {" == ", " != ", " < ", " <= ", " > ", " >= "};
  constexpr Sign kOpposite[] = {Sign::unequal, Sign::equal,      Sign::greater_equal,
                                Sign::greater, Sign::less_equal, Sign::less};
  const auto text = [](const WholeTruth::Side& side) -> std::string {
    if (side.place != nullptr) return name_at(side.place, kDiscrete);
    if (side.is_flag) return side.value != 0 ? "true" : "false";
    if (side.items != nullptr) {
      for (const EnumerationItem& item : side.items->items) {
        if (item.value == side.value) {
          return std::string(side.items->name) + "::" + std::string(item.name);
        }
      }
    }
    return std::to_string(side.value);
  };
  if (truth.sign() == Sign::holds) {
    return (truth.is_opposite() ? "!" : "") + text(truth.left());
  }
  const auto sign = static_cast<std::size_t>(truth.sign());
  const auto written = truth.is_opposite() ? static_cast<std::size_t>(kOpposite[sign]) : sign;
  return text(truth.left()) + kSigns[written] + text(truth.right());
}

}  // namespace saltus::modeling

// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/core/nearest_names.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace saltus {
namespace {

constexpr std::size_t kMostSuggestions = 3;

// Whoever has typed another case means the same name.
std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

// Insertions, deletions and substitutions (Levenshtein), one row of the table at a time.
// NOLINTNEXTLINE(bugprone-easily-swappable-parameters): swapped, they give the same number
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (const char c : a) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t substituted = diagonal + (c == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({substituted, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

}  // namespace

std::vector<std::string> nearest_names(std::string_view name,
                                       const std::vector<std::string>& known) {
  std::vector<std::pair<std::size_t, std::string>> near;
  const std::string meant = in_lower_case(name);
  for (const std::string& candidate : known) {
    const std::string lower = in_lower_case(candidate);
    const std::size_t distance = edits(meant, lower);
    const bool is_beginning = !name.empty() && lower.starts_with(meant);
    if (is_beginning || distance <= 1 + name.size() / 3) near.emplace_back(distance, candidate);
  }
  std::sort(near.begin(), near.end());
  near.resize(std::min(near.size(), kMostSuggestions));
  std::vector<std::string> names;
  names.reserve(near.size());
  for (auto& [distance, candidate] : near) names.push_back(std::move(candidate));
  return names;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& known) {
  const std::vector<std::string> names = nearest_names(name, known);
  std::string text;
  for (const std::string& each : names) {
    text += (text.empty() ? "; did you mean \"" : "\" or \"") + each;
  }
  return text.empty() ? text : text + "\"?";
}

}  // namespace saltus

// SPDX-License-Identifier: BSD-2-Clause
// An index analysis in words, for people.
#include <algorithm>
#include <functional>
#include <map>

#include "array_matrix.hpp"
#include "saltus/dae/index_analysis.hpp"

namespace saltus {
namespace {

// For reading: the width of a column of the text, and what fits on a page of it.
constexpr std::size_t kWidth = 26;
constexpr std::size_t kMostNames = 50;

void add(std::string& lines, std::string label, const std::string& value) {
  label.resize(std::max(kWidth, label.size() + 1), ' ');
  lines += label + value + "\n";
}
void add(std::string& lines, const std::string& label, int value) {
  add(lines, label, std::to_string(value));
}

std::string times(int count) {
  return count == 1 ? "once" : count == 2 ? "twice" : std::to_string(count) + " times";
}

std::string joined(const std::vector<std::string>& names) {
  std::string result;
  for (std::size_t k = 0; k < std::min(names.size(), kMostNames); ++k) {
    result += (k == 0 ? "" : ", ") + names[k];
  }
  const std::size_t more = names.size() - std::min(names.size(), kMostNames);
  return names.empty() ? "none"
                       : result + (more > 0 ? ", and " + std::to_string(more) + " more" : "");
}

}  // namespace

std::string describe(const IndexAnalysis& analysis, const DerivativeArray& array,
                     const std::vector<std::string>& unknown_names,
                     const std::vector<std::string>& states) {
  const CharacteristicValues& values = analysis.values;
  // Structural differentiations may be more than are needed.
  const std::string bound = analysis.structural && values.mu > 0 ? " at most" : "";
  std::string lines;
  add(lines, "unknowns", values.n);
  add(lines, "equations", values.m);
  add(lines, "strangeness index mu", std::to_string(values.mu) + bound);
  add(lines, "differentiation index", std::to_string(values.a == 0 ? 0 : values.mu + 1) + bound);
  add(lines, "differential equations d", values.d);
  add(lines, "algebraic equations a", values.a);
  add(lines, "undetermined unknowns u", values.u);
  add(lines, "redundant equations v", values.v);
  add(lines, "found by",
      analysis.structural
          ? "the structure of the equations, verified by numbers"
          : "the ranks of the derivative array, because " + (analysis.why_not_structural.empty()
                                                                 ? "that was asked for"
                                                                 : analysis.why_not_structural));
  add(lines, "states", joined(states));
  std::map<int, std::vector<std::string>, std::greater<>> differentiated;
  for (std::size_t i = 0; i < analysis.level.size(); ++i) {
    if (analysis.level[i] > 0) {
      differentiated[analysis.level[i]].push_back("\"" + array.equation_name(i) + "\"");
    }
  }
  if (differentiated.empty()) add(lines, "differentiated", "none");
  for (const auto& [count, names] : differentiated) {
    add(lines, "differentiated " + times(count), joined(names));
  }
  const auto listed = [&](const char* label, const std::vector<int>& which, auto name) {
    std::vector<std::string> names;
    for (const int k : which) names.push_back(name(k));
    if (!names.empty()) add(lines, label, joined(names));
  };
  listed("redundant among", analysis.redundant_equations,
         [&](int i) { return "\"" + array.equation_name(static_cast<std::size_t>(i)) + "\""; });
  listed("free among", analysis.free_unknowns,
         [&](int j) { return index::unknown_name(unknown_names, j); });
  return lines;
}

}  // namespace saltus

// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>

#include "array_matrix.hpp"
#include "saltus/core/error.hpp"
#include "saltus/core/number_text.hpp"
#include "saltus/dae/index_analysis.hpp"

namespace saltus {
namespace {

std::string counted(int count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

}  // namespace

std::string to_string(const CharacteristicValues& values) {
  std::string result = "mu = " + std::to_string(values.mu) + ", d = " + std::to_string(values.d);
  if (values.d2 > 0) {
    result += " (" + std::to_string(values.d2) + " of second order)";
  }
  return result + ", a = " + std::to_string(values.a) + ", u = " + std::to_string(values.u) +
         ", v = " + std::to_string(values.v);
}

void require_regular(const IndexAnalysis& analysis, const DerivativeArray& array, double t,
                     const std::vector<std::string>& unknown_names) {
  const CharacteristicValues& values = analysis.values;
  if (values.is_regular()) {
    return;
  }
  std::vector<std::string> equations;
  for (const int i : analysis.redundant_equations) {
    equations.push_back(array.equation_name(static_cast<std::size_t>(i)));
  }
  std::vector<std::string> unknowns;
  for (const int j : analysis.free_unknowns) {
    unknowns.push_back(index::unknown_name(unknown_names, j));
  }
  const auto among = [](const std::vector<std::string>& names) {
    std::string result;
    for (std::size_t k = 0; k < std::min<std::size_t>(names.size(), 5); ++k) {
      result += (k == 0 ? ", among \"" : ", \"") + names[k] + "\"";
    }
    return result + (names.size() > 5 ? ", ..." : "");
  };
  std::string message =
      "at t = " + number_text(t) + " the equations do not determine the unknowns: ";
  if (values.m != values.n) {
    std::string names;
    for (int j = 0; j < std::min(values.n, 10); ++j) {
      names += (j == 0 ? "" : ", ") + index::unknown_name(unknown_names, j);
    }
    message += "there are " + counted(values.m, "equation") + " for " +
               counted(values.n, "unknown") + " (" + names + (values.n > 10 ? ", ..." : "") + "); ";
  }
  if (values.v > 0) {
    message += std::to_string(values.v) +
               (values.v == 1 ? " equation follows from others or contradicts them"
                              : " equations follow from others or contradict them") +
               among(equations);
  }
  if (values.u > 0) {
    message += (values.v > 0 ? "; " : "") + std::to_string(values.u) +
               (values.u == 1 ? " unknown stays free" : " unknowns stay free") + among(unknowns);
  }
  message += std::string(". Try to ") +
             (values.v > 0 ? "remove an equation that repeats another" : "") +
             (values.v > 0 && values.u > 0 ? ", or to " : "") +
             (values.u > 0 ? "give an equation for each free unknown" : "");
  throw DaeError(values.m == values.n ? DaeError::Reason::singular : DaeError::Reason::not_square,
                 t, std::move(equations), std::move(unknowns), message);
}

}  // namespace saltus

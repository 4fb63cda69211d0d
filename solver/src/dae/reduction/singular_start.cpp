// SPDX-License-Identifier: BSD-2-Clause
// Equations that are fine may be singular at a guess, z*z = x at z = 0: then the guess is to blame.
#include <cmath>

#include "reduction_state.hpp"
#include "saltus/core/error.hpp"
#include "saltus/core/number_text.hpp"

namespace saltus {
namespace {

// Each unknown is looked at alone, as long as that is not too much work.
constexpr std::size_t kMostLookedAt = 30;

// Somewhere beside it, and not by the same amount for any two.
double beside(double x, double nominal, std::size_t j) {
  // The golden section: its multiples fill an interval evenly.
  constexpr double kGolden = 0.61803398874989485;
  const double part = std::fmod(kGolden * static_cast<double>(j + 1), 1.0);
  return x + (0.05 + 0.05 * part) * (nominal + std::fabs(x));
}

}  // namespace

void ReducedModel::State::blame_start_values(double t, ConstVec x, const IndexOptions& index,
                                             const IndexAnalysis& found) {
  if (found.values.m != found.values.n) {
    return;
  }
  const auto regular_at = [&](const std::vector<double>& point) {
    try {
      const Reduction there(*model.derivative_array(), t, point, index, step_scale,
                            explicit_form());
      return there.analysis.values.u <= static_cast<int>(there.held.size()) &&
             there.analysis.values.v == 0;
    } catch (const Error&) {
      return false;
    }
  };
  const std::vector<double> start(x.begin(), x.end());
  std::vector<double> other = start;
  for (std::size_t j = 0; j < n; ++j) {
    other[j] = beside(start[j], nominal[j], j);
  }
  if (!regular_at(other)) {
    return;
  }
  std::vector<std::string> to_blame;
  std::string list;
  for (std::size_t j = 0; j < n && n <= kMostLookedAt && to_blame.size() < kMostNames; ++j) {
    std::vector<double> moved = start;
    moved[j] = other[j];
    if (regular_at(moved)) {
      to_blame.push_back(model.unknown_name(j));
      list +=
          (list.empty() ? "" : " or ") + to_blame.back() + " (now " + number_text(start[j]) + ")";
    }
  }
  std::vector<std::string> equations;
  for (const int i : found.redundant_equations) {
    equations.push_back(model.derivative_array()->equation_name(static_cast<std::size_t>(i)));
  }
  throw DaeError(DaeError::Reason::singular, t, equations, to_blame,
                 "at t = " + number_text(t) +
                     " the equations are singular at these start values, although they determine "
                     "all unknowns beside them: give another start value " +
                     (list.empty() ? "to the unknowns that take part" : "to " + list));
}

}  // namespace saltus

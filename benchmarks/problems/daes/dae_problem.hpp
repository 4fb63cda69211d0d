// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

/// Differential-algebraic problems with known ends, each with its model. Most are of the "Test Set
/// for Initial Value Problem Solvers" (Mazzia, Magherini; Department of Mathematics, University of
/// Bari; release 2.4, 2008), here called the Bari set.
namespace saltus::problems {

/// What is known of a run. Vectors are in the order of the model's unknowns: states, then
/// algebraics, each as declared.
struct DaeProblem {
  std::string name;
  int index = 1;
  double stop = 0.0;
  /// The end values.
  std::vector<double> reference;
  /// Which of them count for `scd`; none named: all.
  std::vector<std::size_t> scored = {};
  /// Magnitudes in which `mescd` measures: atol / rtol of the Bari set; empty: 1 for each.
  std::vector<double> scale = {};
  /// y' at the start, for solvers that want it; empty: what the equations say, zero elsewhere.
  std::vector<double> slope = {};
  /// When the inputs have a kink, the end excluded.
  std::vector<double> kinks = {};
};

namespace detail {
inline double digits(double worst) {
  return worst > 0.0 ? -std::log10(worst) : std::numeric_limits<double>::infinity();
}
// A run that did not get to its end has NaN or nothing there: no digits.
inline double larger(double a, double b) { return b <= a ? a : b; }
}  // namespace detail

/// Significant correct digits: minus the logarithm of the largest relative error at the end. Minus
/// infinity without an end.
inline double scd(const DaeProblem& problem, const std::vector<double>& y) {
  if (y.size() != problem.reference.size()) {
    return -std::numeric_limits<double>::infinity();
  }
  double worst = 0.0;
  const std::size_t count = problem.scored.empty() ? y.size() : problem.scored.size();
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t i = problem.scored.empty() ? k : problem.scored[k];
    const double reference = problem.reference[i];
    worst = detail::larger(worst, std::fabs((y[i] - reference) / reference));
  }
  return detail::digits(worst);
}

/// Mixed-error significant correct digits: over all unknowns, |error| / (atol/rtol + |reference|).
inline double mescd(const DaeProblem& problem, const std::vector<double>& y) {
  if (y.size() != problem.reference.size()) {
    return -std::numeric_limits<double>::infinity();
  }
  double worst = 0.0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double scale = problem.scale.empty() ? 1.0 : problem.scale[i];
    const double reference = problem.reference[i];
    worst = detail::larger(worst, std::fabs(y[i] - reference) / (scale + std::fabs(reference)));
  }
  return detail::digits(worst);
}

/// The numbers first, first + 1, ..., last.
inline std::vector<std::size_t> range(std::size_t first, std::size_t last) {
  std::vector<std::size_t> numbers;
  for (std::size_t i = first; i <= last; ++i) {
    numbers.push_back(i);
  }
  return numbers;
}

}  // namespace saltus::problems

// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/modeling/steps.hpp"

#include <stdexcept>

#include "saltus/core/number_text.hpp"

namespace saltus::modeling {
namespace {

bool is_even(double n) { return std::fmod(n, 2.0) == 0.0; }

double rounded(double quotient, Rounding rounding) {
  switch (rounding) {
    case Rounding::down:
      return std::floor(quotient);
    case Rounding::up:
      return std::ceil(quotient);
    case Rounding::to_zero:
      return std::trunc(quotient);
    case Rounding::half_away:
      return std::round(quotient);
    case Rounding::half_even:
      break;
  }
  const double below = std::floor(quotient);
  const double rest = quotient - below;
  return rest > 0.5 || (rest == 0.5 && !is_even(below)) ? below + 1.0 : below;
}

}  // namespace

StepEnd upper_end(Rounding rounding, double n) {
  switch (rounding) {
    case Rounding::down:
      return {1.0, true};
    case Rounding::up:
      return {0.0, false};
    case Rounding::to_zero:
      return n >= 0.0 ? StepEnd{1.0, true} : StepEnd{0.0, false};
    case Rounding::half_away:
      return {0.5, n >= 0.0};
    case Rounding::half_even:
      break;
  }
  return {0.5, !is_even(n)};
}

StepEnd lower_end(Rounding rounding, double n) {
  switch (rounding) {
    case Rounding::down:
      return {0.0, false};
    case Rounding::up:
      return {-1.0, true};
    case Rounding::to_zero:
      return n > 0.0 ? StepEnd{0.0, false} : StepEnd{-1.0, true};
    case Rounding::half_away:
      return {-0.5, n <= 0.0};
    case Rounding::half_even:
      break;
  }
  return {-0.5, !is_even(n)};
}

double whole_quotient(double x, double m, Rounding rounding) {
  constexpr double kMost = 4503599627370496.0;  // 2^52: halves beside it are numbers
  if (m == 0.0) {
    throw std::range_error(
        "a remainder, as fmod(x, m) or mod(x, m), is asked for with m = 0: m must be another "
        "number than zero");
  }
  const double quotient = x / m;
  if (std::isnan(quotient)) {
    return 0.0;  // what is computed with x will not be a number either
  }
  double n = rounded(quotient, rounding);
  if (!(std::fabs(n) < kMost)) {
    throw std::range_error("floor, fmod and the like are asked for the whole number in " +
                           number_text(quotient) +
                           ", which is too large to be told from its neighbours");
  }
  // The quotient was rounded, and may have come to stand on the other side of a whole number.
  const StepEnd upper = upper_end(rounding, n), lower = lower_end(rounding, n);
  const double above = remaining(x, m, n + upper.beyond);
  const double below = remaining(x, m, n + lower.beyond);
  if (above > 0.0 || (above == 0.0 && upper.at)) {
    n += 1.0;
  } else if (below < 0.0 || (below == 0.0 && lower.at)) {
    n -= 1.0;
  }
  return n + 0.0;  // no negative zero
}

}  // namespace saltus::modeling

// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/core/clock_ticks.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>

namespace saltus {
namespace {

// As for announced times in `ModeController`: sums of intervals differ by so many.
constexpr double kTickRoundings = 8.0 * std::numeric_limits<double>::epsilon();
// Up to here an integer is a double, and the quotient of two is rounded once.
constexpr std::uint64_t kExactIntegers = std::uint64_t{1} << 53U;
// More digits than these are no decimal that somebody wrote: they come from arithmetic.
constexpr int kMostDigits = 15;

bool multiply(std::uint64_t a, std::uint64_t b, std::uint64_t& product) {
  return !__builtin_mul_overflow(a, b, &product);
}

/// a + k * b over a common resolution.
ClockLength combined(const ClockLength& a, std::uint64_t k, const ClockLength& b) {
  ClockLength sum{.seconds = a.seconds + static_cast<double>(k) * b.seconds};
  if (!a.is_fraction() || !b.is_fraction()) return sum;
  const std::uint64_t common = std::gcd(a.resolution, b.resolution);
  std::uint64_t resolution = 0;
  std::uint64_t left = 0;
  std::uint64_t right = 0;
  std::uint64_t counter = 0;
  if (!multiply(a.resolution, b.resolution / common, resolution) ||
      !multiply(a.counter, b.resolution / common, left) ||
      !multiply(b.counter, a.resolution / common, right) || !multiply(right, k, right) ||
      __builtin_add_overflow(left, right, &counter)) {
    return sum;
  }
  return ClockLength::of_fraction(counter, resolution);
}

/// a - b, rounded once where both are fractions.
double difference(const ClockLength& a, const ClockLength& b) {
  std::uint64_t left = 0;
  std::uint64_t right = 0;
  std::uint64_t resolution = 0;
  const std::uint64_t common = a.is_fraction() ? std::gcd(a.resolution, b.resolution) : 1;
  if (!a.is_fraction() || !multiply(a.counter, b.resolution / common, left) ||
      !multiply(b.counter, a.resolution / common, right) ||
      !multiply(a.resolution, b.resolution / common, resolution)) {
    return a.seconds - b.seconds;
  }
  return left >= right ? ClockLength::of_fraction(left - right, resolution).seconds
                       : -ClockLength::of_fraction(right - left, resolution).seconds;
}

}  // namespace

ClockLength ClockLength::of_fraction(std::uint64_t counter, std::uint64_t resolution) {
  const double divisor = static_cast<double>(resolution);
  const double seconds = counter < kExactIntegers
                             ? static_cast<double>(counter) / divisor
                             : static_cast<double>(counter / resolution) +
                                   static_cast<double>(counter % resolution) / divisor;
  return {.seconds = seconds, .counter = counter, .resolution = resolution};
}

ClockLength ClockLength::of_seconds(double seconds) {
  ClockLength length{.seconds = seconds};
  if (seconds == 0.0) return of_fraction(0, 1);
  if (!(seconds > 0.0) || !std::isfinite(seconds)) return length;
  char text[32];
  const auto [end, error] =
      std::to_chars(text, text + sizeof text, seconds, std::chars_format::scientific);
  if (error != std::errc{}) return length;
  std::uint64_t digits = 0;
  int count = 0;
  int exponent = 0;
  for (const char* c = text; c != end; ++c) {
    if (*c == 'e') {
      std::from_chars(c[1] == '+' ? c + 2 : c + 1, end, exponent);
      break;
    }
    if (*c == '.') continue;
    digits = 10 * digits + static_cast<std::uint64_t>(*c - '0');
    ++count;
  }
  const int places = count - 1 - exponent;
  if (count > kMostDigits || places > kMostDigits || -places > kMostDigits - count) return length;
  std::uint64_t power = 1;
  for (int i = 0; i < std::abs(places); ++i) power *= 10;
  return places >= 0 ? of_fraction(digits, power) : of_fraction(digits * power, 1);
}

ClockLength operator+(const ClockLength& a, const ClockLength& b) { return combined(a, 1, b); }

TickTimes::TickTimes(double origin, const ClockLength& first, const ClockLength& interval)
    : origin_(origin), first_(first), interval_(interval) {
  if (origin < 0.0) {
    before_ = ClockLength::of_seconds(-origin);
    return;
  }
  const ClockLength begin = ClockLength::of_seconds(origin);
  const ClockLength sum = begin + first;
  if (!sum.is_fraction()) return;
  origin_ = 0.0;
  first_ = sum;
}

double TickTimes::operator[](std::uint64_t k) const {
  const ClockLength passed = combined(first_, k, interval_);
  return before_.is_fraction() ? difference(passed, before_) : origin_ + passed.seconds;
}

bool is_due(double time, double t) { return time <= t + kTickRoundings * std::fabs(t); }

}  // namespace saltus

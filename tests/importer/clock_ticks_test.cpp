// SPDX-License-Identifier: BSD-2-Clause
#include "clock_ticks.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>

using namespace saltus;
using namespace saltus::importer;

TEST_CASE("ticks of decimal intervals are the decimals that a reader writes down",
          "[clock_ticks]") {
  const TickTimes ticks(0.0, ClockLength::of_seconds(0.0), ClockLength::of_seconds(0.1));
  CHECK(ticks[3] == 0.3);  // and not 3 * 0.1, the double behind it
  CHECK(ticks[7] == 0.7);
  const TickTimes shifted(0.5, ClockLength::of_seconds(0.05), ClockLength::of_seconds(0.1));
  CHECK(shifted[0] == 0.55);
  CHECK(shifted[4] == 0.95);
  const TickTimes slow(1e3, ClockLength::of_seconds(2e4), ClockLength::of_seconds(1e5));
  CHECK(slow[2] == 221000.0);
}

TEST_CASE("ticks that begin before time zero are rounded once", "[clock_ticks]") {
  const TickTimes ticks(-0.7, ClockLength::of_seconds(0.0), ClockLength::of_seconds(0.1));
  for (int k = 0; k <= 20; ++k) CHECK(ticks[static_cast<std::uint64_t>(k)] == (k - 7) / 10.0);
  const TickTimes odd(-std::sqrt(2.0), ClockLength::of_seconds(0.0), ClockLength::of_seconds(0.1));
  CHECK(odd[1] == 0.1 - std::sqrt(2.0));
}

TEST_CASE("ticks of fractions do not drift", "[clock_ticks]") {
  const TickTimes ticks(0.0, ClockLength::of_fraction(0, 1), ClockLength::of_fraction(1, 3));
  const TickTimes sixths(0.0, ClockLength::of_fraction(1, 6), ClockLength::of_fraction(2, 6));
  std::size_t wrong = 0;
  for (std::uint64_t k = 0; k <= 10'000'000; k += 7) {
    wrong += ticks[k] != static_cast<double>(k) / 3.0;
    wrong += sixths[k] != static_cast<double>(2 * k + 1) / 6.0;
  }
  CHECK(wrong == 0);
  // Nanoseconds over a year: counters beyond 2^53 still do not drift.
  const TickTimes nano(0.0, ClockLength::of_fraction(0, 1),
                       ClockLength::of_fraction(1, 1'000'000'000));
  CHECK(nano[31'536'000'000'000'001] == Approx(31'536'000.000000001).epsilon(4e-16));
}

TEST_CASE("clocks of different fractions meet bitwise", "[clock_ticks]") {
  const TickTimes tenth(0.0, ClockLength::of_seconds(0.0), ClockLength::of_seconds(0.1));
  const TickTimes seventh(0.0, ClockLength::of_seconds(0.0), ClockLength::of_fraction(3, 70));
  std::size_t wrong = 0;
  for (std::uint64_t k = 0; k < 100'000; ++k) wrong += tenth[3 * k] != seventh[7 * k];
  CHECK(wrong == 0);
}

TEST_CASE("intervals that are no short decimals, and counters that are too large, are doubles",
          "[clock_ticks]") {
  const double odd = 0.1 + 0.2;  // 0.30000000000000004
  CHECK_FALSE(ClockLength::of_seconds(odd).is_fraction());
  const TickTimes ticks(0.25, ClockLength::of_seconds(odd), ClockLength::of_seconds(1.0 / 3.0));
  CHECK(ticks[2] == 0.25 + (odd + 2.0 * (1.0 / 3.0)));
  CHECK_FALSE(ClockLength::of_seconds(1e300).is_fraction());
  CHECK_FALSE(ClockLength::of_seconds(1e-300).is_fraction());
  const ClockLength large = ClockLength::of_fraction(UINT64_MAX - 1, UINT64_MAX);
  const ClockLength sum = large + ClockLength::of_fraction(1, 7);
  CHECK_FALSE(sum.is_fraction());
  CHECK(sum.seconds == Approx(8.0 / 7.0));
  const TickTimes negative(-0.3, ClockLength::of_seconds(0.0), ClockLength::of_seconds(0.1));
  CHECK(negative[1] == -0.2);
}

TEST_CASE("what is never is never due", "[clock_ticks]") {
  CHECK_FALSE(is_due(kNever, 1e300));
  CHECK(is_due(1.0, 1.0));
  CHECK(is_due(1.0 + 2.3e-16, 1.0));
  CHECK_FALSE(is_due(1.0 + 1e-12, 1.0));
  CHECK(is_due(0.0, 0.0));
}

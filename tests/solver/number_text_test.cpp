// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/core/number_text.hpp"

#include <catch2/catch.hpp>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>

namespace {

std::string by_library(double value) {
  char text[64];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

// How many of them differ; names the last one.
struct Comparison {
  int different = 0;
  double last = 0.0;
  void operator()(double value) {
    for (const double signed_value : {value, -value}) {
      if (saltus::number_text(signed_value) != by_library(signed_value)) {
        ++different;
        last = signed_value;
      }
    }
  }
};

}  // namespace

TEST_CASE("a number is written with the digits that std::to_chars writes", "[number_text]") {
  std::mt19937_64 dice(1);
  Comparison compare;
  SECTION("any bits") {
    for (int i = 0; i < 20000; ++i) {
      const std::uint64_t bits = dice();
      double value = 0.0;
      std::memcpy(&value, &bits, sizeof value);
      compare(value);
    }
  }
  SECTION("powers of two and their neighbours") {
    for (int exponent = -1074; exponent < 1024; ++exponent) {
      const double power = std::ldexp(1.0, exponent);
      compare(power);
      compare(std::nextafter(power, 0.0));
      compare(std::nextafter(power, std::numeric_limits<double>::infinity()));
    }
  }
  SECTION("short decimals and whole numbers") {
    for (int i = 0; i < 20000; ++i) {
      compare(static_cast<double>(dice() % 1000000) / std::pow(10.0, dice() % 12));
      compare(static_cast<double>(dice() >> (dice() % 64)) * std::pow(10.0, dice() % 8));
    }
  }
  SECTION("the ends of the range") {
    using Limits = std::numeric_limits<double>;
    for (const double value : {0.0, Limits::max(), Limits::min(), Limits::denorm_min(),
                               Limits::infinity(), Limits::quiet_NaN()}) {
      compare(value);
    }
  }
  CAPTURE(compare.last);
  CHECK(compare.different == 0);
}

// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <bit>
#include <cstdint>

namespace saltus {

// Logarithms and powers of two to two or three digits, for numbers that mean no more than that, in
// a third of the time and with the same bits on every machine.

/// Of a positive number that is not denormal, to within 0.001: exponent and fraction are the
/// logarithm at powers of two and straight lines between them; a cubic takes most of the rest.
inline double rough_log2(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const double straight = static_cast<double>(static_cast<std::int64_t>(bits)) * 0x1p-52 - 1023.0;
  const double fraction =
      std::bit_cast<double>((bits & 0x000fffffffffffffU) | 0x3ff0000000000000U) - 1.0;
  return straight + fraction * (1.0 - fraction) * (0.422 - 0.158 * fraction);
}

/// For exponents below 1000 in magnitude, to within 1e-4 of the result: the nearest power of two,
/// times a cubic for the rest.
inline double rough_exp2(double x) {
  constexpr double kRounds = 0x1.8p52;  // adding it rounds to a whole number, in the last bits
  const double shifted = x + kRounds;
  const double rest = x - (shifted - kRounds);
  const double factor = 0.99993 + rest * (0.69326 + rest * (0.24261 + rest * 0.05517));
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(factor) +
                               (std::bit_cast<std::uint64_t>(shifted) << 52U));
}

}  // namespace saltus

// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <bit>
#include <cstdint>

namespace saltus {

// Logarithms and powers of two to five or six digits, for numbers that mean no more than that, in
// less time and with the same bits on every machine. The sums are arranged so that their halves
// need not wait for each other.

/// Of a positive number that is not denormal, to within 1e-5: exponent and fraction are the
/// logarithm at powers of two and straight lines between them; a polynomial (the rest at
/// Chebyshev's points) takes most of what is left.
inline double rough_log2(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const double straight = static_cast<double>(static_cast<std::int64_t>(bits)) * 0x1p-52 - 1023.0;
  const double fraction =
      std::bit_cast<double>((bits & 0x000fffffffffffffU) | 0x3ff0000000000000U) - 1.0;
  const double square = fraction * fraction;
  const double low = 0.442659439 - 0.276728334 * fraction;
  const double high = (0.184862232 - 0.0983876165 * fraction) + 0.0262730508 * square;
  return straight + (fraction - square) * (low + square * high);
}

/// For exponents below 1000 in magnitude, to within 1e-5 of the result: the nearest power of two,
/// times a polynomial, made as above, for the rest.
inline double rough_exp2(double x) {
  constexpr double kRounds = 0x1.8p52;  // adding it rounds to a whole number, in the last bits
  const double shifted = x + kRounds;
  const double rest = x - (shifted - kRounds);
  const double square = rest * rest;
  const double factor = (1.00000008 + 0.693121034 * rest) +
                        square * ((0.240221074 + 0.0559220356 * rest) + 0.0096760371 * square);
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(factor) +
                               (std::bit_cast<std::uint64_t>(shifted) << 52U));
}

}  // namespace saltus

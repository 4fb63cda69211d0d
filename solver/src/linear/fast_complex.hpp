// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cmath>
#include <complex>

#include "core/pair.hpp"

namespace saltus {

/// Two numbers of a kind side by side, of two right-hand sides.
template <class Scalar>
struct PairOf;
template <>
struct PairOf<double> {
  using Type = Pair;
};
struct ComplexPair {
  Pair real, imag;
};
template <>
struct PairOf<std::complex<double>> {
  using Type = ComplexPair;
};

// Products without the search for infinities that the language asks of complex numbers: what is not
// finite here stays so, and is found afterwards.
inline double product(double a, double b) { return a * b; }
inline std::complex<double> product(std::complex<double> a, std::complex<double> b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}
inline Pair product(Pair a, double b) { return a * b; }
inline ComplexPair product(const ComplexPair& a, std::complex<double> b) {
  return {a.real * b.real() - a.imag * b.imag(), a.real * b.imag() + a.imag * b.real()};
}
inline ComplexPair operator*(const ComplexPair& a, double b) { return {a.real * b, a.imag * b}; }

// x -= a b.
inline void subtract_product(double& x, double a, double b) { x -= a * b; }
inline void subtract_product(std::complex<double>& x, std::complex<double> a,
                             std::complex<double> b) {
  x = {x.real() - (a.real() * b.real() - a.imag() * b.imag()),
       x.imag() - (a.real() * b.imag() + a.imag() * b.real())};
}
inline void subtract_product(Pair& x, double a, Pair b) { x -= a * b; }
inline void subtract_product(ComplexPair& x, std::complex<double> a, const ComplexPair& b) {
  x = {x.real - (a.real() * b.real - a.imag() * b.imag),
       x.imag - (a.real() * b.imag + a.imag() * b.real)};
}

inline double inverse(double a) { return 1.0 / a; }
inline std::complex<double> inverse(std::complex<double> a) {
  const double square = a.real() * a.real() + a.imag() * a.imag();
  return {a.real() / square, -a.imag() / square};
}

// A norm within a factor of the square root of two from the absolute value.
inline double magnitude_of(double a) { return std::fabs(a); }
inline double magnitude_of(std::complex<double> a) {
  return std::fabs(a.real()) + std::fabs(a.imag());
}

inline double magnitude_of(Pair a) { return larger_of(magnitude(a)); }
inline double magnitude_of(const ComplexPair& a) {
  return larger_of(magnitude(a.real) + magnitude(a.imag));
}

}  // namespace saltus

// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cmath>
#include <complex>

namespace saltus {

// Products without the search for infinities that the language asks of complex numbers: what is not
// finite here stays so, and is found afterwards.
inline double product(double a, double b) { return a * b; }
inline std::complex<double> product(std::complex<double> a, std::complex<double> b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

// x -= a b.
inline void subtract_product(double& x, double a, double b) { x -= a * b; }
inline void subtract_product(std::complex<double>& x, std::complex<double> a,
                             std::complex<double> b) {
  x = {x.real() - (a.real() * b.real() - a.imag() * b.imag()),
       x.imag() - (a.real() * b.imag() + a.imag() * b.real())};
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

}  // namespace saltus

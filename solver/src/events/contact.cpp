// SPDX-License-Identifier: BSD-2-Clause
#include "contact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace saltus {
namespace {

// Strides of differences, as part of the magnitudes that change: the first derivative loses
// rounding / stride, the second, where the first is a difference itself, that once more.
constexpr double kStride = 1e-5;
constexpr double kStrideOfDifferences = 1e-3;
// Two strides of one kind on top of two of the other have to fit in.
constexpr double kRoom = 0.2;
constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

// The derivative at 0 of what is `at` 0, 1 and 2 strides; it looks to one side only.
double one_sided(const double (&at)[3], double stride) {
  return (-3.0 * at[0] + 4.0 * at[1] - at[2]) / (2.0 * stride);
}

}  // namespace

void ContactMotion::resize(const Shape& shape) {
  for (auto* each : {&nominal_, &point_, &shifted_, &slope_}) {
    each->resize(shape.unknowns());
  }
  z_.resize(shape.indicators);
  model_.nominals(nominal_);
}

// So long that no unknown changes by more than `size` of its magnitude; into the past where the
// future is beyond the barrier, and shorter where there is no room for either.
double ContactMotion::stride(double t, ConstVec y, ConstVec f, double size) const {
  double fastest = 0.0;
  for (std::size_t k = 0; k < y.size(); ++k) {
    fastest = std::max(fastest, std::fabs(f[k]) / std::max(nominal_[k], std::fabs(y[k])));
  }
  const double d = fastest > 0.0 ? size / fastest : size;
  const double ahead = kRoom * (barrier_ - t), behind = kRoom * (t - last_event_);
  return ahead >= d || ahead >= behind ? std::min(d, ahead) : -std::min(d, behind);
}

double ContactMotion::distance(const Contact& contact, double t, ConstVec y, double part) {
  for (std::size_t k = 0; k < y.size(); ++k) {
    shifted_[k] = y[k] - part * contact.j[k];
  }
  return model_.indicators(t, shifted_, z_) == Eval::ok ? contact.side * z_[contact.indicator]
                                                        : kNotANumber;
}

double ContactMotion::rate(const Contact& contact, double t, ConstVec y, ConstVec f, double part) {
  if (IndicatorRates* const exact = model_.capabilities().indicator_rates; exact != nullptr) {
    for (std::size_t k = 0; k < y.size(); ++k) {
      shifted_[k] = y[k] - part * contact.j[k];
    }
    return exact->indicator_rates(t, shifted_, f, z_) == Eval::ok
               ? contact.side * z_[contact.indicator]
               : kNotANumber;
  }
  const double d = stride(t, y, f, kStride);
  double at[3];
  for (int step = 0; step < 3; ++step) {
    for (std::size_t k = 0; k < y.size(); ++k) {
      shifted_[k] = y[k] + step * d * f[k] - part * contact.j[k];
    }
    if (model_.indicators(t + step * d, shifted_, z_) == Eval::discard) {
      return kNotANumber;
    }
    at[step] = contact.side * z_[contact.indicator];
  }
  return one_sided(at, d);
}

bool ContactMotion::accelerations(const std::vector<Contact>& contacts, double t, ConstVec y,
                                  ConstVec f, std::vector<double>& result) {
  const double d = stride(
      t, y, f, model_.capabilities().indicator_rates != nullptr ? kStride : kStrideOfDifferences);
  std::vector<double> rates[3];
  std::copy(f.begin(), f.end(), slope_.begin());
  for (int step = 0; step < 3; ++step) {
    for (std::size_t k = 0; k < y.size(); ++k) {
      point_[k] = y[k] + step * d * f[k];
    }
    if (step > 0 && model_.derivatives(t + step * d, point_, slope_) == Eval::discard) {
      return false;
    }
    for (const Contact& contact : contacts) {
      rates[step].push_back(rate(contact, t + step * d, point_, slope_));
    }
  }
  result.resize(contacts.size());
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    result[i] = one_sided({rates[0][i], rates[1][i], rates[2][i]}, d);
  }
  return true;
}

bool ContactMotion::responses(std::vector<Contact>& contacts, double t, ConstVec y, ConstVec f,
                              std::vector<double>& matrix) {
  const std::size_t n = contacts.size();
  matrix.assign(n * n, 0.0);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t k = 0; k < y.size(); ++k) {
      point_[k] = y[k] + contacts[j].j[k];
    }
    if (model_.derivatives(t, point_, slope_) == Eval::discard) {
      return false;
    }
    for (std::size_t i = 0; i < n; ++i) {
      matrix[i * n + j] = rate(contacts[i], t, point_, slope_, 2.0) - rate(contacts[i], t, y, f);
    }
    contacts[j].lift.resize(y.size());
    for (std::size_t k = 0; k < y.size(); ++k) {
      contacts[j].lift[k] = slope_[k] - f[k];
    }
  }
  return true;
}

std::vector<double> solve(std::vector<double> matrix, std::vector<double> right) {
  const std::size_t n = right.size();
  for (std::size_t column = 0; column < n; ++column) {
    std::size_t pivot = column;
    for (std::size_t row = column + 1; row < n; ++row) {
      pivot =
          std::fabs(matrix[row * n + column]) > std::fabs(matrix[pivot * n + column]) ? row : pivot;
    }
    for (std::size_t k = 0; k < n; ++k) {
      std::swap(matrix[column * n + k], matrix[pivot * n + k]);
    }
    std::swap(right[column], right[pivot]);
    for (std::size_t row = column + 1; row < n; ++row) {
      const double factor = matrix[row * n + column] / matrix[column * n + column];
      for (std::size_t k = column; k < n; ++k) {
        matrix[row * n + k] -= factor * matrix[column * n + k];
      }
      right[row] -= factor * right[column];
    }
  }
  for (std::size_t row = n; row-- > 0;) {
    for (std::size_t k = row + 1; k < n; ++k) {
      right[row] -= matrix[row * n + k] * right[k];
    }
    right[row] /= matrix[row * n + row];
  }
  return right;
}

}  // namespace saltus

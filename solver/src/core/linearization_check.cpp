// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/core/linearization_check.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "saltus/core/derivative_array.hpp"
#include "saltus/core/number_text.hpp"

namespace saltus {
namespace {

/// One column of dF/dy or dF/dy', and how far each entry of it may be trusted.
struct Column {
  std::vector<double> entries, doubt;
};

[[noreturn]] void refuse() {
  throw std::invalid_argument(
      "check_linearization: the equations or their derivatives cannot be evaluated at this point "
      "or beside it; choose another");
}

class Truth {
 public:
  Truth(Model& model, Linearization& claimed, double t, ConstVec y, ConstVec yp)
      : model_(model),
        exact_(model.linearization() == &claimed ? nullptr : model.linearization()),
        t_(t),
        y_(y.begin(), y.end()),
        yp_(yp.begin(), yp.end()),
        nominal_(y.size(), 1.0),
        rest_(y.size()) {
    model.nominals(nominal_);
    if (exact_ != nullptr) {
      by_value_.resize(exact_->pattern().entries());
      by_slope_.resize(exact_->pattern().entries());
      if (exact_->evaluate(t, y, yp, by_value_, by_slope_) == Eval::discard) {
        refuse();
      }
    }
  }

  Column column(std::size_t unknown, bool by_slope) {
    return exact_ != nullptr ? known(unknown, by_slope) : quotients(unknown, by_slope);
  }

 private:
  Column known(std::size_t unknown, bool by_slope) const {
    // What an entry may be off by: relative to itself, and to the largest where it is a difference.
    constexpr double kRounding = 1e-10, kCancelled = 1e-14;
    Column column{std::vector<double>(rest_.size(), 0.0), std::vector<double>(rest_.size(), 0.0)};
    const Pattern& pattern = exact_->pattern();
    double largest = 0.0;
    for (int k = pattern.first[unknown]; k < pattern.first[unknown + 1]; ++k) {
      column.entries[pattern.row[k]] = (by_slope ? by_slope_ : by_value_)[k];
      largest = std::max(largest, std::fabs(column.entries[pattern.row[k]]));
    }
    for (std::size_t i = 0; i < rest_.size(); ++i) {
      column.doubt[i] = kRounding * std::fabs(column.entries[i]) + kCancelled * largest;
    }
    return column;
  }

  // Central quotients of widths h and h / 2, extrapolated; what they differ by bounds the error.
  Column quotients(std::size_t unknown, bool by_slope) {
    // Of a width h, extrapolated quotients err by h^4 and by roundings over h: 1e-12 and 1e-13 of
    // smooth functions. They are trusted to less, so that a rough function is not called wrong.
    constexpr double kWidth = 1e-3, kRounding = 1e-9, kTrusted = 1e-7;
    std::vector<double>& moved = by_slope ? yp_ : y_;
    const double nominal = std::isfinite(nominal_[unknown]) ? nominal_[unknown] : 1.0;
    const double size = nominal + std::fabs(moved[unknown]);
    const std::vector<double> wide = quotient(moved[unknown], kWidth * size);
    const std::vector<double> narrow = quotient(moved[unknown], 0.5 * kWidth * size);
    Column column{narrow, narrow};
    for (std::size_t i = 0; i < narrow.size(); ++i) {
      column.entries[i] = narrow[i] + (narrow[i] - wide[i]) / 3.0;
      column.doubt[i] = std::fabs(narrow[i] - wide[i]) + kTrusted * std::fabs(narrow[i]) +
                        kRounding * std::fabs(rest_[i]) / size;
    }
    return column;
  }

  std::vector<double> quotient(double& moved, double width) {
    const double before = moved;
    moved = before - width;
    const std::vector<double> left = residual();
    moved = before + width;
    std::vector<double> slope = residual();
    for (std::size_t i = 0; i < slope.size(); ++i) {
      slope[i] = (slope[i] - left[i]) / (2.0 * width);
    }
    moved = before;
    return slope;
  }

  std::vector<double> residual() {
    if (model_.residual(t_, y_, yp_, rest_) == Eval::discard) {
      refuse();
    }
    return rest_;
  }

  Model& model_;
  Linearization* exact_;
  double t_;
  std::vector<double> y_, yp_, nominal_, rest_;
  std::vector<double> by_value_, by_slope_;
};

}  // namespace

std::vector<WrongDerivative> check_linearization(Model& model, Linearization& claimed, double t,
                                                 ConstVec y, ConstVec yp) {
  const Pattern& pattern = claimed.pattern();
  if (pattern.columns() != y.size() || pattern.rows != y.size() || yp.size() != y.size()) {
    throw std::invalid_argument(
        "check_linearization: the pattern has " + std::to_string(pattern.rows) + " rows and " +
        std::to_string(pattern.columns()) + " columns for " + std::to_string(y.size()) +
        " unknowns and " + std::to_string(yp.size()) + " slopes");
  }
  std::vector<double> by_value(pattern.entries()), by_slope(pattern.entries());
  if (claimed.evaluate(t, y, yp, by_value, by_slope) == Eval::discard) {
    refuse();
  }
  Truth truth(model, claimed, t, y, yp);
  std::vector<WrongDerivative> wrong;
  for (std::size_t j = 0; j < y.size(); ++j) {
    for (const bool slope : {false, true}) {
      const Column column = truth.column(j, slope);
      std::vector<double> said(y.size(), 0.0);
      std::vector<char> has_place(y.size(), 0);
      for (int k = pattern.first[j]; k < pattern.first[j + 1]; ++k) {
        said[pattern.row[k]] = (slope ? by_slope : by_value)[k];
        has_place[pattern.row[k]] = 1;
      }
      for (std::size_t i = 0; i < y.size(); ++i) {
        // Not a number is wrong, too.
        if (!(std::fabs(said[i] - column.entries[i]) <= column.doubt[i])) {
          wrong.push_back({i, j, slope, has_place[i] != 0, said[i], column.entries[i]});
        }
      }
    }
  }
  return wrong;
}

std::string to_string(const WrongDerivative& wrong, Model& model) {
  const DerivativeArray* const equations = model.derivative_array();
  const std::string equation = equations != nullptr ? equations->equation_name(wrong.equation)
                                                    : "equation " + std::to_string(wrong.equation);
  const std::string name = model.unknown_name(wrong.unknown);
  return "the derivative of '" + equation + "' by " +
         (wrong.by_slope ? "der(" + name + ")" : name) + " is " + number_text(wrong.found) + ", " +
         (wrong.in_pattern ? "claimed is " + number_text(wrong.claimed)
                           : "but has no place in the pattern");
}

}  // namespace saltus

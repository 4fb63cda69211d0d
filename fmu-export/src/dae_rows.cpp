// SPDX-License-Identifier: BSD-2-Clause
#include "dae_rows.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>
#include <utility>

#include "combined_array.hpp"

namespace saltus::fmu_export {
namespace {

using modeling::Variable;

constexpr std::size_t kDegree = 2;

/// The factors of all entries as power series along a curve through a point.
class Curves {
 public:
  Curves(double t, ConstVec y, ConstVec yp, std::vector<double> nominals)
      : t_(t), y_(y.begin(), y.end()), yp_(yp.begin(), yp.end()), nominals_(std::move(nominals)) {}

  Eval at_point(DerivativeArray& array, std::vector<double>& series) {
    std::vector<double> c = coefficients(array);
    return factors(array, t_, c, series);
  }
  // A place that can be evaluated, near by if it has to be.
  Eval beside(DerivativeArray& array, std::vector<double>& series) {
    for (double width : {0.1, 0.01, 0.001}) {
      std::vector<double> c = coefficients(array);
      for (std::size_t i = 0; i < c.size(); ++i) {
        const double size = std::max(std::fabs(c[i]), nominals_[i % y_.size()]);
        c[i] += width * size * random_(numbers_);
      }
      if (factors(array, t_ + width * random_(numbers_), c, series) == Eval::ok) return Eval::ok;
    }
    return Eval::discard;
  }

 private:
  std::vector<double> coefficients(const DerivativeArray& array) const {
    std::vector<double> c((kDegree + 1 + array.order()) * y_.size(), 0.0);
    std::copy(y_.begin(), y_.end(), c.begin());
    std::copy(yp_.begin(), yp_.end(), c.begin() + static_cast<std::ptrdiff_t>(y_.size()));
    return c;
  }
  static Eval factors(DerivativeArray& array, double t, ConstVec c, std::vector<double>& series) {
    series.assign((kDegree + 1) * array.entries().size(), 0.0);
    if (array.linearize(t, 1.0, kDegree, c, series) == Eval::discard) return Eval::discard;
    return std::all_of(series.begin(), series.end(), [](double x) { return std::isfinite(x); })
               ? Eval::ok
               : Eval::discard;
  }

  double t_;
  std::vector<double> y_, yp_, nominals_;
  std::mt19937 numbers_{20260911};
  std::uniform_real_distribution<double> random_{-1.0, 1.0};
};

/// While it lives, inputs and discrete numbers have other values.
class OtherNumbers {
 public:
  explicit OtherNumbers(modeling::DescribedModel& model) : model_(model), before_(model.save()) {
    const auto variables = model.variables();
    for (std::size_t i = 0; i < variables.size(); ++i) {
      const Variable& v = variables[i];
      if (v.is_number() &&
          (v.causality == Variable::Causality::input || v.role == Variable::Role::discrete)) {
        model.set_number(i, 1.25 * model.number(i) + 0.3 * v.nominal.value_or(1.0));
      }
    }
  }
  OtherNumbers(const OtherNumbers&) = delete;
  OtherNumbers& operator=(const OtherNumbers&) = delete;
  ~OtherNumbers() { model_.restore(before_); }

 private:
  modeling::DescribedModel& model_;
  std::vector<std::byte> before_;
};

DerivativeArray& array_of(modeling::DescribedModel& model) {
  DerivativeArray* const array = model.derivative_array();
  if (array == nullptr) throw std::runtime_error("its equations decide without an event");
  return *array;
}

}  // namespace

DaeRows::DaeRows(modeling::DescribedModel& model, double t, ConstVec y, ConstVec yp,
                 std::vector<DaeForm::Combination> sums) {
  constexpr int kOthers = 3;
  CombinedArray combined(std::move(sums));
  DerivativeArray& array = combined.over(array_of(model));
  entries_.assign(array.entries().begin(), array.entries().end());
  for (std::size_t e = 0; e <= entries_.size(); ++e) {
    const std::size_t row =
        e < entries_.size() ? static_cast<std::size_t>(entries_[e].row) : array.equations();
    while (first_.size() <= row) first_.push_back(e);
  }
  std::vector<double> nominals(y.size());
  model.nominals(nominals);
  Curves curves(t, y, yp, std::move(nominals));
  std::vector<double> series;
  if (curves.at_point(array, series) == Eval::discard) {
    throw std::runtime_error("its equations cannot be differentiated at the start");
  }
  factors_.assign(series.begin(), series.begin() + static_cast<std::ptrdiff_t>(entries_.size()));
  constant_.assign(entries_.size(), 1);
  const auto compare = [&](DerivativeArray& other) {
    if (curves.beside(other, series) == Eval::discard ||
        other.entries().size() != entries_.size()) {
      std::fill(constant_.begin(), constant_.end(), 0);
      return;
    }
    for (std::size_t i = 0; i < series.size(); ++i) {
      const std::size_t e = i % entries_.size();
      if (series[i] != (i < entries_.size() ? factors_[e] : 0.0)) constant_[e] = 0;
    }
  };
  for (int i = 0; i < kOthers; ++i) compare(array);
  const OtherNumbers scope(model);
  compare(combined.over(array_of(model)));
}

// By Leibniz' rule: with a constant factor the k-th derivative of an equation contains the k-th
// derivative of what the equation contains, and else all lower ones as well.
std::vector<DaeRows::Entry> DaeRows::entries(const DaeForm::Row& row) const {
  std::vector<Entry> found;
  const auto equation = static_cast<std::size_t>(row.equation);
  for (std::size_t e = first_[equation]; e < first_[equation + 1]; ++e) {
    const DerivativeArray::Entry& entry = entries_[e];
    const int top = entry.order + row.level;
    for (int order = constant_[e] != 0 ? top : entry.order; order <= top; ++order) {
      const DaeForm::Derivative derivative{entry.unknown, order};
      const auto known = std::find_if(found.begin(), found.end(), [&](const Entry& one) {
        return one.derivative == derivative;
      });
      const double factor = order == top ? factors_[e] : 0.0;
      if (known == found.end()) {
        found.push_back({derivative, factor, constant_[e] != 0});
      } else {
        known->factor += factor;
        known->constant = false;
      }
    }
  }
  return found;
}

int DaeRows::highest(int unknown, std::span<const int> levels) const {
  int highest = -1;
  for (const DerivativeArray::Entry& entry : entries_) {
    const int level = levels[static_cast<std::size_t>(entry.row)];
    if (entry.unknown == unknown) highest = std::max(highest, entry.order + level);
  }
  return highest;
}

}  // namespace saltus::fmu_export

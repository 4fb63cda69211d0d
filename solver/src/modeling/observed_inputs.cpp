// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/modeling/observed_inputs.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace saltus::modeling {
namespace {

// Times nearer to each other than this part of the longest distance say nothing about a slope:
// rounding of the values would show in its last ten digits.
constexpr double kApart = 1e-6;
// How far inputs are moved for differences, in their size: no condition bends much over so little,
// and rounding stays at 1e-11.
constexpr double kStride = 1e-5;

}  // namespace

ObservedInputs::ObservedInputs(DescribedModel& model) : model_(model) {
  const auto variables = model.variables();
  for (std::size_t i = 0; i < variables.size(); ++i) {
    if (variables[i].role == Variable::Role::input && variables[i].continuous &&
        variables[i].is_number()) {
      positions_.push_back(i);
    }
  }
  values_.resize(positions_.size());
  slopes_.resize(positions_.size());
}

void ObservedInputs::observe(double t) {
  const double apart = std::fabs(t - time_);
  if (anchored_ && !(apart > kApart * longest_)) {
    return;
  }
  for (std::size_t k = 0; k < positions_.size(); ++k) {
    const double value = model_.number(positions_[k]);
    if (anchored_) {
      slopes_[k] = (value - values_[k]) / (t - time_);
    }
    values_[k] = value;
  }
  longest_ = anchored_ ? std::max(longest_, apart) : longest_;
  time_ = t;
  anchored_ = true;
}

void ObservedInputs::forget() {
  anchored_ = false;
  longest_ = 0.0;
  std::fill(slopes_.begin(), slopes_.end(), 0.0);
}

double ObservedInputs::stride() const {
  double fastest = 0.0;
  for (std::size_t k = 0; k < positions_.size(); ++k) {
    const double size = std::max(model_.variables()[positions_[k]].nominal.value_or(1.0),
                                 std::fabs(model_.number(positions_[k])));
    fastest = std::max(fastest, std::fabs(slopes_[k]) / size);
  }
  return fastest > 0.0 && std::isfinite(fastest) ? kStride / fastest : 0.0;
}

void ObservedInputs::move(double dt) {
  if (base_.empty()) {
    for (const std::size_t position : positions_) {
      base_.push_back(model_.number(position));
    }
  }
  for (std::size_t k = 0; k < positions_.size(); ++k) {
    model_.set_number(positions_[k], dt == 0.0 ? base_[k] : base_[k] + dt * slopes_[k]);
  }
  if (dt == 0.0) {
    base_.clear();
  }
}

std::vector<double> ObservedInputs::saved() const {
  std::vector<double> saved = {anchored_ ? 1.0 : 0.0, time_, longest_};
  saved.insert(saved.end(), values_.begin(), values_.end());
  saved.insert(saved.end(), slopes_.begin(), slopes_.end());
  return saved;
}

void ObservedInputs::restore(std::vector<double> saved) {
  if (saved.size() != 3 + 2 * positions_.size()) {
    throw std::invalid_argument("the saved state belongs to another model");
  }
  anchored_ = saved[0] != 0.0;
  time_ = saved[1];
  longest_ = saved[2];
  const auto values = saved.begin() + 3;
  const auto slopes = values + static_cast<std::ptrdiff_t>(positions_.size());
  std::copy(values, slopes, values_.begin());
  std::copy(slopes, saved.end(), slopes_.begin());
}

}  // namespace saltus::modeling

// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/switching/observed_inputs.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

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
  read(0.0, anchor_);
  newest_ = anchor_;
  slopes_.resize(positions_.size());
}

// Slopes are measured from the end of the step before, as far as that can be seen: from the latest
// time there was before the one that is the latest now. Whoever looks for an event between sees
// them change steadily where an input bends.
bool ObservedInputs::observe(double t) {
  set_ = false;
  const double apart = kApart * longest_;
  if (!anchored_ || t < anchor_.time) {
    read(t, anchor_);
    newest_ = anchor_;
    anchored_ = true;
    return false;
  }
  if (t > newest_.time + apart) {
    std::swap(anchor_, newest_);
    read(t, newest_);
    longest_ = std::max(longest_, t - anchor_.time);
  }
  return measure_from(anchor_, t);
}

// Within a step the latest time there was is the end of the step before: where the input bends,
// what comes after is not measured from before it.
bool ObservedInputs::observe_stage(double t) {
  if (!anchored_ || !(t > newest_.time + kApart * longest_)) {
    return false;
  }
  set_in_steps_ = set_in_steps_ || set_;
  return set_in_steps_ && measure_from(newest_, t);
}

bool ObservedInputs::measure_from(const Point& point, double t) {
  bool changed = false;
  if (t > point.time + kApart * longest_) {
    for (std::size_t k = 0; k < positions_.size(); ++k) {
      const double slope = (model_.number(positions_[k]) - point.values[k]) / (t - point.time);
      changed = std::exchange(slopes_[k], slope) != slope || changed;
    }
  }
  return changed;
}

void ObservedInputs::read(double t, Point& point) const {
  point.time = t;
  point.values.resize(positions_.size());
  for (std::size_t k = 0; k < positions_.size(); ++k) {
    point.values[k] = model_.number(positions_[k]);
  }
}

void ObservedInputs::forget() {
  anchored_ = set_ = set_in_steps_ = false;
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
  std::vector<double> saved = {
      anchored_ ? 1.0 : 0.0, set_ ? 1.0 : 0.0, set_in_steps_ ? 1.0 : 0.0, longest_,
      anchor_.time,          newest_.time};
  for (const std::vector<double>* part : {&anchor_.values, &newest_.values, &slopes_}) {
    saved.insert(saved.end(), part->begin(), part->end());
  }
  return saved;
}

void ObservedInputs::restore(const std::vector<double>& saved) {
  if (saved.size() != 6 + 3 * positions_.size()) {
    throw std::invalid_argument("the saved state belongs to another model");
  }
  anchored_ = saved[0] != 0.0;
  set_ = saved[1] != 0.0;
  set_in_steps_ = saved[2] != 0.0;
  longest_ = saved[3];
  anchor_.time = saved[4];
  newest_.time = saved[5];
  auto next = saved.begin() + 6;
  for (std::vector<double>* part : {&anchor_.values, &newest_.values, &slopes_}) {
    part->assign(next, next + static_cast<std::ptrdiff_t>(positions_.size()));
    next += static_cast<std::ptrdiff_t>(positions_.size());
  }
}

}  // namespace saltus::modeling

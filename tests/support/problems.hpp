// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "saltus/core/model.hpp"

namespace saltus::test {

/// An explicit model made of functions, for tests: what is not set does nothing.
class FunctionModel : public OdeModel {
 public:
  explicit FunctionModel(std::vector<double> start) : start_(std::move(start)) {}

  std::function<void(double t, ConstVec y, Vec yp)> f;
  std::vector<std::function<double(double t, ConstVec y)>> z;
  std::function<EventUpdate(double t, Vec y)> update;
  std::function<StepVerdict(double t, ConstVec y)> step;
  std::function<bool(double t, ConstVec y)> discards;
  std::function<bool(double t, ConstVec y)> indicators_discard;
  std::vector<double> nominal;
  double barrier = kNever;  ///< evaluating beyond it is a failure of the test
  std::size_t event_modes = 0;
  std::vector<std::string> names;

  Shape shape() const override {
    return {.states = start_.size(), .algebraics = 0, .indicators = z.size()};
  }
  void nominals(Vec y) const override {
    for (std::size_t i = 0; i < y.size(); ++i) {
      y[i] = nominal.empty() ? 1.0 : nominal[i];
    }
  }
  std::string unknown_name(std::size_t i) const override {
    return names.empty() ? Model::unknown_name(i) : names[i];
  }
  void initialize(const Experiment&, Vec y) override {
    std::copy(start_.begin(), start_.end(), y.begin());
  }
  EventUpdate update_discrete_states(double t, Vec y) override {
    return update ? update(t, y) : EventUpdate{};
  }
  void enter_event_mode(double, ConstVec) override { ++event_modes; }
  Eval derivatives(double t, ConstVec y, Vec yp) override {
    if (t > barrier) {
      throw std::logic_error("evaluated beyond the barrier");
    }
    if (discards && discards(t, y)) {
      return Eval::discard;
    }
    if (f) {
      f(t, y, yp);
    }
    return Eval::ok;
  }
  Eval indicators(double t, ConstVec y, Vec out) override {
    if (t > barrier) {
      throw std::logic_error("evaluated beyond the barrier");
    }
    if (indicators_discard && indicators_discard(t, y)) {
      return Eval::discard;
    }
    for (std::size_t i = 0; i < z.size(); ++i) {
      out[i] = z[i](t, y);
    }
    return Eval::ok;
  }
  StepVerdict completed_step(double t, ConstVec y) override {
    return step ? step(t, y) : StepVerdict{};
  }

 private:
  std::vector<double> start_;
};

/// The slope of x'' = -x; from (0, 1) the solution is sin t.
inline void harmonic_slope(double, ConstVec y, Vec yp) {
  yp[0] = y[1];
  yp[1] = -y[0];
}

}  // namespace saltus::test

// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "saltus/core/linearization.hpp"
#include "saltus/core/model.hpp"

namespace saltus::test {

/// An implicit model made of functions, for tests: what is not set does nothing.
class ResidualModel : public Model, public Linearization, private Consistency, private Derivatives {
 public:
  explicit ResidualModel(std::vector<double> start) : start_(std::move(start)) {}

  std::function<void(double t, ConstVec y, ConstVec yp, Vec r)> f;
  std::function<void(double t, Vec y, Vec yp)> consistent;  ///< the slope at a point
  /// Writes the entries of dF/dy and dF/dy', on `entries_at`, if it is to offer them.
  std::function<void(double t, ConstVec y, ConstVec yp, Vec by_value, Vec by_slope)> derivative;
  Pattern entries_at;
  std::vector<std::function<double(double t, ConstVec y)>> z;
  std::function<EventUpdate(double t, Vec y)> update;
  std::function<bool(double t, ConstVec y)> discards;
  std::vector<double> nominal;
  std::vector<std::string> names;
  std::size_t states = 0;  ///< the others are algebraic

  Shape shape() const override {
    return {.states = states, .algebraics = start_.size() - states, .indicators = z.size()};
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
  Eval residual(double t, ConstVec y, ConstVec yp, Vec r) override {
    if (discards && discards(t, y)) {
      return Eval::discard;
    }
    f(t, y, yp, r);
    return Eval::ok;
  }
  Capabilities capabilities() override { return {.consistency = this, .derivatives = this}; }
  Eval make_consistent(double t, Vec y, Vec yp) override {
    if (consistent) {
      consistent(t, y, yp);
    }
    return Eval::ok;
  }
  Linearization* linearization() override { return derivative ? this : nullptr; }
  const Pattern& pattern() override { return entries_at; }
  Eval evaluate(double t, ConstVec y, ConstVec yp, Vec by_value, Vec by_slope) override {
    derivative(t, y, yp, by_value, by_slope);
    return Eval::ok;
  }
  Eval indicators(double t, ConstVec y, Vec out) override {
    for (std::size_t i = 0; i < z.size(); ++i) {
      out[i] = z[i](t, y);
    }
    return Eval::ok;
  }

 private:
  std::vector<double> start_;
};

/// All entries of an n x n matrix.
inline Pattern full_pattern(int n) {
  Pattern pattern{.rows = static_cast<std::size_t>(n), .first = {0}, .row = {}};
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      pattern.row.push_back(i);
    }
    pattern.first.push_back((j + 1) * n);
  }
  return pattern;
}

/// Robertson's chemical reaction (H. H. Robertson, in Numerical Analysis, An Introduction, Academic
/// Press, 1966) with the conservation of mass as third equation.
inline void robertson_slope(double, ConstVec y, Vec yp) {
  yp[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
  yp[2] = 3e7 * y[1] * y[1];
  yp[1] = -yp[0] - yp[2];
}
inline void make_robertson(ResidualModel& model, bool with_derivative) {
  model.states = 2;
  model.nominal = {1e-6, 1e-11, 1.0};
  model.f = [](double t, ConstVec y, ConstVec yp, Vec r) {
    double slope[3];
    robertson_slope(t, y, slope);
    r[0] = slope[0] - yp[0];
    r[1] = slope[1] - yp[1];
    r[2] = y[0] + y[1] + y[2] - 1.0;
  };
  model.consistent = [](double t, Vec y, Vec yp) {
    y[2] = 1.0 - y[0] - y[1];
    robertson_slope(t, y, yp);
  };
  if (with_derivative) {
    model.entries_at = full_pattern(3);
    model.derivative = [](double, ConstVec y, ConstVec, Vec by_value, Vec by_slope) {
      const double values[] = {-0.04,      0.04,
                               1.0,  //
                               1e4 * y[2], -1e4 * y[2] - 6e7 * y[1],
                               1.0,  //
                               1e4 * y[1], -1e4 * y[1],
                               1.0};
      std::copy(std::begin(values), std::end(values), by_value.begin());
      std::fill(by_slope.begin(), by_slope.end(), 0.0);
      by_slope[0] = by_slope[4] = -1.0;
    };
  }
}

}  // namespace saltus::test

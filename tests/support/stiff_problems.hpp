// SPDX-License-Identifier: BSD-2-Clause
// Stiff and differential-algebraic problems with published or closed solutions.
#pragma once

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "saltus/core/linearization.hpp"
#include "saltus/core/model.hpp"

namespace saltus::test {

/// y' = f(t, y) from its right-hand side alone.
class StiffModel : public OdeModel {
 public:
  explicit StiffModel(std::vector<double> start) : start_(std::move(start)) {}
  Shape shape() const override { return {.states = start_.size()}; }
  void initialize(const Experiment&, Vec y) override {
    std::copy(start_.begin(), start_.end(), y.begin());
  }

 private:
  std::vector<double> start_;
};

/// y' = lambda (y - cos t) - sin t, with y = cos t as its solution: Prothero, Robinson, Math. Comp.
/// 28 (1974) 145-162.
class Robinson : public StiffModel {
 public:
  explicit Robinson(double lambda) : StiffModel({1.0}), lambda_(lambda) {}
  Eval derivatives(double t, ConstVec y, Vec yp) override {
    latest = std::fmax(latest, t);
    yp[0] = lambda_ * (y[0] - std::cos(t)) - std::sin(t);
    return Eval::ok;
  }
  double latest = 0.0;

 private:
  double lambda_;
};

/// Test Set for Initial Value Problem Solvers, release 2.4 (Bari, 2008), II-2: the Van der Pol
/// oscillator with mu = 1000.
class VanDerPol : public StiffModel {
 public:
  VanDerPol() : StiffModel({2.0, 0.0}) {}
  Eval derivatives(double, ConstVec y, Vec yp) override {
    yp[0] = y[1];
    yp[1] = 1000.0 * (1.0 - y[0] * y[0]) * y[1] - y[0];
    return Eval::ok;
  }
};

/// The same set, II-1: high irradiance responses of photomorphogenesis.
class Hires : public StiffModel {
 public:
  Hires() : StiffModel({1, 0, 0, 0, 0, 0, 0, 0.0057}) {}
  Eval derivatives(double, ConstVec y, Vec yp) override {
    const double bound = 280.0 * y[5] * y[7];
    yp[0] = -1.71 * y[0] + 0.43 * y[1] + 8.32 * y[2] + 0.0007;
    yp[1] = 1.71 * y[0] - 8.75 * y[1];
    yp[2] = -10.03 * y[2] + 0.43 * y[3] + 0.035 * y[4];
    yp[3] = 8.32 * y[1] + 1.71 * y[2] - 1.12 * y[3];
    yp[4] = -1.745 * y[4] + 0.43 * y[5] + 0.43 * y[6];
    yp[5] = -bound + 0.69 * y[3] + 1.71 * y[4] - 0.43 * y[5] + 0.69 * y[6];
    yp[6] = bound - 1.81 * y[6];
    yp[7] = -yp[6];
    return Eval::ok;
  }
  void nominals(Vec y) const override { std::fill(y.begin(), y.end(), 1e-2); }
};

/// The same set, II-8: the chemical Akzo Nobel problem, five differential equations and one
/// algebraic.
class ChemicalAkzo : public Model, private Consistency {
 public:
  Capabilities capabilities() override { return {.consistency = this}; }
  Shape shape() const override { return {.states = 5, .algebraics = 1}; }
  void initialize(const Experiment&, Vec y) override {
    const std::vector<double> start{0.444, 0.00123, 0.0, 0.007, 0.0, kS * 0.444 * 0.007};
    std::copy(start.begin(), start.end(), y.begin());
  }
  Eval make_consistent(double t, Vec y, Vec yp) override {
    y[5] = kS * y[0] * y[3];
    const std::vector<double> rest(6, 0.0);
    if (residual(t, y, rest, yp) == Eval::discard) return Eval::discard;
    for (std::size_t i = 0; i < 5; ++i) yp[i] = -yp[i];
    yp[5] = kS * (yp[0] * y[3] + y[0] * yp[3]);
    return Eval::ok;
  }
  Eval residual(double, ConstVec y, ConstVec yp, Vec r) override {
    if (y[1] < 0.0) return Eval::discard;
    const double r1 = 18.7 * std::pow(y[0], 4) * std::sqrt(y[1]), r2 = 0.58 * y[2] * y[3],
                 r3 = 0.58 / 34.4 * y[0] * y[4], r4 = 0.09 * y[0] * y[3] * y[3],
                 r5 = 0.42 * y[5] * y[5] * std::sqrt(y[1]), in = 3.3 * (0.9 / 737.0 - y[1]);
    r[0] = yp[0] - (-2.0 * r1 + r2 - r3 - r4);
    r[1] = yp[1] - (-0.5 * r1 - r4 - 0.5 * r5 + in);
    r[2] = yp[2] - (r1 - r2 + r3);
    r[3] = yp[3] - (-r2 + r3 - 2.0 * r4);
    r[4] = yp[4] - (r2 - r3 + r5);
    r[5] = kS * y[0] * y[3] - y[5];
    return Eval::ok;
  }

 private:
  static constexpr double kS = 115.83;
};

/// Robertson's chemical reaction with the mass balance in place of its third rate, from its exact
/// derivatives, and two indicators. The same set, II-10.
class RobertsonDae : public Model, private Linearization, private Consistency, private Derivatives {
 public:
  Capabilities capabilities() override { return {.consistency = this, .derivatives = this}; }
  RobertsonDae() {
    pattern_.rows = 3;
    pattern_.first = {0, 3, 6, 9};
    pattern_.row = {0, 1, 2, 0, 1, 2, 0, 1, 2};
  }
  Shape shape() const override { return {.states = 2, .algebraics = 1, .indicators = 2}; }
  void initialize(const Experiment&, Vec y) override {
    y[0] = 1.0;
    y[1] = y[2] = 0.0;
  }
  Eval make_consistent(double, Vec y, Vec yp) override {
    y[2] = 1.0 - y[0] - y[1];
    yp[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
    yp[2] = 3e7 * y[1] * y[1];
    yp[1] = -yp[0] - yp[2];
    return Eval::ok;
  }
  Eval residual(double, ConstVec y, ConstVec yp, Vec r) override {
    const double slow = -0.04 * y[0] + 1e4 * y[1] * y[2];
    r[0] = yp[0] - slow;
    r[1] = yp[1] + slow + 3e7 * y[1] * y[1];
    r[2] = y[0] + y[1] + y[2] - 1.0;
    return Eval::ok;
  }
  Eval indicators(double, ConstVec y, Vec z) override {
    z[0] = y[2] - 0.01;
    z[1] = y[0] - 1e-4;
    return Eval::ok;
  }
  Linearization* linearization() override { return knows_derivatives ? this : nullptr; }
  bool knows_derivatives = true;

 private:
  const Pattern& pattern() override { return pattern_; }
  Eval evaluate(double, ConstVec y, ConstVec, Vec by_value, Vec by_slope) override {
    const double a = 1e4 * y[2], b = 1e4 * y[1], c = 6e7 * y[1];
    const double values[] = {0.04, -0.04, 1.0, -a, a + c, 1.0, -b, b, 1.0};
    const double slopes[] = {1, 0, 0, 0, 1, 0, 0, 0, 0};
    std::copy(std::begin(values), std::end(values), by_value.begin());
    std::copy(std::begin(slopes), std::end(slopes), by_slope.begin());
    return Eval::ok;
  }
  Pattern pattern_;
};

/// The same as differential equations.
class RobertsonOde : public StiffModel {
 public:
  RobertsonOde() : StiffModel({1.0, 0.0, 0.0}) {}
  Shape shape() const override { return {.states = 3, .indicators = 2}; }
  Eval derivatives(double, ConstVec y, Vec yp) override {
    yp[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
    yp[2] = 3e7 * y[1] * y[1];
    yp[1] = -yp[0] - yp[2];
    return Eval::ok;
  }
  Eval indicators(double, ConstVec y, Vec z) override {
    z[0] = y[2] - 0.01;
    z[1] = y[0] - 1e-4;
    return Eval::ok;
  }
};

/// A pendulum, theta'' = -sin theta, let go at 1, that an elastic wall at 0 throws back, seen by a
/// fast sensor: s' = (theta - s) / 1e-6 + theta'. Impacts at (2 k - 1) K(sin(1/2)).
class SensedPendulum : public StiffModel {
 public:
  static constexpr double kQuarter = 1.67499391609261318;
  SensedPendulum() : StiffModel({1.0, 0.0, 1.0}) {}
  Shape shape() const override { return {.states = 3, .indicators = 1}; }
  Eval derivatives(double, ConstVec y, Vec yp) override {
    yp[0] = y[1];
    yp[1] = -std::sin(y[0]);
    yp[2] = 1e6 * (y[0] - y[2]) + y[1];
    return Eval::ok;
  }
  Eval indicators(double, ConstVec y, Vec z) override {
    z[0] = y[2];
    return Eval::ok;
  }
  EventUpdate update_discrete_states(double, Vec y) override {
    if (y[2] > 0.0 || y[1] > 0.0) return {};
    y[1] = -y[1];
    y[0] = y[2] = std::fabs(y[2]);
    return {.states_changed = true};
  }
};

/// The same pendulum with an ideal sensor, s - theta = 0, as an implicit model.
class IdeallySensedPendulum : public Model, private Consistency {
 public:
  Capabilities capabilities() override { return {.consistency = this}; }
  Shape shape() const override { return {.states = 2, .algebraics = 1, .indicators = 1}; }
  void initialize(const Experiment&, Vec y) override {
    y[0] = y[2] = 1.0;
    y[1] = 0.0;
  }
  Eval make_consistent(double, Vec y, Vec yp) override {
    y[2] = y[0];
    yp[0] = yp[2] = y[1];
    yp[1] = -std::sin(y[0]);
    return Eval::ok;
  }
  Eval residual(double, ConstVec y, ConstVec yp, Vec r) override {
    r[0] = yp[0] - y[1];
    r[1] = yp[1] + std::sin(y[2]);
    r[2] = y[2] - y[0];
    return Eval::ok;
  }
  Eval indicators(double, ConstVec y, Vec z) override {
    z[0] = y[2];
    return Eval::ok;
  }
  EventUpdate update_discrete_states(double, Vec y) override {
    if (y[2] > 0.0 || y[1] > 0.0) return {};
    y[1] = -y[1];
    y[0] = y[2] = std::fabs(y[2]);
    return {.states_changed = true};
  }
};

}  // namespace saltus::test

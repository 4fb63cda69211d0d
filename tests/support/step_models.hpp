// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#include "saltus/modeling/native_model.hpp"

/// Functions that jump, of a state that swings and of time, in one model with what comes of it.
namespace saltus::test {

using namespace saltus::modeling;

/// x = a sin(t), over one swing. The areas below what is taken of x.
template <class Real>
struct Steps {
  static constexpr ModelInfo info{
      .stop = 2.0 * std::numbers::pi, .tolerance = 1e-10, .step_size = 0.1};
  State<Real> x{"x"};
  State<Real> v{"v", {.start = 2.4}};
  State<Real> rest{"rest"};
  State<Real> above{"above"};
  State<Real> near{"near"};
  State<Real> branch{"branch"};
  State<Real> saw{"saw"};
  Parameter<Real> m{"m", {.start = 1.0}};
  Parameter<Real> period{"period", {.start = 1.5}};
  Discrete<int> rounded{"rounded"};
  Output<Real> phase{"phase"};

  void equations(Equations<Real>& eq) {
    phase = std::fmod(eq.time, period);
    rounded = round(x / m);
    der(x) = v;
    der(v) = -x;
    der(rest) = v > 0.0 ? std::fmod(x, m) : Real(0.0);
    der(above) = mod(x, m);
    der(near) = x > 0.0 ? remainder(x, m) : Real(0.0);
    der(branch) = x > 0.0 ? fmod(x, 1.0) : 0.5 * floor(x);
    der(saw) = phase < 0.5 * period ? Real(1.0) : Real(-1.0);
  }
};

struct StepsTruth {
  explicit StepsTruth(double m = 1.0) {
    const double pi = std::numbers::pi, a = 2.4;
    // How long x is above a level, in half a swing.
    const auto above_level = [&](double level) { return pi - 2.0 * std::asin(level / a); };
    const double nearest = above_level(0.5 * m) + above_level(1.5 * m);
    rest = 0.0;  // the two quarters of a swing in which x grows are opposite
    above = m * pi;
    near = 2.0 * a - m * nearest;
    const double ones = above_level(1.0) + above_level(2.0);
    branch = 2.0 * a - ones - 0.5 * (pi + ones);
    const double left = std::fmod(2.0 * pi, 1.5);
    saw = left < 0.75 ? left : 1.5 - left;
    phase = left;
    above_by_m = pi;
    near_by_m = -nearest;
    for (const double k : {0.5, 1.5}) {
      near_by_m += m * 2.0 * k / a / std::sqrt(1.0 - k * m / a * (k * m / a));
    }
    // Where whole multiples are passed, where halves are, where x turns, and the marks of time.
    for (const double k : {1.0, 2.0}) add_levels(k * m, a);
    for (const double k : {0.5, 1.5}) add_levels(k * m, a);
    for (const double t : {0.5 * pi, pi, 1.5 * pi}) events.push_back(t);
    for (int i = 1; i <= 8; ++i) events.push_back(0.75 * i);
    std::sort(events.begin(), events.end());
  }
  double rest, above, near, branch, saw, phase;
  double above_by_m, near_by_m;
  std::vector<double> events;

 private:
  void add_levels(double level, double a) {
    const double pi = std::numbers::pi, t = std::asin(level / a);
    for (const double each : {t, pi - t, pi + t, 2.0 * pi - t}) events.push_back(each);
  }
};

/// Two buckets that are exchanged, and what else bodies ask of the time before them.
template <class Real>
struct Exchanger {
  Discrete<Real> left{"left", {.start = 1.0}};
  Discrete<Real> right{"right", {.start = 2.0}};
  void equations(Equations<Real>&) {}
  void events(Events<Real>& ev) {
    if (ev.every(1.0)) {
      left = previous(right);
      right = previous(left);
    }
  }
};
enum class Lamp { red, green, blue };
template <class Real>
struct Exchange {
  static constexpr ModelInfo info{.stop = 2.5, .tolerance = 1e-9, .step_size = 0.1};
  State<Real> x{"x", {.start = 1.0}}, y{"y", {.start = -1.0}};
  States<Real> q{"q", {1.0, 2.0, 3.0}};
  Parameter<Real> gain{"gain", {.start = 2.0}};
  Discrete<Real> a{"a", {.start = 3.0}}, b{"b", {.start = 4.0}};
  Discrete<int> m{"m", {.start = 5}}, n{"n", {.start = 6}};
  Discrete<bool> on{"on", {.start = true}}, off{"off"};
  Discrete<Lamp> lamp{"lamp", {.start = Lamp::green}}, last{"last"};
  Submodel<Exchanger<Real>> buckets{"buckets"};

  void equations(Equations<Real>& eq) {
    der(x) = 0.0;
    der(y) = 0.0;
    for (std::size_t i = 0; i < q.size(); ++i) der(q[i]) = 0.0;
    buckets.equations(eq);
  }
  void events(Events<Real>& ev) {
    buckets.events(ev);
    if (ev.every(1.0)) {
      a = previous(b), b = previous(a);
      m = previous(n), n = previous(m);
      on = previous(off), off = previous(on);
      last = previous(lamp);
      lamp = previous(lamp) == Lamp::green ? Lamp::blue : Lamp::red;
      x = gain * previous(y), y = previous(x);
      // Around a ring.
      for (std::size_t i = 0; i < q.size(); ++i) q[i] = previous(q[(i + 1) % q.size()]);
    }
  }
};

}  // namespace saltus::test

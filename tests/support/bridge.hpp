// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cmath>
#include <vector>

#include "saltus/modeling/native_model.hpp"

// A rectifier bridge of four diodes with a capacitor and a load, and its closed form.
namespace saltus::test {

using namespace saltus::modeling;

template <class Real>
struct Diode {
  Algebraic<Real> s{"s", {.description = "the current where it conducts, else the voltage"}};
  Local<Real> v{"v", {.unit = "V"}}, i{"i", {.unit = "A"}};
  Parameter<Real> on{"on", {.unit = "S", .start = 10.0}}, off{"off", {.unit = "S", .start = 1e-5}};
  void equations(Equations<Real>&) {
    const bool conducts = s > 0.0;
    v = conducts ? s / on : s;
    i = conducts ? s : off * s;
  }
};

template <class Real>
struct Bridge {
  Submodels<Diode<Real>> diodes{"diodes", 4};
  State<Real> u{"u", {.unit = "V", .start = 2.0, .description = "of the capacitor"}};
  Algebraic<Real> low{"low", {.unit = "V", .description = "potential below the load"}};
  void equations(Equations<Real>& eq) {
    const Real source = 10.0 * sin(314.0 * eq.time);
    diodes.equations(eq);
    eq(diodes[0].v, source - low - u);
    eq(diodes[1].v, -low - u);
    eq(diodes[2].v, low - source);
    eq(diodes[3].v, low);
    eq(diodes[0].i + diodes[1].i, diodes[2].i + diodes[3].i);
    der(u) = (diodes[0].i + diodes[1].i - 0.01 * u) / 1e-3;
  }
};

// Two diodes conduct while |source| > u, with half of the difference each; else all four leak.
class BridgeSolution {
 public:
  explicit BridgeSolution(double stop) {
    bool charging = false;
    double t = 0.0, u = 2.0;
    phases_.push_back({t, u, charging});
    const double h = 1e-6;
    while (t < stop) {
      const Phase now = phases_.back();
      if (ahead(now, t + h) != now.charging) {
        double low = t, high = t + h;
        for (int i = 0; i < 60; ++i) {
          const double middle = 0.5 * (low + high);
          (ahead(now, middle) != now.charging ? high : low) = middle;
        }
        phases_.push_back({high, value(now, high), !now.charging});
        times_.push_back(high);
      }
      t += h;
    }
  }
  double at(double t) const {
    std::size_t k = 0;
    while (k + 1 < phases_.size() && phases_[k + 1].begin <= t) ++k;
    return value(phases_[k], t);
  }
  const std::vector<double>& times() const { return times_; }

 private:
  struct Phase {
    double begin, u;
    bool charging;
  };
  static double source(double t) { return 10.0 * std::sin(314.0 * t); }
  static bool ahead(const Phase& phase, double t) { return std::fabs(source(t)) > value(phase, t); }
  // u' = m |source| - k u, or with the leaks alone u' = -k u.
  static double value(const Phase& phase, double t) {
    constexpr double on = 10.0, off = 1e-5, c = 1e-3, load = 0.01, w = 314.0;
    if (!phase.charging) return phase.u * std::exp(-(off + load) / c * (t - phase.begin));
    const double k = (0.5 * (on + off) + load) / c, m = 0.5 * (on - off) / c;
    const double side = source(0.5 * (phase.begin + t)) > 0.0 ? 1.0 : -1.0;
    const auto forced = [&](double s) {
      return side * m * 10.0 * (k * std::sin(w * s) - w * std::cos(w * s)) / (k * k + w * w);
    };
    return (phase.u - forced(phase.begin)) * std::exp(-k * (t - phase.begin)) + forced(t);
  }

  std::vector<Phase> phases_;
  std::vector<double> times_;
};

}  // namespace saltus::test

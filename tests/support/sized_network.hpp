// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "saltus/modeling/native_model.hpp"
#include "saltus/modeling/submodel.hpp"

/// Models with several sizes and with whatever else a model may have.
namespace saltus::test {

using namespace saltus::modeling;

/// Lags behind one another. With the standard size there is one.
template <class Real>
struct Lags {
  Size m{"m", 1, {.max = 20}};
  States<Real> x{"x", m, {.start = 0.25}};
  Input<Real> u{"u"};
  Output<Real> last{"last"};
  Parameters<Real> rates{"rates", m, {.start = 2.0}};
  void equations(Equations<Real>&) {
    for (std::size_t i = 0; i < m; ++i) {
      der(x[i]) = rates[i] * ((i > 0 ? Real(x[i - 1]) : Real(u)) - x[i]);
    }
    last = x[m - 1];
  }
};

/// Explicit, with submodels, a motion that slides, texts and a clock; sizes stand between arrays.
template <class Real>
struct SizedNetwork {
  static constexpr ModelInfo info{.stop = 2.0, .tolerance = 1e-8, .step_size = 0.1};
  Input<Real> drive{"drive", {.start = 1.0}};
  Submodel<Lags<Real>> left{"left"};
  Size n{"n", 3, {.description = "outputs", .min = 2, .max = 20}};
  Outputs<Real> y{"y", n};
  Parameter<std::string> label{"label", {.start = "rises"}};
  Submodel<Lags<Real>> right{"right"};
  Parameters<Real> gains{"gains", n, {.start = 0.5}};
  PeriodicClock<Real> tick{"tick", {.interval = 0.3}};
  Discrete<int> ticks{"ticks", {.causality = Variable::Causality::output}};
  Discrete<std::string> message{"message", {.causality = Variable::Causality::output}};
  State<Real> s{"s", {.start = 0.3}};
  Discrete<bool> high{"high", {.causality = Variable::Causality::output}};

  void equations(Equations<Real>& eq) {
    left.u = drive;
    left.equations(eq);
    right.u = left.last;
    right.equations(eq);
    for (std::size_t i = 0; i < n; ++i) y[i] = gains[i] * right.last + static_cast<double>(i);
    // Both sides push towards zero, until the right side is high.
    der(s) = s > 0.0 ? Real(-1.0 + 2.0 * right.last) : Real(0.5);
  }
  void events(Events<Real>& ev) {
    if (ev.ticks(tick)) ticks = ticks + 1;
    if (ev.ticks(tick) && right.last > 0.6) {
      high = true;
      message = label.value() + " after " + std::to_string(static_cast<int>(ticks));
    }
  }
};

/// Implicit: as many algebraic unknowns as the size says, and states that they are bound to.
template <class Real>
struct SizedEquations {
  static constexpr ModelInfo info{.stop = 1.0, .tolerance = 1e-8, .step_size = 0.1};
  Size n{"n", 2, {.max = 20}};
  Algebraics<Real> z{"z", n, {.start = 0.5}};
  States<Real> x{"x", n, {.start = 1.0}};
  Output<Real> sum{"sum"};
  Discrete<int> falls{"falls", {.causality = Variable::Causality::output}};

  void equations(Equations<Real>& eq) {
    Real total = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      eq(z[i] + z[i] * z[i] * z[i], x[i] * (1.0 + 0.1 * static_cast<double>(i)));
      der(x[i]) = -z[i] + (i > 0 ? Real(0.1 * z[i - 1]) : Real(0.0));
      total += z[i];
    }
    sum = total / n;
  }
  void events(Events<Real>& ev) {
    if (ev.when(sum < 0.5)) falls = falls + 1;
  }
};

}  // namespace saltus::test

// SPDX-License-Identifier: BSD-2-Clause
// Differential-algebraic equations of index 1 to 5 behind random mixes of equations and unknowns,
// which may turn with time: only ranks tell the index, and at special angles they tell less than a
// moment later. Lengths from 1e-6 to 1e3, starts at random times, units of time from microseconds
// to hours.
//
// The equations are  y' = J y + f  for some y, and  y = N y' + g  with a nilpotent N for the
// others; f and g are made for a solution of waves. What the model sees are
// x with y = T(D turned(x)), D of different sizes and T curved in the nonlinear family, and rows
// that are turned and scaled.
#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "saltus/control/mode_controller.hpp"
#include "saltus/dae/reduced_model.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/integrators/automatic_integrator.hpp"
#include "saltus/integrators/dormand_prince.hpp"
#include "saltus/integrators/radau.hpp"
#include "saltus/integrators/taylor.hpp"
#include "saltus/modeling/native_model.hpp"
#include "truth.hpp"
#ifdef SALTUS_TRUTH_BDF
#include "saltus/integrators/bdf.hpp"
#endif

namespace saltus::truth {
namespace {

using namespace saltus::modeling;

struct Wave {
  double mean, size, rate, phase;
};
struct Turn {
  std::size_t i, j;
  double angle, rate;
};
struct Mixed {
  std::size_t n = 0, d = 0;                   // unknowns; differential equations among them
  std::vector<std::vector<double>> coupling;  // J in the first d rows, N in the others
  std::vector<Wave> y;
  std::vector<Turn> rows, columns;
  std::vector<double> row_size, column_size, bend;
  double start = 0.0, stop = 1.0;  // in the unit of time
  double unit = 1.0;
  bool is_plain = false;  // nothing is mixed, so that the structure tells the index
};
thread_local Mixed mixed;

std::vector<double> solution(double t) {
  std::vector<double> x(mixed.n);
  for (std::size_t k = 0; k < mixed.n; ++k) {
    const Wave& w = mixed.y[k];
    x[k] = w.mean + w.size * std::sin(w.rate * t + w.phase);
    x[k] -= k > 0 ? mixed.bend[k] * std::sin(x[k - 1]) : 0.0;
  }
  for (auto turn = mixed.columns.rbegin(); turn != mixed.columns.rend(); ++turn) {
    const double c = std::cos(turn->angle + turn->rate * t);
    const double s = std::sin(turn->angle + turn->rate * t);
    const double a = x[turn->i], b = x[turn->j];
    x[turn->i] = c * a + s * b;
    x[turn->j] = c * b - s * a;
  }
  for (std::size_t k = 0; k < mixed.n; ++k) {
    x[k] /= mixed.column_size[k];
  }
  return x;
}

template <class Real>
struct MixedDae {
  States<Real> x{"x", solution(mixed.start)};

  /// Turns x, and v = x' along with it.
  static void turn(const std::vector<Turn>& turns, const Real& t, std::vector<Real>& x,
                   std::vector<Real>& v) {
    for (const auto& [i, j, angle, rate] : turns) {
      const Real c = rate != 0.0 ? cos(angle + rate * t) : Real(std::cos(angle));
      const Real s = rate != 0.0 ? sin(angle + rate * t) : Real(std::sin(angle));
      const Real a = c * x[i] - s * x[j], b = s * x[i] + c * x[j];
      const Real slope_a = c * v[i] - s * v[j] - rate * b, slope_b = s * v[i] + c * v[j] + rate * a;
      x[i] = a;
      x[j] = b;
      v[i] = slope_a;
      v[j] = slope_b;
    }
  }
  void equations(Equations<Real>& eq) {
    const std::size_t n = mixed.n;
    const Real t = eq.time / mixed.unit;
    std::vector<Real> y, v, r;
    for (std::size_t k = 0; k < n; ++k) {
      y.push_back(mixed.column_size[k] * x[k]);
      v.push_back(mixed.column_size[k] * mixed.unit * der(x[k]));
    }
    turn(mixed.columns, t, y, v);
    for (std::size_t k = n - 1; k > 0; --k) {
      if (mixed.bend[k] != 0.0) {
        y[k] = y[k] + mixed.bend[k] * sin(y[k - 1]);
        v[k] = v[k] + mixed.bend[k] * cos(y[k - 1]) * v[k - 1];
      }
    }
    for (std::size_t k = 0; k < n; ++k) {
      const Wave& w = mixed.y[k];
      const Real angle = w.rate * t + w.phase;
      y[k] = y[k] - w.mean - w.size * sin(angle);
      v[k] = v[k] - w.size * w.rate * cos(angle);
    }
    for (std::size_t k = 0; k < n; ++k) {
      Real rest = k < mixed.d ? v[k] : y[k];
      for (std::size_t j = 0; j < n; ++j) {
        if (mixed.coupling[k][j] != 0.0) {
          rest = rest - mixed.coupling[k][j] * (k < mixed.d ? y[j] : v[j]);
        }
      }
      r.push_back(rest);
    }
    std::vector<Real> unused(n, Real(0.0));
    turn(mixed.rows, t, r, unused);
    for (std::size_t k = 0; k < n; ++k) {
      eq(mixed.row_size[k] * r[k], 0.0);
    }
  }
};

std::vector<Turn> turns(Random& random, std::size_t n, bool moving) {
  constexpr double kRightAngle = 1.5707963267948966;
  const bool few = random.chance(0.5), special = random.chance(0.5);
  std::vector<Turn> result;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      if (!few || random.chance(0.3)) {
        const double angle = special && random.chance(0.7)
                                 ? (random.chance(0.7) ? 0.0 : kRightAngle)
                                 : random.uniform(0.0, 4.0 * kRightAngle);
        result.push_back(
            {i, j, angle, moving && random.chance(0.4) ? random.uniform(-1.5, 1.5) : 0.0});
      }
    }
  }
  return result;
}

Mixed make(Random& random, bool nonlinear) {
  Mixed m;
  const auto index = static_cast<std::size_t>(random.integer(1, nonlinear ? 4 : 5));
  m.d = static_cast<std::size_t>(random.integer(0, 3));
  std::vector<std::size_t> blocks = {index};
  if (index + m.d < 6 && random.chance(0.5)) {
    blocks.push_back(index > 1 ? static_cast<std::size_t>(random.integer(1, 2)) : 1);
  }
  m.n = m.d;
  for (const std::size_t size : blocks) {
    m.n += size;
  }
  m.coupling.assign(m.n, std::vector<double>(m.n, 0.0));
  for (std::size_t k = 0; k < m.d; ++k) {
    m.coupling[k][k] = -random.uniform(0.2, 2.0);
    for (std::size_t j = k + 1; j < m.n; ++j) {
      m.coupling[k][j] = random.chance(0.5) ? random.integer(-2, 2) : 0.0;
    }
  }
  std::size_t first = m.d;
  for (const std::size_t size : blocks) {
    for (std::size_t k = first; k + 1 < first + size; ++k) {
      m.coupling[k][k + 1] = random.integer(1, 3);
    }
    first += size;
  }
  for (std::size_t k = 0; k < m.n; ++k) {
    m.y.push_back({random.uniform(-1.0, 1.0), random.uniform(0.3, 1.5), random.uniform(0.3, 2.0),
                   random.uniform(0.0, 6.0)});
    m.bend.push_back(nonlinear && random.chance(0.6) ? random.uniform(-0.5, 0.5) : 0.0);
    m.row_size.push_back(random.chance(0.5) ? 1.0 : random.log_uniform(0.01, 100.0));
    m.column_size.push_back(random.chance(0.5) ? 1.0 : random.log_uniform(0.1, 10.0));
  }
  const bool rows_move = random.chance(0.6), columns_move = rows_move && random.chance(0.5);
  m.is_plain = random.chance(0.1);
  if (!m.is_plain) {
    m.rows = turns(random, m.n, rows_move);
    m.columns = turns(random, m.n, columns_move);
  }
  m.start = random.chance(0.4) ? 0.0 : random.uniform(-5.0, 20.0);
  // Long runs with turning mixes are right, too, but take a minute each.
  m.stop = m.start + random.log_uniform(1e-6, rows_move || nonlinear ? 30.0 : 1e3);
  m.unit = random.chance(0.5) ? 1.0 : random.log_uniform(1e-6, 1e4);
  return m;
}

enum class Road { radau, dormand_prince, automatic, bdf, taylor };

std::unique_ptr<Integrator> make_integrator(Road road, ReducedModel& model, double tolerance) {
  const IntegratorOptions options{.relative_tolerance = tolerance};
  switch (road) {
    case Road::dormand_prince:
      return std::make_unique<DormandPrince>(model, options);
    case Road::taylor:
      return std::make_unique<Taylor>(model, options);
    case Road::automatic:
      return std::make_unique<AutomaticIntegrator>(model, options);
#ifdef SALTUS_TRUTH_BDF
    case Road::bdf:
      return std::make_unique<Bdf>(model, options);
#endif
    default:
      return std::make_unique<Radau>(model, options);
  }
}

// Errors are measured in the unmixed unknowns, beside the size of the solution.
Verdict run(std::uint64_t seed, bool nonlinear) {
  constexpr double kTolerance = 1e-6, kWrong = 1e-3;
  Random random(seed);
  mixed = make(random, nonlinear);
  const Road road =
      mixed.is_plain && random.chance(0.5) ? Road::taylor : static_cast<Road>(random.integer(0, 3));
  NativeModel<MixedDae> model{"MixedDae"};
  const bool is_explicit = road == Road::dormand_prince || road == Road::taylor;
  ReducedModel reduced{model,
                       {.form = is_explicit ? ReductionOptions::Form::explicit_form
                                            : ReductionOptions::Form::implicit_form}};
  const std::unique_ptr<Integrator> integrator = make_integrator(road, reduced, kTolerance);
  IntegratedModel system{reduced, *integrator};
  ModeController(system).run({.start = mixed.start * mixed.unit,
                              .stop = mixed.stop * mixed.unit,
                              .tolerance = kTolerance});
  const std::vector<double> exact = solution(mixed.stop);
  double size = 1.0;
  for (const Wave& w : mixed.y) {
    size += std::fabs(w.mean) + w.size;
  }
  for (std::size_t k = 0; k < mixed.n; ++k) {
    const double error = std::fabs(system.unknowns()[k] - exact[k]) * mixed.column_size[k] / size;
    if (!(error < kWrong)) {
      return wrong("x[" + std::to_string(k) + "] is off by " + std::to_string(error));
    }
  }
  return right();
}

const Family kLinear{"linear_daes", "linear DAEs of index 1 to 5 behind mixes that may turn",
                     [](std::uint64_t seed) { return run(seed, false); }};
const Family kNonlinear{"nonlinear_daes", "nonlinear DAEs of index 1 to 4 behind mixes",
                        [](std::uint64_t seed) { return run(seed, true); }};

}  // namespace
}  // namespace saltus::truth

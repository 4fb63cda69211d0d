// SPDX-License-Identifier: BSD-2-Clause
// Linear systems with more equations than unknowns, all of which agree, in units of time from
// microseconds to hours: what the redundant ones are cannot be told from sizes in seconds.
//
// The equations are  T y' = -r (y - w) + T w'  for some y, and  y - w = c T (y' - w')  along chains
// for the others, with waves w that are the solution. The model sees x with y = turned(x), and
// random combinations of the equations, more than there are.
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "saltus/control/mode_controller.hpp"
#include "saltus/dae/linear_model.hpp"
#include "saltus/dae/reduced_model.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/integrators/dormand_prince.hpp"
#include "saltus/integrators/radau.hpp"
#include "truth.hpp"

namespace saltus::truth {
namespace {

using Matrix = std::vector<std::vector<double>>;

struct Wave {
  double mean, size, rate, phase;
  double operator()(double t) const { return mean + size * std::sin(rate * t + phase); }
};
struct Redundant {
  std::size_t n = 0, m = 0;
  double unit = 1.0, start = 0.0, stop = 1.0;
  Matrix E, A;  // of the equations in y, before they are combined
  Matrix combinations, turned;
  std::vector<Wave> w;
};

Matrix zeros(std::size_t rows, std::size_t columns) {
  return Matrix(rows, std::vector<double>(columns, 0.0));
}

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix result = zeros(a.size(), b[0].size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t k = 0; k < b.size(); ++k) {
      for (std::size_t j = 0; j < b[0].size(); ++j) {
        result[i][j] += a[i][k] * b[k][j];
      }
    }
  }
  return result;
}

Matrix turns(Random& random, std::size_t n) {
  Matrix result = zeros(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    result[i][i] = 1.0;
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      const double angle = random.uniform(0.0, 6.3);
      for (std::vector<double>& row : result) {
        const double a = row[i], b = row[j];
        row[i] = std::cos(angle) * a - std::sin(angle) * b;
        row[j] = std::sin(angle) * a + std::cos(angle) * b;
      }
    }
  }
  return result;
}

Redundant make(Random& random) {
  Redundant r;
  const auto d = static_cast<std::size_t>(random.integer(0, 3));
  const auto chain = static_cast<std::size_t>(random.integer(d == 0 ? 1 : 0, 3));
  r.n = d + chain;
  r.m = r.n + static_cast<std::size_t>(random.integer(1, 2));
  r.unit = random.log_uniform(1e-6, 1e4);
  r.E = r.A = zeros(r.n, r.n);
  for (std::size_t k = 0; k < r.n; ++k) {
    if (k < d) {
      r.E[k][k] = r.unit;
      r.A[k][k] = -random.uniform(0.2, 2.0);
    } else {
      r.A[k][k] = 1.0;
      if (k + 1 < r.n) {
        r.E[k][k + 1] = r.unit * random.uniform(0.5, 2.0);
      }
    }
    r.w.push_back({random.uniform(-1.0, 1.0), random.uniform(0.3, 1.5),
                   random.uniform(0.3, 2.0) / r.unit, random.uniform(0.0, 6.0)});
  }
  r.turned = turns(random, r.n);
  // The first n are turned, the others are sums of them.
  const Matrix first = turns(random, r.n);
  r.combinations = first;
  while (r.combinations.size() < r.m) {
    Matrix more = zeros(1, r.n);
    for (double& weight : more[0]) {
      weight = random.uniform(-1.0, 1.0);
    }
    r.combinations.push_back(product(more, first)[0]);
  }
  for (std::vector<double>& row : r.combinations) {
    const double size = random.chance(0.5) ? 1.0 : random.log_uniform(0.01, 100.0);
    for (double& weight : row) {
      weight *= size;
    }
  }
  r.start = random.chance(0.5) ? 0.0 : random.uniform(-5.0, 5.0) * r.unit;
  r.stop = r.start + random.log_uniform(1e-3, 30.0) * r.unit;
  return r;
}

std::vector<double> solution(const Redundant& r, double t) {
  std::vector<double> x(r.n, 0.0);
  for (std::size_t i = 0; i < r.n; ++i) {
    for (std::size_t k = 0; k < r.n; ++k) {
      x[i] += r.turned[k][i] * r.w[k](t);
    }
  }
  return x;
}

LinearSystem written(const Redundant& r) {
  return {.E = product(r.combinations, product(r.E, r.turned)),
          .A = product(r.combinations, product(r.A, r.turned)),
          .terms =
              [&r](LinearTerms& s) {
                std::vector<Coefficient> rest(r.n);
                for (std::size_t k = 0; k < r.n; ++k) {
                  for (std::size_t j = 0; j < r.n; ++j) {
                    const Wave& w = r.w[j];
                    if (r.E[k][j] != 0.0 || r.A[k][j] != 0.0) {
                      rest[k] += r.E[k][j] * w.size * w.rate * cos(w.rate * s.time + w.phase) -
                                 r.A[k][j] * (w.mean + w.size * sin(w.rate * s.time + w.phase));
                    }
                  }
                }
                for (std::size_t i = 0; i < r.m; ++i) {
                  for (std::size_t k = 0; k < r.n; ++k) {
                    s.f(i) += r.combinations[i][k] * rest[k];
                  }
                }
              },
          .start = solution(r, r.start)};
}

Verdict run(std::uint64_t seed) {
  constexpr double kTolerance = 1e-6, kWrong = 1e-3;
  Random random(seed);
  const Redundant r = make(random);
  const bool is_explicit = random.chance(0.5);
  LinearModel model{written(r)};
  ReducedModel reduced{model,
                       {.form = is_explicit ? ReductionOptions::Form::explicit_form
                                            : ReductionOptions::Form::implicit_form}};
  const IntegratorOptions options{.relative_tolerance = kTolerance};
  const std::unique_ptr<Integrator> integrator =
      is_explicit ? std::unique_ptr<Integrator>(std::make_unique<DormandPrince>(reduced, options))
                  : std::make_unique<Radau>(reduced, options);
  IntegratedModel system{reduced, *integrator};
  ModeController(system).run({.start = r.start, .stop = r.stop, .tolerance = kTolerance});
  const std::vector<double> exact = solution(r, r.stop);
  for (std::size_t i = 0; i < r.n; ++i) {
    const double error = std::fabs(system.unknowns()[i] - exact[i]);
    if (!(error < kWrong)) {
      return wrong("x[" + std::to_string(i) + "] is off by " + std::to_string(error));
    }
  }
  return right();
}

const Family kRedundant{"redundant_equations",
                        "linear systems with redundant equations in any unit of time", run};

}  // namespace
}  // namespace saltus::truth

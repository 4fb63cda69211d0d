// SPDX-License-Identifier: BSD-2-Clause
// What it costs to write a model in the modelling language instead of by hand: one evaluation of
// the equations between events beside the same function of doubles, and the exact Jacobian in units
// of that evaluation. Each state of the chain has a condition, a division and some ten cheap
// operations, so that whatever comes on top shows.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "figure.hpp"
#include "processor_time.hpp"
#include "saltus/modeling/native_model.hpp"

namespace saltus::benchmarks {
namespace {

using namespace saltus::modeling;

constexpr double kStiffness = 1.7;

template <class Real, std::size_t kStates>
struct Chain {
  States<Real> x{"x", kStates};
  Parameter<Real> k{"k", {.start = kStiffness}};

  void equations(Equations<Real>&) {
    for (std::size_t i = 0; i < kStates; ++i) {
      const Real before = i > 0 ? Real(x[i - 1]) : Real(0.5);
      const Real pull = k * (before - x[i]);
      der(x[i]) = (x[i] > 0.1 ? pull : 0.5 * pull) / (1.0 + x[i] * x[i]) - 0.2 * x[i];
    }
  }
};
template <class Real>
struct Chain20 : Chain<Real, 20> {};
template <class Real>
struct Chain1000 : Chain<Real, 1000> {};

[[gnu::noinline]] void by_hand(std::size_t states, double k, const double* x, double* slope) {
  for (std::size_t i = 0; i < states; ++i) {
    const double before = i > 0 ? x[i - 1] : 0.5;
    const double pull = k * (before - x[i]);
    slope[i] = (x[i] > 0.1 ? pull : 0.5 * pull) / (1.0 + x[i] * x[i]) - 0.2 * x[i];
  }
}

// The derivative of each slope by its own state and by the one before.
double jacobian_by_hand(ConstVec x, std::size_t row, std::size_t column) {
  const double own = x[row], before = row > 0 ? x[row - 1] : 0.5;
  const double factor = kStiffness * (own > 0.1 ? 1.0 : 0.5), size = 1.0 + own * own;
  if (column + 1 == row) return factor / size;
  return -factor / size - 2.0 * own * factor * (before - own) / (size * size) - 0.2;
}

template <class Body>
double microseconds(int calls, Body body) {
  const ProcessorTime time;
  for (int i = 0; i < calls; ++i) body();
  return time.microseconds() / calls;
}

template <template <class> class M>
void measure(std::size_t n, int rounds, std::vector<Figure>& figures) {
  const std::string name = "chain of " + std::to_string(n);
  NativeModel<M> model(name);
  std::vector<double> y(n), slope(n), right(n);
  model.initialize({.stop = 1.0}, y);
  for (std::size_t i = 0; i < n; ++i) {
    y[i] = 0.1 + 0.3 * std::sin(static_cast<double>(i));
  }
  while (model.update_discrete_states(0.0, y).iterate) {
  }
  model.enter_continuous_mode(0.0, y);
  Linearization& jacobian = *model.linearization();
  const Pattern pattern = jacobian.pattern();
  std::vector<double> by_value(pattern.entries()), by_slope(pattern.entries());

  bool evaluated = true;
  const int calls = static_cast<int>(200000 / n);
  double hand = kNever, equations = kNever, matrix = kNever;
  for (int round = 0; round < 10 * rounds; ++round) {
    hand = std::min(hand,
                    microseconds(calls, [&] { by_hand(n, kStiffness, y.data(), right.data()); }));
    equations = std::min(equations, microseconds(calls, [&] {
                           evaluated &= model.derivatives(0.0, y, slope) == Eval::ok;
                         }));
    matrix = std::min(matrix, microseconds(calls / 4, [&] {
                        evaluated &=
                            jacobian.evaluate(0.0, y, slope, by_value, by_slope) == Eval::ok;
                      }));
  }
  double error = evaluated ? 0.0 : kNever;
  for (std::size_t i = 0; i < n; ++i) {
    error = std::max(error, std::fabs(slope[i] - right[i]));
    for (auto k = static_cast<std::size_t>(pattern.first[i]);
         k < static_cast<std::size_t>(pattern.first[i + 1]); ++k) {
      const auto row = static_cast<std::size_t>(pattern.row[k]);
      error = std::max(error, std::fabs(by_value[k] + jacobian_by_hand(y, row, i)));
    }
  }
  using enum Figure::Bound;
  figures.push_back({.problem = name,
                     .metric = "evaluation between events, beside the same function by hand",
                     .value = equations / hand,
                     .direction = n > 100 ? at_most : none,
                     .bound = 1.15});
  figures.push_back(
      {.problem = name,
       .metric = n > 100 ? "exact Jacobian, evaluations" : "exact Jacobian, evaluations per column",
       .value = matrix / equations / (n > 100 ? 1.0 : static_cast<double>(n)),
       .direction = at_most,
       .bound = n > 100 ? 8.0 : 1.5});
  figures.push_back({.problem = name,
                     .metric = "largest error of slopes and Jacobian",
                     .value = error,
                     .direction = at_most,
                     .bound = 1e-14});
}

}  // namespace
}  // namespace saltus::benchmarks

int main(int argc, char** argv) {
  using namespace saltus::benchmarks;
  const Arguments arguments = parse_arguments(argc, argv);
  std::vector<Figure> figures;
  measure<Chain20>(20, arguments.rounds, figures);
  measure<Chain1000>(1000, arguments.rounds, figures);
  return report(figures, arguments);
}

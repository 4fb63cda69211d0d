// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "saltus/modeling/native_model.hpp"

/// A random state machine, as a table that its number decides and as a model that runs it: four
/// modes, two states that move on straight lines in each of them, a load that depends on the mode,
/// and six transitions whose conditions ask the mode, the states and the load.
namespace saltus::truth {

inline constexpr std::size_t kModes = 4;
inline constexpr std::size_t kWhens = 6;

struct Machine {
  struct Load {
    double constant, by_x, by_y;
  };
  struct When {
    int from;  // the mode in which it counts
    int to;
    double by_x, by_y, by_load, threshold;  // it asks: by_x x + by_y y + by_load load > threshold
    int sets;                               // 0: nothing, 1: x, 2: y, to `value`
    double value;
  };
  std::array<std::array<double, 2>, kModes> rates;
  std::array<Load, kModes> loads;
  std::array<When, kWhens> whens;
  std::array<int, kModes> next;  // where a clock leads
  double period;                 // of the clock; twice as often something is sampled
};

/// The machine of that number: the same in every process.
const Machine& machine(int number);

template <class Real>
struct ModeMachine {
  using Causality = saltus::modeling::Variable::Causality;
  static constexpr saltus::modeling::ModelInfo info{.stop = 6.0, .tolerance = 1e-8};

  saltus::modeling::Discrete<int> number{"number"};
  saltus::modeling::State<Real> x{"x"};
  saltus::modeling::State<Real> y{"y"};
  saltus::modeling::Local<Real> load{"load"};
  saltus::modeling::Discrete<int> mode{"mode", {.causality = Causality::output}};
  saltus::modeling::Discrete<int> transitions{"transitions", {.causality = Causality::output}};
  saltus::modeling::Discrete<int> history{"history", {.causality = Causality::output}};
  saltus::modeling::Discrete<Real> sample{"sample", {.causality = Causality::output}};

  void equations(saltus::modeling::Equations<Real>&) {
    const Machine& m = machine(number);
    const auto now = static_cast<std::size_t>(mode);
    load = m.loads[now].constant + m.loads[now].by_x * x + m.loads[now].by_y * y;
    der(x) = m.rates[now][0];
    der(y) = m.rates[now][1];
  }
  void events(saltus::modeling::Events<Real>& ev) {
    const Machine& m = machine(number);
    for (std::size_t w = 0; w < kWhens; ++w) {
      const Machine::When& when = m.whens[w];
      if (ev.when(mode == when.from &&
                  when.by_x * x + when.by_y * y + when.by_load * load > when.threshold)) {
        mode = when.to;
        transitions = transitions + 1;
        history = (7 * history + static_cast<int>(w) + 1) % 100003;
        if (when.sets == 1) x = when.value;
        if (when.sets == 2) y = when.value;
      }
    }
    if (ev.every(m.period)) mode = m.next[static_cast<std::size_t>(mode)];
    if (ev.every(0.5 * m.period)) sample = Real(load);
  }
};

}  // namespace saltus::truth

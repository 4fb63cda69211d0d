// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "saltus/core/described_model.hpp"
#include "saltus/core/hybrid_system.hpp"

/// Problems of which every event is known, with the models they are posed for. Tests and benchmarks
/// hold runs against them.
namespace saltus::problems {

struct ExpectedEvent {
  EventKind kind;
  double time;
};
inline constexpr EventKind cross = EventKind::state;
inline constexpr EventKind enter = EventKind::enter_sliding;
inline constexpr EventKind leave = EventKind::exit_sliding;

/// What is known of a run: its events, without the end of initialisation, and where it ends.
struct Problem {
  std::string name;
  double stop = 0.0;
  std::vector<ExpectedEvent> events;
  std::vector<double> last;
  /// Whether the motion slides from the first moment on.
  bool begins_sliding = false;
};

/// What a paper reports of its own run: counts, the largest error of an event's time, and the norm
/// of the error at the end.
struct Published {
  double tolerance = 0.0;
  double rhs_evaluations = 0.0;
  double indicator_evaluations = 0.0;
  double steps = 0.0;
  double rejected = 0.0;
  double time_error = 0.0;
  double last_error = 0.0;
  /// The published run followed the solution until then; what it found later, or its end, cannot be
  /// compared.
  double until = kNever;
};

/// Gives a parameter, or the start of a state, another value.
inline void set(modeling::DescribedModel& model, const std::string& name, double value) {
  for (std::size_t i = 0; i < model.variables().size(); ++i) {
    if (model.variables()[i].name == name) {
      model.set_number(i, value);
      return;
    }
  }
  throw std::invalid_argument("no variable " + name);
}

}  // namespace saltus::problems

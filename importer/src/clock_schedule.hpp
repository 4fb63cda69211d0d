// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "clock_ticks.hpp"
#include "input_feed.hpp"
#include "instance.hpp"
#include "start_values.hpp"

namespace saltus::importer {

/// What the importer knows of the clocks of an FMU and the FMU does not tell again: it is saved and
/// restored along with the FMU's state.
struct ClockMemory {
  struct Clock {
    double next = kNever;     ///< the tick it waits for
    std::uint64_t count = 0;  ///< periodic: which of `times` that is; triggered: which row
    TickTimes times;
    double begin = 0.0;       ///< changing: what `elapsed` counts from
    ClockLength elapsed;      ///< changing: until its last tick
    std::size_t tuned = 0;    ///< how many of the intervals of an input file it has been given
    std::uint32_t ticks = 0;  ///< in the present event
    double last = -kNever;    ///< its last activation
  };
  std::vector<Clock> clocks;
  double event = -kNever;  ///< the time of the last event
  std::map<ValueReference, Value> held;
};

/// The clocks of an instance: when they tick, what happens in the instant when they do, and what
/// clocked variables were at that time (FMI 3.0, 2.2.9 and 2.3.5; Scheduled Execution: 5.2.1).
///
///  1. `begin` in initialization mode asks for intervals and shifts;
///  2. `enter_event` after the FMU has entered event mode; then `update`, which is one super-dense
///     instant, in place of `Instance::update_discrete_states`. In Scheduled Execution
///     `activate_partitions` is the event;
///  3. `value` answers at any time, once `move_to` has said where the FMU rests.
///
/// For an FMU without clocks `update` passes the call on and nothing else happens.
class ClockSchedule {
 public:
  /// Both must outlive it. `memory` may be exchanged for what it was earlier, along with the FMU's
  /// state.
  ClockSchedule(Instance& instance, ClockMemory& memory);

  bool has_clocks() const { return !clocks_.empty(); }
  /// `given` are intervals of clocks and values of clocked variables. `inputs` may be null, here
  /// and below.
  void begin(const Experiment& experiment, const StartValues& given, const InputFeed* inputs);
  void enter_event(double t);
  EventUpdate update(double t, InputFeed* inputs) {
    return runs_ ? update_with_clocks(t, inputs) : instance_.update_discrete_states();
  }
  EventUpdate activate_partitions(double t, InputFeed* inputs);
  /// The first tick, or the first new interval in an input file, that is not due yet.
  double next() const;

  /// Keeps a clocked variable, from the next initialisation on; outputs are kept anyway.
  void hold(const Variable& variable);
  /// Whether `value` answers for the variable, and not the FMU.
  bool answers_for(const Variable& variable) const {
    return variable.type == VariableType::clock || !variable.clocks.empty();
  }
  void move_to(double t) { now_ = t; }
  /// Of a clocked variable: what it was when a clock of its ticked last; before the first tick what
  /// it was after initialisation, if it is an initial unknown, else its start value or 0. Of a
  /// clock: how often it ticks at the present time, 0 or 1, more for one that ticks several times
  /// in a row. Throws `std::logic_error` for what is not kept.
  Value value(const Variable& variable) const;

 private:
  using Clock = ClockMemory::Clock;
  struct Description {
    const Variable* variable;
    std::vector<double> rows;     ///< triggered: the ticks of the input file
    std::vector<double> lengths;  ///< tunable: its intervals from `rows` on
  };
  IntervalVariability kind(std::size_t i) const {
    return clocks_[i].variable->clock->interval_variability;
  }
  bool is_input(std::size_t i) const { return clocks_[i].variable->causality == Causality::input; }
  EventUpdate update_with_clocks(double t, InputFeed* inputs);
  void read_columns(const InputFeed* inputs);
  Value initial_value(const Variable& variable, const StartValues& given) const;
  void warn_of(const Variable& clock, const char* message) const;
  void plan_first(std::size_t i, const std::map<ValueReference, double>& intervals);
  void plan_periodic(std::size_t i, double origin, const ClockLength& first,
                     const ClockLength& interval);
  void tune(double t);
  bool waits_for_another(std::size_t i) const;
  void tick(std::size_t i, double t);
  void skip_lost_ticks(std::size_t i, double t);
  std::vector<std::size_t> due(double t) const;
  void read_output_clocks();
  void read_held();
  void ask_for_interval(std::size_t i, double t, bool has_ticked);

  Instance& instance_;
  ClockMemory& memory_;
  std::vector<Description> clocks_;  // in the order of the file
  std::vector<const Variable*> held_;
  Experiment experiment_;
  bool runs_ = false;
  double now_ = -kNever;
  std::set<ValueReference> active_;  // in the present instant
};

}  // namespace saltus::importer

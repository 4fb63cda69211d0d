// SPDX-License-Identifier: BSD-2-Clause
// When clocks tick: their intervals, from the description, the FMU or an input file.
#include "clock_schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "saltus/core/error.hpp"

namespace saltus::importer {
namespace {

/// What the description says; FMI 3.0, 2.4.4: counters count where there are some.
ClockLength described_interval(const ClockAttributes& clock) {
  return clock.interval_counter && clock.resolution && *clock.resolution != 0
             ? ClockLength::of_fraction(*clock.interval_counter, *clock.resolution)
             : ClockLength::of_seconds(clock.interval_decimal.value_or(0.0));
}
ClockLength described_shift(const ClockAttributes& clock) {
  return clock.shift_counter != 0 && clock.resolution && *clock.resolution != 0
             ? ClockLength::of_fraction(clock.shift_counter, *clock.resolution)
             : ClockLength::of_seconds(clock.shift_decimal);
}

/// A given interval in the clock's own resolution, where it has one that fits.
ClockLength in_resolution_of(const ClockAttributes& clock, double interval) {
  const ClockLength length = ClockLength::of_seconds(interval);
  const std::uint64_t resolution = clock.resolution.value_or(0);
  if (!length.is_fraction() || resolution == 0 || resolution % length.resolution != 0) {
    return length;
  }
  const std::uint64_t factor = resolution / length.resolution;
  if (length.counter > std::numeric_limits<std::uint64_t>::max() / factor) return length;
  return ClockLength::of_fraction(length.counter * factor, resolution);
}

}  // namespace

ClockSchedule::ClockSchedule(Instance& instance, ClockMemory& memory)
    : instance_(instance), memory_(memory) {
  for (const Variable& variable : instance.description().variables) {
    if (variable.type == VariableType::clock) {
      clocks_.push_back({.variable = &variable, .rows = {}, .lengths = {}});
    } else if (!variable.clocks.empty() && variable.causality == Causality::output) {
      held_.push_back(&variable);
    }
  }
}

void ClockSchedule::warn_of(const Variable& clock, const char* message) const {
  warn(experiment_, {.time = experiment_.start, .subject = clock.name, .message = message});
}

void ClockSchedule::read_columns(const InputFeed* inputs) {
  for (Description& clock : clocks_) {
    clock.rows.clear();
    clock.lengths.clear();
    if (inputs == nullptr) continue;
    for (const InputFeed::ClockColumn& entry : inputs->clock_columns()) {
      if (entry.clock != clock.variable) continue;
      const InputTable& table = inputs->table();
      const bool is_trigger =
          clock.variable->clock->interval_variability == IntervalVariability::triggered;
      for (std::size_t row = 0; row < table.times().size(); ++row) {
        const double value = table.value(row, entry.column);
        const double time = table.times()[row];
        if (is_trigger ? value == 0.0 : row > 0 && value == table.value(row - 1, entry.column)) {
          continue;
        }
        if (!is_trigger && !(value > 0.0)) {
          throw ModelError("", time,
                           fmt::format("{}: the interval of the clock \"{}\" is {}; it must be "
                                       "positive",
                                       table.source(), clock.variable->name, value));
        }
        // Rows of equal time are one instant.
        if (!clock.rows.empty() && clock.rows.back() == time) {
          if (!is_trigger) clock.lengths.back() = value;
          continue;
        }
        clock.rows.push_back(time);
        if (!is_trigger) clock.lengths.push_back(value);
      }
    }
  }
}

/// FMI 3.0, 2.2.9: a clocked variable that is no initial unknown is initialised by its first tick.
/// Until then it has no value, and FMUs exist that take being asked for it as the beginning of the
/// first instant, in which no clock can be set any more.
Value ClockSchedule::initial_value(const Variable& variable, const StartValues& given) const {
  const ModelDescription& description = instance_.description();
  const std::vector<Unknown>& unknowns = description.structure.initial_unknowns;
  if (std::any_of(unknowns.begin(), unknowns.end(), [&](const Unknown& unknown) {
        return &description.variables[unknown.variable] == &variable;
      })) {
    return instance_.read(variable);
  }
  if (const Value* start = given.find(variable)) return fit(instance_, variable, *start);
  if (!variable.start.empty()) return fit(instance_, variable, variable.start);
  const Scalar nothing = variable.type == VariableType::string   ? Scalar(std::string())
                         : variable.type == VariableType::binary ? Scalar(Binary())
                                                                 : from_number(variable.type, 0.0);
  return Value(instance_.element_count(variable), nothing);
}

void ClockSchedule::begin(const Experiment& experiment, const StartValues& given,
                          const InputFeed* inputs) {
  experiment_ = experiment;
  now_ = experiment.start;
  memory_ = {};
  runs_ = false;
  if (!has_clocks()) return;
  memory_.clocks.resize(clocks_.size());
  memory_.event = experiment.start;
  given.apply(instance_);
  for (const Variable* variable : held_) {
    memory_.held[variable->reference] = initial_value(*variable, given);
  }
  const bool is_scheduled = instance_.is_scheduled_execution();
  if (!instance_.uses_event_mode() && !is_scheduled) {
    const bool offered = instance_.description().co_simulation->has_event_mode;
    warn_of(*clocks_.front().variable,
            offered
                ? "no clock is ticked from outside, and none is seen that the FMU ticks itself: "
                  "that needs event mode, which is switched off"
                : "no clock is ticked from outside, and none is seen that the FMU ticks itself: "
                  "that needs event mode, and the FMU does not declare hasEventMode");
    return;
  }
  runs_ = true;
  read_columns(inputs);
  for (std::size_t i = 0; i < clocks_.size(); ++i) {
    if (is_input(i)) plan_first(i, given.intervals());
  }
}

void ClockSchedule::plan_periodic(std::size_t i, double origin, const ClockLength& first,
                                  const ClockLength& interval) {
  if (!(interval.seconds > 0.0)) {
    throw ModelError("", origin,
                     fmt::format("the interval of the periodic clock \"{}\" is {}; it must be "
                                 "positive (FMI 3.0, 2.2.9)",
                                 clocks_[i].variable->name, interval.seconds));
  }
  Clock& clock = memory_.clocks[i];
  clock.times = TickTimes(origin, first, interval);
  clock.count = 0;
  clock.next = clock.times[0];
}

void ClockSchedule::plan_first(std::size_t i, const std::map<ValueReference, double>& intervals) {
  const double start = experiment_.start;
  const Variable& variable = *clocks_[i].variable;
  const ClockAttributes& attributes = *variable.clock;
  Clock& clock = memory_.clocks[i];
  switch (kind(i)) {
    case IntervalVariability::constant:
      plan_periodic(i, start, described_shift(attributes), described_interval(attributes));
      break;
    case IntervalVariability::fixed:
    case IntervalVariability::tunable:
      if (attributes.interval_decimal) {
        const auto given = intervals.find(variable.reference);
        ClockLength interval = given != intervals.end()
                                   ? in_resolution_of(attributes, given->second)
                                   : described_interval(attributes);
        const std::vector<double>& rows = clocks_[i].rows;
        while (clock.tuned < rows.size() &&
               (clock.tuned == 0 || is_due(rows[clock.tuned], start))) {
          interval = in_resolution_of(attributes, clocks_[i].lengths[clock.tuned++]);
        }
        // FMI 3.0, 2.3.4: demanded for these clocks, whether or not it is what the file says.
        instance_.set_interval(variable, interval);
        plan_periodic(i, start, described_shift(attributes), interval);
      } else {
        const ClockLength interval = instance_.interval(variable).length;
        plan_periodic(i, start, instance_.shift(variable), interval);
      }
      break;
    case IntervalVariability::changing:
    case IntervalVariability::countdown: {
      const ClockInterval answer = instance_.interval(variable);
      if (answer.qualifier == IntervalQualifier::not_yet_known) break;
      clock.begin = start;
      clock.elapsed = answer.length;
      clock.next = TickTimes(start, answer.length, {})[0];
      break;
    }
    case IntervalVariability::triggered:
      while (clock.count < clocks_[i].rows.size() && clocks_[i].rows[clock.count] < start &&
             !is_due(start, clocks_[i].rows[clock.count])) {
        ++clock.count;
      }
      clock.next = clock.count < clocks_[i].rows.size() ? clocks_[i].rows[clock.count] : kNever;
      if (clocks_[i].rows.empty()) {
        warn_of(variable,
                "the clock never ticks: it is triggered from outside, by a column of an input file "
                "with its name");
      }
      break;
  }
}

/// Intervals that an input file gives from some time on.
void ClockSchedule::tune(double t) {
  for (std::size_t i = 0; i < clocks_.size(); ++i) {
    if (kind(i) != IntervalVariability::tunable || !is_input(i)) continue;
    Clock& clock = memory_.clocks[i];
    const std::vector<double>& rows = clocks_[i].rows;
    bool is_new = false;
    while (clock.tuned < rows.size() && is_due(rows[clock.tuned], t)) {
      ++clock.tuned;
      is_new = true;
    }
    if (!is_new) continue;
    const Variable& variable = *clocks_[i].variable;
    const ClockLength interval =
        in_resolution_of(*variable.clock, clocks_[i].lengths[clock.tuned - 1]);
    instance_.set_interval(variable, interval);
    // FMI 3.0, 2.2.9: it counts from the present event, not from the last tick. A tick that is due
    // now is not lost.
    const bool ticks_now = is_due(clock.next, t);
    plan_periodic(i, t, ticks_now ? ClockLength::of_seconds(0.0) : interval, interval);
  }
}

void ClockSchedule::skip_lost_ticks(std::size_t i, double t) {
  Clock& clock = memory_.clocks[i];
  const Variable& variable = *clocks_[i].variable;
  const double interval = clock.times.interval();
  if (is_due(t + interval, t)) {
    throw ModelError("", t,
                     fmt::format("the interval {} of the clock \"{}\" is too short: its ticks "
                                 "cannot be told apart at this time",
                                 interval, variable.name));
  }
  warn(experiment_,
       {.time = t,
        .subject = variable.name,
        .message = "ticks of the clock were lost: it ticks more often than the FMU can stop; try a "
                   "smaller step size"});
  // Most of them at once, and what rounding leaves one by one.
  clock.count += static_cast<std::uint64_t>(std::max(0.0, (t - clock.next) / interval - 1.0));
  do {
    clock.next = clock.times[++clock.count];
  } while (is_due(clock.next, t));
}

/// Plans what comes after the tick that is happening.
void ClockSchedule::tick(std::size_t i, double t) {
  Clock& clock = memory_.clocks[i];
  ++clock.ticks;
  clock.last = t;
  active_.insert(clocks_[i].variable->reference);
  switch (kind(i)) {
    case IntervalVariability::constant:
    case IntervalVariability::fixed:
    case IntervalVariability::tunable:
      // FMI 3.0, 2.3.5: in one stay in event mode a periodic clock ticks once.
      clock.next = clock.times[++clock.count];
      if (is_due(clock.next, t)) skip_lost_ticks(i, t);
      break;
    case IntervalVariability::changing:
    case IntervalVariability::countdown:
      clock.next = kNever;
      break;
    case IntervalVariability::triggered:
      while (clock.count < clocks_[i].rows.size() && is_due(clocks_[i].rows[clock.count], t)) {
        ++clock.count;
      }
      clock.next = clock.count < clocks_[i].rows.size() ? clocks_[i].rows[clock.count] : kNever;
      break;
  }
}

void ClockSchedule::ask_for_interval(std::size_t i, double t, bool has_ticked) {
  const Variable& variable = *clocks_[i].variable;
  Clock& clock = memory_.clocks[i];
  switch (kind(i)) {
    case IntervalVariability::changing: {
      if (!has_ticked) return;
      const ClockInterval answer = instance_.interval(variable);
      if (answer.qualifier == IntervalQualifier::not_yet_known) {
        throw ModelError("", t,
                         fmt::format("the changing clock \"{}\" has ticked, and the FMU does not "
                                     "know its next interval (FMI 3.0, 2.2.9)",
                                     variable.name));
      }
      clock.elapsed = clock.elapsed + answer.length;
      clock.next = TickTimes(clock.begin, clock.elapsed, {})[0];
      return;
    }
    case IntervalVariability::countdown: {
      const ClockInterval answer = instance_.interval(variable);
      if (answer.qualifier == IntervalQualifier::changed) {
        clock.next = TickTimes(t, answer.length, {})[0];
      }
      return;
    }
    case IntervalVariability::tunable: {
      if (variable.clock->interval_decimal) return;
      const ClockInterval answer = instance_.interval(variable);
      if (answer.qualifier == IntervalQualifier::changed) {
        plan_periodic(i, t, answer.length, answer.length);
      }
      return;
    }
    default:
      return;
  }
}

double ClockSchedule::next() const {
  double time = kNever;
  if (!runs_) return time;
  for (std::size_t i = 0; i < clocks_.size(); ++i) {
    const Clock& clock = memory_.clocks[i];
    const bool waits = waits_for_another(i) && is_due(clock.next, memory_.event);
    time = std::min(time, waits ? kNever : clock.next);
    if (kind(i) == IntervalVariability::tunable && clock.tuned < clocks_[i].rows.size()) {
      time = std::min(time, clocks_[i].rows[clock.tuned]);
    }
  }
  return time;
}

}  // namespace saltus::importer

// SPDX-License-Identifier: BSD-2-Clause
// The calls about clocks (FMI 3.0, 2.2.9) and the one of Scheduled Execution (5.2.1).
#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "call_text.hpp"
#include "fmi3_instance.hpp"
#include "saltus/core/error.hpp"

namespace saltus::importer {
namespace {

IntervalQualifier qualifier_of(fmi3IntervalQualifier qualifier) {
  switch (qualifier) {
    case fmi3IntervalUnchanged:
      return IntervalQualifier::unchanged;
    case fmi3IntervalChanged:
      return IntervalQualifier::changed;
    default:
      return IntervalQualifier::not_yet_known;
  }
}

std::string fraction_text(std::uint64_t counter, std::uint64_t resolution) {
  return fmt::format("counters=[{}], resolutions=[{}]", counter, resolution);
}

}  // namespace

void Fmi3Instance::activate_clocks(std::span<const ValueReference> clocks) {
  begin("fmi3SetClock");
  note_change();
  const std::span<fmi3Clock> values = scratch<fmi3Clock>(clocks.size());
  std::fill(values.begin(), values.end(), fmi3ClockActive);
  const fmi3Status status =
      functions_.fmi3SetClock(handle_, clocks.data(), clocks.size(), values.data());
  require(finish(
              "fmi3SetClock", status,
              [&] { return list("valueReferences", clocks) + ", " + list("values", values); },
              kNothing),
          "fmi3SetClock");
}

bool Fmi3Instance::is_active(const Variable& clock) {
  begin("fmi3GetClock");
  fmi3Clock value = fmi3ClockInactive;
  const fmi3Status status = functions_.fmi3GetClock(handle_, &clock.reference, 1, &value);
  require(finish(
              "fmi3GetClock", status,
              [&] { return fmt::format("valueReferences=[{}]", clock.reference); },
              [&] { return fmt::format("values=[{}]", value); }),
          "fmi3GetClock");
  return value;
}

ClockInterval Fmi3Instance::interval(const Variable& clock) {
  begin("fmi3GetInterval");
  const auto arguments = [&] { return fmt::format("valueReferences=[{}]", clock.reference); };
  fmi3IntervalQualifier qualifier = fmi3IntervalNotYetKnown;
  ClockInterval answer;
  bool is_sound = true;
  if (clock.clock->supports_fraction && functions_.fmi3GetIntervalFraction != nullptr) {
    fmi3UInt64 counter = 0;
    fmi3UInt64 resolution = 1;
    const fmi3Status status = functions_.fmi3GetIntervalFraction(handle_, &clock.reference, 1,
                                                                 &counter, &resolution, &qualifier);
    require(finish("fmi3GetIntervalFraction", status, arguments,
                   [&] {
                     return fmt::format("{}, qualifiers=[{}]", fraction_text(counter, resolution),
                                        static_cast<int>(qualifier));
                   }),
            "fmi3GetIntervalFraction");
    is_sound = resolution != 0;
    if (is_sound) answer.length = ClockLength::of_fraction(counter, resolution);
  } else {
    fmi3Float64 seconds = 0.0;
    const fmi3Status status =
        functions_.fmi3GetIntervalDecimal(handle_, &clock.reference, 1, &seconds, &qualifier);
    require(finish("fmi3GetIntervalDecimal", status, arguments,
                   [&] {
                     return fmt::format("intervals=[{}], qualifiers=[{}]", seconds,
                                        static_cast<int>(qualifier));
                   }),
            "fmi3GetIntervalDecimal");
    is_sound = std::isfinite(seconds) && seconds >= 0.0;
    answer.length = ClockLength::of_seconds(seconds);
  }
  answer.qualifier = qualifier_of(qualifier);
  if (!is_sound && answer.qualifier != IntervalQualifier::not_yet_known) {
    throw ModelError(
        clock.clock->supports_fraction ? "fmi3GetIntervalFraction" : "fmi3GetIntervalDecimal",
        time_, fmt::format("the interval of the clock \"{}\" is no length of time", clock.name));
  }
  return answer;
}

ClockLength Fmi3Instance::shift(const Variable& clock) {
  begin("fmi3GetShift");
  const auto arguments = [&] { return fmt::format("valueReferences=[{}]", clock.reference); };
  if (clock.clock->supports_fraction && functions_.fmi3GetShiftFraction != nullptr) {
    fmi3UInt64 counter = 0;
    fmi3UInt64 resolution = 1;
    const fmi3Status status =
        functions_.fmi3GetShiftFraction(handle_, &clock.reference, 1, &counter, &resolution);
    require(finish("fmi3GetShiftFraction", status, arguments,
                   [&] { return fraction_text(counter, resolution); }),
            "fmi3GetShiftFraction");
    if (resolution != 0) return ClockLength::of_fraction(counter, resolution);
  } else if (functions_.fmi3GetShiftDecimal != nullptr) {
    fmi3Float64 seconds = 0.0;
    const fmi3Status status =
        functions_.fmi3GetShiftDecimal(handle_, &clock.reference, 1, &seconds);
    require(finish("fmi3GetShiftDecimal", status, arguments,
                   [&] { return fmt::format("shifts=[{}]", seconds); }),
            "fmi3GetShiftDecimal");
    if (std::isfinite(seconds) && seconds >= 0.0) return ClockLength::of_seconds(seconds);
  } else {
    return {};
  }
  throw ModelError(clock.clock->supports_fraction ? "fmi3GetShiftFraction" : "fmi3GetShiftDecimal",
                   time_,
                   fmt::format("the shift of the clock \"{}\" is no length of time", clock.name));
}

void Fmi3Instance::set_interval(const Variable& clock, const ClockLength& length) {
  begin("fmi3SetInterval");
  note_change();
  if (clock.clock->supports_fraction && length.is_fraction() &&
      functions_.fmi3SetIntervalFraction != nullptr) {
    const fmi3Status status = functions_.fmi3SetIntervalFraction(
        handle_, &clock.reference, 1, &length.counter, &length.resolution);
    require(finish(
                "fmi3SetIntervalFraction", status,
                [&] {
                  return fmt::format("valueReferences=[{}], {}", clock.reference,
                                     fraction_text(length.counter, length.resolution));
                },
                kNothing),
            "fmi3SetIntervalFraction");
    return;
  }
  const fmi3Status status =
      functions_.fmi3SetIntervalDecimal(handle_, &clock.reference, 1, &length.seconds);
  require(finish(
              "fmi3SetIntervalDecimal", status,
              [&] {
                return fmt::format("valueReferences=[{}], intervals=[{}]", clock.reference,
                                   length.seconds);
              },
              kNothing),
          "fmi3SetIntervalDecimal");
}

void Fmi3Instance::evaluate_discrete_states() {
  begin("fmi3EvaluateDiscreteStates");
  note_change();
  const fmi3Status status = functions_.fmi3EvaluateDiscreteStates(handle_);
  require(finish("fmi3EvaluateDiscreteStates", status, kNothing, kNothing),
          "fmi3EvaluateDiscreteStates");
}

void Fmi3Instance::activate_model_partition(const Variable& clock, double t) {
  begin("fmi3ActivateModelPartition");
  note_change();
  time_ = t;
  const fmi3Status status = functions_.fmi3ActivateModelPartition(handle_, clock.reference, t);
  if (pending_) std::rethrow_exception(std::exchange(pending_, nullptr));
  require(
      finish(
          "fmi3ActivateModelPartition", status,
          [&] { return fmt::format("clockReference={}, activationTime={}", clock.reference, t); },
          kNothing),
      "fmi3ActivateModelPartition");
}

void Fmi3Instance::clock_update(fmi3InstanceEnvironment environment) {
  auto* instance = static_cast<Fmi3Instance*>(environment);
  if (instance == nullptr || !instance->on_clock_update || instance->pending_) return;
  try {
    instance->on_clock_update();
  } catch (...) {  // it may not cross the FMU; `activate_model_partition` lets it out
    instance->pending_ = std::current_exception();
  }
}

// One thread activates one partition after the other: nothing preempts (FMI 3.0, 5.1.2).
void Fmi3Instance::keep_from_preemption() {}

}  // namespace saltus::importer

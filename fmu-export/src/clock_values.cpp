// SPDX-License-Identifier: BSD-2-Clause
// What an instance says of its clocks, besides whether they tick, which is a value like others.
#include <cmath>

#include "call_error.hpp"
#include "clock_fraction.hpp"
#include "instance.hpp"

namespace saltus::fmu_export {

using modeling::Variable;

void Instance::ask_clocks(const ClockCall& call) {
  for (std::size_t i = 0; i < call.clocks.size(); ++i) {
    const Reference reference = call.clocks[i];
    values_->clock(reference);
    if (call.what == ClockCall::interval_fraction || call.what == ClockCall::shift_fraction) {
      tell_fraction(call, i);
      continue;
    }
    if (call.what == ClockCall::set) {
      throw CallError(described(reference) +
                      " has an interval of its own: it is constant, the model computes it, or a "
                      "parameter says it, which can be set");
    }
    if (call.lengths == nullptr) throw CallError("the array of lengths is NULL");
    if (call.what == ClockCall::shift) {
      if (!values_->clock(reference).clock.is_periodic()) {
        throw CallError(described(reference) + " is no periodic clock, and has no shift");
      }
      call.lengths[i] = values_->clock(reference).clock.shift;
      continue;
    }
    if (call.qualifiers == nullptr) throw CallError("qualifiers is NULL");
    ClockCall::News news = ClockCall::unchanged;
    call.lengths[i] = interval(reference, news);
    call.qualify(call.qualifiers, i, news);
  }
}

void Instance::tell_fraction(const ClockCall& call, std::size_t i) const {
  const auto fraction = fraction_of(values_->clock(call.clocks[i]).clock);
  if (!fraction) {
    throw CallError(described(call.clocks[i]) + " has no fractions: supportsFraction is false");
  }
  const bool is_interval = call.what == ClockCall::interval_fraction;
  if (call.counters == nullptr || call.resolutions == nullptr) {
    throw CallError("counters or resolutions is NULL");
  }
  if (is_interval && call.qualifiers == nullptr) throw CallError("qualifiers is NULL");
  call.counters[i] = is_interval ? fraction->interval : fraction->shift;
  call.resolutions[i] = fraction->resolution;
  if (is_interval) call.qualify(call.qualifiers, i, ClockCall::unchanged);
}

// FMI 3.0, 2.2.10.3, qualifiers: what is constant never changes, what is fixed is said before the
// run, and what a tunable parameter says whenever that has changed.
double Instance::interval(Reference reference, ClockCall::News& news) {
  const Variable& v = values_->clock(reference);
  if (v.clock.is_planned()) return planned_interval(reference, news);
  if (!v.clock.is_periodic()) {
    throw CallError(described(reference) + " is a triggered clock, which has no interval");
  }
  if (!v.clock.parameter) return v.clock.interval;
  const double length = model_->number(*v.clock.parameter);
  const Variable& parameter = model_->variables()[*v.clock.parameter];
  if (!(length > 0.0 && length < kNever)) {
    throw CallError(described(reference) + " has the interval " + symbolic(length) +
                    ", which the parameter \"" + parameter.name +
                    "\" says: an interval is a positive and finite number");
  }
  double& told = told_interval(v);
  const bool is_news = told != length && (mode_ == Mode::initialization || parameter.tunable);
  news = is_news ? ClockCall::changed : ClockCall::unchanged;
  told = length;
  return length;
}

double& Instance::told_interval(const Variable& clock) {
  constexpr double kNothing = -1.0;
  if (told_intervals_.size() <= clock.clock.number) {
    told_intervals_.resize(clock.clock.number + 1, kNothing);
  }
  return told_intervals_[clock.clock.number];
}

// The same, 2.2.10.3: a changing clock has its next interval once it has ticked, a countdown when
// the model says so. A tick that should have been is due at once.
double Instance::planned_interval(Reference reference, ClockCall::News& news) {
  const Variable& v = values_->clock(reference);
  const Reference of_next = static_cast<Reference>(v.clock.next + 1);
  const Situation now = situation();
  double next = 0.0;
  if (values_->get(now, {&of_next, 1}, {&next, 1}) == Eval::discard) {
    throw CallError(described(reference) + " has no interval: the model cannot be evaluated");
  }
  if (!(next >= 0.0)) {
    if (v.clock.kind == modeling::ClockTiming::Kind::changing) {
      throw CallError(described(reference) + " has no interval to its next tick: " +
                      described(of_next) + " is " + symbolic(next));
    }
    news = ClockCall::not_yet_known;
    return 0.0;
  }
  double& told = told_interval(v);
  news = told != next ? ClockCall::changed : ClockCall::unchanged;
  told = next;
  return std::fmax(0.0, next - (now.time - experiment_.start));
}

bool Instance::has_news_of_countdowns() {
  const auto variables = model_->variables();
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const Variable& v = variables[i];
    if (v.type != Variable::Type::clock || v.clock.kind != modeling::ClockTiming::Kind::countdown) {
      continue;
    }
    const double next = model_->number(v.clock.next);
    if (next >= 0.0 && next != told_interval(v)) return true;
  }
  return false;
}

bool Instance::finds_clocks() const {
  for (const Variable& v : model_->variables()) {
    if (v.type == Variable::Type::clock) return true;
  }
  return false;
}

void Instance::warn_of_clocks(bool event_mode_used, bool early_return_allowed) const {
  for (const Variable& v : model_->variables()) {
    if (v.type != Variable::Type::clock || v.clock.is_periodic()) continue;
    const bool is_input = v.causality == Variable::Causality::input;
    if (v.clock.is_planned()) {
      if (v.clock.kind == modeling::ClockTiming::Kind::countdown && event_mode_used &&
          !early_return_allowed) {
        log_.write(LogCategory::warning,
                   "the clock \"" + v.name +
                       "\" may tick late: events inside of a step are handled there, and where "
                       "one of them sets it the importer hears of it at the end of the step, "
                       "unless earlyReturnAllowed is fmi3True");
      }
    } else if (is_input && !event_mode_used) {
      log_.write(LogCategory::warning, "the clock \"" + v.name +
                                           "\" never ticks: eventModeUsed is fmi3False, and clocks "
                                           "are ticked in Event Mode");
    } else if (!is_input && !(event_mode_used && early_return_allowed)) {
      log_.write(LogCategory::warning,
                 "the clock \"" + v.name +
                     "\" may tick unseen: events inside of a step are handled there unless "
                     "eventModeUsed and earlyReturnAllowed are fmi3True");
    }
  }
}

}  // namespace saltus::fmu_export

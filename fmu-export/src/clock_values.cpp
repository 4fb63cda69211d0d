// SPDX-License-Identifier: BSD-2-Clause
// What an instance says of its clocks, besides whether they tick, which is a value like others.
#include "call_error.hpp"
#include "instance.hpp"

namespace saltus::fmu_export {

using modeling::Variable;

void Instance::ask_clocks(const ClockCall& call) {
  for (std::size_t i = 0; i < call.clocks.size(); ++i) {
    const Reference reference = call.clocks[i];
    values_->clock(reference);
    if (call.what == ClockCall::fraction) {
      throw CallError(described(reference) + " has no fractions: supportsFraction is false");
    }
    if (call.what == ClockCall::set) {
      throw CallError(described(reference) +
                      " has an interval of its own: it is constant, or a parameter says it, which "
                      "can be set");
    }
    if (call.lengths == nullptr) throw CallError("the array of lengths is NULL");
    if (call.what == ClockCall::shift) {
      call.lengths[i] = periodic_clock(reference).clock.shift;
      continue;
    }
    if (call.qualifiers == nullptr) throw CallError("qualifiers is NULL");
    bool is_news = false;
    call.lengths[i] = interval(reference, is_news);
    call.qualify(call.qualifiers, i, is_news);
  }
}

const Variable& Instance::periodic_clock(Reference reference) const {
  const Variable& v = values_->clock(reference);
  if (!v.clock.periodic) {
    throw CallError(described(reference) + " is a triggered clock, which has no interval");
  }
  return v;
}

// FMI 3.0, 2.2.10.3, qualifiers: what is constant never changes, what is fixed is said before the
// run, and what a tunable parameter says whenever that has changed.
double Instance::interval(Reference reference, bool& is_news) {
  const Variable& v = periodic_clock(reference);
  if (!v.clock.parameter) return v.clock.interval;
  const double length = model_->number(*v.clock.parameter);
  const Variable& parameter = model_->variables()[*v.clock.parameter];
  if (!(length > 0.0 && length < kNever)) {
    throw CallError(described(reference) + " has the interval " + symbolic(length) +
                    ", which the parameter \"" + parameter.name +
                    "\" says: an interval is a positive and finite number");
  }
  if (told_intervals_.size() <= v.clock.number) told_intervals_.resize(v.clock.number + 1);
  double& told = told_intervals_[v.clock.number];
  is_news = told != length && (mode_ == Mode::initialization || parameter.tunable);
  told = length;
  return length;
}

bool Instance::finds_clocks() const {
  for (const Variable& v : model_->variables()) {
    if (v.type == Variable::Type::clock) return true;
  }
  return false;
}

void Instance::warn_of_clocks(bool event_mode_used, bool early_return_allowed) const {
  for (const Variable& v : model_->variables()) {
    if (v.type != Variable::Type::clock || v.clock.periodic) continue;
    const bool is_input = v.causality == Variable::Causality::input;
    if (is_input && !event_mode_used) {
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

// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/modeling/passes.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "number_text.hpp"
#include "saltus/error.hpp"

namespace saltus::modeling {
namespace {

// The first of start + k * interval (k = 1, 2, ...) after `now`; counted, never accumulated.
double next_period(double start, double interval, double now) {
  double k = std::fmax(1.0, std::floor((now - start) / interval));
  while (start + k * interval <= now) {
    k += 1.0;
  }
  return start + k * interval;
}

}  // namespace

bool has_come(double now, double due) {
  return now >= due - 16.0 * std::numeric_limits<double>::epsilon() * std::fabs(due);
}

void implicit_configuration(const std::string& model) {
  throw std::logic_error(model +
                         ": the first configuration has no equation eq(lhs, rhs), but a later one "
                         "has: say so with ModelInfo info{.implicit = true}");
}

void throw_tie(double t, const std::string& one, const std::string& other) {
  throw EventError(EventError::Reason::not_unique, t, {one, other},
                   "at t = " + number_text(t) + " the transitions '" + one + "' and '" + other +
                       "' are both due: make one condition exclude the other");
}

bool EventPass::fires(std::size_t i, bool holds) {
  const bool turned = holds && memory->held[i] == Lock::no;
  memory->held[i] = holds ? Lock::yes : Lock::no;
  fired = fired || turned;
  return turned;
}

bool EventPass::every(double now, double interval) {
  const std::size_t i = clocks++;
  if (way != Way::act) {
    return false;
  }
  if (!(interval > 0.0)) {
    throw std::invalid_argument("every() needs a positive interval, not " +
                                std::to_string(interval));
  }
  double& due = memory->clock.at(i);
  const bool is_due = memory->running && has_come(now, due);
  if (is_due || !memory->running) {
    due = next_period(start, interval, is_due ? std::fmax(now, due) : now);
  }
  next_event_time = std::fmin(next_event_time, due);
  fired = fired || is_due;
  return is_due;
}

bool EventPass::at(double now, double instant) {
  const std::size_t i = clocks++;
  if (way != Way::act) {
    return false;
  }
  double& handled = memory->clock.at(i);
  const bool is_due = has_come(now, instant) && !(memory->running && handled == instant);
  if (is_due) {
    handled = instant;
  } else {
    if (!memory->running) {
      handled = kNever;
    }
    if (!has_come(now, instant)) {
      next_event_time = std::fmin(next_event_time, instant);
    }
  }
  fired = fired || is_due;
  return is_due;
}

}  // namespace saltus::modeling

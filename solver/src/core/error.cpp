// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/core/error.hpp"

#include <utility>

#include "saltus/core/number_text.hpp"

namespace saltus {
namespace {

const char* what_happened(IntegrationError::Reason reason) {
  switch (reason) {
    case IntegrationError::Reason::step_too_small:
      return "the step size fell to ";
    case IntegrationError::Reason::not_evaluable:
      return "the equations cannot be evaluated, at no step size down to ";
    case IntegrationError::Reason::bad_start:
      return "the equations cannot be evaluated at the start, step size ";
  }
  return "";
}

std::string quoted(const std::string& component) {
  return component.empty() ? "" : " (component \"" + component + "\")";
}

}  // namespace

ModelError::ModelError(std::string function, double time, const std::string& reason)
    : Error(function + " at t = " + number_text(time) + ": " + reason),
      function_(std::move(function)),
      time_(time) {}

IntegrationError::IntegrationError(Reason reason, double time, double step, std::string component,
                                   const std::string& advice)
    : Error(what_happened(reason) + number_text(step) + " at t = " + number_text(time) +
            quoted(component) + ": " + advice),
      reason_(reason),
      time_(time),
      step_(step),
      component_(std::move(component)) {}

EventError::EventError(Reason reason, double time, std::vector<std::string> indicators,
                       const std::string& message, double accumulation)
    : Error(message),
      reason_(reason),
      time_(time),
      indicators_(std::move(indicators)),
      accumulation_(accumulation) {}

}  // namespace saltus

// SPDX-License-Identifier: BSD-2-Clause
#include "simulation_checks.hpp"

#include <cmath>
#include <stdexcept>
#include <string>

#include "saltus/core/number_text.hpp"

namespace saltus {

void check_number(const SimulatedVariable& v) {
  if (v.kind == SimulatedVariable::Kind::text) {
    throw std::invalid_argument(
        "\"" + v.name + "\" is a text, not a number: give it in .texts, read it with text()");
  }
}

void check_text(const SimulatedVariable& v) {
  if (v.kind != SimulatedVariable::Kind::text) {
    throw std::invalid_argument(
        "\"" + v.name + "\" is a number, not a text: give it in .values, read it with value()");
  }
}

// Throws where the variable cannot have this value.
void check_value(const SimulatedVariable& v, double value) {
  using Kind = SimulatedVariable::Kind;
  const auto refuse = [&](const std::string& why) {
    throw std::invalid_argument("\"" + v.name + "\" cannot be " + number_text(value) + why);
  };
  check_number(v);
  if (!std::isfinite(value)) {
    refuse("");
  }
  if (v.kind == Kind::boolean && value != 0.0 && value != 1.0) {
    refuse(": it is 0 or 1");
  }
  // Beyond 2^53 doubles are no longer all whole numbers there are.
  if (v.kind == Kind::whole && value != std::trunc(value)) {
    refuse(": it is a whole number");
  }
  if (v.kind == Kind::whole && std::fabs(value) > 0x1p53) {
    refuse(": as a double, such a number is no longer exact");
  }
  if (v.min && value < *v.min) {
    refuse(": it is declared to be at least " + number_text(*v.min));
  }
  if (v.max && value > *v.max) {
    refuse(": it is declared to be at most " + number_text(*v.max));
  }
}

// Those that nobody else looks at.
void check_options(const SimulationOptions& options) {
  const auto check = [](const char* name, double value, bool fits, const char* what) {
    if (!fits) {
      throw std::invalid_argument(std::string(".") + name + " = " + number_text(value) +
                                  ": it has to be " + what);
    }
  };
  const auto is_length = [](double value) { return value >= 0.0 && std::isfinite(value); };
  check("hysteresis", options.hysteresis, is_length(options.hysteresis), "zero or more");
  check("dwell", options.dwell, is_length(options.dwell), "zero or more");
  check("max_step", options.max_step, options.max_step > 0.0, "positive");
  if (!options.sensitivities.empty() &&
      (options.hysteresis > 0.0 || options.dwell > 0.0 || options.rest)) {
    throw std::invalid_argument(".sensitivities: with .hysteresis, .dwell or .rest there are none");
  }
  if (!options.inputs.empty()) {
    throw std::invalid_argument(
        ".inputs: only a model that is given as a class template, simulate<Model>(...), is driven "
        "so; an FMU by FmuSimulationOptions::inputs, any other while it rests, by "
        "Simulation::set");
  }
  if (!options.sizes.empty()) {
    throw std::invalid_argument(
        ".sizes: only a model that is given as a class template, simulate<Model>(...), is made so; "
        "whoever makes a model says them then, NativeModel<Model>(name, sizes), and an FMU takes "
        "them in FmuSimulationOptions::instance.start_values");
  }
  if (options.report_interval) {
    check("report_interval", *options.report_interval, *options.report_interval > 0.0, "positive");
  }
  if (options.tolerance) {
    check("tolerance", *options.tolerance,
          *options.tolerance > 0.0 && std::isfinite(*options.tolerance), "positive");
  }
}

// What of the options might help. A motion that should slide may look like impacts that accumulate.
std::string remedy(const EventError& error, const SimulationOptions& options) {
  const bool is_zeno = error.reason() == EventError::Reason::zeno;
  if ((is_zeno || error.reason() == EventError::Reason::chattering) && !options.sliding) {
    return is_zeno ? " (SimulationOptions: .sliding = true; for impacts .rest = true)"
                   : " (SimulationOptions: .sliding = true)";
  }
  if (is_zeno && !options.rest) {
    return " (SimulationOptions: .rest = true)";
  }
  if (error.reason() == EventError::Reason::chattering && options.hysteresis == 0.0 &&
      options.dwell == 0.0) {
    return " (SimulationOptions: .hysteresis or .dwell)";
  }
  return "";
}

}  // namespace saltus

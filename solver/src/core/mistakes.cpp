// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/core/mistakes.hpp"

#include "saltus/core/number_text.hpp"

namespace saltus::modeling {

void throw_unassigned(const std::string& variable, double t, bool never) {
  throw ModelMistake(
      (never ? "equations() does not assign " + variable + " in the configuration at t = "
             : "equations() reads " + variable +
                   " before it assigns it, in the configuration at t = ") +
      number_text(t) +
      ": it would keep the value of another evaluation; give it a value in every branch" +
      (never ? "" : ", before it is used"));
}

void throw_moved(const std::string& unknown, double t, bool by_equations) {
  throw ModelMistake(
      (by_equations ? "equations() assigns '" + unknown + "' itself at t = "
                    : "events() assigns '" + unknown +
                          "' outside of the body of a when(), every() or at(), at t = ") +
      number_text(t) +
      (by_equations ? ": it gives derivatives, and equations of the form eq(lhs, rhs); an unknown "
                      "jumps in events(), in the body of a when()"
                    : ": write if (ev.when(...)) before it"));
}

void throw_assigned_in_body(const std::string& variable) {
  throw ModelMistake(
      "a body in events() assigns " + variable +
      ", which equations() computes at every point: let the body set a Discrete, and "
      "let equations() choose by it");
}

void throw_no_value(const char* name) {
  throw ModelMistake("the parameter '" + std::string(name) + "' has no value: write {\"" + name +
                     "\", {.start = 1.0}}");
}

void throw_no_state(const std::string& text) {
  const bool is_derivative = text.starts_with("der(");
  const bool is_variable = text.find_first_of(" +-*/(") == std::string::npos;
  throw ModelMistake(
      "der(" + text + "): " +
      (is_derivative ? "a derivative of a derivative needs a state between both, with a start "
                       "value of its own: State<Real> v{\"v\"}; and der(x) = v; der(v) = ...;"
       : is_variable ? "only a State has a derivative: declare it as one"
                     : "only a State has a derivative: declare one for the expression, "
                       "State<Real> s{\"s\"}; and eq(s, ...); which determines it"));
}

void throw_input_in_events() {
  throw ModelMistake(
      "a body in events() assigns an input: inputs are given from outside, or by the equations() "
      "around a submodel; what events change is a Discrete");
}

void throw_input_assigned(const std::string& input, double t) {
  throw ModelMistake("equations() assigns the input '" + input +
                     "' in the configuration at t = " + number_text(t) +
                     " and not in the first one: inputs are given from outside; one of a submodel "
                     "may be assigned by the equations() around it, and then in every branch");
}

void throw_nameless() {
  throw std::invalid_argument("a variable without a name: give each member its FMI name");
}

void no_such_element(const std::string& array, std::size_t element, std::size_t count) {
  throw std::out_of_range(
      array + "[" + std::to_string(static_cast<std::ptrdiff_t>(element)) +
      "] does not exist: " + array + " has " + std::to_string(count) +
      " elements. Both sides of && and || are evaluated where one of them is about numbers, so "
      "that `i < n && x[i] > 0.0` protects nothing");
}

}  // namespace saltus::modeling

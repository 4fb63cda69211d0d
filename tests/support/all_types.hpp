// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <string>

#include "saltus/modeling/native_model.hpp"

/// Models that have variables of every type: parameters, tunable ones, inputs that are passed on,
/// and what events count.
namespace all_types {

using namespace saltus::modeling;

enum class Mode { off, heating, cooling };

constexpr auto kInput = Variable::Causality::input;
constexpr auto kOutput = Variable::Causality::output;

/// The variables of one integer type.
template <class T>
struct Integers {
  std::string prefix;
  Parameter<T> fixed{(prefix + "_fixed").c_str(), {.start = 2, .min = 1, .max = 100}};
  Parameter<T> tunable{(prefix + "_tunable").c_str(), {.start = 3, .tunable = true}};
  Discrete<T> input{(prefix + "_input").c_str(), {.causality = kInput}};
  Discrete<T> output{(prefix + "_output").c_str(), {.causality = kOutput}};
  Discrete<T> count{(prefix + "_count").c_str(), {.start = 40}};

  explicit Integers(const char* type) : prefix(type) {}
  void pass_on() { output = input; }
  void advance() {
    count++;
    count += fixed;
  }
};

/// Of every type that both FMI 3.0 and FMI 2.0 can show.
template <class Real>
struct AllTypes {
  static constexpr ModelInfo info{
      .description = "Variables of every type", .stop = 1.0, .step_size = 0.05};

  State<Real> x{"x", {.start = 1.0}};
  Parameter<Real> rate{"rate", {.start = 1.0}};
  Parameter<Real> ambient{"ambient", {.unit = "K", .start = 293.15, .display_unit = "degC"}};
  Output<Real> y{"y"};

  Integers<std::int8_t> int8{"Int8"};
  Integers<std::uint8_t> uint8{"UInt8"};
  Integers<std::int16_t> int16{"Int16"};
  Integers<std::uint16_t> uint16{"UInt16"};
  Integers<std::int32_t> int32{"Int32"};
  Integers<std::uint32_t> uint32{"UInt32"};
  Integers<std::int64_t> int64{"Int64"};
  Integers<std::uint64_t> uint64{"UInt64"};

  Parameter<bool> fast{"fast", {.start = true}};
  Parameter<bool> doubled{"doubled", {.start = false, .tunable = true}};
  Discrete<bool> bool_input{"Boolean_input", {.causality = kInput}};
  Discrete<bool> bool_output{"Boolean_output", {.causality = kOutput}};
  Discrete<bool> low{"low", {.description = "whether x is below a half"}};

  Parameter<Mode> first{"first", {.start = Mode::heating}};
  Discrete<Mode> mode{"mode", {.start = Mode::off, .causality = kOutput}};
  Discrete<Mode> mode_input{"Mode_input", {.causality = kInput}};
  Discrete<Mode> mode_output{"Mode_output", {.causality = kOutput}};

  Parameter<float> gain{"gain", {.unit = "1/s", .start = 0.5F, .min = 0.0F, .max = 10.0F}};
  Discrete<float> float_input{"Float32_input", {.causality = kInput}};
  Discrete<float> float_output{"Float32_output", {.causality = kOutput}};
  Discrete<float> level{"level", {.start = 0.1F}};

  Parameter<std::string> label{"label", {.start = "tank <1> & \"more\""}};
  Parameter<std::string> note{"note", {.start = "none", .tunable = true}};
  Discrete<std::string> string_input{"String_input", {.causality = kInput}};
  Discrete<std::string> string_output{"String_output", {.causality = kOutput}};
  Discrete<std::string> last{"last", {.start = "start", .causality = kOutput}};

  void equations(Equations<Real>&) {
    Real sum = 0.0;
    for (int i = 0; i < int32.fixed; ++i) {
      sum += gain * x;
    }
    y = (doubled ? 2.0 : 1.0) * sum + uint8.tunable * x + int64.count;
    switch (mode) {
      case Mode::off:
        der(x) = fast ? -rate * x : -0.1 * x;
        break;
      case Mode::heating:
        der(x) = 1.0 * rate;
        break;
      case Mode::cooling:
        der(x) = -rate * x / int32.fixed;
        break;
    }
    pass_on();
  }
  void pass_on() {
    int8.pass_on();
    uint8.pass_on();
    int16.pass_on();
    uint16.pass_on();
    int32.pass_on();
    uint32.pass_on();
    int64.pass_on();
    uint64.pass_on();
    bool_output = bool_input;
    mode_output = mode_input;
    float_output = float_input;
    string_output = string_input;
  }
  void advance() {
    int8.advance();
    uint8.advance();
    int16.advance();
    uint16.advance();
    int32.advance();
    uint32.advance();
    int64.advance();
    uint64.advance();
    level = level + 0.25F;
    low = x < 0.5;
    last = label.value() + ", " + note.value() + " " + std::to_string(int32.count);
  }
  void events(Events<Real>& ev) {
    if (ev.every(0.25)) advance();
    if (ev.when(mode == Mode::off && x < 0.6)) mode = first;
    if (ev.when(mode == Mode::heating && x > 0.75)) mode = Mode::cooling;
  }
};

/// With binaries, which only FMI 3.0 has.
template <class Real>
struct AllTypesOfFmi3 : AllTypes<Real> {
  Parameter<Binary> key{"key", {.start = {1, 0, 255}, .mime_type = "application/x-key"}};
  Discrete<Binary> binary_input{"Binary_input", {.causality = kInput}};
  Discrete<Binary> binary_output{"Binary_output", {.causality = kOutput}};
  Discrete<Binary> trace{"trace", {.start = {7}}};

  void equations(Equations<Real>& eq) {
    AllTypes<Real>::equations(eq);
    binary_output = binary_input;
  }
  void events(Events<Real>& ev) {
    AllTypes<Real>::events(ev);
    if (ev.every(0.5)) {
      Binary longer = trace.value();
      longer.insert(longer.end(), key.value().begin(), key.value().end());
      trace = longer;
    }
  }
};

/// With a condition in the equations, on which a motion might slide.
template <class Real>
struct AllTypesThatSwitch : AllTypesOfFmi3<Real> {
  void equations(Equations<Real>& eq) {
    AllTypesOfFmi3<Real>::equations(eq);
    this->y = this->x < 0.5 ? Real(this->y) : this->y + 1.0;
  }
};

}  // namespace all_types

// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "saltus/modeling/native_model.hpp"

namespace saltus::reference {

using namespace saltus::modeling;

/// Passes every input on to an output of its type: a test of values, not of dynamics.
template <class Real>
struct Feedthrough {
  static constexpr ModelInfo info{
      .description = "Passes inputs on to outputs", .stop = 2.0, .step_size = 0.1};
  static constexpr auto kInput = Variable::Causality::input;
  static constexpr auto kOutput = Variable::Causality::output;

  Parameter<Real> fixed_parameter{"Float64_fixed_parameter", {.start = 0.0}};
  Parameter<Real> tunable_parameter{"Float64_tunable_parameter", {.start = 0.0, .tunable = true}};
  Input<Real> continuous_input{"Float64_continuous_input"};
  Output<Real> continuous_output{"Float64_continuous_output"};
  Output<Real> scaled_output{"Float64_scaled_output",
                             {.description = "the continuous input plus both parameters"}};
  Discrete<Real> discrete_input{"Float64_discrete_input", {.causality = kInput}};
  Discrete<Real> discrete_output{"Float64_discrete_output", {.causality = kOutput}};
  Discrete<int> int32_input{"Int32_input", {.causality = kInput}};
  Discrete<int> int32_output{"Int32_output", {.causality = kOutput}};
  Discrete<std::int64_t> int64_input{"Int64_input", {.causality = kInput}};
  Discrete<std::int64_t> int64_output{"Int64_output", {.causality = kOutput}};
  Discrete<bool> boolean_input{"Boolean_input", {.causality = kInput}};
  Discrete<bool> boolean_output{"Boolean_output", {.causality = kOutput}};

  void equations(Equations<Real>&) {
    continuous_output = continuous_input;
    scaled_output = continuous_input + fixed_parameter + tunable_parameter;
    discrete_output = discrete_input;
    int32_output = int32_input;
    int64_output = int64_input;
    boolean_output = boolean_input;
  }
};

}  // namespace saltus::reference

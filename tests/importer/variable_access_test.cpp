// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/importer/variable_access.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "recorded_calls.hpp"
#include "saltus/importer/fmu.hpp"
#include "scratch.hpp"

using Catch::Matchers::Contains;
using namespace saltus;
using namespace saltus::importer;

TEST_CASE("variables of every type are read and written", "[variable_access]") {
  Fmu fmu = Fmu::open(SALTUS_ARRAY_FMU);
  const auto model = fmu.instantiate_model_exchange("array");
  VariableAccess& variables = model->variables();
  for (const Variable& variable : fmu.description().variables) {
    if (variable.start.empty()) continue;
    INFO(variable.name);
    const Value start = variables.read(variable);
    CHECK(start.front() == variable.start.front());
  }
  struct Case {
    std::string name;
    std::string text;
  };
  for (const Case& sample : std::vector<Case>{{"float32", "0.1"},
                                              {"int8", "-128"},
                                              {"uint8", "255"},
                                              {"int16", "-3"},
                                              {"uint16", "3"},
                                              {"int32", "-70000"},
                                              {"uint32", "4294967295"},
                                              {"int64", "-9007199254740993"},
                                              {"uint64", "18446744073709551615"},
                                              {"boolean", "false"},
                                              {"gear", "-1"},
                                              {"text", "other, \"text\""},
                                              {"binary", "00ff"},
                                              {"M", "6 5 4 3 2 1"}}) {
    INFO(sample.name);
    const Variable& variable = variables.variable(sample.name);
    variables.write(variable, fmu.description().parse(variable, sample.text));
    CHECK(format_value(variables.read(variable)) == sample.text);
  }
  const Variable& gear = variables.variable("gear");
  variables.write(gear, fmu.description().parse(gear, "reverse gear"));
  CHECK(std::get<std::int64_t>(variables.read(gear).at(0)) == -1);
}

TEST_CASE("a variable is not written where the standard forbids it", "[variable_access]") {
  Fmu fmu = Fmu::open(plain_fmu("liar"));
  RecordedCalls calls;
  const auto model = fmu.instantiate_model_exchange("liar", {.call_log = &calls});
  VariableAccess& variables = model->variables();
  const Variable& lie = variables.variable("lie");
  variables.write(lie, {std::int32_t{0}});
  CHECK_THROWS_AS(variables.write(lie, {1.0}), std::invalid_argument);
  CHECK_THROWS_AS(variables.write(lie, {}), std::invalid_argument);
  std::vector<double> y(1);
  model->initialize({.stop = 1.0}, y);
  CHECK_THROWS_WITH(variables.write(lie, {std::int32_t{0}}),
                    Contains("cannot be set in event mode"));
  CHECK_THROWS_AS(variables.write(variables.variable("x"), {0.5}), std::logic_error);
  CHECK(calls.count("fmi3SetInt32") == 1);
}

TEST_CASE("nothing is read between a write in step mode and the step", "[variable_access]") {
  Fmu fmu = Fmu::open(SALTUS_SHIPPED_FMU_DIR "/feedthrough.fmu");
  const auto cs = fmu.instantiate_co_simulation("feedthrough");
  VariableAccess& variables = cs->variables();
  const Variable& in = variables.variable("Float64_continuous_input");
  const Variable& out = variables.variable("Float64_continuous_output");
  const auto output = [&] { return to_number(variables.read(out).at(0)); };
  variables.write(in, {1.0});
  CHECK(output() == 1.0);  // not initialised yet
  cs->initialize({.stop = 9.0});
  while (cs->update_discrete_states().iterate) {
  }
  cs->leave_event_mode();
  for (const double value : {2.0, 3.0}) {
    variables.write(in, {value});
    CHECK_THROWS_WITH(output(), Contains("between a write in step mode and the next step"));
    double number = 0.0;
    CHECK_THROWS_AS(variables.read_numbers(out.type, {out.reference}, Vec(&number, 1)),
                    std::logic_error);
    (void)cs->advance({.report = value, .barrier = 9.0});
    CHECK(output() == value);
  }
  const auto saved = cs->save();
  variables.write(in, {4.0});
  cs->restore(*saved);
  CHECK(output() == 3.0);
  variables.write(in, {5.0});
  cs->initialize({.stop = 9.0});
  CHECK_NOTHROW(output());
}

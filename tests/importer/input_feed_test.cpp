// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "recorded_calls.hpp"
#include "saltus/importer/fmu.hpp"
#include "scratch.hpp"

using Catch::Matchers::Contains;
using namespace saltus;
using namespace saltus::importer;
using Names = std::vector<std::string>;

TEST_CASE("inputs follow their table at every evaluation and jump in event mode", "[input_feed]") {
  Fmu fmu = Fmu::open(SALTUS_ARRAY_FMU);
  RecordedCalls calls;
  const auto model = fmu.instantiate_model_exchange("array", {.call_log = &calls});
  const InputTable table = InputTable::parse(
      "time,u[1],u[2],boolean,gear\n0,0,5,1,0\n1,1,5,1,0\n1,3,5,1,0\n2,3,5,0,1\n", "in.csv");
  model->set_inputs(&table);
  std::vector<double> y(2);
  std::vector<double> yp(2);
  model->initialize({.stop = 3.0}, y);
  CHECK(model->update_discrete_states(0.0, y).next_event_time == 1.0);
  model->enter_continuous_mode(0.0, y);
  calls.clear();
  CHECK(model->derivatives(0.5, y, yp) == Eval::ok);
  CHECK(yp == std::vector<double>{0.5 - y[0], 5.0 - 2.0 * y[1]});
  CHECK(calls.names() == Names{"fmi3SetTime", "fmi3SetFloat64", "fmi3SetContinuousStates",
                               "fmi3GetContinuousStateDerivatives"});
  CHECK(model->derivatives(1.0, y, yp) == Eval::ok);  // the left limit
  CHECK(yp[0] == 1.0 - y[0]);
  calls.clear();
  model->enter_event_mode(1.0, y);
  CHECK(calls.names() == Names{"fmi3EnterEventMode", "fmi3SetFloat64"});
  CHECK(model->update_discrete_states(1.0, y).next_event_time == 2.0);
  model->enter_continuous_mode(1.0, y);
  CHECK(model->derivatives(1.0, y, yp) == Eval::ok);  // the right limit
  CHECK(yp[0] == 3.0 - y[0]);
  CHECK(std::get<bool>(model->variables().read(model->variables().variable("boolean")).at(0)));
  model->enter_event_mode(2.0, y);
  CHECK(model->update_discrete_states(2.0, y).next_event_time == kNever);
  CHECK_FALSE(
      std::get<bool>(model->variables().read(model->variables().variable("boolean")).at(0)));
}

TEST_CASE("no step reaches over a kink of an input, and samples of a smooth one are none",
          "[input_feed]") {
  Fmu fmu = Fmu::open(SALTUS_ARRAY_FMU);
  const auto kinks_of = [&](const std::string& rows, double tolerance) {
    const auto model = fmu.instantiate_model_exchange("array");
    const InputTable table = InputTable::parse("time,u[1]\n" + rows, "in.csv");
    model->set_inputs(&table);
    std::vector<double> y(2), kinks;
    model->initialize({.stop = 3.0, .tolerance = tolerance}, y);
    const EventHints& hints = *model->capabilities().hints;
    for (double t = hints.next_kink(-1.0); t < kNever; t = hints.next_kink(t)) {
      kinks.push_back(t);
    }
    return kinks;
  };
  const auto sampled = [](std::size_t samples, double (*function)(double)) {
    std::string rows;
    for (std::size_t k = 0; k <= samples; ++k) {
      const double t = 3.0 * static_cast<double>(k) / static_cast<double>(samples);
      rows += fmt::format("{},{}\n", t, function(t));
    }
    return rows;
  };
  using Times = std::vector<double>;
  CHECK(kinks_of("0,1\n1,1\n2,3\n2.5,4\n3,0\n", 1e-6) == Times{1.0, 2.5, 3.0});
  CHECK(kinks_of("1,1\n2,3\n2,0\n3,0\n", 1e-6) == Times{1.0});  // a jump is an event
  const auto wave = [](double t) { return 2.0 + std::sin(t); };
  const auto tent = [](double t) { return 1.0 - std::abs(t - 1.5); };
  CHECK(kinks_of(sampled(10000, wave), 1e-4) ==
        Times{0.0, 3.0});  // where the table begins and ends
  CHECK(kinks_of(sampled(100, wave), 1e-6).size() == 101);
  CHECK(kinks_of(sampled(100000, tent), 1e-3) == Times{0.0, 1.5, 3.0});
}

TEST_CASE("cells hold whole arrays, strings and binaries", "[input_feed]") {
  Fmu fmu = Fmu::open(SALTUS_ARRAY_FMU);
  const auto model = fmu.instantiate_model_exchange("array");
  const auto attempt = [&](const std::string& text) {
    const InputTable table = InputTable::parse(text, "in.csv");
    model->set_inputs(&table);
    model->set_inputs(nullptr);
  };
  CHECK_THROWS_WITH(attempt("time,u\n0,1 2\n1,1 2 3\n"),
                    Contains("line 3, column 2") && Contains("\"u\" has 2 elements, but 3"));
  CHECK_THROWS_WITH(attempt("time,u\n0,1 2\n1,1 two\n"),
                    Contains("line 3") && Contains("is neither a finite number"));
  CHECK_THROWS_WITH(attempt("time,u[1]\n0,\n"), Contains("line 2") && Contains("is empty"));
  CHECK_THROWS_WITH(attempt("time,u[1]\n0,1\n1,nan\n"), Contains("neither a finite number"));

  const InputTable table = InputTable::parse(
      "time,u,string\n0,1 2,first\n1,3 4,first\n1,3 4,\"second, and last\"\n2,3 4,\"second, and "
      "last\"\n",
      "in.csv");
  model->set_inputs(&table);
  std::vector<double> y(model->shape().unknowns());
  model->initialize({.stop = 2.0}, y);
  const VariableAccess& variables = model->variables();
  const auto read = [&](const char* name) { return variables.read(variables.variable(name)); };
  CHECK(read("u") == Value{1.0, 2.0});
  CHECK(read("string") == Value{std::string("first")});
  CHECK(model->update_discrete_states(0.0, y).next_event_time == 1.0);
  model->enter_continuous_mode(0.0, y);
  model->move_to(0.5, y);
  CHECK(read("u") == Value{2.0, 3.0});
  model->enter_event_mode(1.0, y);
  CHECK(read("string") == Value{std::string("second, and last")});
}

TEST_CASE("a value that its type cannot hold is refused, not rounded", "[input_feed]") {
  Fmu fmu = Fmu::open(std::string(SALTUS_SHIPPED_FMU_DIR) + "/feedthrough.fmu");
  const auto model = fmu.instantiate_model_exchange("feedthrough");
  const auto attempt = [&](const std::string& name, const std::string& value) {
    const InputTable table =
        InputTable::parse("time," + name + "\n0,1\n0.5," + value + "\n", "in.csv");
    model->set_inputs(&table);
  };
  CHECK_THROWS_WITH(attempt("Int32_input", "1e12"),
                    Contains("is 1e12 at t = 0.5, which is no Int32"));
  CHECK_THROWS_WITH(attempt("Int32_input", "1.5"),
                    Contains("is 1.5 at t = 0.5, which is no Int32"));
  CHECK_THROWS_WITH(attempt("Boolean_input", "2"), Contains("which is no Boolean"));
  CHECK_THROWS_WITH(attempt("Int64_input", "9223372036854775808"), Contains("which is no Int64"));
  CHECK_NOTHROW(attempt("Int64_input", "9223372036854775807"));
  CHECK_NOTHROW(attempt("Int64_input", "-9223372036854775808"));
  CHECK_NOTHROW(attempt("Int32_input", "-7"));
  CHECK_NOTHROW(attempt("Boolean_input", "false"));
  model->set_inputs(nullptr);
}

TEST_CASE("integers that no double holds are handed on as they stand", "[input_feed]") {
  Fmu fmu = Fmu::open(SALTUS_ARRAY_FMU);
  const auto model = fmu.instantiate_model_exchange("array");
  const InputTable table = InputTable::parse(
      "time,int64,uint64\n0,9007199254740993,18446744073709551614\n1,9223372036854775807,1\n",
      "in.csv");
  model->set_inputs(&table);
  std::vector<double> y(model->shape().unknowns());
  model->initialize({.stop = 2.0}, y);
  const VariableAccess& variables = model->variables();
  const auto read = [&](const char* name) { return variables.read(variables.variable(name)); };
  CHECK(read("int64") == Value{std::int64_t{9007199254740993}});
  CHECK(read("uint64") == Value{std::uint64_t{18446744073709551614U}});
  CHECK(model->update_discrete_states(0.0, y).next_event_time == 1.0);
  model->enter_continuous_mode(0.0, y);
  model->enter_event_mode(1.0, y);
  CHECK(read("int64") == Value{std::numeric_limits<std::int64_t>::max()});
  CHECK(read("uint64") == Value{std::uint64_t{1}});
  const InputTable largest = InputTable::parse("time,uint64\n0,18446744073709551615\n", "in.csv");
  const auto other = fmu.instantiate_model_exchange("other");
  other->set_inputs(&largest);
  other->initialize({.stop = 2.0}, y);
  CHECK(other->variables().read(other->variables().variable("uint64")) ==
        Value{std::numeric_limits<std::uint64_t>::max()});
}

TEST_CASE("an item of an enumeration may be given by its name", "[input_feed]") {
  Fmu fmu = Fmu::open(SALTUS_ARRAY_FMU);
  const auto model = fmu.instantiate_model_exchange("array");
  const InputTable table = InputTable::parse("time,gear\n0,reverse gear\n1,1\n", "in.csv");
  model->set_inputs(&table);
  std::vector<double> y(model->shape().unknowns());
  model->initialize({.stop = 2.0}, y);
  const VariableAccess& variables = model->variables();
  CHECK(variables.read(variables.variable("gear")) == Value{std::int64_t{-1}});
  const InputTable wrong = InputTable::parse("time,gear\n0,reverse gear\n1,top gear\n", "in.csv");
  CHECK_THROWS_WITH(model->set_inputs(&wrong),
                    Contains("line 3, column 2") && Contains("try \"reverse gear\""));
}

TEST_CASE("what is wrong behind an array has the column of the file", "[input_feed]") {
  Fmu fmu = Fmu::open(SALTUS_ARRAY_FMU);
  const auto model = fmu.instantiate_model_exchange("array");
  const InputTable word = InputTable::parse("time,u,boolean\n0,1 2,maybe\n", "in.csv");
  CHECK_THROWS_WITH(model->set_inputs(&word), Contains("line 2, column 3") && Contains("maybe"));
  const InputTable element = InputTable::parse("time,boolean,u\n0,1,1 two\n", "in.csv");
  CHECK_THROWS_WITH(model->set_inputs(&element), Contains("column 3: \"two\" is neither"));
  const InputTable twice = InputTable::parse("time,u,u[2]\n0,1 2,3\n", "in.csv");
  CHECK_THROWS_WITH(model->set_inputs(&twice),
                    Contains("column 3: \"u[2]\" is given by another column already"));
}

TEST_CASE("a table with columns that do not fit is refused", "[input_feed]") {
  Fmu fmu = Fmu::open(SALTUS_ARRAY_FMU);
  const auto model = fmu.instantiate_model_exchange("array");
  const auto attempt = [&](const std::string& header) {
    const InputTable table = InputTable::parse(header + "\n0,1\n", "in.csv");
    model->set_inputs(&table);
  };
  CHECK_THROWS_WITH(attempt("time,w"), Contains("line 1, column 2") && Contains("not a variable"));
  CHECK_THROWS_WITH(attempt("time,x[1]"), Contains("is neither an input nor"));
  CHECK_THROWS_WITH(attempt("time,u[3]"), Contains("not a variable"));
  CHECK_THROWS_WITH(attempt("time,u[0]"), Contains("not a variable"));
  CHECK_THROWS_WITH(attempt("time,\"u[1,1]\""), Contains("not a variable"));
}

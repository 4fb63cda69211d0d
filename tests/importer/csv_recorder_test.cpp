// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/importer/csv_recorder.hpp"

#include <catch2/catch.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "saltus/control/mode_controller.hpp"
#include "saltus/core/error.hpp"
#include "saltus/importer/fmu.hpp"
#include "scratch.hpp"

using Catch::Matchers::Contains;
using namespace saltus;
using namespace saltus::importer;

TEST_CASE("both limits of an event are rows of equal time", "[recorder]") {
  Fmu fmu = Fmu::open(plain_fmu("early_return"));
  const auto cs = fmu.instantiate_co_simulation("cs");
  std::ostringstream stream;
  Recorder recorder(*cs, {.variables = {"rate", "ticks"}, .stream = &stream});
  ModeController controller(*cs, {.report_interval = 0.5});
  controller.add(recorder);
  controller.run({.stop = 0.6});
  CHECK(stream.str() == "time,rate,ticks\n0,1,0\n0.3,1,0\n0.3,-2,1\n0.5,-2,1\n0.6,-2,1\n");
  CHECK(recorder.rows() == 5);
  std::ostringstream again;
  recorder.write(again);
  CHECK(again.str() == stream.str());
}

TEST_CASE("outputs and then states are recorded by default", "[recorder]") {
  const Fmu oscillator = Fmu::open(plain_fmu("step_event"));
  CHECK(default_recorded(oscillator.description()) ==
        std::vector<std::string>{"position", "velocity", "flips", "x", "v"});
  const Fmu array = Fmu::open(SALTUS_ARRAY_FMU);
  CHECK(default_recorded(array.description()) == std::vector<std::string>{"x"});
}

TEST_CASE("every type finds its way into the CSV", "[recorder]") {
  const Scratch scratch;
  Fmu fmu = Fmu::open(SALTUS_ARRAY_FMU);
  const auto cs =
      fmu.instantiate_co_simulation("cs", {.start_values = {{"float32", "0.1"},
                                                            {"int64", "-9007199254740993"},
                                                            {"uint64", "18446744073709551615"},
                                                            {"gear", "first"},
                                                            {"binary", "00ff"}}});
  std::ostringstream stream;
  Recorder recorder(*cs, {.variables = {"M", "float32", "int8", "int64", "uint64", "boolean",
                                        "gear", "string", "binary", "x"},
                          .stream = &stream});
  cs->initialize({.stop = 1.0});
  recorder.sample(0.0, Moment::initial);
  CHECK(stream.str() ==
        "time,\"M[1,1]\",\"M[1,2]\",\"M[1,3]\",\"M[2,1]\",\"M[2,2]\",\"M[2,3]\",float32,int8,int64,"
        "uint64,boolean,gear,string,binary,x[1],x[2]\n"
        "0,1,2,3,4,5,6,0.1,-8,-9007199254740993,18446744073709551615,1,1,\"a, \"\"b\"\"\",00ff,1,1"
        "\n");
  CHECK(recorder.columns()[14].unit == "m");
  CHECK(recorder.columns()[8].texts.at(0) == "-9007199254740993");
}

TEST_CASE("a run that fails keeps every row it had", "[recorder]") {
  Fmu fmu = Fmu::open(plain_fmu("liar"));
  const auto cs = fmu.instantiate_co_simulation("cs", {.start_values = {{"lie", "30"}}});
  std::ostringstream stream;
  Recorder recorder(*cs, {.variables = {"ticks"}, .stream = &stream, .keep = false});
  ModeController controller(*cs, {.report_interval = 0.25});
  controller.add(recorder);
  CHECK_THROWS_AS(controller.run({.stop = 2.0}), ModelError);
  CHECK_THAT(stream.str(), Catch::StartsWith("time,ticks\n0,0\n0.25,0\n"));
  CHECK(recorder.times().empty());
  CHECK(recorder.rows() >= 2);
}

TEST_CASE("a variable that does not exist cannot be recorded", "[recorder]") {
  Fmu fmu = Fmu::open(plain_fmu("liar"));
  const auto cs = fmu.instantiate_co_simulation("cs");
  CHECK_THROWS_WITH(Recorder(*cs, {.variables = {"tick"}}), Contains("did you mean \"ticks\""));
}

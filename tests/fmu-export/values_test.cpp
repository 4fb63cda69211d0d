// SPDX-License-Identifier: BSD-2-Clause
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <string>

#include "rig.hpp"

using rig::Fmu;

namespace {

// Sets the variable to a value of its kind that it does not have.
fmi3Status poke(Fmu& fmu, const std::string& name) {
  const bool whole = name == "bounces" || name == "ticks" || name == "lamp" || name == "lamp_seen";
  return whole ? fmu.set_whole(name, 1) : fmu.set(name, 0.625);
}

struct Rule {
  std::string name;
  bool instantiated, initialization, event, continuous_time, step;
};

// FMI 3.0: 2.3.2, 2.3.3, 2.3.5, 3.2.1, 4.2.1.
const std::vector<Rule> kRules{
    {"h", true, true, false, true, false},          {"der(h)", false, false, false, false, false},
    {"g", true, true, false, false, false},         {"e", true, true, true, false, true},
    {"pull", true, true, true, true, true},         {"energy", false, false, false, false, false},
    {"room", false, false, false, false, false},    {"bounces", true, true, false, false, false},
    {"ticks", true, true, false, false, false},     {"lamp", true, true, true, false, true},
    {"lamp_seen", true, true, false, false, false}, {"last_speed", true, true, false, false, false},
};

void check(Fmu& fmu, const Rule& rule, bool allowed, const char* where) {
  const fmi3Status status = poke(fmu, rule.name);
  const std::string messages = fmu.messages();
  INFO(rule.name << " in " << where << " " << messages);
  CHECK(status == (allowed ? fmi3OK : fmi3Error));
  if (!allowed) {
    CHECK(messages.find("\"" + rule.name + "\"") != std::string::npos);
    CHECK(messages.find(where) != std::string::npos);
  }
}

}  // namespace

TEST_CASE("each variable can be set exactly where its causality and variability allow it",
          "[values]") {
  for (const Rule& rule : kRules) {
    {
      Fmu fmu = Fmu::model_exchange();
      check(fmu, rule, rule.instantiated, "Instantiated");
    }
    {
      Fmu fmu = Fmu::model_exchange();
      fmu.enter_initialization();
      check(fmu, rule, rule.initialization, "Initialization Mode");
    }
    for (const bool me : {true, false}) {
      Fmu fmu = me ? Fmu::model_exchange() : Fmu::co_simulation({.event_mode = true});
      fmu.initialize();
      check(fmu, rule, rule.event, "Event Mode");
    }
    {
      Fmu fmu = Fmu::model_exchange();
      fmu.initialize();
      fmu.settle_and_leave();
      check(fmu, rule, rule.continuous_time, "Continuous-Time Mode");
    }
    {
      Fmu fmu = Fmu::co_simulation();
      fmu.initialize();
      check(fmu, rule, rule.step, "Step Mode");
    }
  }
}

TEST_CASE("the time and the event indicators can be read and not be set", "[values]") {
  Fmu fmu = Fmu::model_exchange();
  fmu.initialize(0.5);
  CHECK(fmu.number("time") == 0.5);
  const fmi3ValueReference indicator = rig::indicator_reference(0);
  double z = 0.0;
  double all[4];
  CHECK(fmi3GetFloat64(fmu.instance(), &indicator, 1, &z, 1) == fmi3OK);
  CHECK(fmi3GetEventIndicators(fmu.instance(), all, 4) == fmi3OK);
  CHECK(z == all[0]);
  CHECK(fmi3SetFloat64(fmu.instance(), &indicator, 1, &z, 1) == fmi3Error);
  CHECK(fmu.messages().find("is an event indicator and cannot be set") != std::string::npos);
  Fmu other = Fmu::model_exchange();
  const fmi3ValueReference time = 0;
  CHECK(fmi3SetFloat64(other.instance(), &time, 1, &z, 1) == fmi3Error);
  CHECK(other.messages().find("\"time\" is the independent variable") != std::string::npos);
}

TEST_CASE("wrong types, counts and references are named in the message", "[values]") {
  const fmi3ValueReference h = rig::reference("h");
  const fmi3ValueReference unknown = 1000;
  const fmi3ValueReference ticks = rig::reference("ticks");
  double number = 0.0;
  std::int32_t narrow = 0;
  fmi3String text = nullptr;
  {
    Fmu fmu = Fmu::model_exchange();
    CHECK(fmi3GetFloat64(fmu.instance(), &unknown, 1, &number, 1) == fmi3Error);
    CHECK(fmu.messages() ==
          "logStatusError: fmi3GetFloat64: there is no variable with value reference 1000\n");
  }
  {
    Fmu fmu = Fmu::model_exchange();
    CHECK(fmi3GetInt32(fmu.instance(), &ticks, 1, &narrow, 1) == fmi3Error);
    CHECK(fmu.messages().find("\"ticks\" is of type Int64, not Int32") != std::string::npos);
  }
  {
    Fmu fmu = Fmu::model_exchange();
    CHECK(fmi3GetString(fmu.instance(), &h, 1, &text, 1) == fmi3Error);
    CHECK(fmu.messages() ==
          "logStatusError: fmi3GetString: variable 1 \"h\" is of type Float64, not String\n");
  }
  {
    Fmu fmu = Fmu::model_exchange();
    double two[2] = {0.0, 0.0};
    CHECK(fmi3GetFloat64(fmu.instance(), &h, 1, two, 2) == fmi3Error);
    CHECK(fmu.messages().find("these variables have 1 values, but nValues is 2") !=
          std::string::npos);
  }
}

TEST_CASE("an input that is set to what it is can be set everywhere", "[values]") {
  Fmu fmu = Fmu::model_exchange();
  fmu.initialize();
  fmu.settle_and_leave();
  CHECK(fmu.set_whole("lamp", 0) == fmi3OK);
  CHECK(fmu.set("g", 9.81) == fmi3Error);  // inputs only: nobody applies parameters over and over
}

TEST_CASE("a setter that fails has set nothing", "[values]") {
  Fmu fmu = Fmu::model_exchange();
  const fmi3ValueReference both[] = {rig::reference("h"), rig::reference("energy")};
  const double values[] = {2.0, 3.0};
  CHECK(fmi3SetFloat64(fmu.instance(), both, 2, values, 2) == fmi3Error);
  CHECK(fmu.number("h") == 1.0);
}

TEST_CASE("before the end of initialisation variables read their start values or what was set",
          "[values]") {
  Fmu fmu = Fmu::model_exchange();
  CHECK(fmu.number("h") == 1.0);
  CHECK(fmu.whole("ticks") == 7);
  CHECK(fmu.number("last_speed") == 0.5);
  CHECK(fmu.set("h", 0.0) == fmi3OK);
  CHECK(fmu.set("v", -2.0) == fmi3OK);
  CHECK(fmu.set_whole("ticks", 40) == fmi3OK);
  fmu.enter_initialization(1.0);
  // A bounce is due at this start, but not yet: exact start values are exact.
  CHECK(fmu.number("v") == -2.0);
  CHECK(fmu.whole("bounces") == 0);
  CHECK(fmu.number("last_speed") == 0.5);
  CHECK(fmu.whole("ticks") == 40);
  CHECK(fmu.number("energy") == 2.0);
  CHECK(fmu.number("time") == 1.0);
  CHECK(fmu.set("v", -4.0) == fmi3OK);
  CHECK(fmu.number("energy") == 8.0);
  CHECK(fmi3ExitInitializationMode(fmu.instance()) == fmi3OK);
  const rig::Update last = fmu.settle_and_leave();
  CHECK(last.states);
  CHECK(last.next == 1.25);
  CHECK(fmu.whole("bounces") == 1);
  CHECK(fmu.number("v") == 0.7 * 4.0);
  CHECK(fmu.number("last_speed") == -4.0);
}

TEST_CASE("in event mode getters show what the event will do to discrete variables", "[values]") {
  Fmu fmu = Fmu::model_exchange();
  fmu.initialize();
  fmu.settle_and_leave();
  const double landed[] = {0.0, -3.0};
  CHECK(fmi3SetTime(fmu.instance(), 0.3) == fmi3OK);
  CHECK(fmi3SetContinuousStates(fmu.instance(), landed, 2) == fmi3OK);
  CHECK(fmu.whole("bounces") == 0);
  CHECK(fmi3EnterEventMode(fmu.instance()) == fmi3OK);
  CHECK(fmu.whole("bounces") == 1);
  CHECK(fmu.number("v") == -3.0);    // states move in fmi3UpdateDiscreteStates
  CHECK(fmu.whole("bounces") == 1);  // reading is no doing
  CHECK(fmu.set_whole("lamp", 1) == fmi3OK);
  CHECK(fmu.whole("lamp_seen") == 1);
  CHECK(fmu.update().states);
  CHECK(fmu.whole("bounces") == 1);
  CHECK(fmu.number("v") == 0.7 * 3.0);
}

TEST_CASE("getters are pure: the same point gives the same bits, in any order of calls",
          "[values]") {
  Fmu fmu = Fmu::model_exchange();
  fmu.initialize();
  fmu.settle_and_leave();
  const double a[] = {0.75, -1.5};
  const double beyond[] = {-0.1, -3.0};  // on the far side of the floor: decisions are frozen
  const auto look = [&](double t, const double* x) {
    REQUIRE(fmi3SetTime(fmu.instance(), t) == fmi3OK);
    REQUIRE(fmi3SetContinuousStates(fmu.instance(), x, 2) == fmi3OK);
  };
  const auto all = [&] {
    std::vector<double> values = fmu.everything();
    double more[6];
    REQUIRE(fmi3GetContinuousStateDerivatives(fmu.instance(), more, 2) == fmi3OK);
    REQUIRE(fmi3GetEventIndicators(fmu.instance(), more + 2, 4) == fmi3OK);
    values.insert(values.end(), more, more + 6);
    return values;
  };
  look(0.1, a);
  const std::vector<double> first = all();
  look(0.2, beyond);
  const std::vector<double> far = all();
  look(0.1, a);
  double z[4];
  REQUIRE(fmi3GetEventIndicators(fmu.instance(), z, 4) == fmi3OK);
  CHECK(fmu.number("energy") == first.at(8));
  CHECK(rig::difference(all(), first) == "");
  look(0.2, beyond);
  CHECK(rig::difference(all(), far) == "");
  CHECK(rig::difference(all(), far) == "");
  // The variables of derivatives and the vector function agree.
  CHECK(far.at(2) == far.at(far.size() - 6));
  CHECK(far.at(4) == far.at(far.size() - 5));
}

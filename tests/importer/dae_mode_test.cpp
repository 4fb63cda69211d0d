// SPDX-License-Identifier: BSD-2-Clause
// FMUs as systems of differential-algebraic equations, by FMI-LS-DAE.
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "recorded_calls.hpp"
#include "saltus/control/mode_controller.hpp"
#include "saltus/core/error.hpp"
#include "saltus/core/linearization_check.hpp"
#include "saltus/importer/driven_fmu.hpp"
#include "saltus/importer/fmu_simulation.hpp"
#include "saltus/integrators/radau.hpp"
#include "scratch.hpp"

using Catch::Matchers::Contains;
using namespace saltus;
using namespace saltus::importer;

namespace {

// The roots of Robertson's kinetics, y3 = 0.01 and y1 = 1e-4, from the linearly implicit Euler
// method with extrapolation in 40 decimal digits (Deuflhard, Numer. Math. 41 (1983) 399-422), with
// errors below 1e-18 in each step. `Radau` comes as near as 1e-11 to them, with and without DAE
// mode.
constexpr double kRootOfY3 = 0.26401907818763256;
constexpr double kRootOfY1 = 20795496.883026623;

struct Run {
  std::vector<RecordedEvent> events;
  std::vector<std::string> warnings;
  std::vector<RecordedColumn> columns;
  std::vector<double> end;
  bool is_dae = false;
  std::shared_ptr<RecordedCalls> calls = std::make_shared<RecordedCalls>();

  std::string all_warnings() const {
    std::string text;
    for (const std::string& each : warnings) text += each + "\n";
    return text;
  }
  double last(const std::string& name) const {
    for (const RecordedColumn& column : columns) {
      if (column.name == name) return column.values.back();
    }
    FAIL("there is no " << name);
    return 0.0;
  }
};

struct RunOptions {
  bool dae = true;
  double stop = 1.0;
  double tolerance = 1e-6;
  std::map<std::string, std::string> start_values = {};
  std::vector<std::string> variables = {};
  Method method = Method::automatic;
  double interval = kNever;
};

Run run(const std::filesystem::path& path, const RunOptions& options) {
  Run result;
  Fmu fmu = Fmu::open(path);
  DrivenFmu driven(fmu, "it", {.method = options.method, .tolerance = options.tolerance},
                   {.start_values = options.start_values,
                    .dae_mode = options.dae,
                    .call_log = result.calls.get()});
  const auto recorder = driven.recorder({.variables = options.variables});
  ModeController controller(driven.system(), {.report_interval = options.interval});
  controller.add(*recorder);
  const auto warnings = std::make_shared<Warnings>();
  const RunResult outcome =
      controller.run({.stop = options.stop, .tolerance = options.tolerance, .warnings = warnings});
  CHECK(outcome.outcome == RunResult::Outcome::reached_stop);
  for (const Warning& warning : warnings->all()) result.warnings.push_back(to_string(warning));
  result.events.assign(recorder->events().begin(), recorder->events().end());
  result.columns.assign(recorder->columns().begin(), recorder->columns().end());
  result.end.assign(driven.unknowns().begin(), driven.unknowns().end());
  result.is_dae = driven.is_dae();
  return result;
}

/// Of the lamp across the capacitor, see its README: when it fires, when the current is no longer
/// high, when it goes out.
struct LampTimes {
  explicit LampTimes(int periods) {
    const double dark_end = 120.0 / (1.0 + 1e4 * 1e-9 / (1.0 + 100.0 * 1e-9));
    const double dark_rate = (1.0 / 1e4 + 1e-9 / (1.0 + 100.0 * 1e-9)) / 100e-6;
    const double lit_rate = (1.0 / 1e4 + 1e-3) / 100e-6;
    const double lit_end = (120.0 / 1e4 + 60.0 * 1e-3) / (1.0 / 1e4 + 1e-3);
    const double firing = 90.0 * (1.0 + 100.0 * 1e-9);  // of the capacitor
    double t = 0.0, v = 0.0;
    for (int i = 0; i < periods; ++i) {
      t += std::log((dark_end - v) / (dark_end - firing)) / dark_rate;
      fires.push_back(t);
      calms.push_back(t + std::log((firing - lit_end) / (70.0 - lit_end)) / lit_rate);
      t += std::log((firing - lit_end) / (66.0 - lit_end)) / lit_rate;
      goes_out.push_back(t);
      v = 66.0;
    }
  }
  std::vector<double> fires, calms, goes_out;
};

}  // namespace

TEST_CASE("the roots of Robertson's kinetics are found in DAE mode, that of an algebraic too",
          "[dae_mode]") {
  const auto [tolerance, bound] = GENERATE(table<double, double>({{1e-10, 1e-8}, {1e-8, 1e-7}}));
  const Run found = run(plain_fmu("robertson_dae"), {.stop = 3e7, .tolerance = tolerance});
  INFO(found.all_warnings());
  CHECK(found.is_dae);
  CHECK(found.warnings.empty());
  REQUIRE(found.events.size() == 2);
  CHECK(found.events[0].time == Approx(kRootOfY3).epsilon(bound));
  CHECK(found.events[0].indicators == std::vector<std::string>{"y3 is more than 0.01"});
  CHECK(found.events[1].time == Approx(kRootOfY1).epsilon(bound));
  CHECK(found.calls->count("fmi3GetDirectionalDerivative") > 0);
}

TEST_CASE("an FMU gives the same trajectory as an ODE and as a DAE", "[dae_mode]") {
  struct Case {
    std::string name;
    double stop;
  };
  const auto found = GENERATE(values<Case>({{"robertson_dae", 40.0},
                                            {"neon_lamp", 5.0},
                                            {"cubic_slope", 6.0},
                                            {"pendulum_energy", 20.0}}));
  RunOptions options{.dae = false, .stop = found.stop, .tolerance = 1e-9, .interval = 0.5};
  const Run ode = run(plain_fmu(found.name), options);
  options.dae = true;
  const Run dae = run(plain_fmu(found.name), options);
  INFO(found.name << ": " << dae.all_warnings());
  CHECK(dae.is_dae);
  CHECK(dae.warnings.empty());
  CHECK(ode.calls->count("fmi3EnterConfigurationMode") == 0);
  REQUIRE(dae.end.size() > ode.end.size());
  // Both err by the tolerance times how often it is spent; a thousand times is more than that.
  for (std::size_t i = 0; i < ode.end.size(); ++i) {
    CHECK(dae.end[i] == Approx(ode.end[i]).epsilon(1e-6).margin(1e-9));
  }
  for (const RecordedColumn& column : ode.columns) {
    INFO(column.name);
    CHECK(dae.last(column.name) == Approx(column.values.back()).epsilon(1e-6).margin(1e-9));
  }
}

TEST_CASE("events of a circuit on its algebraics are where they must be", "[dae_mode]") {
  const Run found = run(plain_fmu("neon_lamp"), {.stop = 5.0, .tolerance = 1e-9});
  CHECK(found.warnings.empty());
  const LampTimes expected(4);
  std::vector<double> fires, others;
  for (std::size_t i = 0; i < found.events.size(); ++i) {
    // Firing moves the current, and the alarm with it: a second event at the same instant.
    const bool again = i > 0 && found.events[i].time == found.events[i - 1].time;
    if (again) {
      CHECK(found.events[i].indicators.back() == "current is high");
      fires.push_back(found.events[i].time);
      others.pop_back();
    } else {
      others.push_back(found.events[i].time);
    }
  }
  REQUIRE(fires.size() == 4);
  REQUIRE(others.size() == 8);
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(fires[i] == Approx(expected.fires[i]).epsilon(1e-7));
    CHECK(others[2 * i] == Approx(expected.calms[i]).epsilon(1e-7));
    CHECK(others[2 * i + 1] == Approx(expected.goes_out[i]).epsilon(1e-7));
  }
}

TEST_CASE("rows of a DAE meet its equations, on both sides of events and between", "[dae_mode]") {
  const Run found = run(plain_fmu("neon_lamp"), {.stop = 3.0,
                                                 .tolerance = 1e-4,
                                                 .variables = {"loop", "law", "alarm", "current"},
                                                 .interval = 0.01});
  for (std::size_t row = 0; row < found.columns[0].values.size(); ++row) {
    // Volts and amperes; what is left is rounding of 100 V, or of 30 mA.
    CHECK(std::fabs(found.columns[0].values[row]) < 1e-8);
    CHECK(std::fabs(found.columns[1].values[row]) < 1e-8);
  }
  // The alarm is what the current says, except on the way through an instant.
  std::size_t contradictions = 0;
  for (std::size_t row = 0; row < found.columns[0].values.size(); ++row) {
    const bool is_high = found.columns[3].values[row] > 10e-3;
    if (is_high != (found.columns[2].values[row] != 0.0)) ++contradictions;
  }
  CHECK(contradictions <= 2 * found.events.size());
}

TEST_CASE("an inconsistent guess is solved for, and the states stay", "[dae_mode]") {
  RunOptions options{.stop = 1.0,
                     .tolerance = 1e-8,
                     .start_values = {{"lamp", "-40"}, {"current", "3"}, {"capacitor", "30"}},
                     .variables = {"capacitor", "lamp", "current"}};
  const Run lamp = run(plain_fmu("neon_lamp"), options);
  CHECK(lamp.columns[0].values.front() == 30.0);
  CHECK(lamp.columns[1].values.front() == Approx(30.0).epsilon(1e-6));
  CHECK(lamp.columns[2].values.front() == Approx(3e-8).epsilon(1e-6));

  options.start_values = {{"y3", "0.7"}, {"y1", "0.9"}};
  options.variables = {"y3"};
  const Run kinetics = run(plain_fmu("robertson_dae"), options);
  CHECK(kinetics.columns[0].values.front() == Approx(0.1).epsilon(1e-12));
}

TEST_CASE("whoever can make the start consistent does", "[dae_mode]") {
  const auto start = [](const std::string& manners) {
    return run(
        plain_fmu("robertson_dae"),
        {.stop = 1.0, .tolerance = 1e-8, .start_values = {{"manners", manners}, {"y3", "0.2"}}});
  };
  const auto check = [](const Run& found) {
    REQUIRE_FALSE(found.events.empty());
    CHECK(found.events.back().time == Approx(kRootOfY3).epsilon(1e-7));
    CHECK(found.is_dae);
  };
  SECTION("the importer, in initialization mode") {
    const Run found = start("0");
    check(found);
    CHECK(found.warnings.empty());
    CHECK(found.calls->count("fmi3Reset") == 0);
  }
  SECTION("the FMU does not let it: at the beginning of the first phase") {
    const Run found = start("1");
    check(found);
    // The FMU has decided with the guess, and is asked again.
    CHECK(found.events.size() == 2);
    CHECK(found.events[0].time == 0.0);
    CHECK_THAT(found.all_warnings(), Contains("initialised in another way"));
    CHECK(found.calls->count("fmi3Reset") == 1);
  }
  SECTION("the FMU can only do it as an ODE: in event mode") {
    const Run found = start("2");
    check(found);
    CHECK(found.events.size() == 1);
    CHECK_THAT(found.all_warnings(), Contains("can only be initialised as an ODE"));
  }
}

TEST_CASE("derivatives of the FMU are only used where they are right", "[dae_mode]") {
  const auto found = [](const std::string& manners) {
    return run(plain_fmu("robertson_dae"),
               {.stop = 1.0, .tolerance = 1e-8, .start_values = {{"manners", manners}}});
  };
  const Run wrong = found("3"), refused = found("4");
  CHECK_THAT(wrong.all_warnings(), Contains("directional derivatives of the FMU are not those"));
  CHECK_THAT(refused.all_warnings(), Contains("no derivatives of residuals"));
  CHECK(refused.calls->count("fmi3GetDirectionalDerivative") == 1);
  for (const Run* each : {&wrong, &refused}) {
    REQUIRE(each->events.size() == 1);
    CHECK(each->events[0].time == Approx(kRootOfY3).epsilon(1e-7));
  }
}

TEST_CASE("the linearization of a DAE is that of its equations", "[dae_mode]") {
  const auto name = GENERATE(as<std::string>{}, "robertson_dae", "neon_lamp", "cubic_slope");
  Fmu fmu = Fmu::open(plain_fmu(name));
  const auto model = fmu.instantiate_model_exchange("it", {.dae_mode = true});
  REQUIRE(model->is_dae());
  std::vector<double> y(model->shape().unknowns(), 0.0), yp(y.size(), 0.0);
  model->initialize({.stop = 1.0}, y);
  while (model->update_discrete_states(0.0, y).iterate) {
  }
  model->enter_continuous_mode(0.0, y);
  REQUIRE(model->make_consistent(0.0, y, yp) == Eval::ok);
  std::vector<double> nominals(y.size());
  model->nominals(nominals);
  for (std::size_t i = 0; i < y.size(); ++i) {
    y[i] += 0.1 * static_cast<double>(i + 1) * nominals[i];
    yp[i] += 0.3 * static_cast<double>(i + 2) * nominals[i];
  }
  REQUIRE(model->linearization() != nullptr);
  const auto wrong = check_linearization(*model, *model->linearization(), 0.0, y, yp);
  for (const WrongDerivative& each : wrong) {
    // Differences of one side have half of the digits, of what the unknown is beside its nominal.
    INFO(to_string(each, *model));
    CHECK(each.in_pattern);
    CHECK(each.claimed == Approx(each.found).epsilon(1e-4).margin(1e-6));
  }
}

TEST_CASE("equations that depend on more than the manifest says are noticed", "[dae_mode]") {
  const Scratch scratch;
  // The first residual depends on the capacitor and on the lamp, too.
  const auto fmu = repack(
      scratch, plain_fmu("neon_lamp"), "<Residual valueReference=\"6\" dependencies=\"2 4 5\"/>",
      "<Residual valueReference=\"6\" dependencies=\"5\"/>", "fmi-ls-manifest.xml");
  const Run found = run(fmu, {.stop = 2.0, .tolerance = 1e-9});
  CHECK_THAT(found.all_warnings(), Contains("depend on more than the manifest says"));
  CHECK(found.events[0].time == Approx(LampTimes(1).fires[0]).epsilon(1e-7));
}

TEST_CASE("a fully implicit FMU is given its derivatives", "[dae_mode]") {
  const Run found =
      run(plain_fmu("cubic_slope"), {.stop = 6.0, .tolerance = 1e-10, .variables = {"der(x)"}});
  // x' = 1/2 where 2 cos x = 5/8; the time to there is the integral of dx / x'(x).
  const double end = std::acos(0.3125);
  const auto slope = [](double x) {
    const double half = std::cos(x), root = std::sqrt(half * half + 1.0 / 27.0);
    return std::cbrt(half + root) + std::cbrt(half - root);
  };
  constexpr int kParts = 20000;
  double sum = 1.0 / slope(0.0) + 1.0 / slope(end);  // Simpson's rule
  for (int i = 1; i < kParts; ++i) sum += (i % 2 == 1 ? 4.0 : 2.0) / slope(end * i / kParts);
  REQUIRE(found.events.size() == 1);
  CHECK(found.events[0].time == Approx(sum * end / kParts / 3.0).epsilon(1e-8));
  CHECK(found.calls->count("fmi3GetContinuousStateDerivatives") == 0);
}

TEST_CASE("invariants are kept", "[dae_mode]") {
  const auto drift = [](bool dae) {
    const Run found = run(plain_fmu("pendulum_energy"), {.dae = dae,
                                                         .stop = 3000.0,
                                                         .tolerance = 1e-4,
                                                         .variables = {"energy"},
                                                         .method = Method::radau,
                                                         .interval = 1.0});
    double most = 0.0;
    for (const double value : found.columns[0].values) {
      most = std::max(most, std::fabs(value - found.columns[0].values.front()));
    }
    return most;
  };
  const double kept = drift(true), lost = drift(false);
  INFO("kept " << kept << ", lost " << lost);
  CHECK(kept < 3e-4);  // the tolerance, and what a step and its curve add
  CHECK(lost > 10.0 * kept);
}

TEST_CASE("formulations that are not solved are kept at zero", "[dae_mode]") {
  const Scratch scratch;
  const auto fmu = repack(scratch, plain_fmu("pendulum_energy"),
                          "<Residual valueReference=\"7\" dependencies=\"2 6\"/>\n"
                          "    <Invariant valueReference=\"8\" dependencies=\"2 4\"/>",
                          "<Residual><Formulation valueReference=\"8\" index=\"2\"/>"
                          "<Formulation valueReference=\"7\" index=\"1\"/></Residual>",
                          "fmi-ls-manifest.xml");
  // The energy vanishes where p^2 = 2 cos q.
  const Run found = run(fmu, {.stop = 1000.0,
                              .tolerance = 1e-4,
                              .start_values = {{"speed", "1.0395213377974881"}},
                              .variables = {"energy"},
                              .interval = 1.0});
  CHECK(found.is_dae);
  CHECK(found.warnings.empty());
  for (const double energy : found.columns[0].values) CHECK(std::fabs(energy) < 3e-4);
}

TEST_CASE("what cannot run as a DAE runs as an ODE and says so", "[dae_mode]") {
  const Scratch scratch;
  const auto without = [&](const std::string& fmu, const std::string& from, const std::string& to) {
    return run(repack(scratch, plain_fmu(fmu), from, to, "fmi-ls-manifest.xml"),
               {.stop = 1.0, .tolerance = 1e-8});
  };
  const Run no_manifest = run(plain_fmu("step_event"), {.stop = 0.1});
  CHECK_FALSE(no_manifest.is_dae);
  CHECK_THAT(no_manifest.all_warnings(), Contains("runs as an ODE: it has no manifest"));
  const Run useless =
      without("robertson_dae", "<Residual valueReference=\"7\" dependencies=\"2 4 6\"/>", "");
  CHECK_FALSE(useless.is_dae);
  CHECK_THAT(useless.all_warnings(), Contains("runs as an ODE: 0 residuals cannot determine"));
  CHECK(useless.events.at(0).time == Approx(kRootOfY3).epsilon(1e-7));
}

TEST_CASE("the switch of a DAE is not for start values", "[dae_mode]") {
  Fmu fmu = Fmu::open(plain_fmu("robertson_dae"));
  CHECK_THROWS_WITH(fmu.instantiate_model_exchange("it", {.start_values = {{"as_dae", "true"}}}),
                    Contains("dae_mode"));
}

TEST_CASE("residuals that do not determine an algebraic are an error that names it", "[dae_mode]") {
  const Scratch scratch;
  // In place of the mass balance, an equation in which y3 does not occur.
  Fmu fmu = Fmu::open(repack(scratch, plain_fmu("robertson_dae"), "<Residual valueReference=\"7\"",
                             "<Residual valueReference=\"8\"", "fmi-ls-manifest.xml"));
  DrivenFmu driven(fmu, "it", {.tolerance = 1e-6}, {.dae_mode = true});
  ModeController controller(driven.system());
  try {
    controller.run({.stop = 0.1});
    FAIL("nothing was thrown");
  } catch (const DaeError& error) {
    CHECK(error.reason() == DaeError::Reason::singular);
    CHECK_THAT(error.what(), Contains("do not determine \"y3\""));
  }
}

TEST_CASE("a DAE that is saved comes back, bit by bit", "[dae_mode]") {
  const auto name = GENERATE(as<std::string>{}, "neon_lamp", "robertson_dae");
  Simulation simulation = simulation_of(plain_fmu(name), {.stop = 2.0, .tolerance = 1e-8},
                                        {.instance = {.dae_mode = true}});
  simulation.start();
  simulation.advance_to(0.7);
  const auto saved = simulation.save();
  const std::string seen = name == "neon_lamp" ? "current" : "y3";
  const auto rest = [&] {
    simulation.advance_to(1.1);
    const double before = simulation.value(seen);
    simulation.advance_to(2.0);
    return std::pair(before, simulation.value(seen));
  };
  const auto first = rest();
  simulation.restore(saved);
  CHECK(rest() == first);
}

TEST_CASE("inputs of a DAE are set, by hand and from a table", "[dae_mode]") {
  // From t = 1 the source is too weak: v = 60 + (v(1) - 60) exp(1 - t), and the lamp stays dark.
  const double charged = 120.0 * (1.0 - std::exp(-1.0));
  const double expected = 60.0 + (charged - 60.0) * std::exp(-1.0);
  Simulation lamp = simulation_of(plain_fmu("neon_lamp"), {.stop = 2.0, .tolerance = 1e-9},
                                  {.instance = {.dae_mode = true}});
  lamp.start();
  lamp.advance_to(1.0);
  lamp.set("source", 60.0);
  lamp.advance_to(2.0);
  // The leak of the lamp, 1e-9 S beside 1e-4 S, was left out above.
  CHECK(lamp.value("capacitor") == Approx(expected).epsilon(3e-5));
  CHECK(lamp.value("lamp") == Approx(lamp.value("capacitor")).epsilon(1e-6));

  const Scratch scratch;
  const auto table = std::make_shared<InputTable>(
      InputTable::load(scratch.write("source.csv", "time,source\n0,120\n1,120\n1,60\n2,60\n")));
  const auto tabled = simulate(plain_fmu("neon_lamp"), {.stop = 2.0, .tolerance = 1e-9},
                               {.instance = {.dae_mode = true}, .inputs = table});
  CHECK(tabled["capacitor"].back() == Approx(lamp.value("capacitor")).epsilon(1e-7));
}

TEST_CASE("what needs explicit equations is refused in DAE mode", "[dae_mode]") {
  Fmu fmu = Fmu::open(plain_fmu("neon_lamp"));
  const InstanceOptions dae{.dae_mode = true};
  CHECK_THROWS_AS(DrivenFmu(fmu, "it", {.method = Method::dormand_prince}, dae),
                  std::invalid_argument);
  CHECK_THROWS_WITH(DrivenFmu(fmu, "it", {.rest = true}, dae), Contains("DAE mode"));
  CHECK(DrivenFmu(fmu, "it", {}, dae).sliding() == nullptr);
}

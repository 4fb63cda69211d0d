// SPDX-License-Identifier: BSD-2-Clause
// Models F(t, x, x') = 0 of index 1 to 3, some of them switched: natively, as Model Exchange and as
// Co-Simulation FMUs they have to give the same trajectory.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <memory>
#include <numbers>
#include <sstream>

#include "andrews_squeezer/andrews_squeezer.hpp"
#include "boost_converter/boost_converter.hpp"
#include "bowed_string/bowed_string.hpp"
#include "charge_pump/charge_pump.hpp"
#include "pendulum/pendulum.hpp"
#include "roads.hpp"
#include "robertson/robertson.hpp"
#include "transistor_amplifier/transistor_amplifier.hpp"

namespace saltus::test {
namespace {

std::vector<Case> cases() {
  return {
      {"pendulum", make<reference::Pendulum>, {"x", "y", "u", "v", "force", "energy", "der(v)"}},
      {"robertson", make<reference::Robertson>, {"y1", "y2", "y3", "der(y1)"}},
      {"transistor_amplifier",
       make<reference::TransistorAmplifier>,
       {"u[0]", "u[1]", "u[2]", "u[3]", "u[4]", "u[5]", "u[6]", "u[7]"}},
      {"andrews_squeezer",
       make<reference::AndrewsSqueezer>,
       {"q[0]", "q[1]", "q[2]", "q[3]", "q[4]", "q[5]", "q[6]"}},
      {"boost_converter",
       make<reference::BoostConverter>,
       {"v_C", "i_L", "v_S", "v_D", "i_R", "i_S", "i_D", "mode"}},
      {"charge_pump",
       make<reference::ChargePump>,
       {"q_gate", "q_s", "q_source", "q_d", "q_drain", "v_gate", "v_source", "v_drain", "current"}},
  };
}

const Case& case_of(const std::vector<Case>& all, const std::string& fmu) {
  return *std::find_if(all.begin(), all.end(), [&](const Case& c) { return c.fmu == fmu; });
}

// Corrections of drift are events of the one road and not of the others: rows are found by time.
const std::vector<double>& row_at(const Result& result, double time) {
  const double near = 2e-11 * result.times.back();
  const auto later = std::lower_bound(result.times.begin(), result.times.end(), time - near);
  REQUIRE(later != result.times.end());
  REQUIRE(*later == Approx(time).margin(near).epsilon(0));
  return result.rows[later - result.times.begin()];
}

// reference.csv: a header, then numbers; the first column is time.
Result read_reference(const std::string& model) {
  std::ifstream file(SALTUS_REFERENCE_DIR "/" + model + "/reference.csv");
  REQUIRE(file);
  Result result;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    std::string cell;
    std::getline(cells, cell, ',');
    result.times.push_back(std::stod(cell));
    auto& row = result.rows.emplace_back();
    while (std::getline(cells, cell, ',')) {
      row.push_back(std::stod(cell));
    }
  }
  return result;
}

std::vector<double> nominals(const Case& c) {
  const std::unique_ptr<modeling::DescribedModel> model = c.native();
  std::vector<double> sizes;
  for (const std::string& name : c.variables) {
    for (const modeling::Variable& variable : model->variables()) {
      if (variable.name == name) sizes.push_back(variable.nominal.value_or(1.0));
    }
  }
  return sizes;
}

/// The largest error, in units of the value or of the nominal one.
double error_of(const Case& c, const Result& result, const Result& reference) {
  const std::vector<double> nominal = nominals(c);
  double largest = 0.0;
  for (std::size_t row = 0; row < reference.times.size(); ++row) {
    const std::vector<double>& values = row_at(result, reference.times[row]);
    for (std::size_t i = 0; i < reference.rows[row].size(); ++i) {
      const double expected = reference.rows[row][i];
      largest = std::max(
          largest, std::fabs(values[i] - expected) / std::max(nominal[i], std::fabs(expected)));
    }
  }
  return largest;
}

void check_events(const Result& result, const std::vector<double>& expected, double margin) {
  REQUIRE(result.events.size() == expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) {
    CHECK(result.events[k] == Approx(expected[k]).margin(margin).epsilon(0));
  }
}

}  // namespace

// Errors of each step are 1e-6 at most and add up; a hundred times that is what hundreds of steps
// of a method without damping (that of Model Exchange, here) make of it.
TEST_CASE("implicit models agree with the truth on every road", "[agreement]") {
  for (const Case& c : cases()) {
    DYNAMIC_SECTION(c.fmu) {
      const Result reference = read_reference(c.fmu);
      CHECK(error_of(c, run_natively(c), reference) <= 2e-5);
      CHECK(error_of(c, run_co_simulation(c, true, true), reference) <= 2e-5);
      CHECK(error_of(c, run_co_simulation(c, false, false), reference) <= 2e-5);
      CHECK(error_of(c, run_model_exchange(c), reference) <= 1e-4);
      CHECK(error_of(c, run_model_exchange(c, false), reference) <= 1e-4);
    }
  }
}

TEST_CASE("an event that depends on an algebraic unknown is found on every road", "[agreement]") {
  const std::vector<Case> all = cases();
  const Case& robertson = case_of(all, "robertson");
  for (const Result& result : {run_natively(robertson), run_model_exchange(robertson),
                               run_co_simulation(robertson, true, true)}) {
    REQUIRE(result.events.size() == 1);
    CHECK(result.events[0] == Approx(problems::robertson_y3_time).margin(1e-6).epsilon(0));
  }
}

TEST_CASE("an importer that does not project stays on the constraints", "[agreement]") {
  const Result result = run_model_exchange(cases()[0], false);
  for (const std::vector<double>& row : result.rows) {
    CHECK(std::fabs(row[0] * row[0] + row[1] * row[1] - 1.0) <= 4e-6);
    CHECK(std::fabs(row[0] * row[2] + row[1] * row[3]) <= 2e-5);
  }
}

TEST_CASE("configurations of index 1 and 2 change at the same times on every road", "[agreement]") {
  const std::vector<Case> all = cases();
  const Case& converter = case_of(all, "boost_converter");
  // All but the third by the clock; that one by the closed form, see reference-fmus.
  const std::vector<double> exact = {0.10, 0.16, 0.1794605358, 0.26, 0.32, 0.42, 0.48,
                                     0.58, 0.64, 0.74,         0.80, 0.90, 0.96};
  check_events(run_natively(converter), exact, 1e-7);
  check_events(run_model_exchange(converter), exact, 1e-7);
  check_events(run_model_exchange(converter, false), exact, 1e-7);
  check_events(run_co_simulation(converter, true, true), exact, 1e-7);
}

TEST_CASE("regions of a transistor change at the same times on every road", "[agreement]") {
  const std::vector<Case> all = cases();
  const Case& pump = case_of(all, "charge_pump");
  // The input's kinks; and the gate is at its threshold of 0.2 V, at 2 V per nanosecond. The end of
  // the run is the last kink.
  std::vector<double> exact;
  for (int period = 0; period < 10; ++period) {
    for (const double t : {50.0, 50.1, 60.0, 110.0, 119.9, 120.0}) {
      exact.push_back((120.0 * period + t) * 1e-9);
    }
  }
  exact.pop_back();
  // An error of 2e-5 V, twenty times the tolerance, takes 1e-14 s.
  check_events(run_natively(pump), exact, 1e-14);
  check_events(run_model_exchange(pump), exact, 1e-14);
  check_events(run_model_exchange(pump, false), exact, 1e-14);
  check_events(run_co_simulation(pump, true, true), exact, 1e-14);
}

TEST_CASE("an equation more in one configuration: a string sticks to its bow on every road",
          "[agreement]") {
  const Case bowed{"bowed_string",
                   make<reference::BowedString>,
                   {"y_b", "v_b", "y[10]", "v[10]", "y[50]", "v[50]", "mode"},
                   {{"may_stick", "true"}},
                   SALTUS_FMU_DIR,
                   {.after_event = ReductionOptions::Start::nearest}};
  // With the change at the start these are eight. The stick ends where |sin 2t| = 0.72; the other
  // times by the classical Runge-Kutta method with bisection.
  std::vector<double> exact = {0.443782,  1.588194, 1.9726975, 3.155172,
                               3.5434938, 4.720266, 5.1142901};
  // What pulls the bow is compared with the friction, which is announced wherever it changes; it
  // makes no difference where the bow does not stick.
  const double angle = std::asin(0.72);
  for (const double turn : {angle, std::numbers::pi - angle, 2.0 * std::numbers::pi - angle,
                            3.0 * std::numbers::pi - angle, 4.0 * std::numbers::pi - angle}) {
    exact.push_back(0.5 * turn);
  }
  std::sort(exact.begin(), exact.end());
  const Result reference = read_reference(bowed.fmu);
  for (const Result& result :
       {run_natively(bowed), run_model_exchange(bowed), run_co_simulation(bowed, true, true)}) {
    check_events(result, exact, 1e-5);
    CHECK(error_of(bowed, result, reference) <= 2e-5);
  }
}

}  // namespace saltus::test

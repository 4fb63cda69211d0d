// SPDX-License-Identifier: BSD-2-Clause
// Every reference model on every road: natively, and through its FMUs of FMI 3.0 and 2.0, as Model
// Exchange and as Co-Simulation. Values lie within ten tolerances of the native ones, measured by
// the largest value of the variable, and events within a nanosecond.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "andrews_squeezer/andrews_squeezer.hpp"
#include "belt_oscillator/belt_oscillator.hpp"
#include "boost_converter/boost_converter.hpp"
#include "bouncing_ball/bouncing_ball.hpp"
#include "bowed_string/bowed_string.hpp"
#include "charge_pump/charge_pump.hpp"
#include "dahlquist/dahlquist.hpp"
#include "feedthrough/feedthrough.hpp"
#include "pendulum/pendulum.hpp"
#include "pounding/pounding.hpp"
#include "relay_feedback/relay_feedback.hpp"
#include "robertson/robertson.hpp"
#include "saltus/importer/fmu_simulation.hpp"
#include "stair/stair.hpp"
#include "stick_slip_pair/stick_slip_pair.hpp"
#include "transistor_amplifier/transistor_amplifier.hpp"
#include "van_der_pol/van_der_pol.hpp"

namespace saltus::test {
namespace {

using Interface = importer::FmuSimulationOptions::Interface;

struct Road {
  const char* name;
  const char* folder;
  Interface interface;
  bool tells_events;  ///< Co-Simulation of FMI 2.0 handles them inside of its steps
};
constexpr Road kRoads[] = {
    {"ME, FMI 3.0", "/", Interface::model_exchange, true},
    {"CS, FMI 3.0", "/", Interface::co_simulation, true},
    {"ME, FMI 2.0", "/fmi2/", Interface::model_exchange, true},
    {"CS, FMI 2.0", "/fmi2/", Interface::co_simulation, false},
};

struct ReferenceModel {
  std::string name;
  std::function<SimulationResult(const SimulationOptions&)> simulate;
  double tolerance = 1e-10;
  std::optional<double> stop = {};
};

template <template <class> class M>
SimulationResult natively(const SimulationOptions& options) {
  return simulate<M>(options);
}

SimulationResult bowed_string(SimulationOptions options) {
  options.reduction.after_event = ReductionOptions::Start::nearest;
  return simulate<reference::BowedString>(options);
}

std::vector<ReferenceModel> reference_models() {
  return {
      {"andrews_squeezer", natively<reference::AndrewsSqueezer>},
      {"belt_oscillator", natively<reference::BeltOscillator>},
      {"boost_converter", natively<reference::BoostConverter>},
      {"bouncing_ball", natively<reference::BouncingBall>},
      {"bowed_string", bowed_string},
      {"charge_pump", natively<reference::ChargePump>},
      {"dahlquist", natively<reference::Dahlquist>},
      {"feedthrough", natively<reference::Feedthrough>},
      {"pendulum", natively<reference::Pendulum>},
      {"pounding", natively<reference::Pounding>},
      {"relay_feedback", natively<reference::RelayFeedback>},
      {"robertson", natively<reference::Robertson>},
      {"stair", natively<reference::Stair>},
      {"stick_slip_pair", natively<reference::StickSlipPair>},
      {"transistor_amplifier", natively<reference::TransistorAmplifier>},
      {"van_der_pol", natively<reference::VanDerPol>},
  };
}

// The last row at a time: after events. Steps and roundings make grids of reports differ by them.
std::optional<std::size_t> row_at(const SimulationResult& result, double time) {
  const auto times = result.time();
  const double near = 1e-11 * (1.0 + times.back());
  auto after = std::upper_bound(times.begin(), times.end(), time + near);
  if (after == times.begin() || std::abs(*std::prev(after) - time) > near) return {};
  return static_cast<std::size_t>(std::prev(after) - times.begin());
}

std::vector<double> event_times(const SimulationResult& result) {
  std::vector<double> times;
  for (const auto& event : result.events()) {
    // Corrections of drift are events of Model Exchange alone.
    if (event.kind != EventKind::step) times.push_back(event.time);
  }
  return times;
}

// How far the values of the second run lie from those of the first, in tolerances.
struct Distance {
  double tolerances = 0.0;
  std::string where;
  std::size_t compared = 0;
};

Distance distance(const SimulationResult& a, const SimulationResult& b, double tolerance) {
  Distance largest;
  for (const std::string& name : b.names()) {
    if (std::find(a.names().begin(), a.names().end(), name) == a.names().end()) continue;
    if (name.starts_with("der(")) continue;
    const auto expected = a[name];
    const auto values = b[name];
    double scale = 1.0;
    for (const double value : expected) scale = std::max(scale, std::abs(value));
    for (std::size_t row = 0; row < a.rows(); ++row) {
      if (row + 1 < a.rows() && a.time()[row + 1] == a.time()[row]) continue;
      const auto other = row_at(b, a.time()[row]);
      if (!other) continue;
      ++largest.compared;
      const double apart = std::abs(values[*other] - expected[row]) / (scale * tolerance);
      if (!(apart <= largest.tolerances)) {
        largest.tolerances = apart;
        largest.where = name + " at " + std::to_string(a.time()[row]);
      }
    }
  }
  return largest;
}

double apart(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

}  // namespace

TEST_CASE("every reference model gives the same run on every road", "[roads]") {
  for (const ReferenceModel& model : reference_models()) {
    DYNAMIC_SECTION(model.name) {
      const SimulationOptions options{.stop = model.stop, .tolerance = model.tolerance};
      const SimulationResult native = model.simulate(options);
      REQUIRE(native.outcome() != SimulationResult::Outcome::failed);
      const std::vector<double> events = event_times(native);
      for (const Road& road : kRoads) {
        CAPTURE(model.name, road.name);
        const SimulationResult run =
            importer::simulate(SALTUS_FMU_DIR + std::string(road.folder) + model.name + ".fmu",
                               options, {.interface = road.interface});
        CHECK(run.outcome() == native.outcome());
        const Distance found = distance(native, run, model.tolerance);
        CAPTURE(found.tolerances, found.where, found.compared);
        CHECK(found.compared > native.rows() / 2);
        CHECK(found.tolerances <= 10.0);
        if (road.tells_events) {
          const std::vector<double> others = event_times(run);
          REQUIRE(others.size() == events.size());
          CAPTURE(apart(events, others));
          CHECK(apart(events, others) <= 1e-9);
        }
      }
    }
  }
}

}  // namespace saltus::test

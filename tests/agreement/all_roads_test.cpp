// SPDX-License-Identifier: BSD-2-Clause
// Every reference model on every road: natively, and through its FMUs of FMI 3.0 and 2.0, as Model
// Exchange and as Co-Simulation. Co-Simulation gives the native values; those of Model Exchange lie
// within ten tolerances, measured by the largest value of the variable and by 1, and events within
// a nanosecond, but for models that are listed.
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

// How far a Model Exchange run may be from the others. It has another method, whose errors add up
// along the run as its own do.
struct Allowed {
  double tolerances = 10.0;
  double seconds = 1e-9;
};

struct ReferenceModel {
  std::string name;
  std::function<Simulation(const SimulationOptions&)> natively;
  modeling::ModelInfo info;
  Allowed allowed;
  double tolerance = 1e-10;
};

template <template <class> class M>
ReferenceModel model(const std::string& name, const Allowed& allowed = {}) {
  return {name, [](const SimulationOptions& options) { return Simulation::of<M>(options); },
          modeling::NativeModel<M>("model").info(), allowed};
}

// Its impacts are found to the tolerance alone: forces of 1e3 decide where the bow sticks.
ReferenceModel bowed_string() {
  ReferenceModel string =
      model<reference::BowedString>("bowed_string", {.tolerances = 100.0, .seconds = 1e-6});
  string.natively = [](SimulationOptions options) {
    options.reduction.after_event = ReductionOptions::Start::nearest;
    return Simulation::of<reference::BowedString>(options);
  };
  string.tolerance = 1e-7;
  string.info.stop = 0.5;
  return string;
}

// Steps end where rows are: between its steps the curve of `Radau` has an order less than they, and
// tolerances of its own.
SimulationResult run_natively(const ReferenceModel& reference, const SimulationOptions& options) {
  Simulation simulation = reference.natively(options);
  simulation.start();
  const modeling::ModelInfo& info = reference.info;
  const double reports = std::floor((info.stop - info.start) / info.step_size + 1e-9);
  for (double k = 1.0; k <= reports && simulation.time() < info.stop; k += 1.0) {
    const double next = std::min(info.stop, info.start + k * info.step_size);
    simulation.advance_to(next);
    if (simulation.result().outcome() != SimulationResult::Outcome::unfinished) break;
  }
  if (simulation.result().outcome() == SimulationResult::Outcome::unfinished) {
    simulation.advance_to(info.stop);
  }
  return simulation.result();
}

std::vector<ReferenceModel> reference_models() {
  return {
      model<reference::AndrewsSqueezer>("andrews_squeezer", {.tolerances = 30.0}),
      model<reference::BeltOscillator>("belt_oscillator"),
      model<reference::BoostConverter>("boost_converter"),
      model<reference::BouncingBall>("bouncing_ball"),
      bowed_string(),
      model<reference::ChargePump>("charge_pump"),
      model<reference::Dahlquist>("dahlquist"),
      model<reference::Feedthrough>("feedthrough"),
      model<reference::Pendulum>("pendulum", {.tolerances = 60.0}),
      model<reference::Pounding>("pounding", {.tolerances = 20.0}),
      model<reference::RelayFeedback>("relay_feedback", {.seconds = 2e-9}),
      model<reference::Robertson>("robertson"),
      model<reference::Stair>("stair"),
      model<reference::StickSlipPair>("stick_slip_pair"),
      model<reference::TransistorAmplifier>("transistor_amplifier"),
      model<reference::VanDerPol>("van_der_pol"),
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

bool has_event_at(const SimulationResult& result, double time) {
  return std::any_of(result.events().begin(), result.events().end(), [&](const auto& event) {
    return std::abs(event.time - time) < 1e-9 * (1.0 + std::abs(time));
  });
}

// Rows at events may show either side of them.
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
      if (!other || has_event_at(a, a.time()[row])) continue;
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
  for (const ReferenceModel& reference : reference_models()) {
    DYNAMIC_SECTION(reference.name) {
      const SimulationOptions options{.stop = reference.info.stop,
                                      .tolerance = reference.tolerance};
      const SimulationResult native = run_natively(reference, options);
      REQUIRE(native.outcome() != SimulationResult::Outcome::failed);
      const std::vector<double> events = event_times(native);
      for (const Road& road : kRoads) {
        const SimulationResult run =
            importer::simulate(SALTUS_FMU_DIR + std::string(road.folder) + reference.name + ".fmu",
                               options, {.interface = road.interface});
        const bool same_method = road.interface == Interface::co_simulation;
        const Allowed allowed = same_method ? Allowed{.tolerances = 0.01} : reference.allowed;
        CHECK(run.outcome() == native.outcome());
        const Distance found = distance(native, run, reference.tolerance);
        CAPTURE(reference.name, road.name, found.tolerances, found.where, found.compared);
        CHECK(found.compared > 0);
        CHECK(found.tolerances <= allowed.tolerances);
        if (road.tells_events) {
          const std::vector<double> others = event_times(run);
          REQUIRE(others.size() == events.size());
          CAPTURE(apart(events, others));
          CHECK(apart(events, others) <= allowed.seconds);
        }
      }
    }
  }
}

TEST_CASE("ramps and jumps of inputs reach the outputs on every road", "[roads]") {
  const auto inputs = std::make_shared<importer::InputTable>(importer::InputTable::parse(
      "time,Float64_continuous_input,Float64_discrete_input,Int32_input\n"
      "0,0,1,0\n0.5,1,1,0\n0.73,1,1,0\n0.73,-2,3,5\n2,0.5,3,5\n",
      "ramps and jumps"));
  const auto continuous = [](double t) {
    return t < 0.5 ? 2.0 * t : t < 0.73 ? 1.0 : -2.0 + 2.5 * (t - 0.73) / 1.27;
  };
  for (const Road& road : kRoads) {
    CAPTURE(road.name);
    const SimulationResult run = importer::simulate(
        SALTUS_FMU_DIR + std::string(road.folder) + "feedthrough.fmu",
        {.stop = 2.0, .report_interval = 0.1}, {.interface = road.interface, .inputs = inputs});
    // Within a step of Co-Simulation inputs are held.
    const double most = road.interface == Interface::co_simulation ? 0.2 : 0.0;
    std::size_t compared = 0;
    for (std::size_t row = 0; row < run.rows(); ++row) {
      const double t = run.time()[row];
      if (std::abs(t - 0.73) < 1e-9) continue;  // both sides of the jump
      CAPTURE(t);
      CHECK(run["Float64_continuous_output"][row] == Approx(continuous(t)).margin(most + 1e-12));
      CHECK(run["Float64_discrete_output"][row] == (t < 0.73 ? 1.0 : 3.0));
      CHECK(run["Int32_output"][row] == (t < 0.73 ? 0.0 : 5.0));
      ++compared;
    }
    CHECK(compared >= 21);
  }
}

}  // namespace saltus::test

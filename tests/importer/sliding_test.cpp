// SPDX-License-Identifier: BSD-2-Clause
// FMUs that only chatter, and slide nevertheless.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "saltus/control/mode_controller.hpp"
#include "saltus/importer/csv_recorder.hpp"
#include "saltus/importer/fmu.hpp"
#include "saltus/integrators/dormand_prince.hpp"
#include "saltus/switching/sliding_model.hpp"
#include "scratch.hpp"

using namespace saltus;
using namespace saltus::importer;
using Names = std::vector<std::string>;
using Start = std::map<std::string, std::string>;

namespace {

constexpr double kTolerance = 1e-8;

/// A run of the chattering pair, with what the FMU complained of.
struct Pair {
  explicit Pair(const Start& start_values, double stop = 10.0,
                const std::string& name = "chatter_pair", double interval = 0.1) {
    Fmu fmu = Fmu::open(plain_fmu(name));
    InstanceOptions options{.start_values = start_values};
    options.on_message = [this](const LogMessage& message) { messages.push_back(message.text); };
    auto model = fmu.instantiate_model_exchange("pair", options);
    SlidingModel sliding(*model);
    DormandPrince integrator(sliding, {.relative_tolerance = kTolerance, .max_step = 0.2});
    IntegratedModel system(sliding, integrator);
    Recorder recorder(*model, sliding, system, {.stream = &stream, .mark_sliding = true});
    ModeController controller(system, {.report_interval = interval});
    controller.add(recorder);
    controller.run({.stop = stop, .tolerance = kTolerance});
    events = recorder.events();
    phases = recorder.sliding_phases();
    columns = recorder.columns();
    times.assign(recorder.times().begin(), recorder.times().end());
  }
  std::size_t count(EventKind kind) const {
    return static_cast<std::size_t>(
        std::count_if(events.begin(), events.end(),
                      [kind](const RecordedEvent& event) { return event.kind == kind; }));
  }
  const std::vector<double>& operator[](const std::string& name) const {
    return std::find_if(columns.begin(), columns.end(),
                        [&](const RecordedColumn& column) { return column.name == name; })
        ->values;
  }
  std::ostringstream stream;
  std::vector<std::string> messages;
  std::vector<RecordedEvent> events;
  std::vector<SlidingPhase> phases;
  std::vector<RecordedColumn> columns;
  std::vector<double> times;
};

}  // namespace

// asin(0.8) + k pi, and where the bodies meet again: reference-fmus/plain_c/chatter_pair/README.md.
TEST_CASE("an FMU that only chatters slides", "[sliding]") {
  const std::string hysteresis = GENERATE(as<std::string>(), "0", "1e-13", "1e-10");
  const std::string oriented = GENERATE(as<std::string>(), "false", "true");
  INFO("hysteresis " << hysteresis << ", oriented " << oriented);
  const Pair pair(Start{{"hysteresis", hysteresis}, {"oriented", oriented}});

  std::vector<RecordedEvent> events = pair.events;
  if (events.front().time <= 2.0 * std::stod(hysteresis)) {  // the start is inside the hysteresis
    CHECK(events.front().kind == EventKind::enter_sliding);
    events.erase(events.begin());
  }
  const std::vector<double> expected = {0.927295218001612, 2.887003905980780, 4.068887871591405,
                                        6.028596559570573, 7.210480525181199, 9.170189213160366};
  REQUIRE(events.size() == expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) {
    CHECK(std::fabs(events[k].time - expected[k]) <= kTolerance);
    CHECK(events[k].kind == (k % 2 == 0 ? EventKind::exit_sliding : EventKind::enter_sliding));
  }
  CHECK(events[1].indicators == Names{"z"});
  CHECK(events[0].indicators.front().find("sliding on \"z\"") == 0);
  CHECK(pair["v1"].back() == Approx(0.919535764538226).epsilon(10 * kTolerance));
  CHECK(pair["p1"].back() == Approx(6.3659078168).epsilon(10 * kTolerance));
  CHECK(pair["p2"].back() == Approx(6.1781132941).epsilon(10 * kTolerance));
  CHECK(pair.messages.empty());  // among them: states that were not freed
}

TEST_CASE("rows that slide combine both sides", "[sliding]") {
  const Pair pair(Start{{"hysteresis", "0"}});
  std::size_t sliding_rows = 0;
  for (std::size_t row = 0; row < pair.times.size(); ++row) {
    const double direction = pair["direction"][row];
    CHECK(std::fabs(direction) == 1.0);
    if (pair["sliding_surfaces"][row] == 0.0) {
      CHECK(pair["friction"][row] == 0.4 * direction);
      continue;
    }
    ++sliding_rows;
    const double friction = 0.5 * std::sin(pair.times[row]);
    CHECK(pair["friction"][row] == Approx(friction).margin(kTolerance));
    CHECK(pair["v1"][row] == Approx(pair["v2"][row]).margin(kTolerance));
    if (std::fabs(friction) > kTolerance) CHECK(direction == std::copysign(1.0, friction));
  }
  CHECK(sliding_rows > 30);
  REQUIRE(pair.phases.size() == 4);
  CHECK(pair.phases[0].begin == 0.0);
  CHECK(pair.phases[1].begin == pair.events[1].time);
  CHECK(pair.phases[1].end == pair.events[2].time);
  CHECK(pair.phases[3].end == 10.0);
  CHECK(pair.phases[3].surfaces == 1);
  CHECK(pair.stream.str().find(",flips,sliding_surfaces\n0,0,0,1,1,") != std::string::npos);
}

TEST_CASE("looking at a sliding FMU does not disturb it", "[sliding]") {
  const Start start = {{"hysteresis", "0"}};
  const Pair often(start, 10.0, "chatter_pair", 0.03);
  const Pair seldom(start, 10.0, "chatter_pair", 5.0);
  REQUIRE(often.events.size() == seldom.events.size());
  for (std::size_t k = 0; k < often.events.size(); ++k) {
    CHECK(often.events[k].time == seldom.events[k].time);
  }
  CHECK(often["v1"].back() == seldom["v1"].back());
}

TEST_CASE("a hysteresis that the tolerance can see is simulated", "[sliding]") {
  const std::string oriented = GENERATE(as<std::string>(), "false", "true");
  const Pair pair(Start{{"hysteresis", "3e-3"}, {"oriented", oriented}});
  CHECK(pair.count(EventKind::state) == 395);
  CHECK(pair.events.size() == 395);
  CHECK(pair.phases.empty());
  CHECK(pair.messages.empty());
}

TEST_CASE("nothing slides where flipping there and back changes something", "[sliding]") {
  const std::string trap = GENERATE(as<std::string>(), "jump", "wear");
  INFO(trap);
  const Pair pair(Start{{"hysteresis", "1e-9"}, {trap, "0.01"}}, 1e-6);
  CHECK(pair.events.size() > 300);
  CHECK(pair.count(EventKind::state) == pair.events.size());
  CHECK(pair.messages.empty());
}

TEST_CASE("an FMU without states runs as it is", "[sliding]") {
  const Pair pair(Start{{"hysteresis", "3e-3"}}, 10.0, "chatter_pair_without_states");
  CHECK(pair.count(EventKind::state) == 395);
  CHECK(pair.messages.empty());
}

// SPDX-License-Identifier: BSD-2-Clause
// Conditions on time, and conditions of several comparisons: neither hides behind the other.
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "event_run.hpp"
#include "saltus/modeling/native_model.hpp"

namespace saltus::test {
namespace {

using namespace saltus::modeling;

constexpr double kNext = std::numeric_limits<double>::infinity();

void set(DescribedModel& model, const std::string& name, double value) {
  for (std::size_t i = 0; i < model.variables().size(); ++i) {
    if (model.variables()[i].name == name) {
      model.set_number(i, value);
    }
  }
}

// x grows while the pulse lasts. The condition shows only the smaller margin.
template <class Real>
struct Pulse {
  State<Real> x{"x"};
  Parameter<Real> begin{"begin", {.start = 3.0}};
  Parameter<Real> width{"width", {.start = 0.01}};
  void equations(Equations<Real>& eq) {
    der(x) = (eq.time > begin && eq.time < begin + width) ? 1.0 : 0.0;
  }
};

// Comparisons of time in every dress, each once.
template <class Real>
struct Dressed {
  State<Real> x{"x", {.start = 1.0}};
  Local<Real> since{"since"};
  Discrete<Real> next{"next", {.start = 2.5}};
  Discrete<int> count{"count"};
  void equations(Equations<Real>& eq) {
    since = eq.time - 1.0;
    der(x) = -x;
  }
  void events(Events<Real>& ev) {
    if (ev.when(since >= 0.5)) count = count + 1;                      // at 1.5
    if (ev.when(2.0 * ev.time > 4.0 || x < -1.0)) count = count + 10;  // just after 2
    if (ev.when(!(ev.time < next))) next = next + 1.0;                 // at 2.5, 3.5, 4.5
    if (ev.when(ev.time * ev.time >= 9.0)) count = count + 100;        // at 3
    if (ev.when(ev.time >= 4.0 && x > 0.5)) count = count + 1000;      // never
  }
};

// A sine's crest above a level, seen only while something else is small: the margin of the
// condition is that of the small one nearly always.
template <class Real>
struct Hidden {
  State<Real> x{"x"};
  Parameter<Real> level{"level", {.start = 0.999}};
  Discrete<int> count{"count"};
  void equations(Equations<Real>&) { der(x) = 1.0; }
  void events(Events<Real>& ev) {
    if (ev.when(10.0 * (x - 7.0) > 0.0 && 10.0 * (7.0 + 1e-4 - x) > 0.0 && level > 0.0)) {
      count = count + 1;
    }
    if (ev.when(level < 0.0 || 5.0 * (1e-4 - abs(x - 11.0)) > 0.0)) {
      count = count + 100;
    }
  }
};

}  // namespace

TEST_CASE("a pulse of time is met to the last bit, however short", "[time comparisons]") {
  const double width = GENERATE(1e-2, 1e-5, 1e-9, 1e-13);
  NativeModel<Pulse> model{"Pulse"};
  set(model, "width", width);
  EventRun run(model);
  run.to(10.0);
  REQUIRE(run.event_times().size() == 2);
  CHECK(run.event_times()[0] == std::nextafter(3.0, kNext));
  CHECK(run.event_times()[1] == 3.0 + width);
  CHECK(run.trajectory.events()[0].kind == EventKind::time);
  CHECK(run.system.unknowns()[0] == Approx(run.event_times()[1] - run.event_times()[0]));
}

TEST_CASE("comparisons of time with what stands still are announced", "[time comparisons]") {
  NativeModel<Dressed> model{"Dressed"};
  EventRun run(model);
  run.to(5.0);
  const std::vector<double> times = run.event_times();
  REQUIRE(times.size() == 7);
  CHECK(times[0] == 1.5);
  CHECK(times[1] == std::nextafter(2.0, kNext));
  CHECK(times[2] == 2.5);
  CHECK(times[3] == 3.0);
  CHECK(times[4] == 3.5);
  CHECK(times[5] == 4.0);  // announced, and nothing happens
  CHECK(times[6] == 4.5);
  CHECK(model.whole(model.variables().size() - 1) == 111);
}

TEST_CASE("a saved state knows the announced comparison of time", "[time comparisons]") {
  NativeModel<Pulse> model{"Pulse"};
  std::vector<double> y(1), z(1);
  model.initialize({}, y);
  CHECK(model.update_discrete_states(0.0, y).next_event_time == std::nextafter(3.0, kNext));
  model.enter_continuous_mode(0.0, y);
  NativeModel<Pulse> other{"Pulse"};
  other.restore(model.save());
  CHECK(other.indicators(std::nextafter(3.0, kNext), y, z) == Eval::ok);
  CHECK_FALSE(z[0] > 0.0);  // what changes there is the time event's
}

TEST_CASE("an importer that comes a rounding early has come", "[time comparisons]") {
  NativeModel<Pulse> model{"Pulse"};
  std::vector<double> y(1);
  model.initialize({}, y);
  static_cast<void>(model.update_discrete_states(0.0, y));
  model.enter_continuous_mode(0.0, y);
  model.enter_event_mode(3.0, y);
  CHECK(model.update_discrete_states(3.0, y).iterate);
  CHECK(model.update_discrete_states(3.0, y).next_event_time == 3.01);
}

TEST_CASE("parts of a condition are watched one by one", "[parts]") {
  NativeModel<Hidden> model{"Hidden"};
  EventRun run(model);
  run.to(20.0);
  CHECK(model.whole(model.variables().size() - 1) == 101);
  REQUIRE(run.event_times().size() == 4);
  CHECK(run.event_times()[0] == Approx(7.0).epsilon(1e-12));
  CHECK(run.event_times()[2] == Approx(11.0 - 1e-4).epsilon(1e-12));
}

}  // namespace saltus::test

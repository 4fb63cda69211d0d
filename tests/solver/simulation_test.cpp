// SPDX-License-Identifier: BSD-2-Clause
// The front door: what a run says by name, at any time, step by step and when it goes wrong.
#include "saltus/simulation.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "saltus/core/error.hpp"

using namespace saltus;
using namespace saltus::modeling;

namespace {

template <class Real>
struct Ball {
  static constexpr ModelInfo info{.stop = 3.0, .tolerance = 1e-8};
  State<Real> h{"h", {.unit = "m", .start = 1.0, .description = "height"}};
  State<Real> v{"v"};
  Parameter<Real> g{"g", {.start = 9.81}};
  Parameter<Real> e{"e", {.start = 0.7, .max = 1.0}};
  Output<Real> energy{"energy"};
  Discrete<int> bounces{"bounces"};

  void equations(Equations<Real>&) {
    der(h) = v;
    der(v) = -g;
    energy = g * h + 0.5 * v * v;
  }
  void events(Events<Real>& ev) {
    if (ev.when(h < 0.0)) {
      h = 0.0;
      v = -e * v;
      bounces = bounces + 1;
    }
  }
};

// Of a ball dropped from `height`.
struct ExactBall {
  double height = 1.0, g = 9.81, e = 0.7;
  double bounce(int n) const {
    const double fall = std::sqrt(2.0 * height / g);
    double t = fall;
    for (int k = 1; k <= n; ++k) {
      t += 2.0 * fall * std::pow(e, k);
    }
    return t;
  }
  double at(double t) const {
    if (t < bounce(0)) {
      return height - 0.5 * g * t * t;
    }
    int n = 0;
    while (t >= bounce(n + 1)) {
      ++n;
    }
    const double speed = std::sqrt(2.0 * height * g) * std::pow(e, n + 1);
    const double since = t - bounce(n);
    return speed * since - 0.5 * g * since * since;
  }
};

template <class Real>
struct Pendulum {
  static constexpr ModelInfo info{.stop = 3.0, .tolerance = 1e-8};
  State<Real> x{"x", {.start = 1.0}}, y{"y"}, u{"u"}, w{"w"};
  Algebraic<Real> tension{"tension"};
  Output<Real> length{"length"};
  void equations(Equations<Real>& eq) {
    der(x) = u;
    der(y) = w;
    eq(der(u), -tension * x);
    eq(der(w), -tension * y - 9.81);
    eq(x * x + y * y, 1.0);
    length = x * x + y * y;
  }
};

// Dry friction under a growing pull: it sticks until the pull is 1.
template <class Real>
struct Block {
  static constexpr ModelInfo info{.stop = 3.0, .tolerance = 1e-8};
  State<Real> v{"v"};
  Input<Real> pull{"pull"};
  Parameter<Real> friction{"friction", {.start = 1.0, .tunable = true}};
  Output<Real> force{"force"};
  void equations(Equations<Real>& eq) {
    force = v > 0.0 ? -friction : friction;
    der(v) = pull + 0.5 * eq.time + force;
  }
};

// x decays; the rest follows inputs, tunables and a clock.
template <class Real>
struct Driven {
  static constexpr ModelInfo info{.stop = 4.0};
  State<Real> x{"x", {.start = 1.0}}, area{"area"};
  Input<Real> u{"u"};
  Parameter<Real> gain{"gain", {.start = 1.0, .tunable = true}};
  Discrete<int> rises{"rises"}, ticks{"ticks"};
  void equations(Equations<Real>&) {
    der(x) = -x;
    der(area) = u > 0.5 ? Real(gain) : Real(0.0);
  }
  void events(Events<Real>& ev) {
    if (ev.when(u > 0.5)) rises = rises + 1;
    if (ev.every(1.0)) ticks = ticks + 1;
  }
};

template <class Real>
struct Metronome {
  Parameter<Real> period{"period", {.start = 1.0}};
  Discrete<int> beats{"beats"};
  void equations(Equations<Real>&) {}
  void events(Events<Real>& ev) {
    if (ev.every(period)) beats = beats + 1;
  }
};

template <class Real>
struct Lag {
  State<Real> x{"x"};
  Input<Real> u{"u"};
  Parameter<Real> k{"k", {.start = 1.0, .tunable = true}};
  void equations(Equations<Real>&) { der(x) = k * (u - x); }
};

// Implicit, with a condition that never changes, so that it is made explicit.
template <class Real>
struct Pushed {
  State<Real> v{"v"};
  Algebraic<Real> a{"a"};
  Input<Real> F{"F"};
  void equations(Equations<Real>& eq) {
    const Real drag = v > -10.0 ? 0.0 : 1.0;
    eq(a, F + drag);
    der(v) = a;
  }
};

template <class Real>
struct Fails {
  State<Real> x{"x", {.start = 1.0}};
  void equations(Equations<Real>&) { der(x) = x * x; }  // a pole at t = 1
};

template <class Real>
struct EndsItself {
  State<Real> x{"x"};
  void equations(Equations<Real>&) { der(x) = 1.0; }
  void events(Events<Real>& ev) {
    if (ev.when(x > 0.25)) {
      ev.terminate();
    }
  }
};

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("one call runs a model and answers by name", "[simulation]") {
  const auto run = simulate<Ball>({.stop = 2.0, .values = {{"h", 2.0}, {"e", 0.8}}});
  const ExactBall exact{.height = 2.0, .e = 0.8};
  CHECK(run.outcome() == SimulationResult::Outcome::reached_stop);
  CHECK(run.time().front() == 0.0);
  CHECK(run.time().back() == 2.0);
  CHECK(run.model() == "Ball");
  CHECK(run.unit("h") == "m");
  CHECK(run.description("h") == "height");
  CHECK(run["h"].size() == run.rows());
  for (std::size_t i = 0; i < run.rows(); ++i) {
    CHECK(std::fabs(run["h"][i] - exact.at(run.time()[i])) < 1e-7);
  }
  REQUIRE(run.events().size() == 2);
  CHECK(std::fabs(run.events()[0].time - exact.bounce(0)) < 1e-12);
  CHECK(run.events()[0].conditions == std::vector<std::string>{"h < 0"});
  CHECK(run["bounces"].back() == 2.0);
  CHECK(run["e"].back() == 0.8);
  CHECK(std::fabs(run["energy"].front() - 2.0 * 9.81) < 1e-12);
  CHECK(run.integration().steps > 0);
  CHECK(run.choices().size() == 1);
  CHECK(run.summary().find("reached the stop time 2\n") != std::string::npos);
  CHECK(run.summary().find("state  h < 0 became true\n") != std::string::npos);
}

TEST_CASE("values at any time of the run are as exact as its rows", "[simulation]") {
  const auto run = simulate<Ball>({.stop = 2.3, .report_interval = kNever});
  const ExactBall exact;
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> times(0.0, 2.3);
  for (int i = 0; i < 300; ++i) {
    const double t = times(random);
    CHECK(std::fabs(run.at(t)["h"] - exact.at(t)) < 1e-7);
  }
  const auto event = run.events()[1].time;
  CHECK(run.at(event)["bounces"] == 2.0);
  CHECK(run.at(std::nextafter(event, 0.0))["bounces"] == 1.0);
  CHECK_THROWS_AS(run.at(3.1), std::out_of_range);
  CHECK_THROWS_AS(run.at(-0.1), std::out_of_range);
  CHECK_THROWS_AS(run.at(std::nan("")), std::out_of_range);
}

TEST_CASE("implicit models are reduced, and say so", "[simulation]") {
  const auto run = simulate<Pendulum>({.report_interval = 0.5});
  CHECK(run.choices().at(0) ==
        "implicit equations (mu = 2, d = 2, a = 3, u = 0, v = 0), reduced to index 1 at most");
  const auto fine = simulate<Pendulum>({.tolerance = 1e-11});
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> times(0.0, 3.0);
  for (int i = 0; i < 50; ++i) {
    const double t = times(random);
    CHECK(std::fabs(run.at(t)["length"] - 1.0) < 1e-7);
    CHECK(std::fabs(run.at(t)["x"] - fine.at(t)["x"]) < 1e-6);
    CHECK(std::fabs(run.at(t)["tension"] - fine.at(t)["tension"]) < 1e-5);
  }
}

TEST_CASE("what sticks is the mixture, between rows too", "[simulation]") {
  const auto run = simulate<Block>();
  REQUIRE(!run.events().empty());
  CHECK(std::fabs(run.at(1.234)["v"]) < 1e-12);
  CHECK(std::fabs(run.at(1.234)["force"] + 0.5 * 1.234) < 1e-12);
  CHECK(std::fabs(run["v"].back() - 0.25 * 1.0) < 1e-7);  // 0.25 (t^2 - 4) - (t - 2)
  CHECK(std::fabs(run.at(2.5)["v"] - 0.25 * 0.25) < 1e-7);
}

TEST_CASE("values are set before and while a run goes on, and both have a row", "[simulation]") {
  Simulation block = Simulation::of<Block>({.report_interval = 0.25});
  CHECK(block.value("friction") == 1.0);
  block.set("pull", 0.1);
  block.start();
  block.advance_to(1.0);
  CHECK(std::fabs(block.value("v")) < 1e-12);
  CHECK(std::fabs(block.value("force") + 0.6) < 1e-12);
  block.set("friction", 0.5);  // too little: it starts to move
  block.advance_to(2.0);
  CHECK(std::fabs(block.value("v") - (0.25 * 3.0 + 0.1 - 0.5)) < 1e-7);
  block.set("pull", 1.1);
  CHECK(message_of([&] { block.set("v", 1.0); }).find("only inputs and tunable parameters") !=
        std::string::npos);
  block.advance_to(3.0);
  CHECK(std::fabs(block.value("v") - (0.35 + 0.25 * 5.0 + 1.1 - 0.5)) < 1e-7);
  const SimulationResult result = block.result();
  CHECK(std::fabs(result.at(1.5)["v"] - (0.25 * 1.25 + 0.05 - 0.25)) < 1e-7);
  CHECK(std::fabs(result.at(0.6)["force"] + 0.4) < 1e-12);
  CHECK(result.at(1.9)["pull"] == 0.1);
  CHECK(result.at(2.0)["pull"] == 1.1);
  // No report is lost where the caller stopped; where something was set there are two rows.
  for (int k = 0; k <= 12; ++k) {
    const auto rows = std::count(result.time().begin(), result.time().end(), 0.25 * k);
    CHECK(rows == (k == 4 || k == 8 ? 2 : 1));
  }
}

TEST_CASE("a run that comes back goes on with the same bits", "[simulation]") {
  Simulation ball = Simulation::of<Ball>();
  ball.start();
  ball.advance_to(1.0);
  const Simulation::Saved saved = ball.save();
  ball.advance_to(2.3);
  const std::vector<double> first(ball.result()["h"].begin(), ball.result()["h"].end());
  const std::size_t events = ball.result().events().size();
  ball.restore(saved);
  CHECK(ball.time() == 1.0);
  CHECK(ball.result().events().size() < events);
  ball.advance_to(2.3);
  CHECK(ball.result().events().size() == events);
  const auto second = ball.result()["h"];
  CHECK(std::equal(first.begin(), first.end(), second.begin(), second.end()));
  Simulation other = Simulation::of<Ball>();
  CHECK_THROWS_AS(other.restore(saved), std::invalid_argument);
}

TEST_CASE("saved points are restored in any order, with the rows of their past", "[simulation]") {
  Simulation decay = Simulation::of<Driven>({.stop = 4.0, .report_interval = 0.5});
  decay.start();
  decay.advance_to(1.0);
  const auto p = decay.save();
  decay.advance_to(2.0);
  const auto q = decay.save();
  const std::vector<double> times(decay.result().time().begin(), decay.result().time().end());
  decay.restore(p);
  decay.set("u", 5.0);
  decay.advance_to(3.0);
  decay.restore(q);  // later, and of another branch
  CHECK(decay.time() == 2.0);
  CHECK(std::equal(times.begin(), times.end(), decay.result().time().begin(),
                   decay.result().time().end()));
  decay.advance_to(3.0);
  CHECK(std::fabs(decay.result().at(1.7)["x"] - std::exp(-1.7)) < 1e-6);
  CHECK(std::fabs(decay.result().at(2.7)["x"] - std::exp(-2.7)) < 1e-6);
  decay.reset();
  decay.restore(p);
  CHECK(decay.time() == 1.0);
  decay.advance_to(2.0);
  CHECK(std::fabs(decay.result().at(0.7)["x"] - std::exp(-0.7)) < 1e-6);
  CHECK(std::fabs(decay.value("x") - std::exp(-2.0)) < 1e-6);
}

TEST_CASE("what was set before a save is in force after it", "[simulation]") {
  for (const bool saves : {false, true}) {
    Simulation driven = Simulation::of<Driven>({.stop = 4.0});
    driven.start();
    driven.advance_to(1.0);
    driven.set("u", 1.0);
    if (saves) {
      (void)driven.save();
    }
    driven.advance_to(2.0);
    CHECK(std::fabs(driven.value("area") - 1.0) < 1e-9);  // u > 0.5 from 1 on
    CHECK(driven.value("rises") == 1.0);
  }
}

// Each stretch begins at a time, with values that are known.
TEST_CASE("random schedules of set, save, restore and advance follow the exact solution",
          "[simulation]") {
  struct Stretch {
    double begin, x, u, k;
    double at(double t) const { return u + (x - u) * std::exp(-k * (t - begin)); }
  };
  std::mt19937_64 random(7);
  const auto uniform = [&] { return std::uniform_real_distribution<double>(0.0, 1.0)(random); };
  for (int schedule = 0; schedule < 100; ++schedule) {
    const double start = -5.0 + 10.0 * uniform(), stop = start + 4.0;
    Simulation lag =
        Simulation::of<Lag>({.start = start,
                             .stop = stop,
                             .tolerance = 1e-9,
                             .report_interval = uniform() < 0.3 ? kNever : 0.05 + uniform(),
                             .method = uniform() < 0.5 ? Method::automatic : Method::radau});
    lag.start();
    Stretch now{start, 0.0, 0.0, 1.0}, saved_now = now;
    std::vector<Stretch> past, saved_past;
    std::optional<Simulation::Saved> saved;
    for (int action = 0; action < 25; ++action) {
      const double choice = uniform();
      if (choice < 0.3) {
        lag.set("u", now.u = 2.0 * uniform() - 1.0);
      } else if (choice < 0.45) {
        lag.set("k", now.k = 0.2 + uniform());
      } else if (choice < 0.55) {
        saved = lag.save();
        saved_now = now;
        saved_past = past;
      } else if (choice < 0.65 && saved) {
        lag.restore(*saved);
        now = saved_now;
        past = saved_past;
      } else if (const double t = now.begin + 0.5 * uniform(); t < stop) {
        lag.advance_to(t);
        past.push_back(now);
        now = {t, now.at(t), now.u, now.k};
        CHECK(std::fabs(lag.value("x") - now.x) < 1e-6);
      }
    }
    past.push_back(now);
    for (std::size_t i = 0; i + 1 < past.size(); ++i) {
      const double t = past[i].begin + uniform() * (past[i + 1].begin - past[i].begin);
      CHECK(std::fabs(lag.result().at(t)["x"] - past[i].at(t)) < 1e-6);
    }
  }
}

TEST_CASE("events at one time do not make the next step shorter and shorter", "[simulation]") {
  Simulation lag = Simulation::of<Lag>({.stop = 4.0, .tolerance = 1e-9, .method = Method::radau});
  lag.set("u", 1.0);
  lag.start();
  lag.advance_to(1.0);
  for (int i = 0; i < 20; ++i) {
    lag.set("k", 2.0 - 0.05 * i);
    lag.advance_to(1.0);
  }
  lag.advance_to(2.0);
  CHECK(std::fabs(lag.value("x") - (1.0 - std::exp(-1.0 - 1.05))) < 1e-7);
}

TEST_CASE("values between rows are right after a value was set, of implicit models too",
          "[simulation]") {
  for (const Method method : {Method::automatic, Method::radau}) {
    Simulation pushed = Simulation::of<Pushed>({.stop = 4.0, .tolerance = 1e-8, .method = method});
    pushed.start();
    pushed.set("F", 1.0);
    pushed.advance_to(2.0);
    pushed.set("F", -1.0);
    pushed.advance_to(3.0);
    const auto result = pushed.result();
    for (const double t : {0.25, 1.0, 1.77, 2.0, 2.1, 2.5, 2.99}) {
      const double exact = t < 2.0 ? t : 4.0 - t;
      CHECK(std::fabs(result.at(t)["v"] - exact) < 1e-6);
      CHECK(result.at(t)["F"] == (t < 2.0 ? 1.0 : -1.0));
    }
  }
}

TEST_CASE("values a rounding beside a row are those of the row", "[simulation]") {
  const auto run = simulate<Pendulum>({.report_interval = 0.1});
  for (const double t : run.time()) {
    for (const double beside : {std::nextafter(t, 0.0), std::nextafter(t, 3.0), t + 1e-13}) {
      if (beside <= 3.0) {
        CHECK(std::fabs(run.at(beside)["x"] - run.at(t)["x"]) < 1e-11);
      }
    }
  }
}

TEST_CASE("values reach as far as the run has come", "[simulation]") {
  Simulation decay = Simulation::of<Driven>({.stop = 4.0, .report_interval = kNever});
  CHECK_THROWS_AS(decay.result().at(0.0), std::out_of_range);
  decay.start();
  decay.advance_to(1.0);
  CHECK(std::fabs(decay.result().at(0.6)["x"] - std::exp(-0.6)) < 1e-6);
  CHECK(std::fabs(decay.result().at(1.0)["x"] - std::exp(-1.0)) < 1e-6);
  CHECK_THROWS_AS(decay.result().at(1.1), std::out_of_range);
}

TEST_CASE("an event that somebody asks for is one of its own", "[simulation]") {
  Simulation driven = Simulation::of<Driven>({.stop = 4.0});
  driven.start();
  driven.advance_to(0.5);
  driven.set("gain", 2.0);
  driven.set("u", 1.0);
  driven.advance_to(2.5);
  std::vector<EventKind> kinds;
  for (const auto& event : driven.result().events()) {
    kinds.push_back(event.kind);
  }
  CHECK(std::count(kinds.begin(), kinds.end(), EventKind::time) == 2);  // at 1 and at 2
  CHECK(driven.value("ticks") == 2.0);
}

TEST_CASE("observers look on until a reset", "[simulation]") {
  struct Counter : Observer {
    void sample(double, Moment) override { ++samples; }
    int samples = 0;
  };
  Simulation driven = Simulation::of<Driven>();
  auto counter = std::make_unique<Counter>();
  driven.add(*counter);
  (void)driven.run();
  CHECK(counter->samples > 500);
  driven.reset();
  counter.reset();
  CHECK(driven.run().outcome() == SimulationResult::Outcome::reached_stop);
}

TEST_CASE("a reset run repeats the first one, with what was set before it", "[simulation]") {
  Simulation block = Simulation::of<Block>({.values = {{"friction", 0.8}}});
  block.set("pull", 0.3);
  block.start();
  block.advance_to(1.0);
  block.set("friction", 0.2);
  block.advance_to(2.0);
  block.reset();
  CHECK(block.value("friction") == 0.8);
  const auto again = block.run();
  const auto alone = simulate<Block>({.values = {{"friction", 0.8}, {"pull", 0.3}}});
  CHECK(std::equal(again["v"].begin(), again["v"].end(), alone["v"].begin(), alone["v"].end()));
  CHECK_THROWS_AS(block.advance_to(3.0), std::logic_error);
  CHECK_THROWS_AS(block.run(), std::logic_error);
}

TEST_CASE("a run that fails keeps its rows, one that ends itself says so", "[simulation]") {
  Simulation pole = Simulation::of<Fails>({.stop = 2.0, .report_interval = 0.1});
  CHECK_THROWS_AS(pole.run(), Error);
  const SimulationResult result = pole.result();
  CHECK(result.outcome() == SimulationResult::Outcome::failed);
  CHECK(!result.error().empty());
  CHECK(result.time().back() > 0.85);
  CHECK(std::fabs(result.at(0.55)["x"] - 1.0 / 0.45) < 1e-5);

  const auto ended = simulate<EndsItself>();
  CHECK(ended.outcome() == SimulationResult::Outcome::terminated_by_model);
  CHECK(std::fabs(ended.time().back() - 0.25) < 1e-12);
}

TEST_CASE("mistakes name what is meant", "[simulation]") {
  const auto run = simulate<Ball>({.stop = 0.1});
  CHECK(message_of([&] { (void)run["ENERGY"]; }).find("did you mean \"energy\"") !=
        std::string::npos);
  CHECK(message_of([&] { (void)run["enrgy"]; }).find("did you mean \"energy\"") !=
        std::string::npos);
  CHECK(message_of([&] {
          (void)simulate<Ball>({.values = {{"hh", 1.0}}});
        }).find("no variable \"hh\"") != std::string::npos);
  CHECK(message_of([&] {
          (void)simulate<Ball>({.values = {{"energy", 1.0}}});
        }).find("the equations of the model compute it") != std::string::npos);
  CHECK(message_of([&] {
          (void)simulate<Ball>({.values = {{"bounces", 0.5}}});
        }).find("it is a whole number") != std::string::npos);
  CHECK(message_of([&] {
          (void)simulate<Ball>({.values = {{"e", 1.5}}});
        }).find("\"e\" cannot be 1.5: it is declared to be at most 1") != std::string::npos);
  CHECK(message_of([&] {
          (void)simulate<Ball>({.values = {{"h", NAN}}});
        }).find("cannot be nan") != std::string::npos);
  CHECK(message_of([&] { (void)simulate<Ball>({.record = {"x"}}); }).find("no variable \"x\"") !=
        std::string::npos);
  Simulation ball = Simulation::of<Ball>();
  CHECK_THROWS_AS(ball.advance_to(1.0), std::logic_error);
  CHECK_THROWS_AS(ball.save(), std::logic_error);
  ball.start();
  CHECK_THROWS_AS(ball.start(), std::logic_error);
  CHECK_THROWS_AS(ball.advance_to(4.0), std::invalid_argument);
  CHECK_THROWS_AS(ball.set("g", 1.0), std::logic_error);
  CHECK_THROWS_AS(Simulation::of<Block>({.hysteresis = -1.0}), std::invalid_argument);
  CHECK_THROWS_AS(Simulation::of<Block>({.dwell = NAN}), std::invalid_argument);
  CHECK_THROWS_AS(simulate<Ball>({.stop = INFINITY}), std::invalid_argument);
  CHECK(message_of([&] {
          (void)simulate<Ball>({.record = {"h", "h"}});
        }).find("twice") != std::string::npos);
  CHECK(message_of([&] {
          (void)simulate<Ball>({.stop = 0.1, .record = {"h"}})["v"];
        }).find("\"v\" was not recorded") != std::string::npos);
  Simulation reluctant = Simulation::of<Block>({.hysteresis = 1e-3});
  reluctant.start();
  CHECK_THROWS_AS(reluctant.save(), std::logic_error);
}

TEST_CASE("rows go into a file that reads back", "[simulation]") {
  const auto run = simulate<Ball>({.stop = 1.0, .record = {"h", "bounces"}});
  const auto file = std::filesystem::temp_directory_path() / "saltus_simulation_test.csv";
  run.write_csv(file);
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  CHECK(line == "time,h,bounces");
  std::size_t rows = 0;
  while (std::getline(in, line)) {
    double t = 0.0, h = 0.0;
    char comma = 0;
    std::istringstream(line) >> t >> comma >> h;
    CHECK(t == run.time()[rows]);
    CHECK(h == run["h"][rows]);
    ++rows;
  }
  CHECK(rows == run.rows());
  std::filesystem::remove(file);
  CHECK_THROWS_AS(run.write_csv("/nowhere/at/all.csv"), std::system_error);
}

TEST_CASE("an option that would help is named, where there is one", "[Simulation]") {
  const auto says = [](const std::string& message, const char* remedy) {
    INFO(message);
    CHECK(message.find(remedy) != std::string::npos);
  };
  says(message_of([] { simulate<Ball>({.stop = 10.0}); }), "(SimulationOptions: .rest = true)");
  says(message_of([] { simulate<Block>({.sliding = false}); }), ".sliding = true");
  CHECK(simulate<Block>().outcome() == SimulationResult::Outcome::reached_stop);
}

namespace {

// A condition that switches equations beside one that counts.
template <class Real>
struct Counted {
  static constexpr ModelInfo info{.stop = 4.0};
  Input<Real> u{"u"};
  State<Real> x{"x"};
  Output<Real> side{"side"};
  Discrete<int> falls{"falls"};
  void equations(Equations<Real>&) {
    side = x + u > 0.75 ? Real(2.0) : Real(-1.0);
    der(x) = 1.0 + 0.0 * side;
  }
  void events(Events<Real>& ev) {
    if (ev.when(x + u < 0.25)) falls = falls + 1;
  }
};

// A pendulum of index 3 under dry friction, which starts on the surface where it switches.
template <class Real>
struct RubbedPendulum {
  static constexpr ModelInfo info{.stop = 4.0};
  State<Real> x{"x", {.start = 1.0}}, y{"y"}, p{"p"}, q{"q"};
  Algebraic<Real> f{"f"};
  Input<Real> u{"u"};
  Local<Real> s{"s"};
  void equations(Equations<Real>& eq) {
    s = y * p - x * q > 0.0 ? Real(3.0) : Real(-3.0);
    der(x) = p;
    der(y) = q;
    der(p) = -f * x - s * y + u;
    der(q) = -f * y - 9.81 + s * x;
    eq(x * x + y * y, 1.0);
  }
};

template <class Real>
struct EndsByInput {
  static constexpr ModelInfo info{.stop = 2.0};
  State<Real> x{"x"};
  Input<Real> u{"u"};
  void equations(Equations<Real>&) { der(x) = 1.0; }
  void events(Events<Real>& ev) {
    if (ev.when(u > 0.5)) ev.terminate();
  }
};

}  // namespace

TEST_CASE("what a dropped branch of a run has seen does not show in the next", "[Simulation]") {
  SECTION("conditions that switch nothing") {
    auto run = Simulation::of<Counted>();
    run.start();
    run.set("u", 0.95);
    const auto point = run.save();
    for (int branch = 0; branch < 3; ++branch) {
      run.set("u", -0.47);
      run.advance_to(0.13);
      CHECK(run.value("falls") == 2.0);
      run.restore(point);
    }
  }
  SECTION("surfaces that the motion has just left") {
    for (const double dropped : {0.0, 0.5, 2.3, 3.0}) {
      auto run = Simulation::of<RubbedPendulum>();
      run.start();
      const auto point = run.save();
      if (dropped > 0.0) {
        run.set("u", 0.5);
        run.advance_to(dropped);
        run.restore(point);
      }
      run.set("u", 0.5);
      run.advance_to(0.5);
      CHECK(run.value("x") == Approx(0.686162831).epsilon(1e-6));
      CHECK(run.value("s") == 3.0);
    }
  }
}

TEST_CASE("a model that ends the run where values are set and saved has ended it", "[Simulation]") {
  auto run = Simulation::of<EndsByInput>();
  run.start();
  run.advance_to(1.0);
  run.set("u", 1.0);
  CHECK(message_of([&] { run.save(); }).find("after the end of the run") != std::string::npos);
  CHECK(run.result().outcome() == SimulationResult::Outcome::terminated_by_model);
  CHECK(run.time() == 1.0);
}

TEST_CASE("a point saved by a simulation that is gone belongs to no other", "[Simulation]") {
  Simulation::Saved old;
  {
    auto gone = Simulation::of<Lag>({.values = {{"k", 2.0}}});
    gone.start();
    old = gone.save();
  }
  auto run = Simulation::of<Lag>({.values = {{"k", 0.5}}});
  run.start();
  CHECK_THROWS_AS(run.restore(old), std::invalid_argument);
  run.advance_to(0.5);
  CHECK(run.value("k") == 0.5);
}

TEST_CASE("saving at a row does not write it again", "[Simulation]") {
  auto run = Simulation::of<Lag>({.stop = 1.0, .report_interval = 0.1});
  run.start();
  run.advance_to(3 * 0.1 - 1e-16);
  static_cast<void>(run.save());
  run.advance_to(1.0);
  CHECK(run.result().rows() == 11);
}

TEST_CASE("what comes in decimal intervals comes at the stop, too", "[Simulation]") {
  CHECK(simulate<Metronome>({.start = -11.78, .stop = -0.98, .values = {{"period", 0.54}}})["beats"]
            .back() == 20.0);
  for (int k = 0; k < 500; ++k) {
    const int start = k * 7919 % 4001 - 2000;
    const int period = 1 + k * 104729 % 97;
    const int count = 1 + k * 31 % 50;
    INFO("every(" << period << " / 100) from " << start << " / 100");
    const auto run = simulate<Metronome>({.start = start / 100.0,
                                          .stop = (start + count * period) / 100.0,
                                          .values = {{"period", period / 100.0}}});
    CHECK(run["beats"].back() == count);
  }
}

// Some events are so near to the time zero that no step is taken to them; a run may be as short.
TEST_CASE("a run of hardly any length moves as far as its speed says", "[Simulation]") {
  for (const double stop : {1e-250, 1e-292, 1e-295, 1e-300}) {
    for (const Method method : {Method::automatic, Method::radau, Method::adams}) {
      INFO("until " << stop);
      const auto run = simulate<Ball>({.stop = stop,
                                       .values = {{"v", 1.0 / stop}},
                                       .report_interval = stop / 2.0,
                                       .method = method});
      CHECK(run["h"].back() == Approx(2.0));
    }
  }
}

namespace {

template <class Real>
struct JustAfter {
  State<Real> x{"x"};
  Discrete<int> after{"after"};
  void equations(Equations<Real>&) { der(x) = 1.0; }
  void events(Events<Real>& ev) {
    if (ev.when(ev.time > 2.0)) after++;
  }
};

// Friction is an unknown of the equations, another one on each side of the surface.
template <class Real>
struct SolvedFriction {
  State<Real> v{"v"};
  Algebraic<Real> friction{"friction"};
  Discrete<int> ticks{"ticks"}, strong{"strong"};
  void equations(Equations<Real>& eq) {
    der(v) = 0.5 * sin(eq.time) + friction;
    eq(friction, v > 0.0 ? -1.0 : 1.0);
  }
  void events(Events<Real>& ev) {
    if (ev.every(0.25)) ticks++;
    if (ev.when(friction < -0.3)) strong++;
  }
};

}  // namespace

TEST_CASE("a comparison of time that changes with the first number after the start is met",
          "[Simulation]") {
  for (const Method method : {Method::automatic, Method::radau, Method::adams}) {
    const auto run = simulate<JustAfter>({.start = 2.0, .stop = 5.0, .method = method});
    CHECK(run["after"].back() == 1.0);
    CHECK(run["x"].back() == Approx(3.0));
  }
}

TEST_CASE("events of implicit equations that slide take the unknowns of each side apart",
          "[Simulation]") {
  for (const Method method : {Method::automatic, Method::radau}) {
    const auto run = simulate<SolvedFriction>({.stop = 2.6, .method = method});
    CHECK(run["ticks"].back() == 10.0);
    CHECK(run["strong"].back() == 1.0);
    CHECK(run.at(2.0)["friction"] == Approx(-0.5 * std::sin(2.0)));
  }
}

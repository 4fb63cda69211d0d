// SPDX-License-Identifier: BSD-2-Clause
// The front door: what a run says by name, at any time, step by step and when it goes wrong.
#include "saltus/simulation.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "saltus/error.hpp"

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
  CHECK(run.summary().find("state  h < 0\n") != std::string::npos);
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
  // No report is lost where the caller stopped; where he set something there are two rows, and
  // where the motion broke loose with that, the two of an event more.
  for (int k = 0; k <= 12; ++k) {
    const auto rows = std::count(result.time().begin(), result.time().end(), 0.25 * k);
    CHECK(rows == (k == 4 ? 4 : k == 8 ? 2 : 1));
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

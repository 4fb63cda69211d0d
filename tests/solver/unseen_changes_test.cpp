// SPDX-License-Identifier: BSD-2-Clause
// Changes that no sample of a long step shows, and others that are easily passed over.
#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "saltus/simulation.hpp"

namespace saltus::test {
namespace {

using namespace modeling;

// Linear between events: no step of it has an error, however long it is.
template <class Real>
struct SquareWave {
  static constexpr ModelInfo info{.stop = 10.0};
  State<Real> y{"y"};
  Parameter<Real> frequency{"frequency", {.start = 50.0}};
  void equations(Equations<Real>& eq) { der(y) = sin(frequency * eq.time) > 0.0 ? 1.0 : -1.0; }
};

// Ever faster towards x = 1, then slower.
template <class Real>
struct Chirp {
  static constexpr ModelInfo info{.stop = 2.0};
  State<Real> x{"x"};
  Discrete<int> peaks{"peaks"};
  void equations(Equations<Real>&) { der(x) = 1.0; }
  void events(Events<Real>& ev) {
    if (ev.when(sin(1.0 / sqrt((x - 1.0) * (x - 1.0) + 1e-6)) > 0.9)) peaks = peaks + 1;
  }
};

// x = 1 - t^2 / 4, each branch only on its side.
template <class Real>
struct Roots {
  static constexpr ModelInfo info{.stop = 3.0};
  State<Real> x{"x", {.start = 1.0}}, y{"y"};
  void equations(Equations<Real>& eq) {
    der(x) = -0.5 * eq.time;
    der(y) = x > 0.0 ? sqrt(x) : -sqrt(-x);
  }
};

// The upper ball arrives while the lower one comes to rest on the floor.
template <class Real>
struct TwoBalls {
  static constexpr ModelInfo info{.stop = 4.0};
  State<Real> h1{"h1", {.start = 1.0}}, v1{"v1"}, h2{"h2", {.start = 3.0}}, v2{"v2"};
  Discrete<int> floor_hits{"floor_hits"}, ball_hits{"ball_hits"};
  void equations(Equations<Real>&) {
    der(h1) = v1;
    der(v1) = -9.81;
    der(h2) = v2;
    der(v2) = -9.81;
  }
  void events(Events<Real>& ev) {
    if (ev.when(h1 < 0.0 && v1 < 0.0)) {
      v1 = 0.0;
      floor_hits = floor_hits + 1;
    }
    if (ev.when(h2 < h1 && v2 < v1)) {
      const Real u1 = v1, u2 = v2;  // elastic, the upper one has half of the mass
      v1 = (u1 + 0.5 * u2 + 0.5 * (u2 - u1)) / 1.5;
      v2 = (u1 + 0.5 * u2 - (u2 - u1)) / 1.5;
      ball_hits = ball_hits + 1;
    }
  }
};

template <class Real>
struct Square {
  static constexpr ModelInfo info{.stop = 1.0};
  State<Real> x{"x", {.start = 0.6}};
  Algebraic<Real> y{"y"};
  void equations(Equations<Real>& eq) {
    der(x) = -0.1;
    eq(y * y, x);
  }
};

}  // namespace

TEST_CASE("no event of a wave is lost that is faster than what it drives", "[unseen]") {
  for (const double frequency : {5.0, 50.0, 2.0 * M_PI * 50.0, 500.0}) {
    for (const double interval : {0.02, 1.0, kNever}) {
      INFO("frequency " << frequency << ", rows every " << interval);
      const auto run =
          simulate<SquareWave>({.values = {{"frequency", frequency}}, .report_interval = interval});
      const double half = M_PI / frequency, turns = std::floor(10.0 / half);
      const double last = 10.0 - turns * half;
      const bool is_odd = std::fmod(turns, 2.0) == 1.0;
      const double expected = is_odd ? half - last : last;
      CHECK(run["y"].back() == Approx(expected).margin(1e-9));
    }
  }
}

TEST_CASE("a chirp shows all of its peaks", "[unseen]") {
  // 1 / sqrt(g^2 + 1e-6) passes asin(0.9) + 2 pi n between 1 and 1000 on either side.
  int peaks = 0;
  for (double n = 0.0; std::asin(0.9) + 2.0 * M_PI * n < 1000.0; ++n) {
    peaks += std::asin(0.9) + 2.0 * M_PI * n > 1.0 ? 2 : 0;
  }
  CHECK(simulate<Chirp>()["peaks"].back() == Approx(peaks).margin(1.0));
}

TEST_CASE("a run goes on from a rounding before a surface at which its equations end", "[unseen]") {
  Simulation run = Simulation::of<Roots>({.tolerance = 1e-9});
  run.start();
  run.advance_to(1.9999999);
  run.advance_to(2.0);
  run.advance_to(3.0);
  // The integrals of sqrt(1 - t^2/4) to 2 and of sqrt(t^2/4 - 1) from there to 3.
  const double beyond = 0.5 * 3.0 * std::sqrt(1.25) - std::acosh(1.5);
  CHECK(run.value("y") == Approx(0.5 * M_PI - beyond).epsilon(1e-5));
}

TEST_CASE("a ball does not fall through another that comes to rest", "[unseen]") {
  const auto run = simulate<TwoBalls>({.rest = true});
  CHECK(run["h2"].back() > -1e-6);
  CHECK(run["h1"].back() > -1e-6);
}

TEST_CASE("a start that fails tells why", "[unseen]") {
  REQUIRE_THROWS_WITH(simulate<Square>(), Catch::Matchers::Contains("give another start value"));
}

}  // namespace saltus::test

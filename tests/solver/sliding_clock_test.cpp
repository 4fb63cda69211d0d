// SPDX-License-Identifier: BSD-2-Clause
// Derivatives where a clock samples while the motion slides.
#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "saltus/simulation.hpp"

namespace saltus::sliding_clock_test {
namespace {

using namespace modeling;

// Slides on x = 0 from the start; what is sampled has nothing to do with it.
template <class Real>
struct Beside {
  static constexpr ModelInfo info{.stop = 3.0};
  State<Real> x{"x"}, y{"y"}, q{"q"};
  Parameter<Real> p{"p", {.start = 0.4}};
  Discrete<Real> held{"held"};
  void equations(Equations<Real>&) {
    der(x) = p + (x > 0.0 ? -1.0 : 1.0);
    der(y) = p * y + 1.0;
    der(q) = held;
  }
  void events(Events<Real>& ev) {
    if (ev.every(1.0)) held = y;
  }
};

// What is sampled pushes against the surface.
template <class Real>
struct Pushing {
  static constexpr ModelInfo info{.stop = 3.0};
  State<Real> x{"x"}, y{"y"}, q{"q"};
  Parameter<Real> p{"p", {.start = 0.4}};
  Discrete<Real> held{"held"};
  void equations(Equations<Real>&) {
    const Real relay = x > 0.0 ? Real(-1.0) : Real(1.0);
    der(x) = p + 0.1 * held + relay;
    der(y) = relay;
    der(q) = held;
  }
  void events(Events<Real>& ev) {
    if (ev.every(1.0)) held = y;
  }
};

// What is sampled differs between the sides.
template <class Real>
struct Sided {
  static constexpr ModelInfo info{.stop = 3.0};
  State<Real> x{"x"}, q{"q"};
  Parameter<Real> p{"p", {.start = 0.4}};
  Discrete<Real> held{"held"};
  void equations(Equations<Real>&) {
    der(x) = x > 0.0 ? p - 1.0 : p + 1.0;
    der(q) = held;
  }
  void events(Events<Real>& ev) {
    if (ev.every(1.0)) held = x > 0.0 ? p * p : -p;
  }
};

std::string warnings_of(const SimulationResult& run) {
  std::string all;
  for (const Warning& warning : run.warnings()) all += to_string(warning) + "\n";
  return all;
}

}  // namespace

TEST_CASE("what a clock samples while the motion slides is differentiated", "[sensitivity]") {
  const double p = 0.4;
  const auto rate = [p](double t) {
    return t * std::exp(p * t) / p - (std::exp(p * t) - 1.0) / (p * p);
  };
  const auto run = simulate<Beside>({.tolerance = 1e-8, .sensitivities = {"p"}});
  INFO(warnings_of(run));
  CHECK(run["x"].back() == Approx(0.0).margin(1e-8));
  CHECK(run["q"].back() == Approx((std::exp(p) + std::exp(2.0 * p) - 2.0) / p).epsilon(1e-7));
  CHECK(run["d(held)/d(p)"].back() == Approx(rate(3.0)).epsilon(1e-6));
  CHECK(run["d(q)/d(p)"].back() == Approx(rate(1.0) + rate(2.0)).epsilon(1e-6));
  CHECK(run.warnings().empty());
}

TEST_CASE("what a clock samples is followed through the surface that it pushes against",
          "[sensitivity]") {
  // On x = 0 the relay is -(p + 0.1 held): y is -p, -1.9 p, -2.71 p at 1, 2, 3.
  auto simulation = Simulation::of<Pushing>({.tolerance = 1e-8, .sensitivities = {"p"}});
  for (int again = 0; again < 2; ++again) {
    const auto run = simulation.run();
    INFO(warnings_of(run));
    CHECK(run["y"].back() == Approx(-2.71 * 0.4).epsilon(1e-7));
    CHECK(run["q"].back() == Approx(-2.9 * 0.4).epsilon(1e-7));
    CHECK(run["d(y)/d(p)"].back() == Approx(-2.71).epsilon(1e-6));
    CHECK(run["d(q)/d(p)"].back() == Approx(-2.9).epsilon(1e-6));
    CHECK(run.warnings().empty());
    simulation.reset();  // to the start values, those of discrete numbers among them
  }
}

TEST_CASE("what differs between the sides is not differentiated, and that is said",
          "[sensitivity]") {
  const auto run = simulate<Sided>({.tolerance = 1e-8, .sensitivities = {"p"}});
  CHECK(std::isnan(run["d(q)/d(p)"].back()));
  CHECK_FALSE(run.warnings().empty());
}

}  // namespace saltus::sliding_clock_test

// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/dae/second_order_model.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "linear_run.hpp"

namespace saltus {
namespace {

using test::Road;
using test::run_linear;

constexpr double kTolerance = 1e-8;
constexpr double kError = 100.0 * kTolerance;

}  // namespace

TEST_CASE("A damped oscillator follows its closed form", "[linear]") {
  // x'' + 2 x' + 5 x = 0, x(0) = 1, x'(0) = -1: exp(-t) cos(2 t).
  for (const Road road : {Road::radau, Road::dormand_prince, Road::taylor}) {
    SecondOrderModel model{
        {.M = {{1}}, .C = {{2}}, .K = {{5}}, .start = {1.0}, .start_velocity = {-1.0}}};
    const auto run = run_linear(model, {.stop = 2.0, .tolerance = kTolerance}, road);
    CHECK(run.x[0] == Approx(std::exp(-2.0) * std::cos(4.0)).margin(kError));
    REQUIRE(model.velocity(0) == 1u);
    CHECK(model.unknown_name(1) == "x1'");
    CHECK(run.x[1] ==
          Approx(-std::exp(-2.0) * (std::cos(4.0) + 2.0 * std::sin(4.0))).margin(kError));
  }
}

TEST_CASE("Two masses joined by a rod move as one", "[linear]") {
  // x1'' + 4 x1 + l = 0, x2'' + 9 x2 - l = 0, x1 = x2: 2 x'' + 13 x = 0, l = 2.5 x.
  for (const Road road : {Road::radau, Road::dormand_prince, Road::taylor}) {
    SecondOrderModel model{{.M = {{1, 0, 0}, {0, 1, 0}, {0, 0, 0}},
                            .K = {{4, 0, 1}, {0, 9, -1}, {1, -1, 0}},
                            .start = {1, 1},
                            .unknown_names = {"x1", "x2", "force"}}};
    CHECK_FALSE(model.velocity(2).has_value());
    const auto run = run_linear(model, {.stop = 3.0, .tolerance = kTolerance}, road);
    const double x = std::cos(3.0 * std::sqrt(6.5));
    CHECK(run.x[0] == Approx(x).margin(kError));
    CHECK(run.x[1] == Approx(x).margin(kError));
    CHECK(run.x[2] == Approx(2.5 * x).margin(10.0 * kError));
  }
}

TEST_CASE("Wunderlich's example 3.1 gives a force and no motion", "[linear]") {
  // x1'' + x1' + x2 = 1, x1 = sin t.
  SecondOrderModel model{{.M = {{1, 0}, {0, 0}},
                          .C = {{1, 0}, {0, 0}},
                          .K = {{0, 1}, {1, 0}},
                          .terms = [](SecondOrderTerms& s) {
                            s.f(0) = 1.0;
                            s.f(1) = sin(s.time);
                          }}};
  const auto run = run_linear(model, {.stop = 2.0, .tolerance = kTolerance});
  CHECK(run.x[0] == Approx(std::sin(2.0)).margin(kError));
  CHECK(run.x[1] == Approx(1.0 + std::sin(2.0) - std::cos(2.0)).margin(kError));
  CHECK(run.values.d == 0);
}

TEST_CASE("Wunderlich's example 3.23 follows its solution", "[linear]") {
  // t x1'' + x1' + x1 = f1, x2'' + x3'' + x2 = 2, t (x2'' + x3'') + (1 + t) x2 + x3 = f3.
  for (const Road road : {Road::radau}) {
    SecondOrderModel model{{.equations = 3,
                            .unknowns = 3,
                            .terms =
                                [](SecondOrderTerms& s) {
                                  const Coefficient t = s.time;
                                  s.M(0, 0) = t;
                                  s.C(0, 0) = 1.0;
                                  s.K(0, 0) = 1.0;
                                  s.f(0) = -t * sin(t) + cos(t) + sin(t);
                                  s.M(1, 1) = s.M(1, 2) = 1.0;
                                  s.K(1, 1) = 1.0;
                                  s.f(1) = 2.0;
                                  s.M(2, 1) = s.M(2, 2) = t;
                                  s.K(2, 1) = 1.0 + t;
                                  s.K(2, 2) = 1.0;
                                  s.f(2) = 2.0 * t + t * t + cos(t);
                                },
                            .start = {std::sin(0.5), std::cos(0.5), 0.25},
                            .start_velocity = {std::cos(0.5), -std::sin(0.5), 1.0}}};
    const auto run = run_linear(model, {.start = 0.5, .stop = 2.0, .tolerance = kTolerance}, road);
    CHECK(run.x[0] == Approx(std::sin(2.0)).margin(kError));
    CHECK(run.x[1] == Approx(std::cos(2.0)).margin(kError));
    CHECK(run.x[2] == Approx(4.0).margin(kError));
    SecondOrderReduction reduction(model.second_order(), 0.5);
    CHECK(reduction.values().d2 == 1);
  }
}

TEST_CASE("A second-order system with an equation too much is solved by least squares",
          "[linear]") {
  // x'' + x = 0 twice, and y = x'; x(0) = 0, x'(0) = 1.
  SecondOrderModel model{{.M = {{1, 0}, {2, 0}, {0, 0}},
                          .C = {{0, 0}, {0, 0}, {-1, 0}},
                          .K = {{1, 0}, {2, 0}, {0, 1}},
                          .start_velocity = {1.0}}};
  const auto run = run_linear(model, {.stop = 1.5, .tolerance = kTolerance});
  CHECK(run.x[0] == Approx(std::sin(1.5)).margin(kError));
  CHECK(run.x[1] == Approx(std::cos(1.5)).margin(kError));
  CHECK_THAT(model.report().text(), Catch::Contains("repeat each other"));
}

}  // namespace saltus

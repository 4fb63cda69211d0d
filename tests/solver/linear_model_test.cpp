// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/dae/linear_model.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <stdexcept>

#include "linear_run.hpp"
#include "saltus/core/error.hpp"
#include "saltus/core/linearization_check.hpp"

namespace saltus {
namespace {

using test::Road;
using test::run_linear;

constexpr double kTolerance = 1e-8;
// Global errors over a few units of time exceed the local ones.
constexpr double kError = 100.0 * kTolerance;

/// Kunkel, Mehrmann: x1' - t x2' = 0, x1 - t x2 = exp(-t).
LinearSystem kunkel_mehrmann() {
  return {.equations = 2,
          .unknowns = 2,
          .terms =
              [](LinearTerms& s) {
                s.E(0, 0) = 1.0;
                s.E(0, 1) = -s.time;
                s.A(1, 0) = -1.0;
                s.A(1, 1) = s.time;
                s.f(1) = exp(-s.time);
              },
          .start = {1.0, 1.0}};
}

}  // namespace

TEST_CASE("A linear system of index 1 with constant matrices follows its closed form", "[linear]") {
  // x1' = -x1 + x2, 0 = x2 - sin t.
  for (const Road road : {Road::radau, Road::dormand_prince, Road::taylor}) {
    LinearModel model{{.E = {{1, 0}, {0, 0}},
                       .A = {{-1, 1}, {0, -1}},
                       .terms = [](LinearTerms& s) { s.f(1) = sin(s.time); },
                       .start = {1.0}}};
    const auto run = run_linear(model, {.start = 0.5, .stop = 3.0, .tolerance = kTolerance}, road);
    const auto exact = [](double t) { return 0.5 * (std::sin(t) - std::cos(t)); };
    CHECK(run.x[0] == Approx(exact(3.0) + (1.0 - exact(0.5)) * std::exp(-2.5)).margin(kError));
    CHECK(run.x[1] == Approx(std::sin(3.0)).margin(kError));
    CHECK(model.report().text().empty());
  }
}

TEST_CASE("A linear system without derivatives is solved at each time", "[linear]") {
  // x + y = t, x - y = sin t.
  LinearModel model{{.A = {{-1, -1}, {-1, 1}},
                     .terms =
                         [](LinearTerms& s) {
                           s.f(0) = s.time;
                           s.f(1) = sin(s.time);
                         },
                     .start = {5.0, 5.0}}};
  CHECK(model.shape().states == 0);
  const auto run = run_linear(model, {.stop = 3.0, .tolerance = kTolerance});
  CHECK(run.x[0] == Approx(0.5 * (3.0 + std::sin(3.0))).margin(kError));
  CHECK(run.x[1] == Approx(0.5 * (3.0 - std::sin(3.0))).margin(kError));
}

TEST_CASE("A linear system whose pencil is singular at each time is solved", "[linear]") {
  for (const Road road : {Road::radau, Road::dormand_prince}) {
    LinearModel model{kunkel_mehrmann()};
    const auto run = run_linear(model, {.stop = 2.0, .tolerance = kTolerance}, road);
    CHECK(run.x[0] == Approx(3.0 * std::exp(-2.0)).margin(kError));
    CHECK(run.x[1] == Approx(std::exp(-2.0)).margin(kError));
    CHECK(run.values.mu == 1);
  }
}

TEST_CASE("Equations that repeat others change nothing", "[linear]") {
  // Kunkel, Mehrmann, and behind it t times the first plus the second equation; constant: the sum.
  for (const Road road : {Road::radau, Road::dormand_prince}) {
    LinearSystem system = kunkel_mehrmann();
    system.equations = 3;
    const auto two = system.terms;
    system.terms = [two](LinearTerms& s) {
      two(s);
      for (std::size_t j = 0; j < 2; ++j) {
        s.E(2, j) = s.time * s.E(0, j);
        s.A(2, j) = s.A(1, j);
      }
      s.f(2) = s.f(1);
    };
    LinearModel model{system};
    const auto run = run_linear(model, {.start = 0.5, .stop = 2.0, .tolerance = kTolerance}, road);
    CHECK(run.x[0] == Approx(3.0 * std::exp(-2.0)).margin(kError));
    CHECK(run.x[1] == Approx(std::exp(-2.0)).margin(kError));
    CHECK(model.report().ignored < 1e-10);
    CHECK_THAT(model.report().text(), Catch::Contains("repeat each other"));
  }
}

TEST_CASE("Contradictory equations hold in the sense of least squares", "[linear]") {
  // x = t and x = t^2, so that x = (t + t^2) / 2, and y' = x.
  for (const Road road : {Road::radau, Road::dormand_prince}) {
    LinearModel model{{.E = {{0, 0}, {0, 0}, {0, 1}},
                       .A = {{-1, 0}, {-1, 0}, {1, 0}},
                       .terms =
                           [](LinearTerms& s) {
                             s.f(0) = s.time;
                             s.f(1) = s.time * s.time;
                           },
                       .unknown_names = {"x", "y"}}};
    const auto run = run_linear(model, {.stop = 2.0, .tolerance = kTolerance}, road);
    CHECK(run.x[0] == Approx(3.0).margin(kError));
    CHECK(run.x[1] == Approx(1.0 + 8.0 / 6.0).margin(kError));
    CHECK(model.report().ignored > 0.1);
    CHECK_THAT(model.report().text(), Catch::Contains("contradict each other"));
    // At t = 0 they agree: the contradiction begins with the first step.
    REQUIRE(run.warnings.size() == 2);
    CHECK(run.warnings[0].subject == "equation 1, equation 2");
    CHECK_THAT(run.warnings[0].message, Catch::Contains("repeat each other"));
    CHECK_THAT(run.warnings[1].message, Catch::Contains("contradict each other"));
    CHECK(run.warnings[1].time > 0.0);
    CHECK(run.warnings[1].count == 1);
  }
}

TEST_CASE("Contradictory equations that turn with time hold in the sense of least squares",
          "[linear]") {
  // x1 cos t + x2 sin t = 1, twice, once with 3 instead; -x1 sin t + x2 cos t = 0: x = 2 (cos,
  // sin).
  for (const Road road : {Road::radau, Road::dormand_prince}) {
    LinearModel model{{.equations = 4, .unknowns = 3, .terms = [](LinearTerms& s) {
                         for (const std::size_t i : {0, 1}) {
                           s.A(i, 0) = -cos(s.time);
                           s.A(i, 1) = -sin(s.time);
                         }
                         s.f(0) = 1.0;
                         s.f(1) = 3.0;
                         s.A(2, 0) = sin(s.time);
                         s.A(2, 1) = -cos(s.time);
                         s.E(3, 2) = 1.0;  // x3' = x1
                         s.A(3, 0) = 1.0;
                       }}};
    const auto run = run_linear(model, {.start = 0.3, .stop = 2.0, .tolerance = kTolerance}, road);
    CHECK(run.x[0] == Approx(2.0 * std::cos(2.0)).margin(kError));
    CHECK(run.x[1] == Approx(2.0 * std::sin(2.0)).margin(kError));
    CHECK(run.x[2] == Approx(2.0 * (std::sin(2.0) - std::sin(0.3))).margin(kError));
  }
}

TEST_CASE("An undetermined unknown keeps its start value", "[linear]") {
  // x1' = x2 + x3, x2 = cos t: x3 is free.
  for (const Road road : {Road::radau, Road::dormand_prince}) {
    LinearModel model{{.E = {{1, 0, 0}, {0, 0, 0}},
                       .A = {{0, 1, 1}, {0, -1, 0}},
                       .terms = [](LinearTerms& s) { s.f(1) = cos(s.time); },
                       .start = {0.0, 0.0, 0.25},
                       .unknown_names = {"x", "speed", "choice"}}};
    const auto run = run_linear(model, {.stop = 2.0, .tolerance = kTolerance}, road);
    REQUIRE(model.report().held_unknowns == std::vector<std::string>{"choice"});
    CHECK(run.x[0] == Approx(std::sin(2.0) + 0.5).margin(kError));
    CHECK(run.x[2] == Approx(0.25).margin(kTolerance));
    CHECK_THAT(model.report().text(), Catch::Contains("\"choice\" is not determined: held"));
    REQUIRE(run.warnings.size() == 1);
    CHECK(run.warnings[0].subject == "choice");
  }
}

TEST_CASE("A square system may repeat one equation and lack another", "[linear]") {
  // x' = -x + y, 2 x' = -2 x + 2 y: y is free.
  LinearModel model{{.E = {{1, 0}, {2, 0}}, .A = {{-1, 1}, {-2, 2}}, .start = {0.0, 1.0}}};
  const auto run = run_linear(model, {.stop = 1.0, .tolerance = kTolerance});
  CHECK(run.x[0] == Approx(1.0 - std::exp(-1.0)).margin(kError));
  CHECK(run.x[1] == Approx(1.0).margin(kTolerance));
}

TEST_CASE("A linear system that loses an equation on the way is refused there", "[linear]") {
  // (t - 1) x = 0, twice: singular at t = 1.
  LinearModel model{{.equations = 2, .unknowns = 1, .terms = [](LinearTerms& s) {
                       s.A(0, 0) = s.time - 1.0;
                       s.A(1, 0) = s.time - 1.0;
                     }}};
  CHECK_THROWS_AS(run_linear(model, {.start = 1.0, .stop = 2.0, .tolerance = kTolerance}),
                  DaeError);
}

TEST_CASE("Derivatives of a linear system that was made solvable are exact", "[linear]") {
  LinearSystem system = kunkel_mehrmann();
  system.equations = 3;
  const auto two = system.terms;
  system.terms = [two](LinearTerms& s) {
    two(s);
    s.A(2, 0) = sin(s.time) * s.A(1, 0);
    s.A(2, 1) = sin(s.time) * s.A(1, 1);
    s.f(2) = sin(s.time) * s.f(1);
  };
  LinearModel model{system};
  std::vector<double> y(2);
  model.initialize({.start = 0.7}, y);
  DerivativeArray& array = *model.derivative_array();
  // The solution fulfils all derivatives.
  const double t = 0.9;
  const double scale = 0.5;
  std::vector<double> c;
  double power = std::exp(-t);  // (1 + t) exp(-t) and exp(-t), k-th derivatives
  for (int k = 0; k <= 5; ++k) {
    c.push_back(power * (1.0 + t - k));
    c.push_back(power);
    power *= -scale / (k + 1);
  }
  std::vector<double> F(2 * 5);
  REQUIRE(array.values(t, scale, 4, c, F) == Eval::ok);
  for (const double value : F) {
    CHECK(std::fabs(value) < 1e-12);
  }
}

TEST_CASE("Large sparse linear systems are integrated", "[linear]") {
  // x_i' = n^2 (x_(i-1) - 2 x_i + x_(i+1)) with an algebraic mirror of every unknown.
  constexpr std::size_t n = 400;
  LinearModel model{{.equations = 2 * n,
                     .unknowns = 2 * n,
                     .terms =
                         [](LinearTerms& s) {
                           for (std::size_t i = 0; i < n; ++i) {
                             s.E(i, i) = 1.0;
                             s.A(i, n + i) = -2.0;
                             if (i > 0) s.A(i, n + i - 1) = 1.0;
                             if (i + 1 < n) s.A(i, n + i + 1) = 1.0;
                             s.A(n + i, i) = 1.0;
                             s.A(n + i, n + i) = -1.0;
                           }
                         },
                     .start =
                         [] {
                           std::vector<double> x(n);
                           for (std::size_t i = 0; i < n; ++i) {
                             x[i] = std::sin(M_PI * static_cast<double>(i + 1) / (n + 1));
                           }
                           return x;
                         }()}};
  const auto run = run_linear(model, {.stop = 1000.0, .tolerance = kTolerance});
  const double rate = -2.0 + 2.0 * std::cos(M_PI / (n + 1));
  for (std::size_t i = 0; i < n; i += 57) {
    const double exact =
        std::exp(1000.0 * rate) * std::sin(M_PI * static_cast<double>(i + 1) / (n + 1));
    CHECK(run.x[i] == Approx(exact).margin(kError));
    CHECK(run.x[n + i] == Approx(exact).margin(kError));
  }
}

TEST_CASE("What cannot be a linear system is refused when it is made", "[linear]") {
  CHECK_THROWS_WITH((LinearModel{{.E = {{1, 0}}, .A = {{1, 0, 0}}}}),
                    Catch::Contains("2 unknowns are announced, but a matrix has 3"));
  CHECK_THROWS_WITH((LinearModel{{.E = {{1, 0}, {1}}}}), Catch::Contains("unknowns"));
  CHECK_THROWS_WITH((LinearModel{{.E = {{std::nan("")}}}}), Catch::Contains("E(0, 0)"));
  CHECK_THROWS_WITH((LinearModel{{}}), Catch::Contains("no equations or no unknowns"));
  CHECK_THROWS_WITH((LinearModel{{.E = {{1}}, .terms = [](LinearTerms& s) { s.f(1) = 1.0; }}}),
                    Catch::Contains("no equation 1"));
  CHECK_THROWS_WITH((LinearModel{{.E = {{1}}, .terms = [](LinearTerms& s) { s.A(0, 1) = 1.0; }}}),
                    Catch::Contains("outside of 1 equations and 1 unknowns"));
  CHECK_THROWS_WITH(
      (LinearModel{
          {.E = {{1}}, .terms = [](LinearTerms& s) { s.f(0) = max(s.time, Coefficient(1.0)); }}}),
      Catch::Contains("smooth"));
  CHECK_THROWS_WITH((LinearModel{{.E = {{1}}, .start = {1, 2}}}), Catch::Contains("start values"));
}

}  // namespace saltus

// SPDX-License-Identifier: BSD-2-Clause
// Conditions that are zero where the motion slides on several surfaces at once, or vanish with one
// of these where it slides on the others. Bodies rub on each other and on the ground and are pulled
// back and forth; what is counted is compared with the recorded velocities: those of bodies that
// stick are roundings, those of bodies that move are not.
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <string>

#include "saltus/simulation.hpp"

namespace saltus::conditions_on_sums_test {
namespace {

using namespace modeling;

constexpr double kRounding = 1e-10;
constexpr double kStop = 10.0;
constexpr int kRows = 20000;

// Numbers between 0 and 1, scattered evenly.
double scattered(int k, double ratio) { return std::fmod(k * ratio, 1.0); }
double between(double low, double high, int k, double ratio) {
  return low + (high - low) * scattered(k, ratio);
}

// How often a function of the row comes to be positive.
template <class Function>
int rises(std::size_t rows, Function value) {
  int count = 0;
  bool was = value(0) > kRounding;
  for (std::size_t i = 1; i < rows; ++i) {
    const bool is = value(i) > kRounding;
    count += is && !was ? 1 : 0;
    was = is;
  }
  return count;
}

template <class Real>
struct Pair {
  static constexpr ModelInfo info{.stop = kStop};
  Parameter<Real> pull{"pull", {.start = 1.0}}, w{"w", {.start = 1.0}},
      second{"second", {.start = 1.0}};
  Parameter<Real> between{"between", {.start = 1.0}}, ground{"ground", {.start = 1.0}},
      mass{"mass", {.start = 1.0}};
  State<Real> v1{"v1"}, v2{"v2"};
  Discrete<int> upper{"upper"}, back{"back"}, lower{"lower"}, sum{"sum"}, twice{"twice"};
  void equations(Equations<Real>& eq) {
    const Real friction = v1 - v2 > 0.0 ? -between : Real(between);
    const Real on_ground = v2 > 0.0 ? -ground : Real(ground);
    der(v1) = pull * (sin(w * eq.time) + second * sin(2.7 * w * eq.time)) + friction;
    der(v2) = (on_ground - friction) / mass;
  }
  void events(Events<Real>& ev) {
    if (ev.when(v1 > 0.0)) upper = upper + 1;
    if (ev.when(v1 < 0.0)) back = back + 1;
    if (ev.when(v2 > 0.0)) lower = lower + 1;
    if (ev.when(v1 + v2 > 0.0)) sum = sum + 1;
    if (ev.when(2.0 * v1 - v2 > 0.0)) twice = twice + 1;
  }
};

template <class Real>
struct Tower {
  static constexpr ModelInfo info{.stop = kStop};
  Parameter<Real> pull1{"pull1", {.start = 1.0}}, pull2{"pull2", {.start = 1.0}},
      pull3{"pull3", {.start = 1.0}}, w1{"w1", {.start = 1.0}}, w2{"w2", {.start = 1.0}};
  Parameter<Real> upper{"upper", {.start = 1.0}}, lower{"lower", {.start = 1.0}},
      ground{"ground", {.start = 1.0}};
  State<Real> v1{"v1"}, v2{"v2"}, v3{"v3"};
  Discrete<int> n1{"n1"}, n2{"n2"}, n3{"n3"}, back{"back"}, slower{"slower"}, sum{"sum"};
  void equations(Equations<Real>& eq) {
    const Real f = v1 - v2 > 0.0 ? -upper : Real(upper);
    const Real g = v2 - v3 > 0.0 ? -lower : Real(lower);
    const Real h = v3 > 0.0 ? -ground : Real(ground);
    der(v1) = pull1 * sin(w1 * eq.time) + f;
    der(v2) = pull2 * sin(w2 * eq.time) + g - f;
    der(v3) = pull3 * cos(w1 * eq.time) + h - g;
  }
  void events(Events<Real>& ev) {
    if (ev.when(v1 > 0.0)) n1 = n1 + 1;
    if (ev.when(v2 > 0.0)) n2 = n2 + 1;
    if (ev.when(v3 > 0.0)) n3 = n3 + 1;
    if (ev.when(v1 < 0.0)) back = back + 1;
    if (ev.when(v3 - v1 > 0.0)) slower = slower + 1;
    if (ev.when(v1 + v3 > 0.0)) sum = sum + 1;
  }
};

// Directions of rubbing that turn with the positions: surfaces are curved.
template <class Real>
struct Turning {
  static constexpr ModelInfo info{.stop = kStop};
  Parameter<Real> pull1{"pull1", {.start = 1.0}}, pull2{"pull2", {.start = 1.0}},
      w1{"w1", {.start = 1.0}}, w2{"w2", {.start = 1.0}};
  Parameter<Real> one{"one", {.start = 1.0}}, other{"other", {.start = 1.0}},
      turn{"turn", {.start = 1.0}};
  State<Real> p{"p"}, q{"q"}, v{"v"}, w{"w"};
  Discrete<int> first{"first"}, back{"back"}, second{"second"}, sum{"sum"};
  void equations(Equations<Real>& eq) {
    const Real c = 1.0 + turn * sin(q), s = 1.0 + turn * cos(p);
    const Real f = c * v - s * w > 0.0 ? -one : Real(one);
    const Real g = s * w > 0.0 ? -other : Real(other);
    der(p) = v;
    der(q) = w;
    der(v) = pull1 * sin(w1 * eq.time) + c * f;
    der(w) = pull2 * cos(w2 * eq.time) - s * f + s * g;
  }
  void events(Events<Real>& ev) {
    const Real c = 1.0 + turn * sin(q), s = 1.0 + turn * cos(p);
    if (ev.when(c * v > 0.0)) first = first + 1;
    if (ev.when(c * v < 0.0)) back = back + 1;
    if (ev.when(s * w > 0.0)) second = second + 1;
    if (ev.when(c * v + s * w > 0.0)) sum = sum + 1;
  }
};

}  // namespace

TEST_CASE("conditions on sums of what is zero where two bodies stick come true once") {
  for (int k = 1; k <= 40; ++k) {
    const std::map<std::string, double> values = {
        {"pull", between(0.6, 3.0, k, 0.618034)},  {"w", between(0.6, 3.0, k, 0.414214)},
        {"second", between(-1.0, 1.0, k, 0.7320)}, {"between", between(0.1, 1.2, k, 0.236068)},
        {"ground", between(0.1, 1.0, k, 0.64575)}, {"mass", between(0.4, 2.0, k, 0.31662)}};
    const auto run = simulate<Pair>({.tolerance = std::pow(10.0, -3.0 - k % 7),
                                     .values = values,
                                     .report_interval = kStop / kRows});
    CAPTURE(k, values);
    const auto v1 = run["v1"], v2 = run["v2"];
    const std::size_t rows = v1.size();
    CHECK(run["upper"].back() == rises(rows, [&](std::size_t i) { return v1[i]; }));
    CHECK(run["back"].back() == rises(rows, [&](std::size_t i) { return -v1[i]; }));
    CHECK(run["lower"].back() == rises(rows, [&](std::size_t i) { return v2[i]; }));
    CHECK(run["sum"].back() == rises(rows, [&](std::size_t i) { return v1[i] + v2[i]; }));
    CHECK(run["twice"].back() == rises(rows, [&](std::size_t i) { return 2.0 * v1[i] - v2[i]; }));
  }
}

TEST_CASE("conditions on one body of a tower come true once, whoever else comes loose with it") {
  for (int k = 1; k <= 40; ++k) {
    const std::map<std::string, double> values = {
        {"pull1", between(0.3, 3.0, k, 0.618034)},  {"pull2", between(-1.0, 2.0, k, 0.414214)},
        {"pull3", between(-1.0, 2.0, k, 0.732051)}, {"w1", between(0.6, 3.0, k, 0.236068)},
        {"w2", between(0.5, 4.0, k, 0.645751)},     {"upper", between(0.1, 1.2, k, 0.316625)},
        {"lower", between(0.1, 1.2, k, 0.872983)},  {"ground", between(0.1, 1.0, k, 0.358899)}};
    const auto run = simulate<Tower>({.values = values, .report_interval = kStop / kRows});
    CAPTURE(k, values);
    const auto v1 = run["v1"], v2 = run["v2"], v3 = run["v3"];
    const std::size_t rows = v1.size();
    CHECK(run["n1"].back() == rises(rows, [&](std::size_t i) { return v1[i]; }));
    CHECK(run["n2"].back() == rises(rows, [&](std::size_t i) { return v2[i]; }));
    CHECK(run["n3"].back() == rises(rows, [&](std::size_t i) { return v3[i]; }));
    CHECK(run["back"].back() == rises(rows, [&](std::size_t i) { return -v1[i]; }));
    CHECK(run["slower"].back() == rises(rows, [&](std::size_t i) { return v3[i] - v1[i]; }));
    CHECK(run["sum"].back() == rises(rows, [&](std::size_t i) { return v1[i] + v3[i]; }));
  }
}

TEST_CASE("conditions that vanish with a curved surface come true with it, at coarse tolerances") {
  for (int k = 1; k <= 40; ++k) {
    const double turn = between(0.0, 0.8, k, 0.618034);
    const std::map<std::string, double> values = {
        {"pull1", between(0.3, 3.0, k, 0.414214)},
        {"pull2", k % 2 == 0 ? 0.0 : between(-1.0, 2.0, k, 0.732051)},
        {"w1", between(0.5, 3.0, k, 0.236068)},
        {"w2", between(0.5, 4.0, k, 0.645751)},
        {"one", between(0.1, 1.2, k, 0.316625)},
        {"other", between(0.1, 1.2, k, 0.872983)},
        {"turn", turn}};
    const auto run = simulate<Turning>({.tolerance = std::pow(10.0, -4.0 - k % 4),
                                        .values = values,
                                        .report_interval = kStop / kRows});
    CAPTURE(k, values);
    const auto p = run["p"], q = run["q"], v = run["v"], w = run["w"];
    const std::size_t rows = p.size();
    const auto first = [&](std::size_t i) { return (1.0 + turn * std::sin(q[i])) * v[i]; };
    const auto second = [&](std::size_t i) { return (1.0 + turn * std::cos(p[i])) * w[i]; };
    CHECK(run["first"].back() == rises(rows, first));
    CHECK(run["back"].back() == rises(rows, [&](std::size_t i) { return -first(i); }));
    CHECK(run["second"].back() == rises(rows, second));
    CHECK(run["sum"].back() == rises(rows, [&](std::size_t i) { return first(i) + second(i); }));
  }
}

}  // namespace saltus::conditions_on_sums_test

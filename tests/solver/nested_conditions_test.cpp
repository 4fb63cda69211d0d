// SPDX-License-Identifier: BSD-2-Clause
// Conditions behind conditions: `else if`, nested `?:`, loops, a `switch` over a discrete variable.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "saltus/modeling/native_model.hpp"
#include "saltus/simulation.hpp"

namespace {

using namespace saltus;
using namespace saltus::modeling;

std::vector<double> times(const SimulationResult& run) {
  std::vector<double> found;
  for (const auto& event : run.events()) {
    found.push_back(event.time);
  }
  return found;
}

void check_times(const SimulationResult& run, const std::vector<double>& expected) {
  const std::vector<double> found = times(run);
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    CHECK(found[i] == Approx(expected[i]).margin(1e-9));
  }
}

template <class Real>
struct Stairs {
  State<Real> x{"x"};
  Output<Real> y{"y"};
  void equations(Equations<Real>&) {
    if (x < 1.0) {
      der(x) = 1.0;
      y = 1.0;
    } else if (x < 2.0) {
      der(x) = 2.0;
      y = x > 1.5 ? 10.0 : 5.0;
    } else {
      der(x) = 3.0;
      y = abs(x - 3.0);
    }
  }
};

TEST_CASE("an else-if chain switches at each of its conditions", "[modeling]") {
  for (const Method method :
       {Method::automatic, Method::dormand_prince, Method::radau, Method::adams}) {
    const auto run = simulate<Stairs>({.stop = 2.5, .method = method});
    check_times(run, {1.0, 1.25, 1.5, 1.5 + 1.0 / 3.0});
    CHECK(run["x"].back() == Approx(5.0).margin(1e-8));
    CHECK(run["y"].back() == Approx(2.0).margin(1e-8));
    CHECK(run.at(1.2)["y"] == 5.0);
    CHECK(run.at(1.3)["y"] == 10.0);
  }
}

TEST_CASE("conditions that the start values do not lead to have names and places", "[modeling]") {
  NativeModel<Stairs> model("Stairs");
  REQUIRE(model.shape().indicators == 4);
  CHECK(model.indicator_name(0) == "x < 1");
  std::vector<std::string> rest;
  for (std::size_t i = 1; i < 4; ++i) rest.push_back(model.indicator_name(i));
  std::sort(rest.begin(), rest.end());
  CHECK(rest == std::vector<std::string>{"x - 3 > 0", "x < 2", "x > 1.5"});
}

template <class Real>
struct Saturated {
  State<Real> x{"x", {.start = -2.0}};
  Local<Real> y{"y"};
  void equations(Equations<Real>&) {
    y = x > 1.0 ? Real(1.0) : x < -1.0 ? Real(-1.0) : Real(x);
    der(x) = 2.0 + y;
  }
};

TEST_CASE("a conditional expression within another one switches", "[modeling]") {
  const auto run = simulate<Saturated>({.stop = 3.0, .tolerance = 1e-9});
  // x' = 1 until x = -1 at 1; then x' = 2 + x, x + 2 = e^(t - 1), until x = 1 at 1 + ln 3; x' = 3.
  check_times(run, {1.0, 1.0 + std::log(3.0)});
  CHECK(run["x"].back() == Approx(1.0 + 3.0 * (2.0 - std::log(3.0))).margin(1e-7));
}

// Three values of a sign function, the middle one on the surface alone.
template <class Real>
struct Brake {
  State<Real> v{"v", {.start = 1.0}};
  Output<Real> force{"force"};
  void equations(Equations<Real>& eq) {
    force = v > 0.0 ? Real(-1.0) : v < 0.0 ? Real(1.0) : Real(0.0);
    der(v) = force + 2.0 * max(eq.time - 2.0, 0.0);
  }
};

TEST_CASE("motions slide on conditions that stand behind each other", "[modeling][sliding]") {
  const auto run = simulate<Brake>({.stop = 4.0, .tolerance = 1e-9});
  // At rest from 1 until the pull 2 (t - 2) exceeds 1 at 2.5; then v' = 2 (t - 2) - 1.
  CHECK(run.at(1.7)["v"] == Approx(0.0).margin(1e-9));
  CHECK(run.at(2.25)["force"] == Approx(-0.5).margin(1e-7));
  const double rest = (4.0 - 2.5) * (4.0 - 2.5);
  CHECK(run["v"].back() == Approx(rest).margin(1e-7));
  CHECK(std::any_of(run.events().begin(), run.events().end(),
                    [](const auto& event) { return std::fabs(event.time - 2.5) < 1e-8; }));
}

// A part of the equations that is looked at while something is switched on.
template <class Real>
struct Heater {
  State<Real> x{"x"};
  Discrete<bool> on{"on"};
  Discrete<int> times{"times"};
  void equations(Equations<Real>&) {
    der(x) = 1.0;
    if (on) {
      if (x > 2.0) {
        der(x) = 3.0;
      } else {
        der(x) = 2.0;
      }
    }
  }
  void events(Events<Real>& ev) {
    if (ev.when(x > 1.0)) {
      on = true;
      times = times + 1;
    }
    if (ev.when(on && x > 5.0)) {
      on = false;
    }
  }
};

TEST_CASE("conditions behind a discrete variable are met when it leads to them", "[modeling]") {
  const auto run = simulate<Heater>({.stop = 4.0});
  check_times(run, {1.0, 1.5, 2.5});
  CHECK(run["x"].back() == Approx(5.0 + 1.5).margin(1e-8));
  CHECK(run["times"].back() == 1.0);
}

// A state machine whose states have conditions of their own, one of which is entered from the
// second state alone.
template <class Real>
struct Machine {
  State<Real> x{"x"};
  Discrete<int> state{"state"};
  void equations(Equations<Real>&) {
    switch (state) {
      case 0:
        der(x) = 1.0;
        break;
      case 1:
        der(x) = x > 2.0 ? 2.0 : 1.0;
        break;
      default:
        der(x) = x > 4.5 ? -1.0 : 0.5;
    }
  }
  void events(Events<Real>& ev) {
    if (ev.when(state == 0 && x > 1.0)) state = 1;
    if (ev.when(state == 1 && x > 4.0)) state = 2;
  }
};

TEST_CASE("each state of a machine has conditions of its own", "[modeling][sliding]") {
  NativeModel<Machine> model("Machine");
  CHECK(model.shape().indicators == 4);
  const auto run = simulate<Machine>({.stop = 6.0});
  // 1 at 1, 2 at 2, 4 at 3, 4.5 at 4; there it slides.
  CHECK(run.at(4.0)["x"] == Approx(4.5).margin(1e-8));
  CHECK(run["x"].back() == Approx(4.5).margin(1e-8));
}

// The loop ends early, and its decisions have different places each time.
template <class Real>
struct Search {
  State<Real> x{"x"};
  Output<Real> found{"found"};
  void equations(Equations<Real>&) {
    der(x) = 1.0;
    int k = 0;
    while (k < 5 && !(x < 0.5 + k)) {
      ++k;
    }
    found = k;
  }
};

TEST_CASE("a loop that a condition ends counts right", "[modeling]") {
  const auto run = simulate<Search>({.stop = 6.0});
  check_times(run, {0.5, 1.5, 2.5, 3.5, 4.5});
  for (const double t : {0.2, 1.1, 2.3, 3.4, 4.1, 5.9}) {
    CHECK(run.at(t)["found"] == std::clamp(std::floor(t + 0.5), 0.0, 5.0));
  }
}

template <class Real>
struct Largest {
  States<Real> x{"x", {0.0, 1.0, 2.0}};
  Output<Real> y{"y"};
  void equations(Equations<Real>&) {
    der(x[0]) = 3.0;
    der(x[1]) = 1.0;
    der(x[2]) = 0.0;
    Real largest = x[0];
    for (std::size_t i = 1; i < 3; ++i) {
      if (x[i] > largest) largest = x[i];
    }
    y = largest;
  }
};

TEST_CASE("the largest of several numbers, found with if, is right", "[modeling]") {
  const auto run = simulate<Largest>({.stop = 3.0});
  for (const double t : {0.1, 0.4, 0.6, 0.7, 1.2, 2.9}) {
    CHECK(run.at(t)["y"] == Approx(std::max({3.0 * t, 1.0 + t, 2.0})).margin(1e-9));
  }
}

// A condition that holds for a moment, behind another one.
template <class Real>
struct Moment {
  State<Real> x{"x"};
  State<Real> z{"z"};
  void equations(Equations<Real>&) {
    der(x) = 1.0;
    der(z) = 0.0;
    if (x > 1.0) {
      if (x > 2.0 && x < 2.0001) {
        der(z) = 1e4;
      }
    }
  }
};

TEST_CASE("a condition of several comparisons behind another one is seen for a moment",
          "[modeling]") {
  const auto run = simulate<Moment>({.stop = 4.0});
  CHECK(run["z"].back() == Approx(1.0).margin(1e-6));
}

TEST_CASE("what is saved and restored between nested conditions continues alike", "[modeling]") {
  NativeModel<Heater> one("Heater"), other("Heater");
  std::array<double, 1> y{}, slope{};
  one.initialize({}, y);
  y[0] = 3.0;
  while (one.update_discrete_states(1.5, y).iterate) {
  }
  one.enter_continuous_mode(1.5, y);
  REQUIRE(one.derivatives(1.5, y, slope) == Eval::ok);
  CHECK(slope[0] == 3.0);
  other.restore(one.save());
  slope[0] = 0.0;
  REQUIRE(other.derivatives(1.5, y, slope) == Eval::ok);
  CHECK(slope[0] == 3.0);
  std::vector<double> z(one.shape().indicators), z_other(z.size());
  REQUIRE(one.indicators(1.5, y, z) == Eval::ok);
  REQUIRE(other.indicators(1.5, y, z_other) == Eval::ok);
  CHECK(z == z_other);
}

// Random trees of comparisons, asked one behind the other, and the same ones all asked first.
struct Tree {
  struct Node {
    int variable = 0;
    double level = 0.0;
    int yes = -1, no = -1;  // nodes, or leaves as -1 - leaf
  };
  std::vector<Node> nodes;
  std::vector<std::array<double, 2>> slopes;

  int grow(std::mt19937_64& random, int depth) {
    std::uniform_real_distribution<double> level(-1.0, 1.0), slope(0.2, 1.5);
    if (depth == 0 || (depth < 3 && random() % 4 == 0)) {
      slopes.push_back({slope(random), slope(random)});
      return -static_cast<int>(slopes.size());
    }
    const std::size_t own = nodes.size();
    nodes.emplace_back();
    const Node grown{static_cast<int>(random() % 2), level(random), grow(random, depth - 1),
                     grow(random, depth - 1)};
    nodes[own] = grown;
    return static_cast<int>(own);
  }
};
Tree tree;
bool nested = true;

template <class Real>
struct Plane {
  State<Real> a{"a", {.start = -2.0}};
  State<Real> b{"b", {.start = -2.0}};
  int walk(int at) {
    while (at >= 0) {
      const Tree::Node& node = tree.nodes[static_cast<std::size_t>(at)];
      const Real& x =
          node.variable == 0 ? static_cast<const Real&>(a) : static_cast<const Real&>(b);
      at = x > node.level ? node.yes : node.no;
    }
    return at;
  }
  void equations(Equations<Real>&) {
    int leaf = 0;
    if (nested) {
      leaf = walk(0);
    } else {
      std::vector<int> next;
      for (const Tree::Node& node : tree.nodes) {
        const Real& x =
            node.variable == 0 ? static_cast<const Real&>(a) : static_cast<const Real&>(b);
        next.push_back(x > node.level ? node.yes : node.no);
      }
      while (leaf >= 0) leaf = next[static_cast<std::size_t>(leaf)];
    }
    const auto& slope = tree.slopes[static_cast<std::size_t>(-1 - leaf)];
    der(a) = slope[0];
    der(b) = slope[1];
  }
};

TEST_CASE("random trees of conditions give what they give when all are asked first",
          "[modeling][random]") {
  std::mt19937_64 random(20261117);
  for (int round = 0; round < 200; ++round) {
    tree = {};
    if (tree.grow(random, 4) < 0) continue;
    // Where the path of constant slopes leads: from one level to the next.
    double t = 0.0, a = -2.0, b = -2.0;
    std::size_t switches = 0;
    const auto leaf_at = [&](double u, double v) {
      int at = 0;
      while (at >= 0) {
        const Tree::Node& node = tree.nodes[static_cast<std::size_t>(at)];
        at = (node.variable == 0 ? u : v) > node.level ? node.yes : node.no;
      }
      return static_cast<std::size_t>(-1 - at);
    };
    while (t < 4.0) {
      const auto slope = tree.slopes[leaf_at(a + 1e-12, b + 1e-12)];
      double step = 4.0 - t;
      for (const Tree::Node& node : tree.nodes) {
        const double x = node.variable == 0 ? a : b;
        const double ahead = (node.level - x) / slope[static_cast<std::size_t>(node.variable)];
        if (ahead > 1e-11) step = std::min(step, ahead);
      }
      a += step * slope[0];
      b += step * slope[1];
      t += step;
      ++switches;
    }
    for (const bool way : {true, false}) {
      nested = way;
      CAPTURE(round, way, tree.nodes.size());
      const auto run = simulate<Plane>({.stop = 4.0, .sliding = round % 2 == 0});
      CHECK(run["a"].back() == Approx(a).margin(1e-7));
      CHECK(run["b"].back() == Approx(b).margin(1e-7));
      CHECK(run.events().size() <= switches);
    }
  }
}

// The comparison of a sum that many branches have built: one condition for each sum there can be,
// but as many in each pass.
template <class Real>
struct Sums {
  States<Real> x{"x", 14};
  State<Real> y{"y"};
  void equations(Equations<Real>&) {
    Real sum = 0.0;
    for (std::size_t i = 0; i < 14; ++i) {
      der(x[i]) = 1.0 + static_cast<double>(i);
      if (x[i] > 1.0) sum = sum + x[i];
    }
    der(y) = sum > 30.0 ? 1.0 : 0.0;
  }
};

TEST_CASE("conditions whose number does not change are known by their places", "[modeling]") {
  CHECK(NativeModel<Sums>("Sums").shape().indicators == 15);
  const auto run = simulate<Sums>({.stop = 1.0});
  // x_i = (i + 1) t: at 0.3 those from i = 3 on are above 1, and their sum is 99 t. It is 30 at
  // 10 / 33, after the fourth has joined at 1 / 4.
  CHECK(run["y"].back() == Approx(1.0 - 10.0 / 33.0).margin(1e-8));
}

// The same, where a branch has another condition: then there are too many.
template <class Real>
struct ManySums {
  States<Real> x{"x", 14};
  void equations(Equations<Real>& eq) {
    Real sum = 0.0;
    for (std::size_t i = 0; i < 14; ++i) {
      der(x[i]) = 1.0 + static_cast<double>(i);
      if (x[i] > 1.0) sum = sum + x[i];
    }
    if (sum > 30.0) {
      if (sum > 2.0 * eq.time) der(x[0]) = 2.0;
    }
  }
};

TEST_CASE("conditions that double with each branch are refused with a remedy", "[modeling]") {
  std::string message;
  try {
    const auto run = simulate<ManySums>({.stop = 2.0});
  } catch (const std::exception& error) {
    message = error.what();
  }
  INFO(message);
  CHECK(message.find("declared Local") != std::string::npos);
}

template <class Real>
struct Endless {
  State<Real> x{"x", {.start = 3.0}};
  void equations(Equations<Real>&) {
    Real k = 0.0;
    while (k < x) k = k + 1.0;
    der(x) = k;
  }
};

TEST_CASE("a loop that nothing but a condition ends is refused by name", "[modeling]") {
  CHECK_THROWS_WITH(NativeModel<Endless>("Endless"), Catch::Contains("does a loop end only"));
}

template <class Real>
struct Chosen {
  Parameter<int> kind{"kind", {.start = 0, .min = 0, .max = 3}};
  State<Real> x{"x", {.start = -1.0}}, y{"y"};
  void equations(Equations<Real>&) {
    der(x) = 1.0;
    der(y) = kind == 0 ? Real(0.0) : x > 0.0 ? Real(1.0) : Real(2.0);
  }
};

template <class Real>
struct AnyChosen {
  Parameter<int> kind{"kind", {.start = 0}};
  State<Real> x{"x", {.start = -1.0}}, y{"y"};
  void equations(Equations<Real>&) {
    der(x) = 1.0;
    der(y) = kind == 0 ? Real(0.0) : x > 0.0 ? Real(1.0) : Real(2.0);
  }
};

TEST_CASE("a parameter leads to conditions where its values are known", "[modeling]") {
  const auto run = simulate<Chosen>({.stop = 2.0, .values = {{"kind", 1}}});
  CHECK(run["y"].back() == Approx(3.0));
  CHECK_THROWS_WITH(simulate<AnyChosen>({.stop = 2.0, .values = {{"kind", 1}}}),
                    Catch::Contains("give it limits (.min, .max) or an enumeration"));
}

}  // namespace

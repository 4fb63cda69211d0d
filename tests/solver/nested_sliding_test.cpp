// SPDX-License-Identifier: BSD-2-Clause
// Motions that slide on conditions which stand behind others, for drivers that project and for
// those that do not, as importers of FMUs.
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "saltus/control/mode_controller.hpp"
#include "saltus/control/sliding_described_model.hpp"
#include "saltus/core/error.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/integrators/dormand_prince.hpp"
#include "saltus/modeling/native_model.hpp"

namespace saltus::nested_sliding_test {
namespace {

using namespace saltus::modeling;

struct End {
  std::optional<std::array<double, 2>> at;
  std::string error;
};

template <template <class> class M>
End run(bool projecting, double stop) {
  try {
    SlidingDescribedModel model{std::make_unique<NativeModel<M>>("Model"),
                                {.projecting_driver = projecting}};
    DormandPrince integrator{model, {.relative_tolerance = 1e-8}};
    IntegratedModel system{model, integrator};
    ModeController{system}.run({.stop = stop, .tolerance = 1e-8});
    return {{{system.unknowns()[0], system.unknowns()[1]}}, ""};
  } catch (const std::exception& error) {
    return {std::nullopt, error.what()};
  }
}

// A tree of comparisons with levels that are met again, from both sides.
struct Tree {
  struct Node {
    int variable = 0;
    bool above = true;
    double level = 0.0;
    int yes = -1, no = -1;  // nodes, or leaves as -1 - leaf
  };
  std::vector<Node> nodes;
  std::vector<std::array<double, 2>> slopes;

  int grow(std::mt19937_64& random, int depth) {
    std::uniform_real_distribution<double> slope(0.2, 1.5);
    const auto any_slope = [&] { return random() % 2 == 0 ? slope(random) : -slope(random); };
    if (depth == 0 || (depth < 3 && random() % 4 == 0)) {
      slopes.push_back({any_slope(), any_slope()});
      return -static_cast<int>(slopes.size());
    }
    const std::size_t own = nodes.size();
    nodes.emplace_back();
    Node grown;
    grown.variable = static_cast<int>(random() % 2);
    grown.above = random() % 2 == 0;
    grown.level = 0.37 * (static_cast<double>(random() % 5) - 2.0);
    grown.yes = grow(random, depth - 1);
    grown.no = grow(random, depth - 1);
    nodes[own] = grown;
    return static_cast<int>(own);
  }
};
Tree tree;
bool nested = true;

template <class Real>
struct Plane {
  State<Real> a{"a", {.start = -0.61}};
  State<Real> b{"b", {.start = 0.53}};
  int next(int at) {
    const Tree::Node& node = tree.nodes[static_cast<std::size_t>(at)];
    const Real& x = node.variable == 0 ? static_cast<const Real&>(a) : static_cast<const Real&>(b);
    if (node.above) return x > node.level ? node.yes : node.no;
    return x < node.level ? node.yes : node.no;
  }
  void equations(Equations<Real>&) {
    int leaf = 0;
    if (nested) {
      while (leaf >= 0) leaf = next(leaf);
    } else {
      std::vector<int> all;
      for (std::size_t i = 0; i < tree.nodes.size(); ++i) all.push_back(next(static_cast<int>(i)));
      while (leaf >= 0) leaf = all[static_cast<std::size_t>(leaf)];
    }
    const auto& slope = tree.slopes[static_cast<std::size_t>(-1 - leaf)];
    der(a) = slope[0];
    der(b) = slope[1];
  }
};

// A sledge on a rough track, pushed back and forth; its friction has three values.
template <class Real>
struct Sledge {
  State<Real> x{"x"};
  State<Real> v{"v", {.start = 1.0}};
  void equations(Equations<Real>& eq) {
    const Real friction = v > 0.0 ? Real(-1.0) : v < 0.0 ? Real(1.0) : Real(0.0);
    const Real push = eq.time > 5.0 ? Real(2.0) : eq.time > 3.0 ? Real(-2.0) : Real(0.5);
    der(x) = v;
    der(v) = push + friction;
  }
};

TEST_CASE("a sledge whose friction has three values comes loose to both sides",
          "[modeling][sliding]") {
  for (const bool projecting : {true, false}) {
    CAPTURE(projecting);
    // Stops at 2, slides back from 3 on, is at rest at 5 + 2/3, and moves on with 1 at once.
    const End end = run<Sledge>(projecting, 7.0);
    CAPTURE(end.error);
    REQUIRE(end.at);
    const double rest = 5.0 + 2.0 / 3.0;
    CHECK((*end.at)[1] == Approx(7.0 - rest).margin(1e-8));
    CHECK((*end.at)[0] ==
          Approx(1.0 - 2.0 - 2.0 / 3.0 + 0.5 * (7.0 - rest) * (7.0 - rest)).margin(1e-7));
  }
}

// Comparisons of a number with itself, which vanish wherever the motion is, beside two surfaces
// that it slides on.
template <class Real>
struct Itself {
  State<Real> a{"a", {.start = 1.0}};
  State<Real> b{"b"};
  void equations(Equations<Real>& eq) {
    const Real factor = 0.0 * b > 0.0 ? Real(2.0) : Real(1.0);
    const Real late = eq.time > 1.5 ? Real(1.0) : Real(0.5);  // as little of a surface
    der(a) = (a > 2.0 ? Real(-1.0) : Real(1.0)) * factor;
    if (b > 0.5) {
      der(b) = a > a ? Real(5.0) : Real(-late);
    } else {
      der(b) = b - b >= 0.0 ? Real(0.5) : Real(-5.0);
    }
  }
};

TEST_CASE("a comparison of a number with itself is no surface", "[modeling][sliding]") {
  for (const bool projecting : {true, false}) {
    const End end = run<Itself>(projecting, 3.0);
    CAPTURE(projecting, end.error);
    REQUIRE(end.at);
    CHECK((*end.at)[0] == Approx(2.0).margin(1e-8));
    CHECK((*end.at)[1] == Approx(0.5).margin(1e-8));
  }
}

// Slides on a = 0, where the condition that joins two comparisons vanishes until b is 1; its
// comparisons are asked for one by one, or together.
bool together = true;
template <class Real>
struct Joined {
  State<Real> a{"a", {.start = 0.3}};
  State<Real> b{"b"};
  void equations(Equations<Real>&) {
    const bool low = together || b < 1.0, right = together || a > 0.0;
    if (a < 0.0) {
      der(a) = 1.0;
      der(b) = 1.0;
    } else {
      const bool both = together ? bool(b < 1.0 && a > 0.0) : low && right;
      der(a) = -1.0;
      der(b) = both ? Real(0.4) : Real(2.0);
    }
  }
};

TEST_CASE("a joined condition that ends on a surface is right or refused", "[modeling][sliding]") {
  together = false;
  const End apart = run<Joined>(true, 3.0);
  CAPTURE(apart.error);
  REQUIRE(apart.at);
  // 0.4 until a = 0, then the mean of both sides, which is another one from b = 1 on.
  CHECK((*apart.at)[1] == Approx(1.0 + 1.5 * (3.0 - 0.3 - 0.88 / 0.7)).margin(1e-7));
  together = true;
  const End joined = run<Joined>(true, 3.0);
  CAPTURE(joined.error);
  if (joined.at) {
    CHECK((*joined.at)[1] == Approx((*apart.at)[1]).margin(1e-7));
  } else {
    CHECK(joined.error.find("one by one") != std::string::npos);
  }
}

TEST_CASE("random trees of conditions slide as they do when all are asked first",
          "[modeling][sliding][random]") {
  std::mt19937_64 random(20261118);
  std::size_t solved = 0;
  for (int round = 0; round < 400; ++round) {
    tree = {};
    if (tree.grow(random, 4) < 0) continue;
    nested = false;
    const End reference = run<Plane>(true, 4.0);
    if (!reference.at) continue;
    ++solved;
    nested = true;
    for (const bool projecting : {true, false}) {
      const End end = run<Plane>(projecting, 4.0);
      CAPTURE(round, projecting, end.error);
      CHECK(end.at);
      if (!end.at) continue;
      CHECK((*end.at)[0] == Approx((*reference.at)[0]).margin(1e-6));
      CHECK((*end.at)[1] == Approx((*reference.at)[1]).margin(1e-6));
    }
  }
  CHECK(solved > 100);
}

}  // namespace
}  // namespace saltus::nested_sliding_test

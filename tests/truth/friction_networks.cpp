// SPDX-License-Identifier: BSD-2-Clause
// Friction networks: bodies in a row, dry friction between neighbours, on the ground and at the far
// end, pulled by forces that grow in time; masses, limits, forces and speeds at random. The truth
// comes from another road: implicit time-stepping in which the friction impulses of each short step
// are found by projection onto their limits, without events and without sides (Moreau).
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>

#include "saltus/dormand_prince.hpp"
#include "saltus/integrated_model.hpp"
#include "saltus/mode_controller.hpp"
#include "saltus/modeling/native_model.hpp"
#include "saltus/sliding_model.hpp"
#include "truth.hpp"

namespace saltus::truth {
namespace {

using namespace saltus::modeling;

constexpr std::size_t kBodies = 5;
constexpr std::size_t kContacts = 6;

template <class Real>
struct Row {
  State<Real> v0{"v0"}, v1{"v1"}, v2{"v2"}, v3{"v3"}, v4{"v4"};
  Parameter<Real> m0{"m0", {.start = 1.0}}, m1{"m1", {.start = 1.0}}, m2{"m2", {.start = 1.0}};
  Parameter<Real> m3{"m3", {.start = 1.0}}, m4{"m4", {.start = 1.0}};
  Parameter<Real> a0{"a0", {.start = 0.0}}, a1{"a1", {.start = 0.0}}, a2{"a2", {.start = 0.0}},
      a3{"a3", {.start = 0.0}}, a4{"a4", {.start = 0.0}};
  Parameter<Real> b0{"b0", {.start = 0.0}}, b1{"b1", {.start = 0.0}}, b2{"b2", {.start = 0.0}},
      b3{"b3", {.start = 0.0}}, b4{"b4", {.start = 0.0}};
  Parameter<Real> f0{"f0", {.start = 0.0}}, f1{"f1", {.start = 0.0}}, f2{"f2", {.start = 0.0}},
      f3{"f3", {.start = 0.0}}, f4{"f4", {.start = 0.0}}, f5{"f5", {.start = 0.0}};

  void equations(Equations<Real>& eq) {
    const auto friction = [](const Real& speed, const Real& limit) {
      return speed > 0.0 ? limit : Real(-limit);
    };
    const Real ground = friction(v0, f0), first = friction(v1 - v0, f1);
    const Real second = friction(v2 - v1, f2), third = friction(v3 - v2, f3);
    const Real fourth = friction(v4 - v3, f4), end = friction(v4, f5);
    der(v0) = (a0 + b0 * eq.time - ground + first) / m0;
    der(v1) = (a1 + b1 * eq.time - first + second) / m1;
    der(v2) = (a2 + b2 * eq.time - second + third) / m2;
    der(v3) = (a3 + b3 * eq.time - third + fourth) / m3;
    der(v4) = (a4 + b4 * eq.time - fourth - end) / m4;
  }
};

struct Network {
  std::array<double, kBodies> mass, force, growth, speed;
  std::array<double, kContacts> limit;
};

// The speed of contact j, and what a unit of impulse there does to the speeds.
double slip(const std::array<double, kBodies>& v, std::size_t j) {
  return j == 0 ? v[0] : j == kBodies ? v[kBodies - 1] : v[j] - v[j - 1];
}
void push(std::array<double, kBodies>& v, const Network& network, std::size_t j, double impulse) {
  if (j < kBodies) v[j] -= impulse / network.mass[j];
  if (j == kBodies) v[kBodies - 1] -= impulse / network.mass[kBodies - 1];
  if (j > 0 && j < kBodies) v[j - 1] += impulse / network.mass[j - 1];
}
double yielding(const Network& network, std::size_t j) {
  const std::size_t own = std::min(j, kBodies - 1);
  return 1.0 / network.mass[own] + (j > 0 && j < kBodies ? 1.0 / network.mass[j - 1] : 0.0);
}

std::array<double, kBodies> stepped(const Network& network, double stop, int steps) {
  constexpr int kMostSweeps = 2000;
  const double h = stop / steps;
  std::array<double, kBodies> v = network.speed;
  std::array<double, kContacts> impulse{};
  for (int step = 0; step < steps; ++step) {
    const double middle = (step + 0.5) * h;
    for (std::size_t i = 0; i < kBodies; ++i) {
      v[i] += h * (network.force[i] + network.growth[i] * middle) / network.mass[i];
    }
    for (std::size_t j = 0; j < kContacts; ++j) {
      push(v, network, j, impulse[j]);  // the last step's are a good guess
    }
    for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
      double moved = 0.0;
      for (std::size_t j = 0; j < kContacts; ++j) {
        const double most = h * network.limit[j];
        const double wanted =
            std::clamp(impulse[j] + slip(v, j) / yielding(network, j), -most, most);
        push(v, network, j, wanted - impulse[j]);
        moved = std::max(moved, std::fabs(wanted - impulse[j]));
        impulse[j] = wanted;
      }
      if (moved <= 1e-13 * h) break;
    }
  }
  return v;
}

Verdict run(std::uint64_t seed) {
  Random random(seed);
  Network network{};
  NativeModel<Row> model{"Row"};
  const auto set = [&](const std::string& name, std::size_t i, double value) {
    std::size_t k = 0;
    while (model.variables()[k].name != name + std::to_string(i)) ++k;
    model.set_number(k, value);
    return value;
  };
  for (std::size_t i = 0; i < kBodies; ++i) {
    network.mass[i] = set("m", i, random.log_uniform(0.3, 3.0));
    network.force[i] = set("a", i, random.uniform(-1.0, 1.0));
    network.growth[i] = set("b", i, random.uniform(-1.0, 1.0));
    network.speed[i] = set("v", i, random.chance(0.5) ? 0.0 : random.uniform(-1.0, 1.0));
  }
  for (std::size_t j = 0; j < kContacts; ++j) {
    network.limit[j] = set("f", j, random.uniform(0.1, 1.5));
  }
  const double stop = 2.0, tolerance = random.log_uniform(1e-9, 1e-5);
  SlidingModel sliding{model};
  DormandPrince integrator{sliding, {.relative_tolerance = tolerance}};
  IntegratedModel system{sliding, integrator};
  ModeController{system}.run({.stop = stop, .tolerance = tolerance});

  // A transition within a step is off by what the forces of one step do.
  constexpr int kSteps = 4000;
  const std::array<double, kBodies> truth = stepped(network, stop, kSteps);
  for (std::size_t i = 0; i < kBodies; ++i) {
    const double off = std::fabs(system.unknowns()[i] - truth[i]);
    if (!(off <= 40.0 * stop / kSteps)) {
      return wrong("v" + std::to_string(i) + " = " + std::to_string(system.unknowns()[i]) +
                   " instead of " + std::to_string(truth[i]));
    }
  }
  return right();
}

const Family kFamily{"friction_networks", "rows of bodies with dry friction against time-stepping",
                     run};

}  // namespace
}  // namespace saltus::truth

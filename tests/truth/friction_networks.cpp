// SPDX-License-Identifier: BSD-2-Clause
// Friction networks: bodies on springs, pulled by forces that grow in time, with dry friction
// between pairs of them and between them and the ground; who rubs on whom, masses, limits, forces
// and speeds at random, so that contacts make chains, stars and closed loops. The truth comes from
// another road: implicit time-stepping in which the friction impulses of each short step are found
// by projection onto their limits, without events and without sides (Moreau: Unilateral contact and
// dry friction in finite freedom dynamics, 1988).
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "saltus/control/mode_controller.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/integrators/dormand_prince.hpp"
#include "saltus/modeling/native_model.hpp"
#include "saltus/switching/sliding_model.hpp"
#include "truth.hpp"

namespace saltus::truth {
namespace {

using namespace saltus::modeling;

constexpr std::size_t kBodies = 4;
constexpr std::size_t kContacts = 6;

template <class Real>
struct Free : Parameter<Real> {
  Free(const char* name) : Parameter<Real>(name, {.start = 0.0}) {}
};

/// Contact j rubs between the bodies with the weights c in its row: 1 and -1, or 1 and the ground.
template <class Real>
struct Bodies {
  template <std::size_t n>
  using Numbers = std::array<Free<Real>, n>;

  State<Real> x0{"x0"}, x1{"x1"}, x2{"x2"}, x3{"x3"}, v0{"v0"}, v1{"v1"}, v2{"v2"}, v3{"v3"};
  Numbers<kBodies> m{"m0", "m1", "m2", "m3"}, k{"k0", "k1", "k2", "k3"};
  Numbers<kBodies> a{"a0", "a1", "a2", "a3"}, b{"b0", "b1", "b2", "b3"};
  Numbers<kContacts> f{"f0", "f1", "f2", "f3", "f4", "f5"};
  Numbers<kContacts * kBodies> c{"c0",  "c1",  "c2",  "c3",  "c4",  "c5",  "c6",  "c7",
                                 "c8",  "c9",  "c10", "c11", "c12", "c13", "c14", "c15",
                                 "c16", "c17", "c18", "c19", "c20", "c21", "c22", "c23"};

  void equations(Equations<Real>& eq) {
    const std::array<Real, kBodies> x{x0, x1, x2, x3}, v{v0, v1, v2, v3};
    std::array<Real, kBodies> force = x;
    for (std::size_t i = 0; i < kBodies; ++i) {
      force[i] = Real(a[i]) + Real(b[i]) * eq.time - Real(k[i]) * x[i];
    }
    for (std::size_t j = 0; j < kContacts; ++j) {
      const auto weight = [&](std::size_t i) { return Real(c[j * kBodies + i]); };
      const Real slip = weight(0) * v[0] + weight(1) * v[1] + weight(2) * v[2] + weight(3) * v[3];
      const Real friction = slip > 0.0 ? Real(f[j]) : -Real(f[j]);
      for (std::size_t i = 0; i < kBodies; ++i) {
        force[i] = force[i] - weight(i) * friction;
      }
    }
    der(x0) = v0;
    der(x1) = v1;
    der(x2) = v2;
    der(x3) = v3;
    der(v0) = force[0] / Real(m[0]);
    der(v1) = force[1] / Real(m[1]);
    der(v2) = force[2] / Real(m[2]);
    der(v3) = force[3] / Real(m[3]);
  }
};

using PerBody = std::array<double, kBodies>;
struct Network {
  PerBody mass, spring, force, growth, speed;
  std::array<double, kContacts> limit;
  std::array<PerBody, kContacts> contact;
};

PerBody stepped(const Network& network, double stop, int steps) {
  constexpr int kMostSweeps = 5000;
  const double h = stop / steps;
  PerBody x{}, v = network.speed;
  std::array<double, kContacts> impulse{}, yielding{};
  for (std::size_t j = 0; j < kContacts; ++j) {
    for (std::size_t i = 0; i < kBodies; ++i) {
      yielding[j] += network.contact[j][i] * network.contact[j][i] / network.mass[i];
    }
  }
  const auto push = [&](std::size_t j, double by) {
    for (std::size_t i = 0; i < kBodies; ++i) {
      v[i] -= network.contact[j][i] * by / network.mass[i];
    }
  };
  for (int step = 0; step < steps; ++step) {
    const double middle = (step + 0.5) * h;
    for (std::size_t i = 0; i < kBodies; ++i) {
      const double pull = network.force[i] + network.growth[i] * middle -
                          network.spring[i] * (x[i] + 0.5 * h * v[i]);
      v[i] += h * pull / network.mass[i];
    }
    for (std::size_t j = 0; j < kContacts; ++j) {
      push(j, impulse[j]);  // the last step's are a good guess
    }
    for (int sweep = 0; sweep < kMostSweeps; ++sweep) {
      double moved = 0.0;
      for (std::size_t j = 0; j < kContacts; ++j) {
        double slip = 0.0;
        for (std::size_t i = 0; i < kBodies; ++i) {
          slip += network.contact[j][i] * v[i];
        }
        const double most = h * network.limit[j];
        const double wanted = std::clamp(impulse[j] + slip / yielding[j], -most, most);
        push(j, wanted - impulse[j]);
        moved = std::max(moved, std::fabs(wanted - impulse[j]));
        impulse[j] = wanted;
      }
      if (moved <= 1e-13 * h) break;
    }
    for (std::size_t i = 0; i < kBodies; ++i) {
      x[i] += h * v[i];
    }
  }
  return v;
}

Verdict run(std::uint64_t seed) {
  Random random(seed);
  Network network{};
  NativeModel<Bodies> model{"Bodies"};
  const auto set = [&](const std::string& name, std::size_t i, double value) {
    std::size_t k = 0;
    while (model.variables()[k].name != name + std::to_string(i)) ++k;
    model.set_number(k, value);
    return value;
  };
  const bool springs = random.chance(0.5);
  for (std::size_t i = 0; i < kBodies; ++i) {
    network.mass[i] = set("m", i, random.log_uniform(0.3, 3.0));
    network.spring[i] = set("k", i, springs ? random.uniform(0.0, 3.0) : 0.0);
    network.force[i] = set("a", i, random.uniform(-1.0, 1.0));
    network.growth[i] = set("b", i, random.uniform(-1.0, 1.0));
    network.speed[i] = set("v", i, random.chance(0.5) ? 0.0 : random.uniform(-1.0, 1.0));
  }
  for (std::size_t j = 0; j < kContacts; ++j) {
    network.limit[j] = set("f", j, random.uniform(0.1, 1.2));
    const auto one = static_cast<std::size_t>(random.integer(0, kBodies - 1));
    const auto other = static_cast<std::size_t>(random.integer(0, kBodies));  // kBodies: the ground
    network.contact[j][one] = 1.0;
    if (other < kBodies && other != one) network.contact[j][other] = -1.0;
    for (std::size_t i = 0; i < kBodies; ++i) {
      set("c", j * kBodies + i, network.contact[j][i]);
    }
  }
  const double stop = 2.0, tolerance = random.log_uniform(1e-9, 1e-5);
  SlidingModel sliding{model};
  DormandPrince integrator{sliding, {.relative_tolerance = tolerance}};
  IntegratedModel system{sliding, integrator};
  ModeController{system}.run({.stop = stop, .tolerance = tolerance});

  // A transition within a step is off by what the forces of one step do.
  constexpr int kSteps = 4000;
  const PerBody truth = stepped(network, stop, kSteps);
  for (std::size_t i = 0; i < kBodies; ++i) {
    const double found = system.unknowns()[kBodies + i];
    if (!(std::fabs(found - truth[i]) <= 40.0 * stop / kSteps)) {
      return wrong("v" + std::to_string(i) + " = " + std::to_string(found) + " instead of " +
                   std::to_string(truth[i]));
    }
  }
  return right();
}

const Family kFamily{"friction_networks", "bodies with dry friction against time-stepping", run};

}  // namespace
}  // namespace saltus::truth

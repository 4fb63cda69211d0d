// SPDX-License-Identifier: BSD-2-Clause
// Every ordered choice of decorators around models whose solutions are known: the right trajectory,
// or a refusal that says why. A new decorator joins by a name in the list, a new model by a row.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "saltus/control/mode_controller.hpp"
#include "saltus/core/error.hpp"
#include "saltus/dae/reduced_model.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/integrators/method.hpp"
#include "saltus/modeling/native_model.hpp"
#include "saltus/switching/hysteresis_model.hpp"
#include "saltus/switching/resting_model.hpp"
#include "saltus/switching/sliding_model.hpp"

using namespace saltus::modeling;

namespace saltus::test {
namespace {

// ---- the models -------------------------------------------------------------------------------

// Impacts without loss: |v| is 1 at the floor, and a flight takes 2.
template <class Real>
struct ElasticBall {
  State<Real> h{"h"}, v{"v", {.start = 1.0}};
  Discrete<int> bounces{"bounces"};
  void equations(Equations<Real>&) {
    der(h) = v;
    der(v) = -1.0;
  }
  void events(Events<Real>& ev) {
    if (ev.when(h < 0.0)) {
      h = 0.0;
      v = -v;
      bounces = bounces + 1;
    }
  }
};

// Impacts that accumulate at t = 4, where only a contact at rest leads on.
template <class Real>
struct DeadBall {
  State<Real> h{"h"}, v{"v", {.start = 1.0}};
  void equations(Equations<Real>&) {
    der(h) = v;
    der(v) = -1.0;
  }
  void events(Events<Real>& ev) {
    if (ev.when(h < 0.0)) {
      h = 0.0;
      v = -0.5 * v;
    }
  }
};

// Dry friction under a pull that grows: it comes to rest at 2 - sqrt(2), and loose at 2.
template <class Real>
struct Block {
  State<Real> v{"v", {.start = 0.5}};
  void equations(Equations<Real>& eq) { der(v) = 0.5 * eq.time + (v > 0.0 ? -1.0 : 1.0); }
};

// The same with the force as an unknown.
template <class Real>
struct ImplicitBlock {
  State<Real> v{"v", {.start = 0.5}};
  Algebraic<Real> force{"force"};
  void equations(Equations<Real>& eq) {
    eq(der(v), 0.5 * eq.time + force);
    eq(force, v > 0.0 ? -1.0 : 1.0);
  }
};

// Two inertias, 3 at speed 4 and 1 at speed 1, that a clutch joins at t = 1: the momentum is 13.
template <class Real>
struct Clutch {
  State<Real> w1{"w1", {.start = 4.0}}, w2{"w2", {.start = 1.0}};
  Algebraic<Real> torque{"torque"};
  Discrete<bool> closed{"closed"};
  void equations(Equations<Real>& eq) {
    eq(3.0 * der(w1), -torque);
    eq(der(w2), torque);
    if (closed) {
      eq(w1, w2);
    } else {
      eq(torque, 0.0);
    }
  }
  void events(Events<Real>& ev) {
    if (ev.at(1.0)) {
      closed = true;
    }
  }
};

// A mass on a circle in its plane, without a force: it goes round at a constant rate. Index 3.
template <class Real>
struct Circle {
  State<Real> x{"x", {.start = 1.0}}, y{"y"}, u{"u"}, w{"w", {.start = 1.0}};
  Algebraic<Real> force{"force", {.start = 1.0}};
  Discrete<int> rounds{"rounds"};
  void equations(Equations<Real>& eq) {
    der(x) = u;
    der(y) = w;
    der(u) = -force * x;
    der(w) = -force * y;
    eq(x * x + y * y, 1.0);
  }
  void events(Events<Real>& ev) {
    if (ev.when(y > 0.5)) {
      rounds = rounds + 1;
    }
  }
};

// ---- the decorators ---------------------------------------------------------------------------

using Wrap = std::function<std::unique_ptr<Model>(Model&)>;
struct Decorator {
  const char* name;
  const char* kind;  // of which one is enough in a stack
  Wrap around;
};
const std::vector<Decorator> kDecorators{
    {"Reduced, implicit", "Reduced",
     [](Model& model) { return std::make_unique<ReducedModel>(model); }},
    {"Reduced, explicit", "Reduced",
     [](Model& model) {
       return std::make_unique<ReducedModel>(
           model, ReductionOptions{.form = ReductionOptions::Form::explicit_form});
     }},
    {"Sliding", "Sliding", [](Model& model) { return std::make_unique<SlidingModel>(model); }},
    {"Hysteresis", "Hysteresis",  // that does nothing
     [](Model& model) { return std::make_unique<HysteresisModel>(model, HysteresisOptions{}); }},
    {"Resting", "Resting", [](Model& model) { return std::make_unique<RestingModel>(model); }},
};

std::vector<std::vector<std::size_t>> stacks(std::size_t most) {
  std::vector<std::vector<std::size_t>> all{{}};
  for (std::size_t begin = 0; begin < all.size(); ++begin) {
    const std::vector<std::size_t> stack = all[begin];
    for (std::size_t next = 0; next < kDecorators.size() && stack.size() < most; ++next) {
      const bool taken = std::any_of(stack.begin(), stack.end(), [&](std::size_t each) {
        return std::string(kDecorators[each].kind) == kDecorators[next].kind;
      });
      if (!taken) {
        all.push_back(stack);
        all.back().push_back(next);
      }
    }
  }
  return all;
}

// ---- the runs ---------------------------------------------------------------------------------

struct Case {
  const char* name;
  std::function<std::unique_ptr<DescribedModel>()> make;
  double stop;
  std::vector<double> end;  // of the first unknowns
  // Which decorators a run needs; the others are bystanders.
  std::vector<const char*> needed;
};

template <template <class> class M>
std::function<std::unique_ptr<DescribedModel>()> maker() {
  return [] { return std::make_unique<NativeModel<M>>("model"); };
}

double loose_after_2(double t) { return 0.25 * (t * t - 4.0) - (t - 2.0); }

const std::vector<Case> kCases{
    {"elastic ball", maker<ElasticBall>(), 7.0, {0.5, 0.0}, {}},
    {"dead ball", maker<DeadBall>(), 5.0, {0.0, 0.0}, {"Resting"}},
    {"block", maker<Block>(), 3.0, {loose_after_2(3.0)}, {"Sliding"}},
    {"implicit block", maker<ImplicitBlock>(), 3.0, {loose_after_2(3.0)}, {"Sliding", "Reduced"}},
    {"clutch", maker<Clutch>(), 2.0, {13.0 / 4.0, 13.0 / 4.0}, {"Reduced"}},
    {"circle", maker<Circle>(), 3.0, {std::cos(3.0), std::sin(3.0)}, {"Reduced"}},
};

struct Verdict {
  bool right = false;
  std::string refusal;
  std::string wrong;
};

Verdict run(const Case& test, const std::vector<std::size_t>& stack) {
  const auto model = test.make();
  std::vector<std::unique_ptr<Model>> around;
  Verdict verdict;
  try {
    Model* outermost = model.get();
    for (const std::size_t each : stack) {
      around.push_back(kDecorators[each].around(*outermost));
      outermost = around.back().get();
    }
    const auto integrator =
        make_integrator(Method::automatic, *outermost, {.relative_tolerance = 1e-8});
    IntegratedModel system(*outermost, *integrator);
    ModeController controller(system);
    (void)controller.run({.stop = test.stop, .tolerance = 1e-8});
    for (std::size_t i = 0; i < test.end.size(); ++i) {
      const double off = std::fabs(system.unknowns()[i] - test.end[i]);
      if (!(off < 1e-6)) {
        verdict.wrong += model->unknown_name(i) + " is off by " + std::to_string(off) + " ";
      }
    }
    verdict.right = verdict.wrong.empty();
  } catch (const std::exception& error) {
    verdict.refusal = error.what();
  }
  return verdict;
}

bool has(const std::vector<std::size_t>& stack, const std::string& kind) {
  return std::any_of(stack.begin(), stack.end(),
                     [&](std::size_t each) { return kDecorators[each].kind == kind; });
}

// Whether everything is there that the case needs, in the order that `Simulation` takes: reduced,
// to the explicit form where others need it, then sliding, then the rest.
bool is_in_order(const Case& test, const std::vector<std::size_t>& stack) {
  const auto rank = [](std::size_t each) {
    const std::string kind = kDecorators[each].kind;
    return kind == "Reduced" ? 0 : kind == "Sliding" ? 1 : 2;
  };
  const bool sorted = std::is_sorted(
      stack.begin(), stack.end(), [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
  const bool complete = std::all_of(test.needed.begin(), test.needed.end(),
                                    [&](const char* kind) { return has(stack, kind); });
  const bool is_implicit = !test.make()->is_explicit();
  const bool implicit_form =
      !stack.empty() && kDecorators[stack[0]].name == std::string("Reduced, implicit");
  const bool needs_explicit = has(stack, "Sliding") || has(stack, "Resting");
  return sorted && complete && !(is_implicit && implicit_form && needs_explicit);
}

std::string text(const std::vector<std::size_t>& stack) {
  std::string all;
  for (const std::size_t each : stack) {
    all += std::string(all.empty() ? "" : " < ") + kDecorators[each].name;
  }
  return all.empty() ? "nothing around" : all;
}

}  // namespace

TEST_CASE("every ordered choice of up to four decorators is right or refused", "[contract]") {
  for (const Case& test : kCases) {
    for (const auto& stack : stacks(4)) {
      INFO(test.name << ": " << text(stack));
      const Verdict verdict = run(test, stack);
      CHECK(verdict.wrong == "");
      if (verdict.right) {
        continue;
      }
      INFO(verdict.refusal);
      // It names a decorator that leads on, and none that is there for it already.
      CHECK(verdict.refusal.find("Model") != std::string::npos);
      CHECK((verdict.refusal.find("chattering") == std::string::npos || !has(stack, "Sliding")));
      CHECK((verdict.refusal.find("Zeno") == std::string::npos || !has(stack, "Resting")));
      // What is needed, in the right order with bystanders around it, is right.
      CHECK_FALSE(is_in_order(test, stack));
    }
  }
}

}  // namespace saltus::test

// SPDX-License-Identifier: BSD-2-Clause
// Which models cannot be tasks, and what they are told when they become FMUs.
#include "check_scheduled.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "three_tasks.hpp"

namespace {

using Catch::Matchers::Contains;
using namespace saltus::modeling;

enum class What { condition, in_equations, every, at };

template <class Real>
struct Inner {
  OutputClock out{"out"};
  PeriodicClock<Real> tick{"tick", {.interval = 0.1}};
  void equations(Equations<Real>&) {}
  void events(Events<Real>& ev) {
    if (ev.ticks(tick)) ev.tick(out);
  }
};

template <What kWhat>
struct Other {
  template <class Real>
  struct Model {
    static constexpr ModelInfo info{.scheduled = true};
    PeriodicClock<Real> tick{"tick", {.interval = 0.1}};
    Discrete<Real> x{"x"};
    Discrete<int> n{"n"};
    Output<Real> y{"y"};
    void equations(Equations<Real>&) {
      y = x;
      if constexpr (kWhat == What::in_equations) y = x > 0.5 ? x : 0.5 * x;
    }
    void events(Events<Real>& ev) {
      if (ev.ticks(tick)) x = x + 0.1;
      if constexpr (kWhat == What::condition) {
        if (ev.when(x > 0.5)) n = n + 1;
      }
      if constexpr (kWhat == What::every) {
        if (ev.every(0.3)) n = n + 1;
      }
      if constexpr (kWhat == What::at) {
        if (ev.at(0.3)) n = n + 1;
      }
    }
  };
};
template <class Real>
struct WithState {
  static constexpr ModelInfo info{.scheduled = true};
  State<Real> level{"level"};
  PeriodicClock<Real> tick{"tick", {.interval = 0.1}};
  void equations(Equations<Real>&) { der(level) = 1.0; }
  void events(Events<Real>& ev) {
    if (ev.ticks(tick)) level = 0.0;
  }
};
template <class Real>
struct WithoutClock {
  static constexpr ModelInfo info{.scheduled = true};
  Parameter<Real> p{"p", {}};
  Output<Real> y{"y"};
  void equations(Equations<Real>&) { y = p; }
};
template <class Real>
struct WithInner {
  static constexpr ModelInfo info{.scheduled = true};
  Submodel<Inner<Real>> inner{"inner"};
  void equations(Equations<Real>& eq) { inner.equations(eq); }
  void events(Events<Real>& ev) { inner.events(ev); }
};

template <template <class> class M>
std::string refusal() {
  NativeModel<M> model("Model");
  try {
    saltus::fmu_export::check_scheduled(model);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("models that are not made of tasks are refused as such, with the reason") {
  CHECK(refusal<ThreeTasks>().empty());
  CHECK_THAT(refusal<WithState>(),
             Contains("Scheduled Execution") && Contains("\"level\" is an unknown"));
  CHECK_THAT(refusal<Other<What::condition>::Model>(), Contains("the condition 'x > 0.5'"));
  CHECK_THAT(refusal<Other<What::in_equations>::Model>(), Contains("the condition 'x > 0.5'"));
  CHECK_THAT(refusal<Other<What::every>::Model>(), Contains("it has a time event"));
  CHECK_THAT(refusal<Other<What::at>::Model>(), Contains("it has a time event"));
  CHECK_THAT(refusal<WithoutClock>(), Contains("no clock that could tick"));
  CHECK_THAT(refusal<WithInner>(), Contains("\"inner.out\" is a clock of a submodel"));
}

}  // namespace

// SPDX-License-Identifier: BSD-2-Clause
// Bodies of events that ask what was before them.
#include <catch2/catch.hpp>

#include "saltus/gradient.hpp"
#include "saltus/simulation.hpp"
#include "step_models.hpp"

namespace saltus::test {
namespace {

using Catch::Contains;

// The same in two bodies that are due together, and in the opposite order.
template <class Real, bool kTurned>
struct Swap {
  static constexpr ModelInfo info{.stop = 3.5};
  Discrete<int> a{"a", {.start = 1}}, b{"b", {.start = 2}};
  State<Real> x{"x"};
  void equations(Equations<Real>&) { der(x) = 1.0; }
  void first(Events<Real>& ev) {
    if (ev.when(x - 2.0 > -1.0)) a = previous(b);
  }
  void second(Events<Real>& ev) {
    if (ev.when(x > 1.0)) b = previous(a);
  }
  void events(Events<Real>& ev) {
    if constexpr (kTurned) {
      second(ev), first(ev);
    } else {
      first(ev), second(ev);
    }
  }
};
template <class Real>
struct SwapAsWritten : Swap<Real, false> {};
template <class Real>
struct SwapTurned : Swap<Real, true> {};

// In each pass of an event, what the pass before has left: the second body follows the first.
template <class Real>
struct InPasses {
  static constexpr ModelInfo info{.stop = 2.0};
  State<Real> x{"x", {.start = 0.5}};
  Discrete<int> n{"n"}, seen{"seen", {.start = -1}}, own{"own", {.start = -1}};
  void equations(Equations<Real>&) { der(x) = 0.0; }
  void events(Events<Real>& ev) {
    if (ev.at(1.0)) {
      n = 7;
      own = previous(n);
    }
    if (ev.when(n == 7)) {
      n = 8;
      seen = previous(n);
    }
  }
};

// What equations assign has passed through all passes before a body is due.
template <class Real>
struct OfAssigned {
  State<Real> x{"x"};
  Discrete<bool> up{"up"};
  Discrete<int> rises{"rises"};
  void equations(Equations<Real>&) { der(x) = 1.0, up = x > 0.5; }
  void events(Events<Real>& ev) {
    if (ev.when(x > 0.5)) rises += previous(up) ? 100 : 1;
  }
};
template <class Real>
struct OfAssignedLater {
  State<Real> x{"x"};
  Discrete<bool> up{"up"}, late{"late"};
  Discrete<int> rises{"rises"};
  void equations(Equations<Real>&) { der(x) = 1.0, up = x > 0.5; }
  void events(Events<Real>& ev) {
    if (ev.at(0.2)) late = true;
    if (ev.when(late && x > 0.5)) rises += previous(up) ? 100 : 1;
  }
};
template <class Real>
struct InCondition {
  State<Real> x{"x"};
  Discrete<bool> up{"up"};
  void equations(Equations<Real>&) { der(x) = 1.0, up = x > 0.5; }
  void events(Events<Real>& ev) {
    if (ev.when(!previous(up) && up)) ev.terminate();
  }
};
template <class Real>
struct InConditionLater {
  State<Real> x{"x"};
  Discrete<bool> up{"up"};
  void equations(Equations<Real>&) { der(x) = 1.0, up = x > 0.5; }
  void events(Events<Real>& ev) {
    if (ev.when(up && !previous(up))) ev.terminate();
  }
};

// What a body has assigned, and what was before that.
template <class Real>
struct Jumps {
  static constexpr ModelInfo info{.stop = 2.0, .tolerance = 1e-10};
  State<Real> x{"x", {.start = 1.0}};
  Parameter<Real> p{"p", {.start = 3.0}}, t{"t", {.start = 1.0}};
  Discrete<Real> d{"d", {.start = 0.25}};
  void equations(Equations<Real>&) { der(x) = -x; }
  void events(Events<Real>& ev) {
    if (ev.at(t)) {
      x = p;
      x = x + p * previous(x) + previous(d);
      d = 2.0 * p;
      d = d * previous(d);
    }
  }
};

template <class Real>
struct InEquations {
  State<Real> x{"x"};
  void equations(Equations<Real>&) { der(x) = previous(x); }
};
template <class Real>
struct OfWholeInEquations {
  State<Real> x{"x"};
  Discrete<int> n{"n"};
  void equations(Equations<Real>&) { der(x) = previous(n) == 1 ? 1.0 : 2.0; }
};
template <class Real>
struct OfComputed {
  State<Real> x{"x"};
  Discrete<Real> d{"d"};
  Local<Real> y{"y"};
  void equations(Equations<Real>&) { y = x, der(x) = 1.0; }
  void events(Events<Real>& ev) {
    if (ev.at(1.0)) d = previous(y);
  }
};

}  // namespace

TEST_CASE("what was before is exchanged, in whichever order it is written", "[previous]") {
  for (const auto& run : {simulate<SwapAsWritten>(), simulate<SwapTurned>()}) {
    CHECK(run.warnings().empty());
    CHECK(run["a"].back() == 2.0);
    CHECK(run["b"].back() == 1.0);
  }
  const auto run = simulate<Exchange>();
  CHECK(run.warnings().empty());
  const auto check = [&](double t, const std::vector<std::pair<const char*, double>>& values) {
    for (const auto& [name, value] : values) {
      INFO(name << " at " << t);
      CHECK(run.at(t)[name] == value);
    }
  };
  check(1.5, {{"a", 4}, {"b", 3}, {"m", 6}, {"n", 5}, {"on", 0}, {"off", 1}, {"last", 1}});
  check(1.5, {{"lamp", 2}, {"x", -2}, {"y", 1}, {"q[0]", 2}, {"q[1]", 3}, {"q[2]", 1}});
  check(1.5, {{"buckets.left", 2}, {"buckets.right", 1}});
  check(2.5, {{"a", 3}, {"b", 4}, {"m", 5}, {"n", 6}, {"on", 1}, {"off", 0}, {"last", 2}});
  check(2.5, {{"lamp", 0}, {"x", 2}, {"y", -2}, {"q[0]", 3}, {"q[1]", 1}, {"q[2]", 2}});
  check(2.5, {{"buckets.left", 1}, {"buckets.right", 2}});
}

TEST_CASE("previous is what the pass before has left", "[previous]") {
  const auto run = simulate<InPasses>();
  CHECK(run["own"].back() == 0.0);
  CHECK(run["seen"].back() == 7.0);
  CHECK(run["n"].back() == 8.0);
}

TEST_CASE("what was before has derivatives", "[previous]") {
  const auto run = simulate<Jumps>({.sensitivities = {"p", "t", start("x")}});
  const double e = std::exp(-1.0), p = 3.0;
  CHECK(run["x"].back() == Approx((p + p * e + 0.25) * e).epsilon(1e-8));
  CHECK(run["d"].back() == Approx(1.5));
  CHECK(run["d(x)/d(p)"].back() == Approx((1.0 + e) * e).epsilon(1e-7));
  CHECK(run["d(x)/d(start(x))"].back() == Approx(p * e * e).epsilon(1e-7));
  CHECK(run["d(d)/d(p)"].back() == Approx(0.5));
  // x after the jump falls for less time, what was before it for more.
  CHECK(run["d(x)/d(t)"].back() == Approx((p + p * e + 0.25) * e - p * e * e).epsilon(1e-7));
  const auto backwards = gradient<Jumps>("x", {"p", "t", start("x")});
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK(backwards.by()[k] ==
          Approx(run["d(x)/d(" + backwards.names()[k] + ")"].back()).epsilon(1e-6));
  }
}

TEST_CASE("previous is asked for in events, of what events assign", "[previous]") {
  CHECK_THROWS_WITH(NativeModel<InEquations>("m"), Contains("equations() asks for a previous()"));
  CHECK_THROWS_WITH(NativeModel<OfWholeInEquations>("m"),
                    Contains("equations() asks for a previous()"));
  CHECK_THROWS_WITH(NativeModel<InCondition>("m"), Contains("events() asks for a previous()"));
  CHECK_THROWS_WITH(simulate<InConditionLater>({.stop = 1.0}),
                    Contains("events() asks for a previous()"));
  CHECK_THROWS_WITH(NativeModel<OfAssigned>("m"), Contains("'up', which equations() assigns"));
  CHECK_THROWS_WITH(simulate<OfAssignedLater>({.stop = 1.0}),
                    Contains("'up', which equations() assigns"));
  CHECK_THROWS_WITH(NativeModel<OfComputed>("m"),
                    Contains("previous(y): it takes a State, an Algebraic or a Discrete"));
}

}  // namespace saltus::test

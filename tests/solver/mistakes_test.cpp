// SPDX-License-Identifier: BSD-2-Clause
// What a newcomer may write on the first day that compiles and would mean something else.
#include <catch2/catch.hpp>
#include <limits>

#include "saltus/control/mode_controller.hpp"
#include "saltus/dae/reduced_model.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/integrators/dormand_prince.hpp"
#include "saltus/integrators/radau.hpp"
#include "saltus/modeling/native_model.hpp"

namespace saltus::test {
namespace {

using namespace saltus::modeling;
using Catch::Contains;

template <template <class> class M>
void run(double stop = 3.0) {
  NativeModel<M> model{"Model"};
  DormandPrince integrator{model};
  IntegratedModel system{model, integrator};
  ModeController{system}.run({.stop = stop});
}

// Falls, and does at the floor what `Bounce` says.
template <class Real, class Bounce>
struct Ball {
  State<Real> h{"h", {.start = 1.0}};
  State<Real> v{"v"};
  Output<Real> y{"y"};
  Discrete<int> n{"n"};
  void equations(Equations<Real>&) {
    der(h) = v;
    der(v) = -9.81;
    y = 2.0 * h;
  }
  void events(Events<Real>& ev) { Bounce{}(*this, ev); }
};

}  // namespace

// A struct of that name, with the body of `events` given.
#define SALTUS_TEST_BALL(Name, ...)                                                           \
  struct Name##Bounce {                                                                       \
    template <class B, class E>                                                               \
    void operator()(B& b, E& ev) {                                                            \
      auto& [h, v, y, n] = b;                                                                 \
      using Real = std::remove_cvref_t<decltype(ev.time)>;                                    \
      static_cast<void>(sizeof(Real));                                                        \
      static_cast<void>(h), static_cast<void>(v), static_cast<void>(y), static_cast<void>(n); \
      __VA_ARGS__                                                                             \
    }                                                                                         \
  };                                                                                          \
  template <class Real>                                                                       \
  using Name = Ball<Real, Name##Bounce>

namespace {

SALTUS_TEST_BALL(
    PlainIf, if (h < 0.0) {
      h = 0.0;
      v = -v;
    });
SALTUS_TEST_BALL(
    PlainIfCounts, if (h < 0.0 && v < 0.0) { n = n + 1; });
SALTUS_TEST_BALL(
    PlainIfEnds, if (h < 0.5) { ev.terminate(); });
SALTUS_TEST_BALL(
    PlainIfAroundWhen, if (h > 0.5) {
      if (ev.when(v < -1.0)) {
        n = 1;
      }
    });
SALTUS_TEST_BALL(
    TimeIf, if (ev.time > 0.1) { v = 0.0; });
SALTUS_TEST_BALL(
    NoCondition, v = 0.0; if (ev.when(h < 0.0)) { v = -v; });
SALTUS_TEST_BALL(SamplesAlways, y = h;);
SALTUS_TEST_BALL(EndsAtOnce, ev.terminate(););
SALTUS_TEST_BALL(
    StopsDerivative, if (ev.when(h < 0.0)) { der(v) = 0.0; });
SALTUS_TEST_BALL(
    SetsOutput, if (ev.when(h < 0.0)) {
      v = -v;
      y = 1.0;
    });
SALTUS_TEST_BALL(
    SetsOutputLater,
    if (ev.when(n == 0 && h < 0.5)) { n = 1; } if (ev.when(n == 1 && h < 0.2)) { y = 1.0; });
SALTUS_TEST_BALL(
    StopsDerivativeLater, if (ev.when(h < 0.5)) { n = 1; } if (ev.when(n == 1)) { der(v) = 0.0; });
SALTUS_TEST_BALL(
    MovingClock, if (ev.at(2.0 * h)) { n = 1; });
SALTUS_TEST_BALL(
    NestedWhen, if (ev.when(h < 0.5)) {
      if (ev.when(v < 0.0)) {
        n = 1;
      }
    });
SALTUS_TEST_BALL(
    WhenBehindMode, if (n == 0) {
      if (ev.when(h < 0.5)) {
        n = 1;
      }
    });
SALTUS_TEST_BALL(
    EveryBehindMode,
    if (n == 1) {
      if (ev.every(0.1)) {
        v = 0.0;
      }
    } if (ev.when(h < 0.5)) { n = 1; });
SALTUS_TEST_BALL(
    EitherWhen, if (ev.when(h < 0.5) || ev.when(v < -1.0)) { n = n + 1; });
SALTUS_TEST_BALL(
    ChangingLoop, for (int i = 0; i <= n; ++i) {
      if (ev.when(h < 0.5 - 0.1 * i)) {
        n = n + 1;
      }
    });
SALTUS_TEST_BALL(
    Fine, const Real away = v > 0.0 ? Real(v) : Real(-v); if (ev.when(h < 0.0 && abs(v) > 0.1)) {
      h = 0.0;
      v = 0.5 * away;
      n += 1;
    });

template <class Real>
struct OtherWhenBehindMode {
  State<Real> h{"h", {.start = 1.0}};
  Discrete<int> n{"n"};
  void equations(Equations<Real>&) { der(h) = -1.0; }
  void events(Events<Real>& ev) {
    if (n == 0) {
      if (ev.when(h < 0.5)) n = 1;
    } else {
      if (ev.when(h < 0.2)) n = 0;
    }
  }
};
template <class Real>
struct SetsState {
  State<Real> h{"h", {.start = 1.0}};
  void equations(Equations<Real>&) {
    der(h) = -1.0;
    h = 0.3;
  }
};
template <class Real>
struct SetsStateLater {
  State<Real> h{"h", {.start = 1.0}};
  void equations(Equations<Real>&) {
    der(h) = -1.0;
    if (h < 0.5) {
      h = 0.5;
    }
  }
};
template <class Real>
struct SetsAlgebraic {
  State<Real> x{"x", {.start = 1.0}};
  Algebraic<Real> z{"z"};
  void equations(Equations<Real>&) {
    z = 2.0 * x;
    der(x) = -z;
  }
};
template <class Real>
struct NeverSetsOutput {
  State<Real> x{"x"};
  Output<Real> y{"y"};
  void equations(Equations<Real>&) { der(x) = 1.0; }
  void events(Events<Real>& ev) {
    if (ev.when(x > 1.0)) y = 1.0;
  }
};
template <class Real>
struct ForgetsOutput {
  State<Real> x{"x"};
  Output<Real> y{"y"};
  void equations(Equations<Real>&) {
    der(x) = 1.0;
    if (x < 1.0) {
      y = x;
    }
  }
};
template <class Real>
struct ForgetsDerivative {
  State<Real> x{"x"};
  State<Real> w{"w"};
  Discrete<int> mode{"mode"};
  void equations(Equations<Real>&) {
    der(x) = 1.0;
    switch (mode) {
      case 0:
        der(w) = 1.0;
        break;
      case 1:
        break;
    }
  }
  void events(Events<Real>& ev) {
    if (ev.when(x > 1.0)) mode = 1;
  }
};
template <class Real>
struct ReadsLocalEarly {
  State<Real> x{"x", {.start = 1.0}};
  Local<Real> load{"load"};
  void equations(Equations<Real>&) {
    der(x) = -load;
    load = x;
  }
};
template <class Real>
struct ReadsLocalEarlyLater {
  State<Real> x{"x", {.start = 1.0}};
  Local<Real> load{"load"};
  Discrete<bool> loaded{"loaded"};
  void equations(Equations<Real>&) {
    der(x) = loaded ? -load : Real(-1.0);
    load = x;
  }
  void events(Events<Real>& ev) {
    if (ev.when(x < 0.5)) loaded = true;
  }
};
template <class Real>
struct DecidesEarlyLater {
  State<Real> x{"x", {.start = 1.0}};
  Local<Real> load{"load"};
  Discrete<bool> loaded{"loaded"};
  void equations(Equations<Real>&) {
    Real asked = loaded ? Real(load) : Real(1.0);
    der(x) = asked > 0.0 ? -1.0 : -2.0;
    load = x;
  }
  void events(Events<Real>& ev) {
    if (ev.when(x < 0.5)) loaded = true;
  }
};
template <class Real>
struct AddsToDerivative {
  State<Real> x{"x", {.start = 1.0}};
  void equations(Equations<Real>&) {
    for (int i = 0; i < 3; ++i) {
      der(x) += 1.0;
    }
  }
};
template <class Real>
struct CountsInEquations {
  State<Real> x{"x"};
  Discrete<int> n{"n"};
  void equations(Equations<Real>&) {
    der(x) = 1.0;
    n = n + 1;
  }
};
template <class Real>
struct MovingDiscrete {
  State<Real> x{"x"};
  Discrete<Real> last{"last"};
  void equations(Equations<Real>&) {
    der(x) = 1.0;
    last = x;
  }
};
template <class Real>
struct SetsInBoth {
  State<Real> x{"x"};
  Discrete<bool> on{"on"};
  void equations(Equations<Real>&) {
    der(x) = 1.0;
    on = false;
  }
  void events(Events<Real>& ev) {
    if (ev.when(x > 1.0)) on = true;
  }
};
template <class Real>
struct SetsOutsideToo {
  State<Real> x{"x"};
  Discrete<bool> lamp{"lamp", {.causality = Variable::Causality::input}};
  Discrete<bool> on{"on"};
  void equations(Equations<Real>&) { der(x) = 1.0; }
  void events(Events<Real>& ev) {
    if (ev.when(x > 1.0)) on = true;
    on = lamp;
  }
};
template <class Real>
struct CallsCounted {
  State<Real> x{"x"};
  int calls = 0;
  void equations(Equations<Real>&) {
    ++calls;
    der(x) = calls;
  }
};
template <class Real>
struct PlainMember {
  State<Real> x{"x"};
  int bounces = 0;
  void equations(Equations<Real>&) { der(x) = bounces == 0 ? 1.0 : -1.0; }
  void events(Events<Real>& ev) {
    if (ev.when(x > 1.0)) ++bounces;
  }
};
template <class Real>
struct MovedMember {
  std::vector<State<Real>> xs;
  MovedMember() {
    xs.push_back(State<Real>{"x0"});
    xs.push_back(State<Real>{"x1"});
  }
  void equations(Equations<Real>&) {
    der(xs[0]) = 1.0;
    der(xs[1]) = 1.0;
  }
};

template <class Real, int kind>
struct Metadata {
  static constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  static constexpr About kAbout[] = {{.start = kNan},
                                     {.nominal = -1.0},
                                     {.nominal = 0.0},
                                     {.start = 1.0, .min = 2.0, .max = 0.0},
                                     {.start = 3.0, .max = 2.0}};
  State<Real> x{"x", kAbout[kind]};
  void equations(Equations<Real>&) { der(x) = 1.0; }
};
template <class Real>
struct NoRun {
  static constexpr ModelInfo info{.start = 2.0, .stop = 1.0};
  State<Real> x{"x"};
  void equations(Equations<Real>&) { der(x) = 1.0; }
};

// Conditions on a derivative that only an equation gives, by another name.
template <class Real>
struct NamedSlope {
  State<Real> x{"x", {.start = 1.0}};
  Local<Real> slope{"slope"};
  Output<Real> twice{"twice"};
  void equations(Equations<Real>& eq) {
    slope = der(x);
    twice = 2.0 * slope;
    eq(der(x) + x, 0.0);
  }
  void events(Events<Real>& ev) {
    if (ev.when(x < -1.0 || !(twice > 1.0))) x = 0.0;
  }
};
template <class Real>
struct SlopeInLongCondition {
  State<Real> x{"x", {.start = 1.0}};
  Discrete<int> n{"n"};
  void equations(Equations<Real>& eq) { eq(der(x) + x, 0.0); }
  void events(Events<Real>& ev) {
    Real sum = 0.0;
    for (int k = 0; k < 100; ++k) sum = sum + sin(k * x);
    if (ev.when(sum + der(x) > 10.0)) n = n + 1;
  }
};
template <class Real>
struct SlopeInEquations {
  State<Real> x{"x", {.start = 1.0}};
  Local<Real> slope{"slope"};
  void equations(Equations<Real>& eq) {
    slope = 3.0 * der(x);
    eq(der(x), slope > -1.0 ? 1.0 : -x);
  }
};
template <class Real>
struct SlopeInBody {
  State<Real> x{"x", {.start = 1.0}};
  Discrete<Real> last{"last"};
  void equations(Equations<Real>& eq) { eq(der(x) + x, 0.0); }
  void events(Events<Real>& ev) {
    if (ev.when(x < 0.5)) last = der(x);
  }
};
template <class Real>
struct SlopeByAlgebraic {
  State<Real> x{"x", {.start = 1.0}};
  Algebraic<Real> slope{"slope"};
  Discrete<int> n{"n"};
  void equations(Equations<Real>& eq) {
    eq(slope, der(x));
    eq(der(x) + x, 0.0);
  }
  void events(Events<Real>& ev) {
    if (ev.when(slope > -0.5)) n = n + 1;
  }
};

template <class Real>
struct BeyondTheEnd {
  States<Real> x{"x", 2};
  Discrete<int> i{"i"};
  void equations(Equations<Real>&) {
    der(x[0]) = 1.0;
    der(x[1]) = 0.6;
  }
  void events(Events<Real>& ev) {
    if (ev.when(i < 2 && x[static_cast<std::size_t>(i)] > 1.0)) i = i + 1;
  }
};

}  // namespace

TEST_CASE("a plain if in events that anything hangs on is refused", "[mistakes]") {
  CHECK_THROWS_WITH(NativeModel<PlainIf>("m"), Contains("if (ev.when(h < 0))"));
  CHECK_THROWS_WITH(NativeModel<PlainIfCounts>("m"), Contains("if (ev.when(h < 0 && v < 0))"));
  CHECK_THROWS_WITH(NativeModel<PlainIfEnds>("m"), Contains("h < 0.5"));
  CHECK_THROWS_WITH(NativeModel<PlainIfAroundWhen>("m"), Contains("h > 0.5"));
  CHECK_THROWS_WITH(NativeModel<TimeIf>("m"), Contains("time > 0.1"));
  CHECK_NOTHROW(run<Fine>());
}

TEST_CASE("an assignment outside of all bodies is refused", "[mistakes]") {
  CHECK_THROWS_WITH(NativeModel<NoCondition>("m"), Contains("'v' outside of the body"));
  CHECK_THROWS_WITH(NativeModel<SamplesAlways>("m"), Contains("'y' outside of the body"));
  CHECK_THROWS_WITH(NativeModel<EndsAtOnce>("m"), Contains("terminate()"));
}

TEST_CASE("events do not assign what equations give", "[mistakes]") {
  CHECK_THROWS_WITH(NativeModel<StopsDerivative>("m"),
                    Contains("'h < 0'") && Contains("assigns der(v)"));
  CHECK_THROWS_WITH(NativeModel<SetsOutput>("m"), Contains("the output 'y'"));
  CHECK_THROWS_WITH(run<SetsOutputLater>(), Contains("assigns y"));
  CHECK_THROWS_WITH(run<StopsDerivativeLater>(), Contains("assigns der(v)"));
  CHECK_THROWS_WITH(NativeModel<SetsOutsideToo>("m"), Contains("'on'") && Contains("outside"));
  CHECK_THROWS_WITH(NativeModel<SetsInBoth>("m"), Contains("'on'") && Contains("equations()"));
}

TEST_CASE("conditions and clocks are met in every pass", "[mistakes]") {
  CHECK_THROWS_WITH(NativeModel<NestedWhen>("m"), Contains("when() in line"));
  CHECK_THROWS_WITH(run<WhenBehindMode>(), Contains("does not meet the when() in line"));
  CHECK_THROWS_WITH(run<EveryBehindMode>(), Contains("meets the every() in line"));
  CHECK_THROWS_WITH(NativeModel<EitherWhen>("m"), Contains("when() in line"));
  CHECK_THROWS_WITH(NativeModel<MovingClock>("m"), Contains("'2*h', which moves"));
  CHECK_THROWS_WITH(run<ChangingLoop>(), Contains("when() in line"));
  CHECK_THROWS_WITH(run<OtherWhenBehindMode>(), Contains("where the first pass met the when()"));
}

TEST_CASE("equations assign derivatives, outputs and locals, and nothing else", "[mistakes]") {
  CHECK_THROWS_WITH(NativeModel<SetsState>("m"), Contains("assigns the state 'h'"));
  CHECK_THROWS_WITH(run<SetsStateLater>(), Contains("assigns 'h' itself"));
  CHECK_THROWS_WITH(NativeModel<SetsAlgebraic>("m"), Contains("eq(z, ...)"));
  CHECK_THROWS_WITH(NativeModel<CountsInEquations>("m"), Contains("changes the discrete 'n'"));
  CHECK_THROWS_WITH(NativeModel<MovingDiscrete>("m"), Contains("'last'") && Contains("moves"));
}

TEST_CASE("what equations leave without a value is named", "[mistakes]") {
  CHECK_THROWS_WITH(NativeModel<NeverSetsOutput>("m"), Contains("the output 'y'"));
  CHECK_THROWS_WITH(run<ForgetsOutput>(), Contains("does not assign y"));
  CHECK_THROWS_WITH(run<ForgetsDerivative>(), Contains("does not assign der(w)"));
}

TEST_CASE("what equations read before they assign it is named", "[mistakes]") {
  CHECK_THROWS_WITH(NativeModel<ReadsLocalEarly>("m"), Contains("reads 'load' before"));
  CHECK_THROWS_WITH(run<ReadsLocalEarlyLater>(), Contains("reads load before"));
  CHECK_THROWS_WITH(run<DecidesEarlyLater>(), Contains("reads load before"));
  CHECK_THROWS_WITH(NativeModel<AddsToDerivative>("m"), Contains("reads der(x) before"));
}

TEST_CASE("a condition on a derivative that nobody assigns is refused by any name", "[mistakes]") {
  CHECK_THROWS_WITH(NativeModel<NamedSlope>("m"),
                    Contains("needs der(x)") && Contains("eq(der(x)"));
  CHECK_THROWS_WITH(NativeModel<SlopeInLongCondition>("m"), Contains("needs der(x)"));
  CHECK_THROWS_WITH(NativeModel<SlopeInEquations>("m"), Contains("'slope > -1' needs der(x)"));
  CHECK_THROWS_WITH(NativeModel<SlopeInBody>("m"), Contains("events() needs der(x)"));
  CHECK_NOTHROW(NativeModel<SlopeByAlgebraic>("m"));
}

TEST_CASE("only declared variables remember", "[mistakes]") {
  CHECK_THROWS_WITH(NativeModel<CallsCounted>("m"), Contains("der(x)") && Contains("run again"));
  CHECK_THROWS_WITH(NativeModel<PlainMember>("m"), Contains("not declared"));
  CHECK_THROWS_WITH(NativeModel<MovedMember>("m"), Contains("was copied or moved"));
}

namespace {
template <class Real>
using NanStart = Metadata<Real, 0>;
template <class Real>
using NegativeNominal = Metadata<Real, 1>;
template <class Real>
using ZeroNominal = Metadata<Real, 2>;
template <class Real>
using CrossedLimits = Metadata<Real, 3>;
template <class Real>
using StartOutside = Metadata<Real, 4>;
}  // namespace

TEST_CASE("start values, limits and nominal values have to make sense", "[mistakes]") {
  CHECK_THROWS_WITH(NativeModel<NanStart>("m"), Contains("'x' starts at nan"));
  CHECK_THROWS_WITH(NativeModel<NegativeNominal>("m"), Contains("'x' has the nominal value -1"));
  CHECK_THROWS_WITH(NativeModel<ZeroNominal>("m"), Contains("'x' has the nominal value 0"));
  CHECK_THROWS_WITH(NativeModel<CrossedLimits>("m"), Contains("'x' has the limits 2 to 0"));
  CHECK_THROWS_WITH(NativeModel<StartOutside>("m"), Contains("'x' starts at 3"));
  CHECK_THROWS_WITH(NativeModel<NoRun>("m"), Contains("from 2 to 1"));
}

TEST_CASE("an element that does not exist is refused", "[mistakes]") {
  CHECK_THROWS_WITH(run<BeyondTheEnd>(), Contains("x[2] does not exist"));
}

template <class Real>
struct SecondDerivative {
  State<Real> height{"height", {.start = 1.0}};
  void equations(Equations<Real>&) { der(der(height)) = -height; }
};
template <class Real>
struct ImplicitSecondDerivative {
  State<Real> height{"height", {.start = 1.0}};
  void equations(Equations<Real>& eq) { eq(der(der(height)) + height, 0.0); }
};
template <class Real>
struct DerivativeOfProduct {
  State<Real> x{"x", {.start = 1.0}}, y{"y"};
  void equations(Equations<Real>& eq) {
    eq(der(x * y), 1.0);
    der(x) = 1.0;
  }
};
template <class Real>
struct DerivativeOfAlgebraic {
  State<Real> x{"x", {.start = 1.0}};
  Algebraic<Real> z{"z"};
  void equations(Equations<Real>& eq) {
    eq(z, x * x);
    der(x) = der(z);
  }
};

TEST_CASE("a derivative of what is no state is refused in one sentence", "[mistakes]") {
  CHECK_THROWS_WITH(NativeModel<SecondDerivative>("m"),
                    Contains("der(der(height))") && Contains("der(x) = v; der(v) = ...;"));
  CHECK_THROWS_WITH(NativeModel<ImplicitSecondDerivative>("m"), Contains("der(der(height))"));
  CHECK_THROWS_WITH(NativeModel<DerivativeOfProduct>("m"),
                    Contains("der(x*y)") && Contains("eq(s, ...);"));
  CHECK_THROWS_WITH(NativeModel<DerivativeOfAlgebraic>("m"),
                    Contains("der(z)") && Contains("declare it as one"));
}

// What C++ offers for numbers, and what a model cannot mean.
template <class Real>
struct ComparesForEquality {
  State<Real> x{"x", {.start = 1.0}};
  void equations(Equations<Real>&) { der(x) = x == 0.0 ? Real(1.0) : Real(2.0); }
};
template <class Real>
struct WaitsForEquality {
  State<Real> height{"height", {.start = 1.0}}, floor{"floor"};
  void equations(Equations<Real>&) { der(height) = -1.0, der(floor) = 0.0; }
  void events(Events<Real>& ev) {
    if (ev.when(height != 2.0 * floor)) ev.terminate();
  }
};
TEST_CASE("equality is refused in one sentence", "[mistakes]") {
  CHECK_THROWS_WITH(NativeModel<ComparesForEquality>("m"),
                    Contains("x == 0: equality") && Contains("< or >"));
  CHECK_THROWS_WITH(NativeModel<WaitsForEquality>("m"), Contains("height != 2*floor: equality"));
}

template <class Real>
struct HasNoValue {
  Parameter<Real> k{"k"};
  State<Real> x{"x"};
  void equations(Equations<Real>&) { der(x) = k; }
};
TEST_CASE("a parameter without a value is refused in one sentence", "[mistakes]") {
  CHECK_THROWS_WITH(NativeModel<HasNoValue>("m"),
                    Contains("the parameter 'k' has no value") && Contains(".start ="));
}

// What does not compile.
template <class A, class B>
concept Assignable = requires(A& a, const B& b) {
  a = b;
};
template <class A, class B>
concept Increasable = requires(A& a, const B& b) {
  a += b;
};
template <class A>
concept IsDouble = requires(const A& a) {
  static_cast<double>(a);
};

static_assert(!Assignable<Parameter<Locked>, double>);
static_assert(!Assignable<Parameter<Locked>, Parameter<Locked>>);
static_assert(!Increasable<Parameter<Locked>, double>);
static_assert(!Increasable<Input<Locked>, Locked>);
static_assert(!Assignable<Discrete<int>, double>);
static_assert(!Assignable<Discrete<bool>, double>);
static_assert(Assignable<Discrete<int>, int>);
static_assert(Assignable<Discrete<int>, Discrete<int>>);
static_assert(Increasable<Discrete<int>, int>);
static_assert(!IsDouble<State<Locked>>);
static_assert(!std::is_convertible_v<WatchedTruth, int>);

}  // namespace saltus::test

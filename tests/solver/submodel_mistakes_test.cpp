// SPDX-License-Identifier: BSD-2-Clause
// What may go wrong where models stand in models: refused when the whole is constructed, in one
// message that names the member.
#include <catch2/catch.hpp>

#include "saltus/control/mode_controller.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/integrators/dormand_prince.hpp"
#include "saltus/modeling/native_model.hpp"

namespace saltus::test {
namespace {

using namespace saltus::modeling;
using Catch::Contains;

template <class Real>
struct Decay {
  State<Real> x{"x", {.start = 1.0, .max = 10.0}};
  Input<Real> u{"u"};
  Output<Real> y{"y"};
  Discrete<int> n{"n"};
  void equations(Equations<Real>&) {
    y = 2.0 * x;
    der(x) = u - x;
  }
  void events(Events<Real>& ev) {
    if (ev.when(x < 0.5)) n++;
  }
};
// An unknown, no condition: nothing but its equation would be missing.
template <class Real>
struct Resistor {
  Algebraic<Real> v{"v"}, i{"i"};
  void equations(Equations<Real>& eq) { eq(v, 2.0 * i); }
};
template <class Real>
struct Constants {
  Parameter<Real> g{"g", {.start = 9.81}};
};

// Two submodels, with what `Body` does in `equations` and `events`.
template <class Real, class Body>
struct Pair {
  Submodel<Decay<Real>> a{"a"}, b{"b"};
  Discrete<bool> late{"late"};
  Input<Real> w{"w"};
  void equations(Equations<Real>& eq) { Body::equations(*this, eq); }
  void events(Events<Real>& ev) { Body::events(*this, ev); }
};

struct Right {
  static void equations(auto& m, auto& eq) { m.a.equations(eq), m.b.equations(eq); }
  static void events(auto& m, auto& ev) { m.a.events(ev), m.b.events(ev); }
};
struct NoEquations : Right {
  static void equations(auto& m, auto& eq) { m.a.equations(eq); }
};
struct NeitherEquations : Right {
  static void equations(auto&, auto&) {}
};
struct NoEvents : Right {
  static void events(auto& m, auto& ev) { m.b.events(ev); }
};
struct TwiceEquations : Right {
  static void equations(auto& m, auto& eq) { Right::equations(m, eq), m.b.equations(eq); }
};
struct TwiceEvents : Right {
  static void events(auto& m, auto& ev) { Right::events(m, ev), m.a.events(ev); }
};
struct ReadsFirst : Right {
  static void equations(auto& m, auto& eq) {
    m.a.u = m.b.y;
    Right::equations(m, eq);
  }
};
struct ConnectsLate : Right {
  static void equations(auto& m, auto& eq) {
    m.a.equations(eq);
    m.b.u = m.a.y;
    m.b.equations(eq);
    m.a.u = m.b.y;
  }
};
struct AssignsOwnInput : Right {
  static void equations(auto& m, auto& eq) {
    m.w = 1.0;
    Right::equations(m, eq);
  }
};
struct AssignsInputInEvents : Right {
  static void events(auto& m, auto& ev) {
    Right::events(m, ev);
    if (ev.when(m.a.x < 0.7)) m.b.u = 1.0;
  }
};
struct ConnectsSometimes : Right {
  static void equations(auto& m, auto& eq) {
    if (m.late) m.b.u = 3.0;
    Right::equations(m, eq);
  }
  static void events(auto& m, auto& ev) {
    Right::events(m, ev);
    if (ev.when(m.a.x < 0.7)) m.late = true;
  }
};
struct RunsInBranch : Right {
  static void equations(auto& m, auto& eq) {
    m.a.equations(eq);
    if (m.late) m.b.equations(eq);
  }
};

template <class Body>
struct With {
  template <class Real>
  using Model = Pair<Real, Body>;
};
template <class Body>
void construct() {
  NativeModel<With<Body>::template Model> model{"Model"};
}

template <template <class> class M>
void run_model() {
  NativeModel<M> model{"Model"};
  DormandPrince integrator{model};
  IntegratedModel system{model, integrator};
  ModeController{system}.run({.stop = 3.0});
}

template <class Real>
struct SetsItsInput {
  State<Real> x{"x"};
  Input<Real> u{"u"};
  void equations(Equations<Real>&) {
    u = 1.0;
    der(x) = u;
  }
};
template <class Real>
struct SetsItsInputLater {
  State<Real> x{"x"};
  Input<Real> u{"u"};
  void equations(Equations<Real>&) {
    if (x > 1.0) u = 2.0;
    der(x) = 1.0 + u;
  }
};
// Behind a value of a counter that is not tried when the model is made.
template <class Real>
struct SetsItsInputLate {
  State<Real> x{"x"};
  Input<Real> u{"u"};
  Discrete<int> n{"n"};
  void equations(Equations<Real>&) {
    if (n == 123) u = 2.0;
    der(x) = 1.0 + u;
  }
  void events(Events<Real>& ev) {
    if (ev.every(0.01)) n++;
  }
};
template <class Real>
struct Around {
  Submodel<SetsItsInput<Real>> inner{"inner"};
  void equations(Equations<Real>& eq) { inner.equations(eq); }
};
template <class Real>
struct SameNameTwice {
  Submodel<Decay<Real>> a{"a"}, b{"a"};
  void equations(Equations<Real>& eq) { a.equations(eq), b.equations(eq); }
  void events(Events<Real>& ev) { a.events(ev), b.events(ev); }
};
template <class Real>
struct NameOfVariable {
  State<Real> a{"a"};
  Submodel<Decay<Real>> b{"a"};
  void equations(Equations<Real>& eq) { der(a) = 1.0, b.equations(eq); }
  void events(Events<Real>& ev) { b.events(ev); }
};
template <class Real>
struct PlainMembers {
  Decay<Real> a, b;
  void equations(Equations<Real>& eq) { a.equations(eq), b.equations(eq); }
};
template <class Real>
struct NoEventsAtAll {
  Submodel<Decay<Real>> a{"a"};
  void equations(Equations<Real>& eq) { a.equations(eq); }
};
template <class Real>
struct ForgottenResistor {
  State<Real> x{"x"};
  Submodels<Resistor<Real>> r{"r", 2};
  void equations(Equations<Real>& eq) {
    der(x) = r[0].i;
    eq(r[0].v, 1.0);
    r[0].equations(eq);
  }
};
template <class Real>
struct UnknownStart {
  Submodel<Decay<Real>> a{"a", {{"z", 1.0}}};
  void equations(Equations<Real>& eq) { a.equations(eq); }
  void events(Events<Real>& ev) { a.events(ev); }
};
template <class Real>
struct StartBeyond {
  Submodel<Decay<Real>> a{"a", {{"x", 11.0}}};
  void equations(Equations<Real>& eq) { a.equations(eq); }
  void events(Events<Real>& ev) { a.events(ev); }
};
template <class Real>
struct StartOfOutput {
  Submodel<Decay<Real>> a{"a", {{"y", 1.0}}};
  void equations(Equations<Real>& eq) { a.equations(eq); }
  void events(Events<Real>& ev) { a.events(ev); }
};
template <class Real>
struct Dotted {
  Submodel<Constants<Real>> a{"a.b"};
  void equations(Equations<Real>&) {}
};
template <class Real>
struct WithConstants {
  Submodel<Constants<Real>> earth{"earth"};
  State<Real> v{"v"};
  void equations(Equations<Real>&) { der(v) = -earth.g; }
};

}  // namespace

TEST_CASE("a submodel whose equations or events are not run is refused by its name",
          "[submodels][mistakes]") {
  CHECK_NOTHROW(construct<Right>());
  CHECK_NOTHROW(NativeModel<WithConstants>("m"));
  CHECK_THROWS_WITH(construct<NoEquations>(),
                    Contains("the equations of 'b' are never run") && Contains("b.equations(eq);"));
  CHECK_THROWS_WITH(construct<NeitherEquations>(),
                    Contains("the equations of 'a', 'b' are never run"));
  CHECK_THROWS_WITH(construct<RunsInBranch>(), Contains("the equations of 'b' are never run"));
  CHECK_THROWS_WITH(construct<NoEvents>(),
                    Contains("the events of 'a' are never run") && Contains("a.events(ev);"));
  CHECK_THROWS_WITH(NativeModel<NoEventsAtAll>("m"), Contains("the events of 'a' are never run"));
  CHECK_THROWS_WITH(NativeModel<ForgottenResistor>("m"),
                    Contains("the equations of 'r[1]' are never run"));
}

TEST_CASE("a submodel that is run twice in a pass is refused", "[submodels][mistakes]") {
  CHECK_THROWS_WITH(construct<TwiceEquations>(),
                    Contains("the equations of the submodel 'b' 2 times"));
  CHECK_THROWS_WITH(construct<TwiceEvents>(), Contains("the events of the submodel 'a' 2 times"));
}

TEST_CASE("what is read of a submodel has been computed", "[submodels][mistakes]") {
  CHECK_THROWS_WITH(construct<ReadsFirst>(), Contains("reads 'b.y' before") &&
                                                 Contains("run the equations of the submodel 'b'"));
  CHECK_THROWS_WITH(construct<ConnectsLate>(), Contains("reads 'a.u' before"));
}

TEST_CASE("a model assigns inputs of its submodels, in its equations, and no others",
          "[submodels][mistakes]") {
  CHECK_THROWS_WITH(construct<AssignsOwnInput>(), Contains("assigns the input 'w'"));
  CHECK_THROWS_WITH(NativeModel<SetsItsInput>("m"), Contains("assigns the input 'u'"));
  CHECK_THROWS_WITH(NativeModel<Around>("m"), Contains("assigns the input 'inner.u'"));
  CHECK_THROWS_WITH(construct<AssignsInputInEvents>(), Contains("assigns the input 'b.u'"));
  CHECK_THROWS_WITH(NativeModel<SetsItsInputLater>("m"), Contains("assigns the input 'u'"));
  CHECK_THROWS_WITH(run_model<With<ConnectsSometimes>::template Model>(),
                    Contains("the input 'b.u'") && Contains("not in the first one"));
  CHECK_THROWS_WITH(run_model<SetsItsInputLate>(),
                    Contains("the input 'u'") && Contains("not in the first one"));
}

template <class Real>
struct RunsNoEvents {
  Submodel<Resistor<Real>> r{"r"};
  void equations(Equations<Real>& eq) { r.equations(eq), eq(r.v, 1.0); }
  void events(Events<Real>& ev) { r.events(ev); }
};
template <class Real>
struct RunsNoEquations {
  Submodels<Constants<Real>> c{"c", 2};
  void equations(Equations<Real>& eq) { c.equations(eq); }
};

TEST_CASE("what a submodel does not have is refused by its name", "[submodels][mistakes]") {
  CHECK_THROWS_WITH(NativeModel<RunsNoEvents>("m"), Contains("runs the events of 'r'") &&
                                                        Contains("void events(Events<Real>& ev)"));
  CHECK_THROWS_WITH(NativeModel<RunsNoEquations>("m"), Contains("runs the equations of 'c[0]'"));
}

TEST_CASE("submodels have names of their own", "[submodels][mistakes]") {
  CHECK_THROWS_WITH(NativeModel<SameNameTwice>("m"), Contains("are named 'a'"));
  CHECK_THROWS_WITH(NativeModel<NameOfVariable>("m"), Contains("are named 'a'"));
  CHECK_THROWS_WITH(NativeModel<PlainMembers>("m"),
                    Contains("two variables are named 'x'") && Contains("Submodel<"));
  CHECK_THROWS_WITH(NativeModel<Dotted>("m"), Contains("'a.b' has a dot"));
}

TEST_CASE("start values of submodels are checked", "[submodels][mistakes]") {
  CHECK_THROWS_WITH(NativeModel<UnknownStart>("m"),
                    Contains("the submodel 'a' has no variable 'z'"));
  CHECK_THROWS_WITH(NativeModel<StartBeyond>("m"), Contains("'a.x' starts at 11"));
  CHECK_THROWS_WITH(NativeModel<StartOfOutput>("m"), Contains("'a.y' cannot have a start value"));
}

}  // namespace saltus::test

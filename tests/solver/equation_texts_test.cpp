// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/modeling/equation_texts.hpp"

#include <catch2/catch.hpp>

#include "saltus/modeling/native_model.hpp"

using namespace saltus::modeling;

namespace {

template <class Real>
struct Sledge {
  State<Real> x{"x", {}};
  State<Real> v{"v", {.start = 1.0}};
  Parameter<Real> mass{"mass", {.start = 2.0}};
  Input<Real> push{"push", {}};
  Local<Real> force{"force", {}};
  Output<Real> power{"power", {}};
  Discrete<bool> braked{"braked", {}};

  void equations(Equations<Real>& eq) {
    const Real drag = 0.5 * v * abs(v);
    force = push * sin(eq.time) - drag;
    if (v > 0.0) {
      force -= 0.25 * mass;
    }
    der(x) = v;
    der(v) = braked ? Real(0.0) : force / (mass - x);
    power = force * v;
  }
};

template <class Real>
struct Rod {
  State<Real> x{"x", {.start = 1.0}};
  State<Real> y{"y", {}};
  Algebraic<Real> pull{"pull", {}};

  void equations(Equations<Real>& eq) {
    der(x) = -pull * x;
    eq(x * x + y * y, 1.0);
    eq(der(y), -(pull * y) - 9.81);
  }
};

template <class Real>
struct Tower {
  State<Real> x{"x", {.start = 1.0}};
  void equations(Equations<Real>&) {
    Real sum = x;
    for (int i = 0; i < 12; ++i) {
      sum = sin(sum) + sum * x;
    }
    der(x) = sum;
  }
};

template <class Real>
struct Leak {
  State<Real> level{"level", {.start = 1.0}};
  State<Real> flow{"flow", {}};
  Output<Real> speed{"speed", {}};
  void equations(Equations<Real>&) {
    speed = abs(no_event(flow)) + min(2.0, no_event(flow));
    der(level) = -sqrt(19.62 * max(no_event(level), 0.0));
    der(flow) = no_event(level - flow) > 0.0 ? Real(1.0) : -flow;
  }
};

template <class Real>
struct Unfinished {
  State<Real> x{"x", {}};
  Output<Real> a{"a", {}};
  Output<Real> b{"b", {}};
  Discrete<bool> late{"late", {}};
  void equations(Equations<Real>&) {
    if (late) {
      b = a;
    }
    a = x;
    b = a;
    der(x) = b;
  }
};

}  // namespace

TEST_CASE("equations are told as they are written", "[equation_texts]") {
  const EquationTexts texts = equation_texts<Sledge>(0.0);
  CHECK(texts.lines == EquationLines{"force = push*sin(time) - 0.5*v*abs(v)",
                                     "force = force - 0.25*mass", "der(x) = v",
                                     "der(v) = force/(mass - x)", "power = force*v"});
  CHECK_FALSE(texts.cut);
}

TEST_CASE("equations are told for each condition and Boolean turned alone", "[equation_texts]") {
  const EquationTexts texts = equation_texts<Sledge>(0.0);
  REQUIRE(texts.others.size() == 2);
  CHECK(texts.others[0].where == "v > 0 does not hold");
  CHECK(texts.others[0].lines.empty());
  CHECK(texts.others[0].instead_of == EquationLines{"force = force - 0.25*mass"});
  CHECK(texts.others[1].where == "braked is true");
  CHECK(texts.others[1].lines == EquationLines{"der(v) = 0"});
  CHECK(texts.others[1].instead_of == EquationLines{"der(v) = force/(mass - x)"});
}

TEST_CASE("implicit equations are told with both sides", "[equation_texts]") {
  CHECK(equation_texts<Rod>(0.0).lines ==
        EquationLines{"der(x) = -pull*x", "x*x + y*y = 1", "der(y) = -(pull*y) - 9.81"});
}

TEST_CASE("what is compared without events is told as it is written", "[equation_texts]") {
  const EquationTexts texts = equation_texts<Leak>(0.0);
  CHECK(texts.lines == EquationLines{"speed = abs(no_event(flow)) + min(2, no_event(flow))",
                                     "der(level) = -sqrt(19.62*max(no_event(level), 0))",
                                     "der(flow) = 1"});
  REQUIRE(texts.others.size() == 1);
  CHECK(texts.others[0].where == "no_event(level - flow) > 0 is otherwise than at the start");
  CHECK(texts.others[0].lines == EquationLines{"der(flow) = -flow"});
}

TEST_CASE("an equation that is too long to read is cut, and that is told", "[equation_texts]") {
  const EquationTexts texts = equation_texts<Tower>(0.0);
  REQUIRE(texts.lines.size() == 1);
  CHECK(texts.cut);
  CHECK(texts.lines[0].substr(0, 11) == "der(x) = si");
  CHECK(texts.lines[0].substr(texts.lines[0].size() - 3) == "...");
}

TEST_CASE("equations that are wrong elsewhere are told where they are right", "[equation_texts]") {
  const EquationTexts texts = equation_texts<Unfinished>(0.0);
  CHECK(texts.lines == EquationLines{"a = x", "b = a", "der(x) = b"});
  REQUIRE(texts.others.size() == 1);
  CHECK(texts.others[0].where == "late is true");
  CHECK_THAT(texts.others[0].failure, Catch::Contains("reads 'a' before it assigns it"));
}

// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/autodiff/recorded.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "saltus/autodiff/tape_array.hpp"
#include "saltus/modeling/passes.hpp"
#include "saltus/modeling/variables.hpp"

using namespace saltus;
using namespace saltus::modeling;

TEST_CASE("A recording replays the locks") {
  const auto residual = [](const Recorded& x, const Recorded& y) {
    return (x > y && !(y >= 1.0) ? x : -y) + max(x, y) + min(x, y) * 10.0 + abs(x) * 100.0;
  };
  for (const bool first : {true, false}) {
    const Lock taken = first ? Lock::yes : Lock::no;
    std::vector<Lock> locks(4, taken);
    Tape tape;
    {
      Recording r(tape);
      const CursorScope scope(Cursor{.lock = locks.data(), .end = locks.data() + locks.size()});
      r.add_row(residual(r.unknown(0, 0, 0.4), r.unknown(1, 0, 0.7)));
      CHECK(cursor.lock == cursor.end);
      CHECK_THROWS_AS((void)static_cast<bool>(Recorded(1.0) > Recorded(0.0)), std::logic_error);
    }
    TapeArray array(tape, 2);
    std::vector<double> F(1);
    REQUIRE(array.values(0.0, 1.0, 0, std::vector<double>{2.0, 3.0}, F) == Eval::ok);
    CHECK(F[0] == Approx(first ? 2.0 + 2.0 + 30.0 + 200.0 : -3.0 + 3.0 + 20.0 - 200.0));
  }
  const LiveScope live;
  CHECK(static_cast<bool>(Recorded(1.0) > Recorded(0.0)));
  CHECK_FALSE(static_cast<bool>(Recorded(1.0) > Recorded(0.0) && Recorded(1.0) < Recorded(1.0)));
  CHECK(static_cast<bool>(Recorded(1.0) <= Recorded(1.0)));
}

TEST_CASE("Recorded constants need no recording, recorded numbers do") {
  const Recorded product = Recorded(2.0) * 3.0 + sin(Recorded(0.5)) - pow(2.0, Recorded(3.0));
  CHECK(product.value() == Approx(6.0 + std::sin(0.5) - 8.0));
  Tape tape;
  Recorded leaked;
  {
    Recording r(tape);
    leaked = r.time(1.5);
  }
  CHECK_THROWS_AS(leaked + 1.0, std::logic_error);
}

namespace {

template <class Real>
struct Ball {
  State<Real> h{"h", {.start = 1.0}};
  State<Real> v{"v"};
  Parameter<Real> g{"g", {.start = 9.81}};
  Parameter<Real> e{"e", {.start = 0.7}};

  void equations(Equations<Real>&) {
    der(h) = v;
    der(v) = v > 0.0 ? -g - v : -g;
  }
  void events(Events<Real>& ev) {
    if (ev.when(h <= 0.0 && v < 0.0)) {
      h = 0.0;
      v = -e * v;
    }
  }
};

}  // namespace

TEST_CASE("A model is recorded as it is written") {
  ModelOf<Ball, Recorded> ball;
  std::vector<Lock> locks = {Lock::yes};
  Tape tape;
  {
    Recording r(tape);
    const CursorScope scope(Cursor{.lock = locks.data(), .end = locks.data() + 1});
    for (int j = 0; j < 2; ++j) {
      const auto state = static_cast<std::size_t>(j);
      *ball.members.states[state] = r.unknown(j, 0, 1.0);
      *ball.members.numbers[state] = r.number(j, ball.members.numbers[state]->value());
    }
    Equations<Recorded> equations{r.time(0.0)};
    ball.model.equations(equations);
    for (int j = 0; j < 2; ++j) {
      r.add_row(r.unknown(j, 1, 0.0) - *ball.members.derivatives[static_cast<std::size_t>(j)]);
    }
  }
  TapeArray array(tape, 2);
  array.set_numbers(std::vector<double>{9.81, 0.7});
  std::vector<double> F(2);
  REQUIRE(array.values(0.0, 1.0, 0, std::vector<double>{1.0, -2.0, 0.5, 0.25}, F) == Eval::ok);
  CHECK(F[0] == 0.5 + 2.0);
  CHECK(F[1] == Approx(0.25 + 9.81 - 2.0));

  const LiveScope live;
  EventMemory memory{
      .held = {Lock::no}, .clock = {}, .running = true, .imposed = {}, .ticking = {}};
  double z = 0.0;
  EventPass pass{.way = EventPass::Way::judge, .memory = &memory, .z = &z};
  *ball.members.states[0] = Recorded(-0.1);
  *ball.members.states[1] = Recorded(-2.0);
  *ball.members.numbers[1] = Recorded(0.7);
  Events<Recorded> events(pass, Recorded(0.0));
  ball.model.events(events);
  REQUIRE(pass.due == std::vector<std::size_t>{0});
  pass.begin(EventPass::Way::act);
  ball.model.events(events);
  CHECK(ball.model.v.value() == Approx(1.4));
}

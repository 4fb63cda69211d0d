// SPDX-License-Identifier: BSD-2-Clause
// Conditions are named as they are written, also where they ask what is no number.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "saltus/modeling/native_model.hpp"

namespace saltus::test {
namespace {

using namespace saltus::modeling;

enum class Mode { idle, filling };

template <class Real>
struct Named {
  State<Real> x{"x"};
  Discrete<bool> on{"on"};
  Parameter<bool> spare{"spare", {.start = false}};
  Discrete<Mode> mode{"mode"}, wanted{"wanted"};
  Discrete<int> n{"n"};
  Discrete<std::uint8_t> small{"small"};
  void equations(Equations<Real>&) { der(x) = 1.0; }
  void events(Events<Real>& ev) {
    const auto nothing = [](bool) {};
    nothing(ev.when(on));
    nothing(ev.when(!on));
    nothing(ev.when(!spare));
    nothing(ev.when(mode == Mode::filling));
    nothing(ev.when(Mode::filling == mode));
    nothing(ev.when(mode != Mode::idle));
    nothing(ev.when(mode == wanted));
    nothing(ev.when(!(mode == Mode::filling)));
    nothing(ev.when(n >= 3));
    nothing(ev.when(!(n < -2)));
    nothing(ev.when(small == 200U));
    nothing(ev.when(on == false));
    nothing(ev.when(on && x > 1.0));
    nothing(ev.when(!on && x > 2e-7));
    nothing(ev.when(mode == Mode::idle && x > 1.0));
    nothing(ev.when(x > 1.0 || n == 2));
    nothing(ev.when(!on || x < 0.1));
    nothing(ev.when(!on && n % 2 == 0));
    nothing(ev.when(n + small > 4));
    nothing(ev.when(n > 2.5));
    ev.require(!on, "it is on");
  }
};

}  // namespace

TEST_CASE("events are named as they are written", "[names]") {
  NativeModel<Named> model("m");
  const std::vector<std::string> expected{"on",
                                          "!on",
                                          "!spare",
                                          "mode == Mode::filling",
                                          "Mode::filling == mode",
                                          "mode != Mode::idle",
                                          "mode == wanted",
                                          "mode != Mode::filling",
                                          "n >= 3",
                                          "n >= -2",
                                          "small == 200",
                                          "on == false",
                                          "on && x > 1",
                                          "!on && x > 2e-07",
                                          "mode == Mode::idle && x > 1",
                                          "n == 2 || x > 1",
                                          "!on || x < 0.1",
                                          "condition 18 (on, n)",
                                          "condition 19 (n, small)",
                                          "condition 20 (n)",
                                          "on"};
  REQUIRE(model.shape().indicators == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CHECK(model.indicator_name(i) == expected[i]);
  }
}

// What such a comparison is where no name is wanted: a bool.
template <class Real>
struct Plain {
  State<Real> x{"x"};
  Discrete<int> n{"n", {.start = 3}};
  Discrete<bool> on{"on"};
  void equations(Equations<Real>&) {
    const bool is_three = n == 3;
    const auto is_large = n > 2;
    const int count = (n == 3) + (n >= 1) + !on;
    const std::vector<bool> flags{n == 3, n != 3, !on};
    der(x) = is_three && is_large && count == 3 && flags[0] && !flags[1] && flags[2] ? 1.0 : 2.0;
  }
};

TEST_CASE("comparisons of what is no number are bools", "[names]") {
  NativeModel<Plain> model("m");
  double y = 0.0, slope = 0.0;
  model.initialize({}, {&y, 1});
  CHECK_FALSE(model.update_discrete_states(0.0, {&y, 1}).iterate);
  model.enter_continuous_mode(0.0, {&y, 1});
  REQUIRE(model.derivatives(0.0, {&y, 1}, {&slope, 1}) == Eval::ok);
  CHECK(slope == 1.0);
}

}  // namespace saltus::test

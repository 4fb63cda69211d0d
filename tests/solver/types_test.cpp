// SPDX-License-Identifier: BSD-2-Clause
// Variables that are not of the model's scalar type: integers, Booleans, enumerations, Float32,
// strings and binaries, in native runs.
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <string>

#include "all_types.hpp"
#include "saltus/modeling/transitions.hpp"
#include "saltus/simulation.hpp"

using namespace saltus;
using namespace saltus::modeling;
using all_types::AllTypes;
using all_types::AllTypesOfFmi3;
using all_types::Mode;
using Catch::Matchers::Contains;

namespace {

template <template <class> class M>
const Variable& variable(const NativeModel<M>& model, const std::string& name) {
  for (const Variable& v : model.variables()) {
    if (v.name == name) return v;
  }
  throw std::logic_error("no " + name);
}

template <class Real>
struct Branches {
  static constexpr ModelInfo info{.stop = 1.0, .tolerance = 1e-10};
  State<Real> x{"x", {.start = 1.0}};
  State<Real> z{"z", {.start = 0.25}};
  Parameter<Real> k{"k", {.start = 2.0}};
  Parameter<bool> fast{"fast", {.start = true}};
  Parameter<bool> tuned{"tuned", {.start = false, .tunable = true}};
  Parameter<int> n{"n", {.start = 3, .min = 1, .max = 5}};
  Parameter<std::int64_t> shift{"shift", {.start = 2}};
  Output<Real> chosen{"chosen"};
  Output<Real> sum{"sum"};
  Discrete<int> count{"count"};
  Discrete<bool> above{"above"};
  void equations(Equations<Real>&) {
    der(x) = fast ? -k * x : -x;
    der(z) = tuned ? 1.0 : 0.0;
    chosen = x > 0.5 ? k : 0.0;
    Real total = 0.0;
    for (int i = 0; i < n; ++i) {
      total += x * n - shift;
    }
    sum = max(total, -1000 * n);
  }
  void events(Events<Real>& ev) {
    if (ev.when(x < 0.75 && n > 2)) {
      count++;
      count += 2;
      --count;
      above = x > 0.7;
    }
    if (ev.when(tuned && z > 0.5)) above = z > 1.0;
  }
};

}  // namespace

TEST_CASE("a Boolean parameter decides a branch without an event", "[types]") {
  const auto fast = simulate<Branches>();
  CHECK(fast["x"].back() == Approx(std::exp(-2.0)).epsilon(1e-8));
  REQUIRE(fast.events().size() == 2);  // x < 0.75, and x > 0.5 in the choice
  const auto slow = simulate<Branches>({.values = {{"fast", 0.0}, {"n", 1.0}}});
  CHECK(slow["x"].back() == Approx(std::exp(-1.0)).epsilon(1e-8));
  CHECK(slow["count"].back() == 0.0);
  CHECK(slow["fast"].front() == 0.0);
}

TEST_CASE("integers and Booleans stand in arithmetic, loops and choices", "[types]") {
  const auto run = simulate<Branches>({.stop = 0.25, .values = {{"n", 4.0}, {"shift", -1.0}}});
  CHECK(run["count"].back() == 2.0);
  CHECK(run["above"].back() == 1.0);
  CHECK(run["chosen"].front() == 2.0);
  CHECK(run["sum"].back() == Approx(4.0 * (4.0 * run["x"].back() + 1.0)));
  CHECK(simulate<Branches>()["chosen"].back() == 0.0);
}

TEST_CASE("a tunable Boolean parameter comes into force with an event", "[types]") {
  Simulation run = Simulation::of<Branches>();
  run.start();
  run.advance_to(0.5);
  CHECK(run.value("z") == 0.25);
  run.set("tuned", 1.0);
  CHECK_THROWS_WITH(run.set("fast", 0.0), Contains("\"fast\" cannot be set"));
  run.advance_to(1.0);
  CHECK(run.value("z") == Approx(0.75));
  CHECK(run.value("above") == 0.0);  // the condition with it has become true since
}

TEST_CASE("a value that a variable cannot have is refused by its name", "[types]") {
  const auto with = [](const std::string& name, double value) {
    return [=] { return simulate<AllTypes>({.values = {{name, value}}}); };
  };
  CHECK_THROWS_WITH(with("Int8_input", 128.0)(), Contains("\"Int8_input\" cannot be 128"));
  CHECK_THROWS_WITH(with("UInt8_input", -1.0)(), Contains("\"UInt8_input\" cannot be -1"));
  CHECK_THROWS_WITH(with("UInt64_input", -1.0)(), Contains("\"UInt64_input\" cannot be -1"));
  CHECK_THROWS_WITH(with("UInt32_input", 0x1p32)(), Contains("\"UInt32_input\""));
  CHECK_THROWS_WITH(with("Int16_fixed", 101.0)(), Contains("\"Int16_fixed\" cannot be 101"));
  CHECK_THROWS_WITH(with("Int32_input", 0.5)(), Contains("it is a whole number"));
  CHECK_THROWS_WITH(with("fast", 2.0)(), Contains("\"fast\" cannot be 2"));
  CHECK_THROWS_WITH(with("first", 3.0)(),
                    Contains("\"first\" cannot be 3: it is one of 0 (off), 1 (heating)"));
  CHECK_THROWS_WITH(with("gain", 11.0)(), Contains("\"gain\" cannot be 11"));
  CHECK_THROWS_WITH(with("Float32_input", 1e39)(), Contains("\"Float32_input\" cannot be"));
  CHECK_THROWS_WITH(with("label", 1.0)(), Contains("\"label\" is a text, not a number"));
  NativeModel<AllTypes> model("AllTypes");
  CHECK_THROWS_WITH(model.set_whole(variable(model, "Int8_input").index, 1),
                    Contains("cannot be set as a value of this type"));  // of the state x
}

TEST_CASE("variables of every type run natively", "[types]") {
  const auto run = simulate<AllTypesOfFmi3>({.tolerance = 1e-9});
  for (const char* type :
       {"Int8", "UInt8", "Int16", "UInt16", "Int32", "UInt32", "Int64", "UInt64"}) {
    INFO(type);
    CHECK(run[std::string(type) + "_count"].back() == 40.0 + 4.0 * 3.0);
  }
  // Down to 0.6, up to 0.75, down again at half the rate.
  const double first = -std::log(0.6), second = first + 0.15;
  CHECK(run["x"].back() == Approx(0.75 * std::exp(-0.5 * (1.0 - second))).epsilon(1e-7));
  CHECK(run["mode"].back() == 2.0);
  CHECK(run.at(0.5 * (first + second))["mode"] == 1.0);
  CHECK(run["level"].back() == static_cast<double>(0.1F + 0.25F + 0.25F + 0.25F + 0.25F));
  CHECK(run["low"].back() == (run["x"].back() < 0.5 ? 1.0 : 0.0));
  CHECK_THROWS_WITH(run["last"], Contains("\"last\" is a text, and texts are not recorded"));
}

TEST_CASE("texts are given, read, saved and restored by name", "[types]") {
  Simulation run = Simulation::of<AllTypesOfFmi3>({.texts = {{"label", "a"}, {"key", "\x05"}}});
  CHECK(run.text("label") == "a");
  CHECK(run.text("note") == "none");
  run.set("note", "b");
  CHECK_THROWS_WITH(run.text("x"), Contains("\"x\" is a number, not a text"));
  CHECK_THROWS_WITH(run.set("x", "b"), Contains("\"x\" is a number, not a text"));
  run.start();
  CHECK(run.text("last") == "start");
  run.advance_to(0.3);
  CHECK(run.text("last") == "a, b 43");
  const auto here = run.save();
  run.set("note", "c");
  CHECK_THROWS_WITH(run.set("label", "c"), Contains("\"label\" cannot be set"));
  run.set("String_input", "given");
  run.advance_to(0.6);
  CHECK(run.text("last") == "a, c 46");
  CHECK(run.text("String_output") == "given");
  CHECK(run.text("trace") == "\x07\x05");
  run.restore(here);
  run.advance_to(0.6);
  CHECK(run.text("last") == "a, b 46");
  CHECK(run.text("String_output") == "");
  run.reset();
  run.start();
  CHECK(run.text("label") == "a");
  CHECK(run.text("note") == "b");
  CHECK(run.text("trace") == "\x07");
}

TEST_CASE("the state of a model with texts is bytes that only such a model takes", "[types]") {
  NativeModel<AllTypesOfFmi3> one("one"), other("other");
  std::size_t label = 0, count = 0;
  for (std::size_t i = 0; i < one.variables().size(); ++i) {
    label = one.variables()[i].name == "label" ? i : label;
    count = one.variables()[i].name == "UInt64_input" ? i : count;
  }
  one.set_text(label, std::string("zero\0byte", 9));
  one.set_whole(count, -1);
  const auto bytes = one.save();
  other.restore(bytes);
  CHECK(other.text(label) == std::string("zero\0byte", 9));
  CHECK(other.start_text(label) == std::string("zero\0byte", 9));
  CHECK(other.whole(count) == -1);
  CHECK(other.save() == bytes);
  for (const std::size_t length : {bytes.size() - 1, bytes.size() - 20, std::size_t{3}}) {
    CHECK_THROWS_AS(other.restore(std::span(bytes).first(length)), std::invalid_argument);
    CHECK(other.save() == bytes);
  }
  std::vector<std::byte> longer = bytes;
  longer.push_back({});
  CHECK_THROWS_WITH(other.restore(longer), Contains("bytes too many"));
}

namespace {

enum class Gear { reverse = -1, neutral, first };

template <class Real>
struct Shifting {
  State<Real> x{"x"};
  Discrete<Gear> gear{"gear", {.start = Gear::neutral}};
  void equations(Equations<Real>&) { der(x) = gear == Gear::neutral ? 1.0 : 2.0; }
  void events(Events<Real>& ev) {
    Transitions<Real, Gear> shift{ev, gear};
    shift(Gear::neutral, Gear::first, x > 0.5);
    shift(Gear::first, Gear::reverse, x > 1.0);
  }
};

template <class Real>
struct Narrow {
  State<Real> x{"x"};
  Discrete<std::int8_t> n{"n", {.start = 126}};
  void equations(Equations<Real>&) { der(x) = 1.0; }
  void events(Events<Real>& ev) {
    if (ev.every(0.25)) n++;
  }
};

template <class Real>
struct Wild {
  State<Real> x{"x"};
  Discrete<Mode> mode{"mode"};
  void equations(Equations<Real>&) { der(x) = 1.0; }
  void events(Events<Real>& ev) {
    if (ev.every(0.25)) mode = static_cast<Mode>(ev.time > 0.4 ? 5 : 1);
  }
};

}  // namespace

template <>
struct saltus::modeling::EnumerationNames<Gear> {
  static constexpr std::string_view name = "Gear";
  static constexpr EnumerationItem items[] = {{"reverse", -1}, {"neutral", 0}, {"first", 1}};
};

TEST_CASE("the names of an enumeration are found, or said", "[types]") {
  const NativeModel<AllTypes> model("AllTypes");
  const EnumerationType& mode = *variable(model, "mode").enumeration;
  CHECK(mode.name == "Mode");
  REQUIRE(mode.items.size() == 3);
  CHECK(mode.items[2].name == "cooling");
  CHECK(mode.items[2].value == 2);
  const auto run = simulate<Shifting>();
  CHECK(run["gear"].back() == -1.0);
  REQUIRE(run.events().size() == 2);
  CHECK(run.events()[0].conditions.at(0) == "neutral -> first: x > 0.5");
}

TEST_CASE("a discrete variable never wraps around, nor becomes what is no item", "[types]") {
  CHECK_THROWS_WITH(simulate<Narrow>(), Contains("holds -128 to 127 cannot become 127 + 1"));
  CHECK_THROWS_WITH(simulate<Wild>(), Contains("Discrete<Mode> cannot become 5"));
  Discrete<std::uint16_t> n{"n"};
  CHECK_THROWS_AS(n = -1, std::range_error);
  CHECK_THROWS_AS(n = 65536, std::range_error);
  CHECK_THROWS_AS(n -= 1, std::range_error);
  n = 65535L;
  CHECK(n == 65535);
  CHECK_THROWS_AS(n += 1U, std::range_error);
}

namespace {

// The equations are written down for each value of the integer, the Float32 and the text.
template <class Real>
struct Implicit {
  static constexpr ModelInfo info{.stop = 1.0, .tolerance = 1e-9};
  State<Real> x{"x", {.start = 1.0}};
  Algebraic<Real> w{"w", {.start = -1.0}};
  Parameter<int> n{"n", {.start = 1, .tunable = true}};
  Parameter<float> f{"f", {.start = 1.0F, .tunable = true}};
  Parameter<std::string> law{"law", {.start = "decay", .tunable = true}};
  void equations(Equations<Real>& eq) {
    der(x) = w;
    if (law == "decay") {
      eq(w, -n * (f * x));
    } else {
      eq(w, Real(n) * f);
    }
  }
};

template <class Real>
struct Nameless {
  State<Real> x{"x"};
  Parameter<Real> k{2.0};
  void equations(Equations<Real>&) { der(x) = k; }
};

template <class Real>
struct EmptyRange {
  State<Real> x{"x"};
  Parameter<std::uint64_t> n{"n", {.start = 2, .min = 3, .max = 1}};
  void equations(Equations<Real>&) { der(x) = 0.0; }
};

template <class Real>
struct OutsideAtStart {
  State<Real> x{"x"};
  Parameter<int> n{"n", {.start = 0, .min = 3}};
  void equations(Equations<Real>&) { der(x) = n * x; }
};

}  // namespace

TEST_CASE("implicit equations follow integers, Float32 and texts", "[types]") {
  Simulation run = Simulation::of<Implicit>({.method = Method::radau});
  run.start();
  run.advance_to(0.25);
  CHECK(run.value("x") == Approx(std::exp(-0.25)).epsilon(1e-7));
  run.set("n", 2.0);
  run.advance_to(0.5);
  CHECK(run.value("x") == Approx(std::exp(-0.75)).epsilon(1e-7));
  run.set("f", 0.5);
  run.advance_to(0.75);
  CHECK(run.value("x") == Approx(std::exp(-1.0)).epsilon(1e-7));
  run.set("law", "growth");
  run.advance_to(1.0);
  CHECK(run.value("x") == Approx(std::exp(-1.0) + 0.25).epsilon(1e-7));
}

TEST_CASE("what is declared wrongly is refused when the model is made", "[types]") {
  CHECK_THROWS_WITH(NativeModel<Nameless>("m"), Contains("a variable without a name"));
  CHECK_THROWS_WITH(NativeModel<EmptyRange>("m"),
                    Contains("\"n\" cannot be 2: it has to be from 3 to 1"));
  CHECK_THROWS_WITH(NativeModel<OutsideAtStart>("m"),
                    Contains("\"n\" cannot be 0: it has to be from 3 to 2147483647"));
}

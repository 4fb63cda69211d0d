// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "saltus/modeling/native_model.hpp"

namespace saltus::test {
namespace {

using namespace saltus::modeling;

using Knowns = NamedVariables::Knowns;

/// A mass on a spring that stiffens beyond its play, with a switch for its damper.
template <class Real>
struct Spring {
  State<Real> x{"x", {.start = 2.0}};
  State<Real> v{"v", {.start = 1.0}};
  State<Real> other{"other", {.start = 1.0}};
  Input<Real> force{"force"};
  Parameter<Real> k{"k", {.start = 3.0}};
  Parameter<Real> d{"d", {.start = 0.5, .tunable = true}};
  Output<Real> energy{"energy"};
  Output<Real> twice{"twice"};
  Local<Real> pull{"pull"};
  Discrete<bool> damped{"damped", {.start = true}};
  Discrete<int> count{"count"};

  void equations(Equations<Real>& eq) {
    pull = x > 1.0 ? 2.0 * k * (x - 1.0) * (x - 1.0) : -k * x;
    der(x) = v;
    der(v) = pull + force * sin(eq.time) - (damped ? d * v : Real(0.0));
    der(other) = -k * other;
    energy = 0.5 * v * v;
    twice = 2.0 * other;
  }
};

std::size_t position(const NamedVariables& model, const std::string& name) {
  if (name == "time") return kTimePosition;
  const auto variables = model.variables();
  const auto found = std::find_if(variables.begin(), variables.end(),
                                  [&](const Variable& v) { return v.name == name; });
  REQUIRE(found != variables.end());
  return static_cast<std::size_t>(found - variables.begin());
}

using Matrix = std::map<std::pair<std::size_t, std::size_t>, double>;

Matrix matrix(NamedVariables& model, double t, ConstVec y, Knowns knowns) {
  VariableDerivatives* const derivatives = model.variable_derivatives(knowns);
  REQUIRE(derivatives != nullptr);
  std::vector<double> values(derivatives->entries().size());
  REQUIRE(derivatives->evaluate(t, y, values) == Eval::ok);
  Matrix entries;
  for (std::size_t e = 0; e < values.size(); ++e) {
    entries[{derivatives->entries()[e].variable, derivatives->entries()[e].by}] = values[e];
  }
  return entries;
}

/// In continuous-time mode at the start.
template <class M>
std::vector<double> begin(M& model) {
  std::vector<double> y(model.shape().unknowns());
  model.initialize({}, y);
  while (model.update_discrete_states(0.0, y).iterate) {
  }
  model.enter_continuous_mode(0.0, y);
  return y;
}

std::map<std::string, DependencyKind> dependencies_of(NamedVariables& model,
                                                      const std::string& name) {
  for (const VariableDependencies& list : model.dependencies()) {
    if (list.variable == position(model, name)) {
      std::map<std::string, DependencyKind> found;
      for (const auto& dependency : list.dependencies) {
        found[dependency.on == kTimePosition ? "time" : model.variables()[dependency.on].name] =
            dependency.kind;
      }
      return found;
    }
  }
  FAIL("nothing is known of " + name);
  return {};
}

}  // namespace

TEST_CASE("derivatives of variables are those of the configuration in force") {
  NativeModel<Spring> model{"Spring"};
  model.set_number(position(model, "force"), 4.0);
  const std::vector<double> y = begin(model);
  const Matrix at_start = matrix(model, 0.3, y, Knowns::all);
  const auto by = [&](const char* variable, const char* known) {
    const auto entry = at_start.find({position(model, variable), position(model, known)});
    return entry == at_start.end() ? 0.0 : entry->second;
  };
  CHECK(by("der(x)", "v") == 1.0);
  CHECK(by("der(x)", "x") == 0.0);
  CHECK(by("der(v)", "x") == Approx(4.0 * 3.0 * (2.0 - 1.0)));
  CHECK(by("der(v)", "v") == -0.5);
  CHECK(by("der(v)", "force") == Approx(std::sin(0.3)));
  CHECK(by("der(v)", "time") == Approx(4.0 * std::cos(0.3)));
  CHECK(by("der(v)", "k") == Approx(2.0));
  CHECK(by("der(v)", "d") == -1.0);
  CHECK(by("pull", "x") == Approx(12.0));
  CHECK(by("energy", "v") == 1.0);
  CHECK(by("der(other)", "other") == -3.0);

  // Parameters are looked at only where somebody asks.
  const Matrix moving = matrix(model, 0.3, y, Knowns::moving);
  CHECK(moving.count({position(model, "der(v)"), position(model, "k")}) == 0);
  CHECK(moving.at({position(model, "der(v)"), position(model, "x")}) == Approx(12.0));

  // Frozen beyond the surface, and of another configuration after the next update.
  std::vector<double> elsewhere{0.5, 1.0, 1.0};
  CHECK(matrix(model, 0.3, elsewhere, Knowns::moving)
            .at({position(model, "pull"), position(model, "x")}) == Approx(-6.0));
  model.enter_event_mode(0.3, elsewhere);
  while (model.update_discrete_states(0.3, elsewhere).iterate) {
  }
  model.enter_continuous_mode(0.3, elsewhere);
  CHECK(matrix(model, 0.3, elsewhere, Knowns::moving)
            .at({position(model, "pull"), position(model, "x")}) == -3.0);
  // What is set counts at once.
  model.set_number(position(model, "k"), 5.0);
  CHECK(matrix(model, 0.3, elsewhere, Knowns::moving)
            .at({position(model, "pull"), position(model, "x")}) == -5.0);
}

TEST_CASE("dependencies hold in all configurations and know their kinds") {
  using enum DependencyKind;
  using List = std::map<std::string, DependencyKind>;
  NativeModel<Spring> model{"Spring"};
  CHECK(dependencies_of(model, "der(x)") == List{{"v", constant}});
  CHECK(dependencies_of(model, "der(other)") == List{{"other", fixed}});
  CHECK(dependencies_of(model, "twice") == List{{"other", constant}});
  CHECK(dependencies_of(model, "energy") == List{{"v", dependent}});
  // On the surface x = 1 a motion that slides would follow from x and its slope.
  CHECK(dependencies_of(model, "pull") == List{{"x", dependent}, {"v", dependent}});
  CHECK(dependencies_of(model, "der(v)") ==
        List{{"x", dependent}, {"v", dependent}, {"force", dependent}, {"time", dependent}});
}

namespace {

/// `mode` chooses an equation: nobody can know which values it has.
template <class Real>
struct Modes {
  State<Real> x{"x"};
  State<Real> y{"y"};
  Discrete<int> mode{"mode"};
  void equations(Equations<Real>&) {
    der(x) = 1.0;
    der(y) = mode == 17 ? -x : -y;
  }
};

template <class Real>
struct Literal {
  State<Real> x{"x"};
  void equations(Equations<Real>&) { der(x) = no_event(x) > 0.0 ? Real(x) : Real(1.0); }
};

template <class Real>
struct Relay {
  State<Real> x{"x", {.start = 1.0}};
  State<Real> y{"y"};
  Discrete<bool> on{"on"};
  void equations(Equations<Real>&) {
    der(x) = on ? -1.0 : 1.0;
    der(y) = -y;
  }
  void events(Events<Real>& ev) {
    if (ev.when(x + y > 0.0)) on = true;
    if (ev.when(x + y < 0.0)) on = false;
  }
};

}  // namespace

TEST_CASE("where dependencies cannot be known none are given") {
  NativeModel<Modes> modes{"Modes"};
  CHECK(modes.dependencies().empty());
  NativeModel<Literal> literal{"Literal"};
  CHECK(literal.dependencies().empty());
  begin(literal);
  CHECK(literal.variable_derivatives(Knowns::moving) == nullptr);
  // What changes with `on` may slide on a surface of `events`.
  NativeModel<Relay> relay{"Relay"};
  const auto known = relay.dependencies();
  REQUIRE(known.size() == 1);
  CHECK(known[0].variable == position(relay, "der(y)"));
}

namespace {

/// One combination of eight flags out of 256 has another equation.
template <class Real>
struct Safe {
  State<Real> x{"x"};
  State<Real> y{"y"};
  Discrete<bool> a{"a"}, b{"b"}, c{"c"}, d{"d"}, e{"e"}, f{"f"}, g{"g"}, h{"h"};
  void equations(Equations<Real>&) {
    der(x) = a && !b && c && !d && !e && f && !g && h ? -y : -x;
    der(y) = -y;
  }
};

}  // namespace

TEST_CASE("a configuration that hardly anybody comes to has its dependencies, too") {
  NativeModel<Safe> model{"Safe"};
  CHECK(dependencies_of(model, "der(x)").count("y") == 1);
  CHECK(dependencies_of(model, "der(y)").count("x") == 0);
}

namespace {

/// Equations by chance: each instruction computes a number from earlier ones.
struct Instruction {
  int op = 0;
  std::size_t a = 0, b = 0, c = 0, d = 0;
};
std::vector<Instruction> program;
constexpr std::size_t kStates = 5;
constexpr std::size_t kInstructions = 14;

template <class Real>
struct Random {
  States<Real> x{"x", kStates};
  Input<Real> u1{"u1"};
  Input<Real> u2{"u2"};
  Parameter<Real> p{"p", {.start = 0.7}};
  Output<Real> y1{"y1"};
  Output<Real> y2{"y2"};
  Discrete<bool> f1{"f1"};
  Discrete<bool> f2{"f2"};

  void equations(Equations<Real>& eq) {
    std::vector<Real> r;
    for (std::size_t i = 0; i < kStates; ++i) r.push_back(x[i]);
    r.insert(r.end(), {Real(u1), Real(u2), Real(p), eq.time});
    for (const Instruction& i : program) {
      const Real a = r[i.a];
      const Real b = r[i.b];
      switch (i.op) {
        case 0:
          r.push_back(a + b);
          break;
        case 1:
          r.push_back(a * b);
          break;
        case 2:
          r.push_back(sin(a) - 0.5 * b);
          break;
        case 3:
          r.push_back(max(a, b));
          break;
        case 4:
          r.push_back(a > b ? r[i.c] : r[i.d]);
          break;
        case 5:
          r.push_back(f1 ? a : b);
          break;
        default:
          r.push_back(f2 && a < b ? r[i.c] : r[i.d]);
          break;
      }
    }
    for (std::size_t i = 0; i < kStates; ++i) der(x[i]) = r[r.size() - 1 - i];
    y1 = r[r.size() - 6];
    y2 = r[r.size() - 7];
  }
};

}  // namespace

TEST_CASE("random equations: derivatives equal differences, dependencies cover them") {
  std::mt19937_64 random(7);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  std::uniform_real_distribution<double> value(-2.0, 2.0);
  std::size_t compared = 0;
  std::size_t declared = 0;
  for (int model_number = 0; model_number < 200; ++model_number) {
    program.clear();
    for (std::size_t i = 0; i < kInstructions; ++i) {
      const std::size_t n = kStates + 4 + i;
      program.push_back({static_cast<int>(below(7)), below(n), below(n), below(n), below(n)});
    }
    NativeModel<Random> model{"Random"};
    std::map<std::size_t, std::vector<std::size_t>> lists;
    for (const VariableDependencies& list : model.dependencies()) {
      for (const auto& dependency : list.dependencies) {
        lists[list.variable].push_back(dependency.on);
      }
      lists.try_emplace(list.variable);
    }
    declared += lists.size();
    for (int point = 0; point < 20; ++point) {
      std::vector<double> y(kStates);
      model.set_whole(position(model, "f1"), random() % 2);
      model.set_whole(position(model, "f2"), random() % 2);
      model.set_number(position(model, "u1"), value(random));
      model.set_number(position(model, "u2"), value(random));
      for (std::size_t i = 0; i < kStates; ++i) {
        model.set_number(position(model, "x[" + std::to_string(i) + "]"), value(random));
      }
      model.initialize({}, y);
      while (model.update_discrete_states(0.4, y).iterate) {
      }
      model.enter_continuous_mode(0.4, y);
      const Matrix exact = matrix(model, 0.4, y, Knowns::all);
      for (const auto& [place, entry] : exact) {
        const auto list = lists.find(place.first);
        const bool is_parameter = place.second == position(model, "p");
        if (list != lists.end() && !is_parameter && entry != 0.0) {
          INFO("model " << model_number << ": " << model.variables()[place.first].name);
          REQUIRE(std::count(list->second.begin(), list->second.end(), place.second) == 1);
        }
      }
      // Along one state, by central differences of two widths.
      const std::size_t moved = below(kStates);
      const auto slope = [&](double h) {
        std::vector<double> sides[2];
        for (const int side : {0, 1}) {
          std::vector<double> z = y;
          z[moved] += side == 0 ? -h : h;
          REQUIRE(model.evaluate(0.4, z) == Eval::ok);
          for (const std::size_t v : computed_variables(model.variables())) {
            sides[side].push_back(model.number(v));
          }
        }
        for (std::size_t i = 0; i < sides[0].size(); ++i) {
          sides[1][i] = (sides[1][i] - sides[0][i]) / (2.0 * h);
        }
        return sides[1];
      };
      const std::vector<double> coarse = slope(2e-3);
      const std::vector<double> fine = slope(1e-3);
      const std::vector<std::size_t> rows = computed_variables(model.variables());
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const double expected = fine[i] + (fine[i] - coarse[i]) / 3.0;
        const auto entry =
            exact.find({rows[i], position(model, "x[" + std::to_string(moved) + "]")});
        const double given = entry == exact.end() ? 0.0 : entry->second;
        REQUIRE(given == Approx(expected).epsilon(1e-6).margin(1e-6 * (1.0 + std::fabs(fine[i]))));
        ++compared;
      }
    }
  }
  CHECK(compared > 20000);
  CHECK(declared > 1000);  // of 1400
}

}  // namespace saltus::test

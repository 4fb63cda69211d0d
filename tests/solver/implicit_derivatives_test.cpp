// SPDX-License-Identifier: BSD-2-Clause
// Derivatives of the variables of implicit models, through the solution of their equations.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "saltus/control/reduced_described_model.hpp"
#include "saltus/modeling/native_model.hpp"

using namespace saltus;
using namespace saltus::modeling;
using Knowns = NamedVariables::Knowns;

namespace {

/// A diode in a loop: index 1, the algebraics follow everything.
template <class Real>
struct DiodeLoop {
  State<Real> q{"q", {.start = 0.5}};
  Algebraic<Real> v{"v", {.start = 0.3}};
  Algebraic<Real> i{"i", {.start = 0.1}};
  Input<Real> source{"source", {.start = 1.0}};
  Parameter<Real> R{"R", {.start = 2.0}};
  Parameter<Real> C{"C", {.start = 3.0}};
  Output<Real> power{"power"};
  Local<Real> charge_rate{"charge_rate"};
  void equations(Equations<Real>& eq) {
    der(q) = i;
    eq(i, 0.1 * (exp(2.0 * v) - 1.0));
    eq(source * sin(eq.time + 1.0), R * i + v + q / C);
    power = v * i;
    charge_rate = der(q) * der(q);
  }
};

/// A bead on a parabola that rises with the time, in three directions: index 3, with everything.
template <class Real>
struct Bead {
  State<Real> x{"x", {.start = 0.4}}, y{"y", {.start = 0.3}}, z{"z", {.start = 0.2}};
  State<Real> u{"u", {.start = 0.5}}, v{"v", {.start = -0.2}}, w{"w", {.start = 0.3}};
  Algebraic<Real> force{"force"};
  Input<Real> wind{"wind", {.start = 0.1}};
  Parameter<Real> width{"width", {.start = 0.8}};
  Parameter<Real> gravity{"gravity", {.start = 9.81}};
  Output<Real> pressure{"pressure"};
  void equations(Equations<Real>& eq) {
    der(x) = u;
    der(y) = v;
    der(z) = w;
    eq(der(u), wind - 2.0 * force * x / width);
    eq(der(v), -2.0 * force * y);
    eq(der(w), force - gravity);
    eq(z + 0.1 * sin(eq.time), x * x / width + y * y);
    pressure = force * sqrt(1.0 + x * x) + der(w);
  }
};

/// A clutch: while it is closed, one speed too many is a state.
template <class Real>
struct Clutch {
  State<Real> a{"a", {.start = 1.0}}, b{"b", {.start = 0.5}};
  Algebraic<Real> torque{"torque"};
  Parameter<Real> J{"J", {.start = 2.0}};
  Discrete<bool> closed{"closed"};
  void equations(Equations<Real>& eq) {
    eq(J * der(a), 1.0 - torque - 0.1 * a * a);
    eq(der(b), torque - 0.3 * b);
    eq(closed ? a - b : Real(torque), 0.0);
  }
  void events(Events<Real>& ev) {
    if (ev.at(1.0)) closed = true;
  }
};

template <template <class> class M>
ReducedDescribedModel explicit_form() {
  return {std::make_unique<NativeModel<M>>("model"),
          {.form = ReductionOptions::Form::explicit_form}};
}

std::vector<double> begin(ReducedDescribedModel& model) {
  std::vector<double> y(model.shape().unknowns());
  model.initialize({}, y);
  while (model.update_discrete_states(0.0, y).iterate) {
  }
  model.enter_continuous_mode(0.0, y);
  return y;
}

/// Beside a point.
class Beside {
 public:
  Beside(ReducedDescribedModel& model, double t, std::vector<double> y)
      : model_(model), t_(t), y_(std::move(y)) {}
  /// How fast a variable changes with another one, by three differences that are extrapolated.
  double rate(std::size_t variable, std::size_t by) {
    const double h = 2e-3;
    const double wide = difference(variable, by, 4.0 * h), half = difference(variable, by, 2.0 * h),
                 narrow = difference(variable, by, h);
    const double first = half + (half - wide) / 3.0, second = narrow + (narrow - half) / 3.0;
    return second + (second - first) / 15.0;
  }

 private:
  double difference(std::size_t variable, std::size_t by, double h) {
    return (value(variable, by, h) - value(variable, by, -h)) / (2.0 * h);
  }
  double value(std::size_t variable, std::size_t by, double h) {
    if (by == kTimePosition) {
      return read(variable, t_ + h, y_);
    }
    const Variable& known = model_.variables()[by];
    if (known.role == Variable::Role::state) {
      std::vector<double> y = y_;
      y[known.index] += h;
      return read(variable, t_, y);
    }
    const double before = model_.number(by);
    model_.set_number(by, before + h);
    const double value = read(variable, t_, y_);
    model_.set_number(by, before);
    return value;
  }
  double read(std::size_t variable, double t, const std::vector<double>& y) {
    REQUIRE(model_.evaluate(t, y) == Eval::ok);
    return model_.number(variable);
  }

  ReducedDescribedModel& model_;
  double t_;
  std::vector<double> y_;
};

/// Compares all derivatives at a point with differences; answers how many there were.
std::size_t compare_all(ReducedDescribedModel& model, double t, const std::vector<double>& y) {
  VariableDerivatives* const derivatives = model.variable_derivatives(Knowns::all);
  REQUIRE(derivatives != nullptr);
  const std::vector<VariableDerivatives::Entry> entries(derivatives->entries().begin(),
                                                        derivatives->entries().end());
  std::vector<double> values(entries.size());
  REQUIRE(derivatives->evaluate(t, y, values) == Eval::ok);
  Beside beside(model, t, y);
  std::size_t compared = 0;
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const bool by_time = entries[e].by == kTimePosition;
    if (!by_time && model.variables()[entries[e].by].role == Variable::Role::discrete) continue;
    INFO(model.variables()[entries[e].variable].name
         << " by " << (by_time ? "time" : model.variables()[entries[e].by].name));
    const double expected = beside.rate(entries[e].variable, entries[e].by);
    CHECK(values[e] == Approx(expected).epsilon(1e-7).margin(1e-8));
    ++compared;
  }
  return compared;
}

template <template <class> class M>
void compare_at_random(double spread) {
  ReducedDescribedModel model = explicit_form<M>();
  const std::vector<double> start = begin(model);
  std::mt19937 random(1);  // NOLINT(cert-msc51-cpp): each run is to find the same
  std::uniform_real_distribution<double> some(-spread, spread);
  for (int i = 0; i < 5; ++i) {
    std::vector<double> y = start;
    std::for_each(y.begin(), y.end(), [&](double& value) { value += some(random); });
    CHECK(compare_all(model, 0.2 + 0.1 * i, y) > 0);
  }
}

}  // namespace

TEST_CASE("algebraics are differentiated through the equations that determine them",
          "[derivatives]") {
  compare_at_random<DiodeLoop>(0.2);
}

TEST_CASE("states under constraints are differentiated through the nearest point",
          "[derivatives]") {
  compare_at_random<Bead>(0.0);
  compare_at_random<Bead>(0.02);
}

TEST_CASE("derivatives are those of the index in force", "[derivatives]") {
  ReducedDescribedModel model = explicit_form<Clutch>();
  std::vector<double> y = begin(model);
  CHECK(compare_all(model, 0.5, y) > 0);
  model.enter_event_mode(1.0, y);
  while (model.update_discrete_states(1.0, y).iterate) {
  }
  model.enter_continuous_mode(1.0, y);
  CHECK(y[0] == Approx(y[1]));
  CHECK(compare_all(model, 1.0, y) > 0);
  CHECK(compare_all(model, 1.1, {0.9, 0.8}) > 0);
}

TEST_CASE("equations that are not solved by themselves have no derivatives of variables",
          "[derivatives]") {
  NativeModel<DiodeLoop> model{"model"};
  CHECK(model.variable_derivatives(Knowns::all) == nullptr);
  REQUIRE(model.equation_derivatives(Knowns::moving) != nullptr);
  CHECK(model.equation_derivatives(Knowns::moving)->given().size() == 1);  // the input
  CHECK(model.equation_derivatives(Knowns::all)->given().size() == 3);
  ReducedDescribedModel in_event_mode = explicit_form<DiodeLoop>();
  CHECK(in_event_mode.variable_derivatives(Knowns::all) == nullptr);
}

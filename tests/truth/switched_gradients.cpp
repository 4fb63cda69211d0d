// SPDX-License-Identifier: BSD-2-Clause
// Three linear motions that switch, bend, jump and are sampled, with random numbers: what goes back
// along a run is what goes forwards beside it, and what differences of other runs are.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "saltus/gradient.hpp"
#include "truth.hpp"

namespace saltus::truth {
namespace {

using namespace modeling;

// Conditions of equations leave the motion across their own surface as it is, so that nothing
// slides.
template <class Real>
struct Switched {
  State<Real> x{"x"}, y{"y"}, z{"z"};
  Parameter<Real> a{"a", {.start = 1.0}}, b{"b", {.start = 1.0}}, c{"c", {.start = 1.0}};
  Parameter<Real> d{"d", {.start = 1.0}}, e{"e", {.start = 1.0}}, f{"f", {.start = 1.0}};
  Parameter<Real> level{"level", {.start = 0.0}}, bend{"bend", {.start = 0.0}};
  Parameter<Real> top{"top", {.start = 1.0}}, bottom{"bottom", {.start = -1.0}};
  Parameter<Real> share{"share", {.start = 0.3}}, push{"push", {.start = 0.5}};
  Parameter<Real> period{"period", {.start = 0.7}}, late{"late", {.start = 1.7}};
  Parameter<Real> frequency{"frequency", {.start = 2.0}};
  Discrete<Real> held{"held"};
  Discrete<int> mode{"mode"};
  Output<Real> mixed{"mixed"};

  void equations(Equations<Real>& eq) {
    der(x) = -a * x + b * y + sin(frequency * eq.time);
    der(y) = (x > level ? Real(c) : -d) - 0.3 * y + (mode == 1 ? Real(held) : Real(0.5));
    der(z) = e * max(x, bend) - f * z + abs(y - x) + (eq.time > late ? Real(b) : Real(0.0));
    mixed = x * y + z * held;
  }
  void events(Events<Real>& ev) {
    if (ev.when(y > top)) {
      y = y - (1.0 + share) * (y - bottom);
      z = z + push * x * ev.time;
      mode = 1 - mode;
    }
    if (ev.when(y < bottom - 1.0 && z > 0.0)) y = y + push;
    if (ev.every(period)) held = 0.5 * held + share * x;
    if (ev.at(late * 1.3)) x = x + push * z;
  }
};

Verdict run(std::uint64_t seed) {
  Random random(seed);
  SimulationOptions options{
      .stop = random.uniform(2.0, 6.0), .tolerance = 1e-11, .report_interval = kNever};
  for (const char* name : {"a", "b", "c", "d", "e", "f"}) {
    options.values[name] = random.uniform(0.3, 2.0);
  }
  for (const char* name : {"x", "y", "z", "level", "bend"}) {
    options.values[name] = random.uniform(-0.4, 0.4);
  }
  options.values["top"] = random.uniform(0.5, 1.2);
  options.values["bottom"] = -random.uniform(0.2, 1.0);
  for (const char* name : {"share", "push"}) options.values[name] = random.uniform(0.1, 0.8);
  options.values["period"] = random.uniform(0.2, 1.0);
  options.values["late"] = random.uniform(0.5, 3.0);
  options.values["frequency"] = random.uniform(1.0, 4.0);
  options.method = random.chance(0.3)   ? Method::radau
                   : random.chance(0.2) ? Method::adams
                                        : Method::automatic;

  const char* const names[] = {"x", "y", "z", "mixed", "held"};
  const std::string of = names[random.integer(0, 4)];
  const Gradient back = gradient<Switched>(of, {}, options);
  double largest = 1.0;
  for (const double each : back.by()) largest = std::max(largest, std::fabs(each));

  SimulationOptions forwards = options;
  forwards.sensitivities = back.names();
  const SimulationResult beside = simulate<Switched>(forwards);
  if (!beside.warnings().empty()) return refused(beside.warnings().front().message);
  for (std::size_t k = 0; k < back.names().size(); ++k) {
    const std::string slope = "d(" + of + ")/d(" + back.names()[k] + ")";
    const double got = back.by()[k], right = beside[slope].back();
    // Both have errors of the tolerance, times how much these grow on the way.
    if (!(std::fabs(got - right) <= 1e-7 * largest)) {
      return wrong(slope + " = " + std::to_string(got) + ", forwards " + std::to_string(right));
    }
  }
  // One of them from two other runs, if these have the same events.
  const auto k =
      static_cast<std::size_t>(random.integer(0, static_cast<int>(back.names().size()) - 1));
  const std::string& name = back.names()[k];
  const std::string variable = name.rfind("start(", 0) == 0 ? name.substr(6, 1) : name;
  const auto end = [&](double moved) {
    SimulationOptions other = options;
    other.tolerance = 1e-13;
    other.values[variable] += moved;
    return simulate<Switched>(other);
  };
  const auto difference = [&](double step) {
    const SimulationResult ahead = end(step), behind = end(-step);
    // A sample and a surface may change places, and no difference knows of that.
    const bool alike = std::equal(
        ahead.events().begin(), ahead.events().end(), behind.events().begin(),
        behind.events().end(),
        [](const auto& one, const auto& other) { return one.conditions == other.conditions; });
    return alike ? std::optional((ahead[of].back() - behind[of].back()) / (2.0 * step))
                 : std::nullopt;
  };
  const auto coarse = difference(2e-6), fine = difference(1e-6);
  // Of rounding in the values; of the third derivative, near a surface that is all but touched, the
  // other difference tells.
  if (coarse && fine &&
      !(std::fabs(back.by()[k] - *fine) <= 1e-5 * largest + std::fabs(*fine - *coarse))) {
    return wrong(of + " by " + name + " = " + std::to_string(back.by()[k]) + ", from differences " +
                 std::to_string(*fine));
  }
  return right();
}

const Family kFamily{"switched_gradients", "linear motions that switch, bend and jump, backwards",
                     run};

}  // namespace
}  // namespace saltus::truth

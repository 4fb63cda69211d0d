// SPDX-License-Identifier: BSD-2-Clause
// Three bodies that rub on each other and on the ground, and conditions that join what is zero
// where some of them stick: on one surface, on two, and on sums.
#include <algorithm>

#include "counted_rows.hpp"
#include "saltus/simulation.hpp"

namespace saltus::truth {
namespace {

using namespace modeling;

template <class Real>
struct JoinedPile {
  Parameter<Real> pull1{"pull1", {.start = 1.5}}, pull2{"pull2", {.start = 0.0}},
      pull3{"pull3", {.start = 0.0}}, w1{"w1", {.start = 1.0}}, w2{"w2", {.start = 1.0}};
  Parameter<Real> upper{"upper", {.start = 0.7}}, lower{"lower", {.start = 0.5}},
      ground{"ground", {.start = 0.4}}, drift{"drift", {.start = 0.3}};
  State<Real> v1{"v1"}, v2{"v2"}, v3{"v3"}, x{"x"};
  Discrete<int> both{"both"}, either{"either"}, together{"together"}, three{"three"}, late{"late"},
      faster{"faster"}, behind{"behind"}, apart{"apart"};
  void equations(Equations<Real>& eq) {
    const Real f = v1 - v2 > 0.0 ? -upper : Real(upper);
    const Real g = v2 - v3 > 0.0 ? -lower : Real(lower);
    const Real h = v3 > 0.0 ? -ground : Real(ground);
    der(v1) = pull1 * sin(w1 * eq.time) + f;
    der(v2) = pull2 * sin(w2 * eq.time) + g - f;
    der(v3) = pull3 * cos(w1 * eq.time) + h - g;
    der(x) = v1 + drift;
  }
  void events(Events<Real>& ev) {
    if (ev.when(v1 > 0.0 && v2 > 0.0)) both = both + 1;
    if (ev.when(v1 - v2 > 0.0 || v2 - v3 > 0.0)) either = either + 1;
    if (ev.when(!(v1 - v2 > 0.0) && v3 <= 0.0)) together = together + 1;
    if (ev.when(v1 > 0.0 && x > 0.5 && v3 <= 0.0)) three = three + 1;
    if (ev.when((v1 > 0.0 || v2 > 0.0) && ev.time > 2.0)) late = late + 1;
    if (ev.when(v1 > v2 && v2 > v3)) faster = faster + 1;
    if (ev.when(v1 - v3 <= 0.0 || x > 1.0)) behind = behind + 1;
    if (ev.when(!(v2 > 0.0 && x > 0.3))) apart = apart + 1;
  }
};

Verdict judge(const SimulationOptions& given, const SimulationResult& run) {
  const auto v1 = run["v1"], v2 = run["v2"], v3 = run["v3"], x = run["x"];
  const auto t = run.time();
  using Row = std::size_t;
  return judge_counts(
      run,
      {{"both", [&](Row i, double r) { return v1[i] > r && v2[i] > r; }},
       {"either", [&](Row i, double r) { return v1[i] - v2[i] > r || v2[i] - v3[i] > r; }},
       {"together", [&](Row i, double r) { return !(v1[i] - v2[i] > r) && !(v3[i] > r); }},
       {"three", [&](Row i, double r) { return v1[i] > r && x[i] > 0.5 && !(v3[i] > r); }},
       {"late", [&](Row i, double r) { return (v1[i] > r || v2[i] > r) && t[i] > 2.0; }},
       {"faster", [&](Row i, double r) { return v1[i] - v2[i] > r && v2[i] - v3[i] > r; }},
       {"behind", [&](Row i, double r) { return !(v1[i] - v3[i] > r) || x[i] > 1.0; }},
       {"apart", [&](Row i, double r) { return !(v2[i] > r && x[i] > 0.3); }}},
      {.fine = 1e-9, .coarse = std::max(1e-8, *given.tolerance)},
      close_events(run, *given.report_interval));
}

Verdict run(std::uint64_t seed) {
  Random random(seed);
  SimulationOptions given{
      .stop = 8.0, .tolerance = random.log_uniform(1e-9, 1e-4), .report_interval = 8.0 / 16000.0};
  auto& values = given.values;
  values["pull1"] = random.uniform(0.3, 3.0);
  for (const char* other : {"pull2", "pull3"}) {
    values[other] = random.chance(0.4) ? 0.0 : random.uniform(-1.0, 2.0);
  }
  values["w1"] = random.uniform(0.5, 3.0);
  values["w2"] = random.chance(0.5) ? values["w1"] : random.uniform(0.5, 4.0);
  for (const char* friction : {"upper", "lower", "ground"}) {
    values[friction] = random.uniform(0.1, 1.2);
  }
  values["drift"] = random.uniform(0.0, 0.5);
  constexpr Method kMethod[] = {Method::automatic, Method::dormand_prince, Method::radau,
                                Method::adams};
  given.method = kMethod[random.integer(0, 3)];
  return judge(given, simulate<JoinedPile>(given));
}

const Family kFamily{"joined_piles", "conditions joined of what is zero in a pile of bodies", run};

}  // namespace
}  // namespace saltus::truth

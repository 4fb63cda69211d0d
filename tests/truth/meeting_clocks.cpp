// SPDX-License-Identifier: BSD-2-Clause
// Clocks that are due together, and with a crossing or a comparison of time, whose instants depend
// on parameters in the same way, in different ways, or not at all. Where they do in different ways,
// with other parameters one of them would come first, and there are no derivatives: that has to be
// said.
#include "meeting_clocks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "saltus/gradient.hpp"
#include "saltus/importer/fmu_simulation.hpp"
#include "saltus/simulation.hpp"
#include "truth.hpp"

namespace saltus::truth {
namespace {

constexpr std::array kNames{"cells[2].lead", "q", "m", "start(cells[0].x)"};
constexpr std::size_t kCount = kNames.size(), kCells = 5;

struct Dual {
  double value = 0.0;
  std::array<double, kCount> slope{};
  Dual(double v = 0.0) : value(v) {}  // NOLINT(google-explicit-constructor)

  // a f + b g, with f and g as derivatives.
  static Dual joined(double v, double f, const Dual& a, double g, const Dual& b) {
    Dual result(v);
    for (std::size_t i = 0; i < kCount; ++i) result.slope[i] = f * a.slope[i] + g * b.slope[i];
    return result;
  }
  friend Dual operator+(const Dual& a, const Dual& b) {
    return joined(a.value + b.value, 1.0, a, 1.0, b);
  }
  friend Dual operator-(const Dual& a, const Dual& b) {
    return joined(a.value - b.value, 1.0, a, -1.0, b);
  }
  friend Dual operator*(const Dual& a, const Dual& b) {
    return joined(a.value * b.value, b.value, a, a.value, b);
  }
  friend Dual exp(const Dual& a) { return joined(std::exp(a.value), std::exp(a.value), a, 0.0, a); }
};

struct Hit {
  Dual time;
  std::size_t cell = 0;
};

struct Problem {
  std::array<double, kCells> u{}, v{}, w{}, r{}, b{}, start{};
  double p = 1.0, q = 1.0, m = 0.0, tie = 0.0;
  int periods = 1;
  std::vector<std::string> asked;
  SimulationOptions options;

  bool asks_for(std::size_t i) const {
    return std::find(asked.begin(), asked.end(), kNames[i]) != asked.end();
  }
  std::vector<Hit> hits() const;
};

Dual instant(const Problem& given, std::size_t i) {
  Dual t(given.u[i] * given.p + given.v[i] * given.q + given.w[i]);
  t.slope = {given.u[i], given.v[i]};
  return t;
}

std::vector<Hit> Problem::hits() const {
  std::vector<Hit> found;
  for (std::size_t i = 0; i < kCells; ++i) {
    const Dual first = instant(*this, i) * Dual(i == 0 ? 1.0 / periods : 1.0);
    for (int n = 1; n == 1 || i == 0; ++n) {
      const Hit hit{first * Dual(n), i};
      if (hit.time.value > *options.stop) break;
      found.push_back(hit);
    }
  }
  std::sort(found.begin(), found.end(),
            [](const Hit& one, const Hit& other) { return one.time.value < other.time.value; });
  return found;
}

constexpr double kSameTime = 1e-9;

// Where a clock and a crossing are at one instant, what a run finds first is a matter of rounding.
enum class Crossing { together, first, last };

struct Truth {
  std::array<Dual, kCells> x, level;
  // Two that meet go different ways with what is asked for; two clocks do.
  bool parts = false, clocks_part = false;
  bool crosses = false;  // a condition meets something
};

void note_parting(const Problem& given, const std::vector<Hit>& met, Truth& truth) {
  for (const Hit& one : met) {
    for (const Hit& other : met) {
      const bool crosses = one.cell != other.cell && other.cell >= 3;
      truth.crosses = truth.crosses || crosses;
      for (std::size_t k = 0; k < kCount; ++k) {
        if (!given.asks_for(k) || one.time.slope[k] == other.time.slope[k]) continue;
        truth.parts = true;
        truth.clocks_part = truth.clocks_part || (one.cell < 3 && other.cell < 3);
      }
    }
  }
}

Truth solve(const Problem& given, Crossing crossing) {
  Truth now;
  Dual m(given.m);
  m.slope[2] = 1.0;
  for (std::size_t i = 0; i < kCells; ++i) {
    now.x[i] = given.start[i];
    now.level[i] = 1.0;
  }
  now.x[0].slope[3] = 1.0;
  Dual t;
  const auto move = [&](const Dual& to) {
    for (std::size_t i = 0; i < kCells; ++i) {
      const Dual rest = now.level[i] * Dual(1.0 / given.b[i]);
      now.x[i] = rest + (now.x[i] - rest) * exp((t - to) * Dual(given.b[i]));
    }
    t = to;
  };
  const std::vector<Hit> hits = given.hits();
  for (std::size_t first = 0, end = 0; first < hits.size(); first = end) {
    std::vector<Hit> met, later, alone;
    for (; end < hits.size() && hits[end].time.value - hits[first].time.value < kSameTime; ++end) {
      const bool is_crossing = hits[end].cell == 3;
      const bool waits =
          crossing != Crossing::together && is_crossing == (crossing == Crossing::last);
      (hits[end].cell == 4 ? alone : waits ? later : met).push_back(hits[end]);
    }
    note_parting(given,
                 {hits.begin() + static_cast<std::ptrdiff_t>(first),
                  hits.begin() + static_cast<std::ptrdiff_t>(end)},
                 now);
    for (const std::vector<Hit>& group : {met, later, alone}) {
      if (!group.empty()) move(group.front().time);
      const std::array<Dual, kCells> x = now.x;
      for (const Hit& hit : group) {
        const std::size_t i = hit.cell;
        const Dual other = i < 3 ? x[(i + 1) % 3] : Dual(i < 4 ? given.tie : 0.0) * x[0];
        now.level[i] = now.level[i] + Dual(0.5) * x[i];
        now.x[i] = Dual(given.r[i]) * x[i] + m * other;
      }
    }
  }
  move(*given.options.stop);
  return now;
}

Problem make(std::uint64_t seed) {
  Random random(seed);
  Problem given;
  given.options = {.stop = 2.1, .tolerance = 1e-11, .report_interval = kNever};
  given.p = 0.125 * random.integer(1, 8);
  given.q = 0.125 * random.integer(1, 8);
  given.m = random.uniform(0.1, 0.4);
  given.periods = random.integer(1, 3);
  const double meeting =
      random.chance(0.5) ? 0.0625 * random.integer(10, 24) : random.uniform(0.6, 1.6);
  const double common = random.integer(-1, 2);
  const bool alike = random.chance(0.5);
  for (std::size_t i = 0; i < kCells; ++i) {
    given.u[i] = alike ? common : random.integer(0, 1);
    given.v[i] = alike || i == 2 ? 0.0 : random.integer(0, 1);
    const double at = random.chance(0.75) ? meeting : random.uniform(0.1, 2.0);
    given.w[i] = at - given.u[i] * given.p - given.v[i] * given.q;
    given.r[i] = random.uniform(0.2, 0.9);
    given.b[i] = random.uniform(0.5, 2.0);
    given.start[i] = random.uniform(0.5, 2.0);
    const std::string number = std::to_string(i), cell = "cells[" + number + "].";
    given.options.values[cell + "r"] = given.r[i];
    given.options.values[cell + "b"] = given.b[i];
    given.options.values[cell + "x"] = given.start[i];
    const std::string owner = i == 2 ? cell : "", suffix = i == 2 ? "" : number;
    given.options.values[owner + "u" + suffix] = given.u[i];
    given.options.values[owner + "w" + suffix] = given.w[i];
    if (i != 2) given.options.values["v" + number] = given.v[i];
  }
  given.options.values["cells[2].lead"] = given.p;
  given.options.values["q"] = given.q;
  given.options.values["m"] = given.m;
  given.tie = random.integer(0, 1);
  given.options.values["tie"] = given.tie;
  given.options.values["periods"] = given.periods;
  given.options.values["g"] = random.uniform(0.5, 2.0);
  given.options.values["growth"] = random.integer(0, 1);
  const int which = random.integer(0, 2);
  if (which != 1) given.asked.assign({kNames[1], kNames[2]});
  if (which == 0) given.asked.push_back(kNames[0]);
  given.asked.push_back(kNames[3]);
  return given;
}

// Derivatives of numbers whose errors are those of the tolerance.
bool differs(double got, double right) {
  return !(std::fabs(got - right) <= 1e-8 * (1.0 + std::fabs(right)));
}

// `found` gives the derivative of a variable by one of those that were asked for.
using Found = std::function<double(const std::string& name, const std::string& by)>;

std::string difference(const Problem& given, const Truth& truth, const Found& found) {
  for (std::size_t i = 0; i < kCells; ++i) {
    const std::string cell = "cells[" + std::to_string(i) + "].";
    for (const auto& [name, value] :
         {std::pair{cell + "x", truth.x[i]}, {cell + "level", truth.level[i]}}) {
      for (std::size_t k = 0; k < kCount; ++k) {
        if (!given.asks_for(k)) continue;
        const double got = found(name, kNames[k]);
        if (differs(got, value.slope[k])) {
          return name + " by " + kNames[k] + ": " + std::to_string(got) + " for " +
                 std::to_string(value.slope[k]);
        }
      }
    }
  }
  return {};
}

// Of a run of which nothing is said.
Verdict compare(const Problem& given, const Found& found) {
  const Truth together = solve(given, Crossing::together);
  if (together.clocks_part) return wrong("nothing is said of clocks that part");
  const std::string first = difference(given, solve(given, Crossing::first), found);
  const std::string last = difference(given, solve(given, Crossing::last), found);
  if (together.parts) {
    return first.empty() && last.empty() ? right()
                                         : wrong("nothing is said of instants that part: " + first);
  }
  const std::string joined = difference(given, together, found);
  return first.empty() || last.empty() || joined.empty() ? right() : wrong(joined);
}

using Road = SimulationResult (*)(const SimulationOptions& options);

Verdict run(std::uint64_t seed, Road road, bool may_refuse) {
  Problem given = make(seed);
  given.options.sensitivities = given.asked;
  const SimulationResult result = road(given.options);
  if (!result.warnings().empty()) {
    const std::string said = to_string(result.warnings().front());
    if (solve(given, Crossing::together).parts) return right();  // there are no derivatives
    return may_refuse ? refused(said) : wrong("said without need: " + said);
  }
  return compare(given, [&](const std::string& name, const std::string& by) {
    return result["d(" + name + ")/d(" + by + ")"].back();
  });
}

// Backwards it is not known whether what is asked for tells a clock and a condition apart.
Verdict run_back(std::uint64_t seed) {
  const Problem given = make(seed);
  std::map<std::string, Gradient> gradients;
  std::string said;
  try {
    for (std::size_t i = 0; i < kCells; ++i) {
      const std::string cell = "cells[" + std::to_string(i) + "].";
      for (const std::string& name : {cell + "x", cell + "level"}) {
        Gradient found = gradient<MeetingClocks>(name, given.asked, given.options);
        if (!found.run().warnings().empty()) said = to_string(found.run().warnings().front());
        gradients.emplace(name, std::move(found));
      }
    }
  } catch (const GradientError& error) {
    said = error.what();
  }
  if (!said.empty()) {
    const Truth truth = solve(given, Crossing::together);
    if (truth.parts) return right();  // there is no gradient
    return truth.crosses ? refused(said) : wrong("said without need: " + said);
  }
  return compare(given, [&](const std::string& name, const std::string& by) {
    return gradients.at(name)[by];
  });
}

const Family kFamily{
    "meeting_clocks", "derivatives where clocks are due together", [](std::uint64_t seed) {
      return run(
          seed, [](const SimulationOptions& options) { return simulate<MeetingClocks>(options); },
          false);
    }};

const Family kGradientFamily{"meeting_clocks_back", "the same, backwards", run_back};

const Family kFmuFamily{"meeting_clocks_fmu", "the same, as an FMU", [](std::uint64_t seed) {
                          return run(
                              seed,
                              [](const SimulationOptions& options) {
                                return importer::simulate(
                                    SALTUS_TRUTH_FMU_DIR "/meeting_clocks.fmu", options);
                              },
                              true);
                        }};

}  // namespace
}  // namespace saltus::truth

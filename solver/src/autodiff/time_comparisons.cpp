// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/autodiff/time_comparisons.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "saltus/core/types.hpp"
#include "time_curves.hpp"

namespace saltus::modeling {
namespace {

// Rates at two times that differ by less are the same: some roundings.
constexpr double kSameRate = 1e-12;
// So many roundings may lie between where a straight line vanishes and where the comparison, as it
// is computed, changes.
constexpr int kMostRoundings = 64;
// How far ahead rates are compared, to know straight lines: two numbers that no period divides.
constexpr double kAhead[] = {0.569840290998053, 0.754877666246693};

struct Candidate {
  double time;
  std::size_t comparison;
};

// The first number about `candidate.time` at which the comparison is another than `now`; `kNever`
// if there is none that near, or it is no straight line.
double settled(double now, const Candidate& candidate, const Comparison& at_present,
               const ComparisonPass& look, std::vector<Comparison>& met) {
  const auto at = [&](double time) {
    look(time, true, met);
    return candidate.comparison < met.size() ? met[candidate.comparison] : at_present;
  };
  double time = candidate.time;
  const Comparison there = at(time);
  if (!(std::fabs(there.rate - at_present.rate) <= kSameRate * std::fabs(at_present.rate))) {
    return kNever;
  }
  bool changed = there.holds() != at_present.holds();
  for (int k = 0; k < kMostRoundings && !changed; ++k) {
    time = std::nextafter(time, kNever);
    changed = at(time).holds() != at_present.holds();
  }
  for (int k = 0; k < kMostRoundings && changed; ++k) {
    const double before = std::nextafter(time, -kNever);
    if (!(before > now) || at(before).holds() == at_present.holds()) {
      return time;
    }
    time = before;
  }
  return kNever;
}

// Those that time moves at another rate a little later.
std::vector<std::size_t> curved(double now, const std::vector<Comparison>& of_time,
                                const std::vector<std::size_t>& which, const ComparisonPass& look,
                                std::vector<Comparison>& met) {
  std::vector<std::size_t> found;
  for (const double ahead : kAhead) {
    if (!which.empty()) {
      look(now + ahead, true, met);
    }
    for (const std::size_t i : which) {
      const double rate = of_time[i].rate;
      const bool is_new = std::find(found.begin(), found.end(), i) == found.end();
      if (is_new && i < met.size() &&
          !(std::fabs(met[i].rate - rate) <= kSameRate * std::fabs(rate))) {
        found.push_back(i);
      }
    }
  }
  return found;
}

}  // namespace

double next_time_comparison(double now, const ComparisonPass& look) {
  std::vector<Comparison> of_rest, of_time, met;
  look(now, false, of_rest);
  look(now, true, of_time);
  std::vector<std::size_t> of_time_alone;
  for (std::size_t i = 0; i < std::min(of_time.size(), of_rest.size()); ++i) {
    if (of_rest[i].rate == 0.0) {
      of_time_alone.push_back(i);
    }
  }
  std::vector<std::size_t> curves = curved(now, of_time, of_time_alone, look, met);
  std::vector<Candidate> candidates;
  for (const std::size_t i : of_time_alone) {
    const Comparison& each = of_time[i];
    const double time = now - each.margin / each.rate;
    const bool changes = each.rate > 0.0 ? !each.holds() : each.rate < 0.0 && each.holds();
    const bool is_straight = std::find(curves.begin(), curves.end(), i) == curves.end();
    if (changes && is_straight && std::isfinite(time)) {
      candidates.push_back({std::max(time, std::nextafter(now, kNever)), i});
    }
  }
  std::sort(candidates.begin(), candidates.end(),
            [](const Candidate& a, const Candidate& b) { return a.time < b.time; });
  double first = kNever;
  for (const Candidate& candidate : candidates) {
    if (candidate.time > first) {
      break;
    }
    first = std::min(first, settled(now, candidate, of_time[candidate.comparison], look, met));
  }
  return curves.empty()
             ? first
             : std::min(first, TimeCurves(now, look, std::move(curves)).first_change(first));
}

}  // namespace saltus::modeling

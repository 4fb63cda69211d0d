// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

/// What `SampledPlant` does, in closed form between its ticks.
struct SampledTruth {
  double start = 0.0, stop = 2.0, period = 0.1, pace = 0.3, limit = 0.8, r = 1.0;
  std::vector<double> reset_times = {};
  /// From this time on the period is another one.
  double tuned_at = 1e9, tuned_to = 0.0;

  struct Result {
    double x = 0.0, u = 0.0, integral = 0.0, sampled_at = -1.0;
    int samples = 0, slows = 0, paces = 0, alarms = 0, resets = 0;
    std::vector<double> alarm_times;
  };

  static int count(double first, double interval, double stop) {
    return stop < first - 1e-9 ? 0
                               : 1 + static_cast<int>(std::floor((stop - first) / interval + 1e-9));
  }
  /// In whole parts, where they are decimals: 3 * 0.1 is 0.3.
  static double nth(double first, int n, double interval) {
    return std::round(1e6 * first + n * std::round(1e6 * interval)) / 1e6;
  }

  Result at_the_end() const {
    struct Tick {
      double time;
      bool samples, resets;
      double period;
    };
    std::vector<Tick> ticks;
    for (int n = 0; nth(start, n, period) <= std::min(stop, tuned_at) + 1e-12; ++n) {
      ticks.push_back({nth(start, n, period), true, false, period});
    }
    for (int n = 1; tuned_at < stop && nth(tuned_at, n, tuned_to) <= stop + 1e-12; ++n) {
      ticks.push_back({nth(tuned_at, n, tuned_to), true, false, tuned_to});
    }
    // At the event that brings it the new period is in force, for the tick that is due there too.
    for (Tick& tick : ticks) {
      if (tick.time == tuned_at) tick.period = tuned_to;
    }
    for (const double time : reset_times) {
      const auto same = std::find_if(ticks.begin(), ticks.end(), [&](const Tick& tick) {
        return std::fabs(tick.time - time) < 1e-12;
      });
      if (same != ticks.end()) {
        same->resets = true;
      } else {
        ticks.push_back({time, false, true, period});
      }
    }
    std::sort(ticks.begin(), ticks.end(),
              [](const Tick& a, const Tick& b) { return a.time < b.time; });
    Result now;
    double t = start;
    bool above = false;
    const auto flow_to = [&](double end) {
      const double x = now.u + (now.x - now.u) * std::exp(t - end);
      if (!above && x > limit) {
        now.alarm_times.push_back(t + std::log((now.x - now.u) / (limit - now.u)));
      }
      now.alarms += !above && x > limit ? 1 : 0;
      above = x > limit;
      now.x = x;
      t = end;
    };
    for (const Tick& tick : ticks) {
      flow_to(tick.time);
      const double x = now.x;
      if (tick.samples) {
        now.integral += tick.period * (r - x);
        now.u = 2.0 * (r - x) + now.integral;
        now.sampled_at = tick.time;
        ++now.samples;
      }
      if (tick.resets) {
        now.x = 0.0;
        above = false;
        ++now.resets;
      }
    }
    flow_to(stop);
    now.slows = count(start + 0.05, 0.25, stop);
    now.paces = count(start + 0.1, pace, stop);
    return now;
  }
};

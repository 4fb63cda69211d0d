// SPDX-License-Identifier: BSD-2-Clause
// Random state machines: a mode, six `when`s on it, clocks that coincide, chains of transitions
// within one instant, and a load that depends on the mode. An interpreter with exact event times
// stands beside them. Natively, and as an FMU in both interfaces.
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mode_machine.hpp"
#include "saltus/control/mode_controller.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/importer/csv_recorder.hpp"
#include "saltus/importer/fmu.hpp"
#include "saltus/integrators/adams.hpp"
#include "saltus/integrators/dormand_prince.hpp"
#include "saltus/integrators/radau.hpp"
#include "saltus/integrators/taylor.hpp"
#include "truth.hpp"

namespace saltus::truth {
namespace {

constexpr double kStop = 6.0;

struct Values {
  int mode = 0;
  int transitions = 0;
  int history = 0;
  double x = 0.0, y = 0.0, sample = 0.0;
};

/// What the machine does, by the rules: all conditions of a pass are judged at one point, each body
/// sees the values of the beginning, and what they assign holds in the next pass.
class Interpreter {
 public:
  explicit Interpreter(const Machine& m) : m_(m) {}

  /// Nothing where the machine hangs on a rounding, chatters, or lets two bodies conflict.
  std::optional<Values> run() {
    if (!iterate_events(false, false)) {
      return std::nullopt;
    }
    std::size_t ticks = 0;  // of the faster clock
    double event = -1.0;
    while (true) {
      const double tick = 0.5 * m_.period * static_cast<double>(ticks + 1);
      const double crossing = next_crossing();
      const double next = std::fmin(tick, crossing);
      if (next > kStop - kApart) {
        if (next < kStop + kApart) {
          return std::nullopt;
        }
        move(kStop);
        return now_;
      }
      if (std::fabs(tick - crossing) < kApart || next - event < kApart || ++events_ > 40) {
        return std::nullopt;
      }
      event = next;
      // A located event lies on the far side of its surface.
      const bool is_tick = tick < crossing;
      move(is_tick ? next : next + kBeyond);
      ticks += is_tick ? 1 : 0;
      if (!iterate_events(is_tick, is_tick && ticks % 2 == 0)) {
        return std::nullopt;
      }
    }
  }

 private:
  static constexpr double kApart = 1e-4;    // events, and conditions from changing
  static constexpr double kBeyond = 1e-12;  // far less: a machine may multiply it by some thousands

  static std::size_t at(int mode) { return static_cast<std::size_t>(mode); }
  double load() const {
    const Machine::Load& l = m_.loads[at(now_.mode)];
    return l.constant + l.by_x * now_.x + l.by_y * now_.y;
  }
  double margin(const Machine::When& when) const {
    return when.by_x * now_.x + when.by_y * now_.y + when.by_load * load() - when.threshold;
  }
  double slope(const Machine::When& when) const {
    const auto& rate = m_.rates[at(now_.mode)];
    const Machine::Load& l = m_.loads[at(now_.mode)];
    return when.by_x * rate[0] + when.by_y * rate[1] +
           when.by_load * (l.by_x * rate[0] + l.by_y * rate[1]);
  }
  // Of any condition that counts now, in either direction.
  double next_crossing() const {
    double first = std::numeric_limits<double>::infinity();
    for (const Machine::When& when : m_.whens) {
      const double reached = time_ - margin(when) / slope(when);
      if (when.from == now_.mode && reached > time_) {
        first = std::fmin(first, reached);
      }
    }
    return first;
  }
  void move(double to) {
    now_.x += m_.rates[at(now_.mode)][0] * (to - time_);
    now_.y += m_.rates[at(now_.mode)][1] * (to - time_);
    time_ = to;
  }

  // The event iteration. False where it does not end, or hangs on a rounding.
  bool iterate_events(bool sampling, bool switching) {
    bool first = true;
    for (int pass = 0; pass < 12; ++pass) {
      std::vector<std::size_t> due;
      for (std::size_t w = 0; w < kWhens; ++w) {
        const Machine::When& when = m_.whens[w];
        const bool counts = when.from == now_.mode;
        const double z = margin(when);
        // The condition that was just crossed is a hair beyond; any other must be clear of it.
        if (counts && std::fabs(z) < kApart && std::fabs(z) > 1e3 * kBeyond) {
          return false;
        }
        const bool holds = counts && z > 0.0;
        if (holds && !held_[w]) {
          due.push_back(w);
        }
        held_[w] = holds;
      }
      const bool ticks = first && sampling;
      if (due.empty() && !ticks) {
        return true;
      }
      if (due.size() > 1 || (!due.empty() && first && switching)) {
        return false;  // two bodies would set the mode
      }
      const Values before = now_;
      const double load_before = load();
      if (!due.empty()) {
        const Machine::When& when = m_.whens[due.front()];
        now_.mode = when.to;
        now_.transitions += 1;
        now_.history = (7 * before.history + static_cast<int>(due.front()) + 1) % 100003;
        (when.sets == 1 ? now_.x : when.sets == 2 ? now_.y : unset_) = when.value;
      }
      if (ticks) {
        now_.sample = load_before;
        if (switching) {
          now_.mode = m_.next[at(before.mode)];
        }
      }
      first = false;
    }
    return false;
  }

  const Machine& m_;
  Values now_;
  double time_ = 0.0;
  double unset_ = 0.0;
  std::size_t events_ = 0;
  std::array<bool, kWhens> held_{};
};

std::string difference(const Values& got, const Values& exact, double allowed) {
  const auto off = [&](double a, double b) { return !(std::fabs(a - b) <= allowed); };
  if (got.mode != exact.mode || got.transitions != exact.transitions ||
      got.history != exact.history) {
    return "mode " + std::to_string(got.mode) + " after " + std::to_string(got.transitions) +
           " transitions for " + std::to_string(exact.mode) + " after " +
           std::to_string(exact.transitions);
  }
  if (off(got.x, exact.x) || off(got.y, exact.y) || off(got.sample, exact.sample)) {
    return "x = " + std::to_string(got.x) + ", y = " + std::to_string(got.y) +
           ", sample = " + std::to_string(got.sample) + " for " + std::to_string(exact.x) + ", " +
           std::to_string(exact.y) + ", " + std::to_string(exact.sample);
  }
  return {};
}

const std::vector<std::string> kRecorded = {"mode", "transitions", "history", "x", "y", "sample"};

Values last_row(const importer::Recorder& recorder) {
  std::vector<double> last;
  for (const auto& column : recorder.columns()) {
    last.push_back(column.values[recorder.rows() - 1]);
  }
  return {static_cast<int>(last[0]),
          static_cast<int>(last[1]),
          static_cast<int>(last[2]),
          last[3],
          last[4],
          last[5]};
}

Values natively(int number, double tolerance, int method) {
  modeling::NativeModel<ModeMachine> model{"ModeMachine"};
  const auto position = [&](const std::string& name) {
    std::size_t i = 0;
    while (model.variables()[i].name != name) ++i;
    return i;
  };
  model.set_whole(position("number"), number);
  const IntegratorOptions options{.relative_tolerance = tolerance};
  std::unique_ptr<Integrator> integrator;
  if (method == 0) {
    integrator = std::make_unique<DormandPrince>(model, options);
  } else if (method == 1) {
    integrator = std::make_unique<Radau>(model, options);
  } else if (method == 2) {
    integrator = std::make_unique<Adams>(model, options);
  } else {
    integrator = std::make_unique<Taylor>(model, options);
  }
  IntegratedModel system{model, *integrator};
  ModeController controller{system};
  (void)controller.run({.stop = kStop, .tolerance = tolerance});
  const ConstVec y = system.unknowns();
  (void)model.evaluate(kStop, y);
  const auto whole = [&](const char* name) {
    return static_cast<int>(model.whole(position(name)));
  };
  return {whole("mode"),
          whole("transitions"),
          whole("history"),
          y[0],
          y[1],
          model.number(position("sample"))};
}

Values as_fmu(int number, double tolerance, bool co_simulation) {
  static importer::Fmu fmu = importer::Fmu::open(SALTUS_TRUTH_FMU_DIR "/mode_machine.fmu");
  const importer::InstanceOptions options{.start_values = {{"number", std::to_string(number)}},
                                          .event_mode = true,
                                          .early_return = true};
  const Experiment experiment{.stop = kStop, .tolerance = tolerance};
  if (co_simulation) {
    auto system = fmu.instantiate_co_simulation("machine", options);
    importer::Recorder recorder(*system, {.variables = kRecorded});
    ModeController controller(*system, {.report_interval = 0.37});
    controller.add(recorder);
    (void)controller.run(experiment);
    return last_row(recorder);
  }
  auto model = fmu.instantiate_model_exchange("machine", {.start_values = options.start_values});
  DormandPrince integrator(*model, {.relative_tolerance = tolerance});
  IntegratedModel system(*model, integrator);
  importer::Recorder recorder(*model, system, {.variables = kRecorded});
  ModeController controller(system);
  controller.add(recorder);
  (void)controller.run(experiment);
  return last_row(recorder);
}

Verdict run(std::uint64_t seed) {
  Random random(seed);
  int number = 0;
  std::optional<Values> exact;
  while (!exact || exact->transitions < 2) {
    number = random.integer(0, 1000000);
    exact = Interpreter(machine(number)).run();
  }
  const double tolerance = random.log_uniform(1e-9, 1e-5);
  const int road = random.integer(0, 5);
  const Values got =
      road < 4 ? natively(number, tolerance, road) : as_fmu(number, tolerance, road == 5);
  // Straight lines: what is off is where an event was found.
  const std::string why = difference(got, *exact, 1e-6);
  if (!why.empty()) {
    const char* const roads[] = {"DormandPrince", "Radau", "Adams", "Taylor", "ME", "CS"};
    return wrong("machine " + std::to_string(number) + ", " + roads[road] + ": " + why);
  }
  return right();
}

const Family kFamily{"modes", "random state machines, natively and as FMUs", run};

}  // namespace
}  // namespace saltus::truth

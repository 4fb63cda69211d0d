// SPDX-License-Identifier: BSD-2-Clause
#include "se_instance.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "call_error.hpp"

namespace saltus::fmu_export {
namespace {

using modeling::Variable;

// Of one activation; importers of the other interfaces iterate as often, and then give up.
constexpr int kMostPasses = 100;

/// The Scheduled Execution third of the FMU. Between activations nothing moves; in an activation
/// the clock ticks, and what its tick changes is settled at once: there are no conditions.
class SeInstance : public Instance {
 public:
  SeInstance(const Log& log, const Dialect& dialect, const ScheduledSettings& settings)
      : Instance(Interface::scheduled_execution, log, dialect), settings_(settings) {
    if (!model().info().scheduled) {
      throw CallError("this FMU offers Model Exchange and Co-Simulation only");
    }
    forget_run();
  }

  void exit_initialization() override {
    model().initialize(experiment_, y_);
    settle_partition();
    move_to(Mode::clock_activation);
  }
  // Neither is a function of Scheduled Execution.
  void enter_event_mode() override {}
  EventUpdate update_once() override { return {}; }

  void activate(Reference reference, double time) {
    bool is_news = false;
    {
      const Undisturbed section(*this);
      const Variable& clock = input_clock(reference, time);
      time_ = last_[clock.clock.number] = time;
      model().enter_event_mode(time_, y_);
      model().set_whole(reference - 1, 1);
      is_news = settle_partition();
      is_news = has_news_of_countdowns() || is_news;
    }
    if (is_news && settings_.clock_update != nullptr) {
      settings_.clock_update(settings_.environment);
    }
  }

  void take_ticks(References clocks, std::span<bool> ticked) {
    for (std::size_t i = 0; i < clocks.size(); ++i) {
      const Variable& clock = values().clock(clocks[i]);
      ticked[i] = std::exchange(ticked_[clock.clock.number], 0.0) != 0.0;
    }
  }

  void allow_preemption(bool allowed) const {
    const auto call = allowed ? settings_.unlock_preemption : settings_.lock_preemption;
    if (call != nullptr) call();
  }

 private:
  // FMI 3.0, 5.2.1: the activation times of one partition increase.
  const Variable& input_clock(Reference reference, double time) const {
    const Variable& clock = values().clock(reference);
    if (clock.causality != Variable::Causality::input) {
      throw CallError(described(reference) +
                      " is a clock that the FMU ticks: there is no model partition to activate");
    }
    if (!std::isfinite(time) || time < experiment_.start) {
      throw CallError("the activation time " + symbolic(time) +
                      " is none, or before the start time " + symbolic(experiment_.start));
    }
    if (time > experiment_.stop && !same_time(time, experiment_.stop)) {
      throw CallError("the activation time " + symbolic(time) + " lies beyond the stop time " +
                      symbolic(experiment_.stop));
    }
    if (!(time > last_[clock.clock.number])) {
      throw CallError("the activation time " + symbolic(time) + " of " + described(reference) +
                      " is not behind its last one, " + symbolic(last_[clock.clock.number]));
    }
    return clock;
  }

  // The tick, what the equations make of it and what discrete values bring about, and a pass in
  // which nothing changes. Returns whether the model has ticked an output clock.
  bool settle_partition() {
    bool any = false;
    EventUpdate update = update_of_partition(any);
    for (int pass = 1; pass < kMostPasses && update.iterate; ++pass) {
      update = update_of_partition(any);
    }
    if (update.iterate) {
      throw CallError("the discrete states do not come to rest within " +
                      std::to_string(kMostPasses) + " passes");
    }
    if (update.next_event_time < kNever) {
      throw CallError("the model plans a time event at " + symbolic(update.next_event_time) +
                      ", which nobody handles in Scheduled Execution: make it a clock");
    }
    model().enter_continuous_mode(time_, y_);
    values().outdate();
    return any;
  }
  EventUpdate update_of_partition(bool& any_ticked) {
    if (model().evaluate(time_, y_) == Eval::ok) any_ticked = note_ticks() || any_ticked;
    const EventUpdate update = model().update_discrete_states(time_, y_);
    if (update.terminate) {
      throw CallError("the model ends the run, which Scheduled Execution cannot tell importers");
    }
    return update;
  }
  bool note_ticks() {
    bool any = false;
    const auto variables = model().variables();
    for (std::size_t i = 0; i < variables.size(); ++i) {
      const Variable& v = variables[i];
      if (v.type == Variable::Type::clock && v.causality == Variable::Causality::output &&
          model().whole(i) != 0) {
        ticked_[v.clock.number] = 1.0;
        any = true;
      }
    }
    return any;
  }

  void terminate_model() override { model().terminate(); }
  void forget_run() override {
    std::size_t clocks = 0;
    for (const Variable& v : model().variables()) {
      clocks += v.type == Variable::Type::clock ? 1 : 0;
    }
    last_.assign(clocks, -kNever);
    ticked_.assign(clocks, 0.0);
  }
  void save_run(Snapshot& snapshot) const override {
    snapshot.activations = last_;
    snapshot.activations.insert(snapshot.activations.end(), ticked_.begin(), ticked_.end());
  }
  void restore_run(const Snapshot& snapshot) override {
    const std::vector<double>& saved = snapshot.activations;
    const bool is_none = std::any_of(saved.begin(), saved.end(), [](double x) { return x != x; });
    if (saved.size() != 2 * last_.size() || is_none) {
      throw CallError("the serialized FMU state is forged: it tells of other clocks");
    }
    const auto half = saved.begin() + static_cast<std::ptrdiff_t>(last_.size());
    last_.assign(saved.begin(), half);
    ticked_.assign(half, saved.end());
  }
  ModeSet running_modes() const override { return bit(Mode::clock_activation); }

  ScheduledSettings settings_;
  std::vector<double> last_;    // by the number of the clock: when it was activated
  std::vector<double> ticked_;  // 1: an output clock that has ticked, and nobody has asked
};

}  // namespace

std::unique_ptr<Instance> scheduled_instance(const Log& log, const Dialect& dialect,
                                             const ScheduledSettings& settings) {
  return std::make_unique<SeInstance>(log, dialect, settings);
}

void activate_partition(Instance& instance, Reference clock, double time) {
  static_cast<SeInstance&>(instance).activate(clock, time);
}
Eval take_ticks(Instance& instance, References clocks, const WholeArray& ticked) {
  static_cast<SeInstance&>(instance).take_ticks(clocks,
                                                {static_cast<bool*>(ticked.first), clocks.size()});
  return Eval::ok;
}
void allow_preemption(Instance& instance, bool allowed) {
  static_cast<SeInstance&>(instance).allow_preemption(allowed);
}

}  // namespace saltus::fmu_export

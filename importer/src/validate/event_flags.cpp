// SPDX-License-Identifier: BSD-2-Clause
// Rule 36: the flags of an event say what has happened in it. The run is repeated call by call,
// with questions between, and with an event more than it had.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "run_checks.hpp"

namespace saltus::importer::validation {
namespace {

constexpr std::size_t kMostEvents = 200;

class EventFlags {
 public:
  explicit EventFlags(RunContext& context)
      : context_(context),
        led_(context, InterfaceType::model_exchange),
        states_(led_->number_of_continuous_states()) {}

  void check() {
    const Script& script = context_.script();
    led_.initialize();
    const std::size_t idle_event = place_of_idle_event(script);
    for (const Move& move : script) {
      const std::size_t place = static_cast<std::size_t>(&move - script.data());
      if (idle_event > 0 && place == idle_event && !check_idle_event(script[idle_event - 1]))
        return;
      if (move.kind == Move::Kind::phase) check_nominals(move.t);
      if (move.kind == Move::Kind::phase) check_at_rest(move.t);
      if (move.kind == Move::Kind::event) begin_event();
      const EventUpdate update = move.play(*led_);
      if (move.kind != Move::Kind::update) continue;
      nominals_are_said_ = nominals_are_said_ || update.nominals_changed;
      next_event_time_ = update.next_event_time;
      if (++updates_ > kMostEvents || update.iterate != move.iterates) break;
    }
  }

 private:
  /// In the middle of the longest row of steps with a time event ahead of it; 0: nowhere.
  static std::size_t place_of_idle_event(const Script& script) {
    std::size_t best = 0, longest = 1, begin = 0;
    for (std::size_t i = 0; i < script.size(); ++i) {
      if (script[i].kind == Move::Kind::step) continue;
      if (script[i].kind == Move::Kind::event && i - begin > longest) {
        longest = i - begin;
        best = begin + longest / 2;
      }
      begin = i + 1;
    }
    return best;
  }

  std::vector<double> nominals() {
    std::vector<double> values(states_, 1.0);
    if (states_ > 0) led_->get_nominals(values);
    return values;
  }

  std::vector<double> all_there_is() {
    std::vector<double> values(states_);
    if (states_ > 0) led_->get_continuous_states(values);
    const std::vector<double> seen = led_.observe();
    values.insert(values.end(), seen.begin(), seen.end());
    return values;
  }
  std::string name_of(std::size_t place) {
    return place < states_ ? fmt::format("state {}", place + 1)
                           : fmt::format("\"{}\"", led_.name_of(place - states_));
  }

  void begin_event() {
    nominals_ = nominals();
    nominals_are_said_ = false;
  }

  void check_nominals(double t) {
    if (nominals_are_said_ || nominals() == nominals_) return;
    context_.findings.add({36, "run.nominals_changed"}, Severity::error,
                          fmt::format("at t = {} nominal values of states have changed, and "
                                      "nominalsOfContinuousStatesChanged is false",
                                      t),
                          "say so, or keep them");
  }

  /// The event has come to an end, says the FMU: one more pass, which other FMUs may need, does
  /// nothing.
  void check_at_rest(double t) {
    if (context_.has_clocks()) return;
    const std::vector<double> before = all_there_is();
    const Move again{.kind = Move::Kind::update, .t = t};
    const EventUpdate update = again.play(*led_);
    std::size_t where = 0;
    const double moved = largest_difference(before, all_there_is(), &where);
    if (!update.iterate && moved <= kIterationError) return;
    context_.findings.add(
        {36, "run.update_flag"}, Severity::warning,
        fmt::format("at t = {} the FMU says that its event is over, and one more update {}", t,
                    update.iterate ? "makes it say the contrary"
                                   : fmt::format("changes {}", name_of(where))),
        fmt::format("answer {} until nothing changes any more",
                    context_.description().major_version == 2 ? "newDiscreteStatesNeeded"
                                                              : "discreteStatesNeedUpdate"));
  }

  /// An event without a cause, which coupled FMUs bring about. It deletes the announcement of the
  /// next event (FMI 3.0, 2.3.5), so the FMU has to repeat it. False: it had a cause.
  bool check_idle_event(const Move& last_step) {
    const double announced = next_event_time_;
    if (!(announced > last_step.t) || context_.has_clocks()) return true;
    const Move begin{.kind = Move::Kind::event, .t = last_step.t, .y = last_step.y};
    static_cast<void>(begin.play(*led_));
    const EventUpdate update = Move{.kind = Move::Kind::update, .t = last_step.t}.play(*led_);
    if (update.iterate) return false;
    if (update.next_event_time > announced && std::isfinite(announced)) {
      context_.findings.add(
          {36, "run.next_event_lost"}, Severity::warning,
          fmt::format("the event announced for t = {} is not announced again by an event at {}",
                      announced, last_step.t),
          "announce the next time event in every update");
    }
    const Move end{.kind = Move::Kind::phase, .t = last_step.t};
    static_cast<void>(end.play(*led_));
    return true;
  }

  RunContext& context_;
  LedInstance led_;
  std::size_t states_;
  std::vector<double> nominals_;  // before the event
  bool nominals_are_said_ = true;
  std::size_t updates_ = 0;
  double next_event_time_ = kNever;
};

}  // namespace

void check_event_flags(RunContext& context) {
  if (context.script().empty()) return;
  watch(context.findings, [&] { EventFlags(context).check(); });
}

}  // namespace saltus::importer::validation

// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "instance.hpp"

namespace saltus::fmu_export {

/// The Model Exchange half of the FMU: a `Model` whose time and states the importer moves
/// (FMI 3.0, 3.2).
class MeInstance : public Instance {
 public:
  MeInstance(Log log, const Dialect& dialect)
      : Instance(Interface::model_exchange, std::move(log), dialect) {}

  void exit_initialization() override;
  void enter_event_mode() override;
  void enter_continuous_time_mode();
  StepVerdict completed_step();

  double time() const { return time_; }
  void set_time(double time);
  /// Without a look at the rules of `set_time`: not before the last event.
  bool can_go_to(double time) const { return time >= last_event_ && time < kNever; }
  void go_to(double time) {
    if (time != time_) {
      time_ = time;
      values().outdate();
    }
  }
  /// Of a model that has nothing but time events: from one event to the next, without a
  /// Continuous-Time Mode between them.
  void move_to_event(double time);
  void set_continuous_states(ConstVec states);
  /// There are as many as there are states, and few: loops are faster for them.
  void go_to(ConstVec states) {
    // Bits, not values: a negative zero is another state.
    const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
    const double* given = states.data();
    double* own = y_.data();
    for (double* const end = own + states.size(); own != end; ++own, ++given) {
      if (bits(*own) == bits(*given)) {
        continue;
      }
      do {
        *own++ = *given++;
      } while (own != end);
      values().outdate();
      return;
    }
  }
  void continuous_states(Vec states) const;
  Eval derivatives(Vec derivatives);
  Eval indicators(Vec indicators);
  /// In Continuous-Time Mode, and of the right length.
  Eval frozen_derivatives(Vec derivatives) { return model().derivatives(time_, y_, derivatives); }
  Eval frozen_indicators(Vec indicators) {
    return values().frozen_indicators(time_, y_, indicators);
  }
  void nominals(Vec nominals) const;
  std::size_t number_of_states() const { return y_.size(); }
  std::size_t number_of_indicators() const { return values().number_of_indicators(); }

 private:
  EventUpdate update_once() override;
  void terminate_model() override;
  void forget_run() override {}
  void save_run(Snapshot& snapshot) const override;
  void restore_run(const Snapshot& snapshot) override;
  ModeSet running_modes() const override { return bit(Mode::continuous_time); }
  void check_within_experiment() const;
  enum class Asked { derivatives, indicators };
  /// Outside of Continuous-Time Mode, where decisions are not frozen.
  Eval unfrozen(Asked what, Vec values_of_it);

  bool moves_differently();
  template <class Ask>
  static bool gives_slopes(const Ask& ask);

  double last_event_ = 0.0;
  // The slopes before an event, unknown at the first one or where they could not be had, and
  // whether an update has changed anything since.
  std::vector<double> slopes_before_;
  bool knows_slopes_before_ = false;
  bool anything_changed_ = false;
};

}  // namespace saltus::fmu_export

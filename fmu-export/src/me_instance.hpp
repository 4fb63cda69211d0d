// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <utility>

#include "instance.hpp"
#include "watched_conditions.hpp"

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
  /// Of a model that has nothing but time events: from one event to the next, without a
  /// Continuous-Time Mode between them.
  void move_to_event(double time);
  void set_continuous_states(ConstVec states);
  void continuous_states(Vec states) const;
  Eval derivatives(Vec derivatives);
  Eval indicators(Vec indicators);
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
  Eval unfrozen(Asked what, Vec values_of_it);

  bool moves_differently();
  template <class Ask>
  static bool gives_slopes(const Ask& ask);

  double last_event_ = 0.0;
  // The slopes before an event, none at the first one or where they could not be had, and whether
  // an update has changed anything since.
  std::vector<double> slopes_before_;
  bool anything_changed_ = false;
};

}  // namespace saltus::fmu_export

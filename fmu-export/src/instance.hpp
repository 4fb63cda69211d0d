// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dae_mode.hpp"
#include "log.hpp"
#include "mode.hpp"
#include "partial_derivatives.hpp"
#include "saltus/core/described_model.hpp"
#include "saltus/modeling/sizes.hpp"
#include "snapshot.hpp"
#include "values.hpp"
#include "variable_dependencies.hpp"

namespace saltus::fmu_export {

/// One instance of the FMU: what an importer's handle points to, in any version of FMI. This part
/// is common to both interfaces: the mode, the variables, snapshots and messages. Instances share
/// nothing, so different threads may use different ones.
///
/// Nobody calls it but the guarded functions: they check the mode first and catch what is thrown.
/// After an exception the instance is in the state after an error, from which `reset` and `restore`
/// lead back.
class Instance {
 public:
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;
  virtual ~Instance();

  Interface interface() const { return interface_; }
  Mode mode() const { return mode_; }
  Log& log() { return log_; }
  const Dialect& dialect() const { return *dialect_; }
  /// FMI 3.0, 2.3.1: an error leads to Terminated, after a fatal one nothing may be called.
  /// FMI 2.0, 3.2.3 and 4.2.4: an error leads to a state of its own.
  void end_after_error() { mode_ = dialect_->after_error; }
  void end_after_fatal_error() { mode_ = Mode::broken; }

  /// What the importer knows of the run before it starts. FMI 2.0 tells it by itself, FMI 3.0 when
  /// initialisation begins.
  void set_experiment(const Experiment& experiment);
  bool has_experiment() const { return has_experiment_; }
  /// For the structural parameter, if there is one: before a run, and within its events.
  void enter_configuration();
  void exit_configuration();
  void enter_initialization() { move_to(Mode::initialization); }
  virtual void exit_initialization() = 0;
  /// Tells the importer if the model needs derivatives of inputs, which nobody gives it.
  void warn_of_inputs() const;
  virtual void enter_event_mode() = 0;
  /// One pass; the importer iterates.
  EventUpdate update_discrete_states();
  void terminate();
  void reset();

  Eval get(References references, std::span<double> values) {
    return values_->get(situation(), references, values);
  }
  Eval get(References references, const WholeArray& values) {
    return values_->get(situation(), references, values);
  }
  void set(References references, std::span<const double> values);
  void set(References references, const WholeArray& values);
  /// Strings and binaries. Those that are returned stay where they are until the next call.
  Eval get_texts(const TextArray& texts);
  void set_texts(const TextArray& texts);
  /// See `PartialDerivatives`. The seed of a directional derivative belongs to the knowns, its
  /// sensitivity to the unknowns; those of an adjoint one the other way round.
  Eval directional_derivative(References unknowns, References knowns, ConstVec seed,
                              Vec sensitivity);
  Eval adjoint_derivative(References unknowns, References knowns, ConstVec seed, Vec sensitivity);
  /// Of a variable as the description lists it, by element.
  DependencyList dependencies(Reference unknown);
  /// What value references of the importer stand for, as all other functions take them: elements
  /// instead of arrays, see `elements.hpp`. Good until the next call with the same `place`, 0 or 1.
  References elements(References given, int place = 0);
  /// Null for the time, for an indicator, and for what does not exist.
  const modeling::Variable* variable(Reference reference) const {
    return values_->variable(reference);
  }
  std::string described(Reference reference) const { return values_->described(reference); }
  /// In `clock_values.cpp`, which FMUs without clocks lack.
  void ask_clocks(const ClockCall& call);
  /// The tolerance of an experiment that names none.
  double default_tolerance() const { return model_->info().tolerance; }
  Snapshot save();
  void restore(const Snapshot& snapshot);
  /// What a snapshot has to match; `token_hash` says of which FMU, in which version of FMI.
  SnapshotOrigin origin(std::uint64_t token_hash) const;

 protected:
  /// `log` is the way to the importer, and `dialect`, which outlives the instance, its language.
  /// The mode is Instantiated.
  Instance(Interface interface, Log log, const Dialect& dialect);

  virtual Situation situation();
  /// Variables were set. The base class sees to the event iteration.
  virtual void changed(const Values::Change& change);
  virtual EventUpdate update_once() = 0;
  virtual void terminate_model() = 0;
  virtual void forget_run() = 0;
  virtual void save_run(Snapshot& snapshot) const = 0;
  virtual void restore_run(const Snapshot& snapshot) = 0;
  /// Whether a run keeps what is not saved and only saves work: then it is restored at once, so
  /// that it goes on as all others do that come back to the snapshot.
  virtual bool restarts_when_saved(const Snapshot&) const { return model_->restarts_when_saved(); }

  /// The modes of its interface alone in which a run can be.
  virtual ModeSet running_modes() const = 0;
  /// Call before leaving event mode; throws `CallError` when the discrete states are not settled.
  void check_settled() const;
  /// An event is recorded from before it begins until it is over, see `EventAction`.
  void event_begins();
  void note(EventAction::What what);
  void event_is_over() { event_.reset(); }
  void move_to(Mode mode);
  /// The importer ticks the clocks of the model, or they tick by themselves.
  void let_importer_tick(bool it_does);
  /// Whether some countdown has an interval that the importer was not told.
  bool has_news_of_countdowns();
  /// Tells the importer, in Co-Simulation, which ticks will not be seen.
  void warn_of_clocks(bool event_mode_used, bool early_return_allowed) const;

  modeling::DescribedModel& model() { return *model_; }
  const modeling::DescribedModel& model() const { return *model_; }
  Values& values() { return *values_; }
  const Values& values() const { return *values_; }

  Experiment experiment_;
  double time_ = 0.0;  // Co-Simulation: only before the end of initialisation
  std::vector<double> y_storage_;
  Vec y_;                 // likewise, all of that: its length is asked for at each evaluation
  bool started_ = false;  // initialisation has come to its end
  bool ended_ = false;    // the model has asked for the end of the run

 private:
  void begin_anew();
  // See `elements.hpp`. Makes the model anew where the importer has set another size.
  void resize();
  // The sizes of the model stand behind what it saves.
  void add_sizes(std::vector<std::byte>& saved) const;
  // Makes the model anew if it has to have others, and returns what it saved without them.
  std::span<const std::byte> take_sizes(const Snapshot& snapshot);
  // Begins anew with these sizes, or, where it throws, with the standard ones.
  void begin_with(const modeling::Sizes& sizes);
  /// The event that is under way.
  struct Event {
    Snapshot before;
    std::vector<EventAction> actions;
    std::vector<std::byte> texts;
  };
  Snapshot saved_now() const;
  void repeat(const Snapshot& snapshot);
  void repeat(const EventAction& action, std::span<const std::byte>& texts);
  void set_texts(modeling::Variable::Type type, References references,
                 std::span<const std::string_view> texts);
  void set_text_again(const EventAction& action, std::span<const std::byte>& texts);
  void adopt(const Experiment& experiment);
  bool finds_clocks() const;
  double interval(Reference reference, ClockCall::News& news);
  double planned_interval(Reference reference, ClockCall::News& news);
  double& told_interval(const modeling::Variable& clock);
  void tell_fraction(const ClockCall& call, std::size_t i) const;
  PartialDerivatives& partial_derivatives();
  DependencyList dependencies_of(Reference element) {
    return dependencies_.of(*model_, *values_, element, !started_,
                            dae_switch_ != nullptr && dae_switch_->on);
  }

  Interface interface_;
  Mode mode_ = Mode::instantiated;
  Mode configured_ = Mode::instantiated;  // where its configuration leads back to
  Log log_;
  const Dialect* dialect_;
  std::shared_ptr<Warnings> warnings_;  // what the model doubts, on its way to the log
  std::unique_ptr<modeling::DescribedModel> model_;
  bool has_clocks_ = false;
  bool importer_ticks_ = true;          // if there are clocks, and a word for them
  std::vector<double> told_intervals_;  // to the importer, by the number of their clock
  bool is_implicit_ = false;
  bool may_slide_ = false;
  const DaeSwitch* dae_switch_ = nullptr;
  std::optional<Values> values_;
  std::optional<PartialDerivatives> partial_derivatives_;  // once they were asked for
  DependencyTable dependencies_;
  bool has_experiment_ = false;
  bool settled_ = false;
  std::optional<Event> event_;
  std::shared_ptr<void> returned_;      // texts, of the last call that returned some
  std::vector<Reference> elements_[3];  // the last: of what sizes `dependencies_` are
};

/// Times that differ by a few roundings are the same: importers compute them in their own ways.
bool same_time(double a, double b);

}  // namespace saltus::fmu_export

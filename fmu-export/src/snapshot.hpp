// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "mode.hpp"
#include "saltus/core/model.hpp"
#include "saltus/integrators/integrator.hpp"

namespace saltus::fmu_export {

/// The value that an input or parameter had before the importer set it between two steps: whether
/// the new value has moved an indicator to its other side shows only against the old one.
struct Overwritten {
  std::uint64_t variable = 0;  ///< its position among the model's variables
  double number = 0.0;
  std::int64_t whole = 0;
};

/// What was done in an event that is under way. A model that looks at several configurations of
/// itself keeps them until the event is over; they are not saved, but found again by doing the same
/// from the beginning of the event.
struct EventAction {
  enum class What : std::uint32_t {
    exit_initialization,
    enter_event_mode,
    update,
    set_number,
    set_whole,
    set_text,
    terminate,
  };
  What what = What::update;
  std::uint32_t reference = 0;  ///< of what was set
  double number = 0.0;
  std::int64_t whole = 0;  ///< of a text, its length: its bytes are kept beside the actions
};

/// Everything about an instance that a run depends on: what the importer gets as an FMU state.
/// Restored into any instance of the same FMU and interface, the run goes on as if nothing had
/// happened, to the last bit.
struct Snapshot {
  bool is_foreign = false;  ///< it was read from bytes; they do not say so
  Interface interface = Interface::model_exchange;
  Mode mode = Mode::instantiated;
  Experiment experiment;
  bool has_experiment = false;  ///< the importer has told it
  double time = 0.0;
  std::vector<double> y;
  std::vector<std::byte> model;  ///< `DescribedModel::save`
  bool started = false;          ///< initialisation has come to its end
  bool settled = false;          ///< the event iteration has come to its end
  bool ended = false;            ///< the model has asked for the end of the run

  /// Done since, within an event, and the mode that it has led to.
  std::vector<EventAction> actions;
  std::vector<std::byte> texts;  ///< that were set, one after another
  Mode reached = Mode::instantiated;
  /// Of clocks, by their number: the interval, or the next tick, that the importer knows.
  std::vector<double> told_intervals;

  // Model Exchange alone.
  double last_event = 0.0;            ///< time may not go back before it
  std::vector<double> slopes_before;  ///< the event that is being handled
  bool anything_changed = false;      ///< at that event

  // Co-Simulation alone.
  std::vector<std::byte> steps;  ///< `IntegratedModel::save`
  double next_event_time = kNever;
  bool event_reported =
      false;  ///< the importer was told to enter event mode and has not yet done so
  std::vector<Overwritten> overwritten;

  /// Scheduled Execution alone: by the number of each clock when it was activated last, then
  /// whether it has ticked and the importer has not asked.
  std::vector<double> activations;
};

/// What bytes from outside have to match before they are believed.
struct SnapshotOrigin {
  std::uint64_t token_hash = 0;
  Interface interface = Interface::model_exchange;
  ModeSet modes = 0;  ///< beside those that every instance has
  std::size_t states = 0;
  bool may_have_more = false;  ///< unknowns, beside the states, that depend on the configuration
  std::size_t variables = 0;
};

/// The bytes begin with a format version and the hash of the instantiation token, and end with a
/// checksum. They are for the machine that wrote them: numbers are stored as they lie in memory.
std::size_t serialized_size(const Snapshot& snapshot);
void serialize(const Snapshot& snapshot, std::uint64_t token_hash, std::span<std::byte> bytes);
/// Throws `CallError` saying what is wrong with bytes that `serialize` of this FMU did not write.
Snapshot deserialize(std::span<const std::byte> bytes, const SnapshotOrigin& origin);

}  // namespace saltus::fmu_export

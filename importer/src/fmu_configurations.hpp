// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "clock_schedule.hpp"
#include "instance.hpp"
#include "saltus/core/configurations.hpp"

namespace saltus::importer {

/// What the importer knows of a configuration and the FMU does not tell.
struct ConfigurationNotes {
  /// The right limit of an input counts at the beginning of a phase, the left limit later.
  double phase_begin = -kNever;
  bool is_initial_event = false;
  std::vector<double> nominals = {};
  std::vector<double> kept = {};    ///< what invariants are kept at
  std::vector<double> slopes = {};  ///< a guess, where they are unknowns
  ClockMemory clocks = {};
};

/// The configurations of an FMU as saved FMU states.
///
/// The selected one lives in the FMU itself and is saved when another is selected, unless its saved
/// state is still what the FMU holds but for time, states and continuous inputs. Those are set anew
/// anyway: after `select` nothing is known of what the FMU holds of them, which `forget` is to
/// note.
class FmuConfigurations : public Configurations {
 public:
  /// `notes` are those of the selected configuration. Both arguments must outlive this.
  FmuConfigurations(Instance& instance, ConfigurationNotes& notes, std::function<void()> forget);
  /// Frees what is left, also after an error.
  ~FmuConfigurations() override;

  Slot selected() const override { return selected_; }
  Slot fork() override;
  void select(Slot slot) override;
  void drop(Slot slot) override;

  /// Whether an FMU state may be restored that is older than the present point.
  bool may_go_back() const { return sides_.size() > 1; }
  /// Frees all saved states: only the selected configuration is left.
  void clear();

 private:
  struct Side {
    Instance::FmuState state;
    ConfigurationNotes notes;  // while it is not selected
  };
  Side& side(Slot slot, const char* function);

  Instance& instance_;
  ConfigurationNotes& notes_;
  std::function<void()> forget_;
  std::map<Slot, Side> sides_;
  Slot selected_ = 0;
  Slot next_ = 1;
};

}  // namespace saltus::importer

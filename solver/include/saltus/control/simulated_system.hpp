// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "saltus/core/hybrid_system.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/integrators/integrator.hpp"

namespace saltus {

/// A number with a name, as a `Simulation` shows it. Whole numbers and Booleans are numbers too; a
/// text is none, and has no column in the record.
struct SimulatedVariable {
  enum class Kind { real, whole, boolean, text };

  std::string name = {};
  std::string unit = {};
  std::string description = {};
  Kind kind = Kind::real;
  double start = 0.0;  ///< before anybody sets it
  std::string start_text = {};
  bool needs_event = false;  ///< where it is set while a run rests, an event follows
  /// Why it cannot be set before the start, or while a run rests, after "cannot be set: "; empty:
  /// it can.
  std::string no_start_because = {};
  std::string no_change_because = {};
  std::optional<double> min = {};
  std::optional<double> max = {};
};

/// What a `Simulation` runs: a hybrid system, and the names and values of what is in it.
///
/// `Simulation` itself knows neither models nor FMUs. Natively written models come as
/// `NativeSystem`, which `Simulation::of` makes; FMUs as what `importer::simulation_of` makes. It
/// is used by one thread at a time, and begins where its constructor leaves it: before the start.
class SimulatedSystem {
 public:
  /// What `save` has kept: opaque to all others.
  class Saved {
   public:
    Saved() = default;
    Saved(const Saved&) = delete;
    Saved& operator=(const Saved&) = delete;
    virtual ~Saved() = default;
  };

  SimulatedSystem() = default;
  SimulatedSystem(const SimulatedSystem&) = delete;
  SimulatedSystem& operator=(const SimulatedSystem&) = delete;
  virtual ~SimulatedSystem() = default;

  virtual const std::string& name() const = 0;
  virtual std::span<const SimulatedVariable> variables() const = 0;
  /// Start, stop and tolerance as they are decided.
  virtual const Experiment& experiment() const = 0;
  /// The distance of reports that suits the run, unless somebody wants another.
  virtual double report_interval() const = 0;

  /// What is doubtful about it before any run, a sentence each.
  virtual std::vector<std::string> warnings() const { return {}; }

  /// See `SimulationResult::Event::time_sensitivities`; of the last event.
  virtual std::vector<double> event_time_sensitivities() const { return {}; }

  virtual HybridSystem& system() = 0;
  virtual double time() const = 0;
  /// The unknowns of its integrator; none where there is no such thing.
  virtual ConstVec unknowns() const = 0;
  /// The values of all variables at the point at which the system rests.
  virtual void read(Vec values) = 0;

  /// Before the start. The value has been checked against what the variable says of itself.
  virtual void set_start(std::size_t variable, double value) = 0;
  /// While the system rests in continuous-time mode: an input or a tunable parameter.
  virtual void set(std::size_t variable, double value) = 0;
  /// The same of variables that are texts, and their present value. Systems without any need none
  /// of these.
  virtual std::string text(std::size_t) { throw no_text(); }
  virtual void set_start_text(std::size_t, const std::string&) { throw no_text(); }
  virtual void set_text(std::size_t, const std::string&) { throw no_text(); }

  /// Why it cannot come back to a point, as the subject of a sentence; empty: it can.
  virtual std::string why_not_saved() const = 0;
  /// The same of values between rows, which a second system computes from what was saved.
  virtual std::string why_no_values_between_rows() const { return why_not_saved(); }
  /// Whether what is saved holds at this point alone, and not until values or modes change.
  virtual bool saves_points() const = 0;
  virtual std::shared_ptr<const Saved> save() const = 0;
  /// What the integrator remembers, which belongs to a point.
  virtual std::vector<std::byte> saved_steps() const = 0;
  /// Comes to rest at a point in continuous-time mode, with an integrator that remembers no more
  /// than `steps`. `system` is another one afterwards.
  virtual void restore(const Saved& saved, double time, ConstVec unknowns,
                       std::span<const std::byte> steps) = 0;

  /// Whether what `SimulationOptions` says of method and switching has no effect on it.
  virtual bool brings_own_solver() const { return false; }
  virtual IntegratorStats integration() const = 0;
  virtual CrossingStats crossings() const = 0;
  /// See `SimulationResult::choices`.
  virtual std::vector<std::string> choices() const = 0;

 private:
  static std::logic_error no_text() { return std::logic_error("the system has no texts"); }
};

}  // namespace saltus

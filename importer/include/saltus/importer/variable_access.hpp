// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "saltus/core/types.hpp"
#include "saltus/importer/model_description.hpp"

namespace saltus::importer {

class ClockSchedule;
class Instance;

/// Reads and writes the variables of a running instance.
///
/// Reading is possible whenever the instance rests. A clocked variable is what it was when its
/// clock ticked last, a clock how often it ticks at the present time: 0, 1, or more where it ticks
/// several times in a row. Writing is possible where the standard allows
/// it (FMI 3.0, 2.3 and the state machines of 3.2 and 4.2): before initialisation whatever has a
/// start value, later inputs and tunable parameters, in continuous-time mode continuous inputs
/// only. What is not possible now is a `std::logic_error` that says so: the FMU never sees it.
///
/// In Co-Simulation of FMI 3.0, nothing can be read between a write in step mode and the next step
/// (4.2.1): read first, then write. FMI 2.0 and 1.0 allow it, and so does event mode.
class VariableAccess {
 public:
  explicit VariableAccess(Instance& instance, ClockSchedule* clocks = nullptr)
      : instance_(&instance), clocks_(clocks) {}

  const ModelDescription& description() const;
  /// By name or alias. Throws `std::invalid_argument` with the nearest names there are.
  const Variable& variable(std::string_view name) const;

  /// The sizes of the dimensions now, which differ from the description's once a structural
  /// parameter was set; and their product.
  std::vector<std::size_t> sizes(const Variable& variable) const;
  std::size_t element_count(const Variable& variable) const;

  /// Throws `std::logic_error` for a clocked variable that is no output and was not asked to be
  /// held before initialisation, and between a write and a step.
  Value read(const Variable& variable) const;
  /// Whether the standard lets anything be read now.
  bool can_be_read() const;
  /// Keeps the values of a clocked variable for `read`, from the next initialisation on. For all
  /// others nothing happens.
  void hold(const Variable& variable) const;
  /// One element, or one for each element of an array. The types must be those of the variable.
  void write(const Variable& variable, const Value& value);

  /// Many variables of one numeric type at once, as numbers; the values of arrays follow each
  /// other. The quick way, for recorders; not for clocks and clocked variables.
  void read_numbers(VariableType type, const std::vector<ValueReference>& references,
                    Vec numbers) const;

 private:
  friend class CoSimulationFmu;
  void require_readable() const;

  Instance* instance_;
  ClockSchedule* clocks_;
  bool awaits_step_ = false;  ///< written in step mode, and not stepped since
};

}  // namespace saltus::importer

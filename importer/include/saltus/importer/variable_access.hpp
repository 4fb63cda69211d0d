// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "saltus/core/types.hpp"
#include "saltus/importer/model_description.hpp"

namespace saltus::importer {

class Instance;

/// Reads and writes the variables of a running instance, of all types but clocks.
///
/// Reading is possible whenever the instance rests. Writing is possible where the standard allows
/// it (FMI 3.0, 2.3 and the state machines of 3.2 and 4.2): before initialisation whatever has a
/// start value, later inputs and tunable parameters, in continuous-time mode continuous inputs
/// only. What is not possible now is a `std::logic_error` that says so: the FMU never sees it.
///
/// In Co-Simulation, outputs must not be read between a write and the next step (4.2.1): read
/// first, then write.
class VariableAccess {
 public:
  explicit VariableAccess(Instance& instance) : instance_(&instance) {}

  const ModelDescription& description() const;
  /// By name or alias. Throws `std::invalid_argument` with the nearest names there are.
  const Variable& variable(std::string_view name) const;

  /// The sizes of the dimensions now, which differ from the description's once a structural
  /// parameter was set; and their product.
  std::vector<std::size_t> sizes(const Variable& variable) const;
  std::size_t element_count(const Variable& variable) const;

  Value read(const Variable& variable) const;
  /// One element, or one for each element of an array. The types must be those of the variable.
  void write(const Variable& variable, const Value& value);

  /// Many variables of one numeric type at once, as numbers; the values of arrays follow each
  /// other. The quick way, for recorders.
  void read_numbers(VariableType type, const std::vector<ValueReference>& references,
                    Vec numbers) const;

 private:
  Instance* instance_;
};

}  // namespace saltus::importer

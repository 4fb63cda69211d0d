// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "saltus/core/variable.hpp"

namespace saltus::modeling {

/// The submodels of a model, by their positions. What is behind this interface is linked with
/// models that have one: the constructor of a `Submodel` is the only place that makes it.
class SubmodelList {
 public:
  virtual ~SubmodelList() = default;

  /// With the names of those that it stands in.
  virtual const std::string& name(std::size_t submodel) const = 0;
  /// The one that a variable belongs to, by its name; nothing: the model itself.
  virtual std::optional<std::size_t> owner(const std::string& variable) const = 0;
  /// What to do about a variable that has no value yet, after the equations of these have run;
  /// empty where that has nothing to do with submodels.
  virtual std::string remedy(const std::string& variable,
                             const std::vector<std::size_t>& run) const = 0;
  /// Throw `ModelMistake` unless the equations, or the events, of each have run once.
  virtual void check_equations(const std::vector<std::size_t>& run) const = 0;
  virtual void check_events(const std::vector<std::size_t>& run) const = 0;

  using Asked = std::function<bool(const Variable& variable)>;
  /// Inputs of submodels that the model assigns become local variables. Returns their positions.
  virtual std::vector<std::size_t> connect(std::vector<Variable>& variables,
                                           const Asked& assigned) const = 0;
  /// The same in another copy.
  virtual void take_over(std::vector<Variable>& variables,
                         std::span<const std::size_t> connected) const = 0;
};

}  // namespace saltus::modeling

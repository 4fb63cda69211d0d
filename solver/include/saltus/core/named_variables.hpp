// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "saltus/core/capabilities.hpp"
#include "saltus/core/variable.hpp"
#include "saltus/core/variable_derivatives.hpp"

namespace saltus {

/// The variables of a model by name: what the exporter, the recorder of native runs and the tests
/// see of any model written with the modelling layer.
///
/// Values belong to variables by their position in `variables()`. States, their derivatives and
/// algebraics live with whoever drives the model; here a state or algebraic has only a start value,
/// to be set before `Model::initialize`.
/// All other variables are read after `evaluate`:
///
///     NamedVariables& named = *model.capabilities().variables;
///     if (named.evaluate(t, y) == Eval::ok) height = named.number(3);
class NamedVariables {
 public:
  virtual ~NamedVariables() = default;

  virtual const std::string& name() const = 0;
  virtual const modeling::ModelInfo& info() const = 0;
  virtual std::span<const modeling::Variable> variables() const = 0;
  /// What the numbers of `EventHints::parts` compare ("h <= 0"), in their order.
  virtual std::span<const std::string> part_names() const { return {}; }

  /// Computes outputs and derivatives at (t, y): in continuous-time mode with the frozen decisions,
  /// before and in event mode with those that the values suggest, and discrete variables as the
  /// events due now would leave them. Nothing is remembered.
  virtual Eval evaluate(double t, ConstVec y) = 0;
  /// As above, where the equations do not give every slope themselves. The default asks for none.
  virtual Eval evaluate(double t, ConstVec y, ConstVec) { return evaluate(t, y); }

  /// A float64 variable; for a state or derivative the value of the last `evaluate`.
  virtual double number(std::size_t variable) const = 0;
  /// What `Variable::is_whole`, as its bits.
  virtual std::int64_t whole(std::size_t variable) const = 0;
  /// A string, or the bytes of a binary.
  virtual std::string text(std::size_t) const { return {}; }
  /// The start value of a string or binary that was set last, or was declared.
  virtual std::string start_text(std::size_t) const { return {}; }

  /// Exact derivatives of computed variables in continuous-time mode, by states, inputs and the
  /// time, and on demand by parameters and discrete numbers as well. Null where the model has none
  /// in the configuration in force. Valid until the next event, and until a value is set.
  enum class Knowns { moving, all };
  virtual VariableDerivatives* variable_derivatives(Knowns) { return nullptr; }
  /// Of implicit equations that nobody has solved: what those can be found from. Null likewise.
  virtual EquationDerivatives* equation_derivatives(Knowns) { return nullptr; }
  /// What computed variables depend on. Those that are not listed may depend on everything. It
  /// looks at the equations in many configurations: once for a model is enough.
  virtual std::vector<VariableDependencies> dependencies() { return {}; }

  /// Sets a parameter, an input, or the start value of a state or discrete variable. Throws
  /// `std::invalid_argument` on a whole number that the variable cannot be (`check_whole`). When it
  /// may be called is the caller's business; after setting while the model rests in a run, tell the
  /// driver
  /// (`IntegratedModel::values_were_set`).
  virtual void set_number(std::size_t variable, double value) = 0;
  virtual void set_whole(std::size_t variable, std::int64_t value) = 0;
  /// Of a model that has texts.
  virtual void set_text(std::size_t, std::string_view) {
    throw std::logic_error("the model has no variable that is a text");
  }

  /// Everything the model remembers, states excepted, as bytes that `restore` of an equal model
  /// takes back.
  virtual std::vector<std::byte> save() const = 0;
  /// Throws `std::invalid_argument` when the bytes are not from such a model.
  virtual void restore(std::span<const std::byte> saved) = 0;
  /// Whether the model also keeps what only saves work (a factorisation, a first guess). It is not
  /// saved, and rounding errors depend on it: whoever saves a run restores it at once, so that it
  /// goes on as all others do that are restored from the same bytes.
  virtual bool restarts_when_saved() const { return false; }
  /// Whether `Model::completed_step` must hear of every accepted step.
  virtual bool needs_completed_steps() const { return false; }
};

}  // namespace saltus

// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "saltus/core/variable_derivatives.hpp"
#include "saltus/importer/value.hpp"

namespace saltus::importer {

/// Names a variable of a description. Unique over all variables; 0 is as good as any. In FMI 3.0
/// the binary uses the same number, see `Variable::binary_reference`.
using ValueReference = std::uint32_t;

/// What all three interfaces say of themselves (FMI 3.0, 2.4.2; FMI 2.0.4, 3.3.1 and 4.3.1, and FMI
/// 1.0, in the words of 3.0). Attributes of later versions are ignored, as the standard demands.
struct Interface {
  std::string model_identifier;
  bool needs_execution_tool = false;
  bool can_be_instantiated_only_once_per_process = false;
  bool can_get_and_set_fmu_state = false;
  bool can_serialize_fmu_state = false;
  bool provides_directional_derivatives = false;
  bool provides_adjoint_derivatives = false;
  bool provides_per_element_dependencies = false;
  bool provides_evaluate_discrete_states = false;
};

struct ModelExchange : Interface {
  bool needs_completed_integrator_step = false;
};

struct CoSimulation : Interface {
  bool can_handle_variable_communication_step_size = false;
  std::optional<double> fixed_internal_step_size;
  std::uint32_t max_output_derivative_order = 0;
  std::int32_t recommended_intermediate_input_smoothness = 0;
  bool provides_intermediate_update = false;
  bool might_return_early_from_do_step = false;
  bool can_return_early_after_intermediate_update = false;
  bool has_event_mode = false;
  bool can_run_asynchronously = false;  ///< FMI 1.0 and 2.0: a step may be pending
};

struct ScheduledExecution : Interface {};

struct DefaultExperiment {
  std::optional<double> start_time;
  std::optional<double> stop_time;
  std::optional<double> tolerance;
  std::optional<double> step_size;
};

struct DisplayUnit {
  std::string name;
  double factor = 1.0;
  double offset = 0.0;
  bool inverse = false;
};

/// Exponents of the SI base units, and of the radian; value in base unit = factor * value + offset.
struct BaseUnit {
  int kg = 0, m = 0, s = 0, A = 0, K = 0, mol = 0, cd = 0, rad = 0;
  double factor = 1.0;
  double offset = 0.0;
};

struct Unit {
  std::string name;
  std::optional<BaseUnit> base;
  std::vector<DisplayUnit> display_units;
};

struct EnumerationItem {
  std::string name;
  std::int64_t value = 0;
  std::string description;
};

/// A named type. Its attributes have already been handed down to the variables that declare it.
struct TypeDefinition {
  VariableType type = VariableType::float64;
  std::string name;
  std::string description;
  std::string quantity;
  std::string unit;
  std::string display_unit;
  std::optional<double> min, max, nominal;
  bool relative_quantity = false;
  bool unbounded = false;
  std::vector<EnumerationItem> items;
};

struct LogCategory {
  std::string name;
  std::string description;
};

enum class Causality {
  structural_parameter,
  parameter,
  calculated_parameter,
  input,
  output,
  local,
  independent
};
enum class Variability { constant, fixed, tunable, discrete, continuous };
/// `none`: the independent variable and clocks, which are not initialised by a start value.
enum class Initial { exact, approx, calculated, none };
enum class IntervalVariability { constant, fixed, tunable, changing, countdown, triggered };

/// The standard's spelling: "structuralParameter", "continuous", "exact", "countdown".
const char* to_string(Causality causality);
const char* to_string(Variability variability);
const char* to_string(Initial initial);
const char* to_string(IntervalVariability variability);

/// The size of one dimension: fixed, or the value of the structural parameter or constant
/// `reference`. `size` is what it is before anybody changes that parameter.
struct Dimension {
  std::uint64_t size = 1;
  std::optional<ValueReference> reference;
};

/// Another name of the same variable, perhaps to be shown in another unit.
struct Alias {
  std::string name;
  std::string description;
  std::string display_unit;
};

/// What only clocks have.
struct ClockAttributes {
  IntervalVariability interval_variability = IntervalVariability::triggered;
  bool can_be_deactivated = false;
  std::optional<std::uint32_t> priority;
  std::optional<double> interval_decimal;
  double shift_decimal = 0.0;
  bool supports_fraction = false;
  std::optional<std::uint64_t> resolution;
  std::optional<std::uint64_t> interval_counter;
  std::uint64_t shift_counter = 0;
};

/// One variable with all defaults filled in: those of the standard and those of its declared type.
struct Variable {
  VariableType type = VariableType::float64;
  std::string name;
  ValueReference reference = 0;
  /// What the binary calls it. In FMI 1.0 and 2.0 that is unique within Real, Integer with
  /// Enumeration, Boolean and String only, and variables that share it are the same under several
  /// names; `reference` is then the place in the file, from 0.
  std::uint32_t binary_reference = 0;
  bool is_alias = false;    ///< FMI 1.0: it says of itself that it is another name of a variable
  bool is_negated = false;  ///< and that the binary holds the negative, of truth the opposite
  std::string description;
  Causality causality = Causality::local;
  Variability variability = Variability::continuous;
  Initial initial = Initial::calculated;
  /// As it stands in the file (strings and binaries: the first `Start` element), and as a value;
  /// both empty if there is none. One value may stand for a whole array.
  std::string start_text;
  Value start;
  std::optional<std::size_t> declared_type;  ///< index into `ModelDescription::types`
  std::string quantity;
  std::string unit;
  std::string display_unit;
  bool relative_quantity = false;
  bool unbounded = false;
  std::optional<double> min, max, nominal;
  std::optional<ValueReference> derivative_of;  ///< attribute `derivative`
  bool reinit = false;
  std::vector<Dimension> dimensions;  ///< empty: a scalar
  std::vector<Alias> aliases;
  std::vector<ValueReference> clocks;      ///< not empty: a clocked variable
  std::optional<ValueReference> previous;  ///< of a clocked state
  bool intermediate_update = false;
  bool can_handle_multiple_set_per_time_instant = true;
  std::string mime_type;  ///< of a binary
  std::optional<std::uint64_t> max_size;
  std::optional<ClockAttributes> clock;
  std::vector<std::string> annotations;  ///< their types
  /// FMUs of this project say of arrays that indices begin with 0; else they begin with 1.
  bool indices_from_zero = false;
  std::size_t line = 0;  ///< where it stands in modelDescription.xml
};

using saltus::DependencyKind;

/// An entry of the model structure.
struct Unknown {
  std::size_t variable = 0;  ///< index into `ModelDescription::variables`
  /// Absent means "on every known", an empty list "on none".
  std::optional<std::vector<ValueReference>> dependencies;
  std::vector<DependencyKind> kinds;  ///< as many as dependencies, or none
  std::size_t line = 0;
};

/// What FMUs of this project say in a vendor annotation of FMI 2.0 about an event indicator, which
/// is no variable there.
struct IndicatorLabel {
  std::string name;
  bool is_part = false;  ///< a comparison in a condition of several
};

/// The ordered lists. The order of derivatives and indicators is that of the vectors which the FMU
/// exchanges; an array takes several places in them.
struct ModelStructure {
  std::vector<Unknown> outputs;
  std::vector<Unknown> continuous_state_derivatives;
  std::vector<Unknown> clocked_states;
  std::vector<Unknown> initial_unknowns;
  std::vector<Unknown> event_indicators;
  /// FMI 1.0 and 2.0 have no variables for them, only their number.
  std::size_t unnamed_event_indicators = 0;
  std::vector<IndicatorLabel> indicator_labels;  ///< one for each of those, or none
  /// The same of FMI 1.0 alone, where the binary may know names once it is initialised.
  std::size_t unnamed_continuous_states = 0;

  bool has_event_indicators() const {
    return !event_indicators.empty() || unnamed_event_indicators > 0;
  }
};

/// modelDescription.xml as plain data. `Fmu` makes it, checked: every reference in it exists, names
/// and value references are unique.
struct ModelDescription {
  std::string fmi_version;
  int major_version = 3;  ///< 1, 2 or 3
  std::string model_name;
  std::string instantiation_token;
  std::string description, author, version, copyright, license;
  std::string generation_tool, generation_date_and_time;
  bool structured_names = false;  ///< variableNamingConvention
  std::optional<ModelExchange> model_exchange;
  std::optional<CoSimulation> co_simulation;
  std::optional<ScheduledExecution> scheduled_execution;
  DefaultExperiment default_experiment;
  std::vector<Unit> units;
  std::vector<TypeDefinition> types;
  std::vector<LogCategory> log_categories;
  std::vector<Variable> variables;
  ModelStructure structure;
  /// What the standard forbids and this importer forgives, a sentence each.
  std::vector<std::string> warnings;

  /// By name or alias, and by value reference, in constant time; nullptr if there is none.
  const Variable* find(std::string_view name) const;
  const Variable* find(ValueReference reference) const;
  /// The state that belongs to an entry of `structure.continuous_state_derivatives`; nullptr where
  /// an FMU of FMI 2.0 does not say.
  const Variable* state_of(const Unknown& derivative) const;
  /// Elements of a variable with the sizes of the file: 1 for a scalar.
  std::size_t element_count(const Variable& variable) const;
  /// The item of an enumeration with this name, or with this value; nullptr if there is none.
  const EnumerationItem* item(const Variable& variable, std::string_view name) const;
  const EnumerationItem* item(const Variable& variable, std::int64_t value) const;

  /// Reads `text` as a value of the variable: one element, or one for each. Items of an enumeration
  /// may be given by name. Throws `std::invalid_argument` with a sentence for the user.
  Value parse(const Variable& variable, std::string_view text) const;

  /// The tables behind `find`; the parser fills them.
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };
  std::unordered_map<std::string, std::size_t, Hash, std::equal_to<>> by_name;
  std::unordered_map<ValueReference, std::size_t> by_reference;
};

/// The name of one element: `x` for a scalar, `x[2]`, `A[1,3]`, counted from 1 row by row.
/// `sizes` are those of the dimensions. `from_zero` as in `Variable`: the names are then those that
/// the elements have as scalars, `x[1]`, and `der(x[1])` of the array `der(x)`.
std::string element_name(const std::string& variable, const std::vector<std::size_t>& sizes,
                         std::size_t index, bool from_zero = false);

}  // namespace saltus::importer

// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "saltus/core/model.hpp"
#include "saltus/core/variable.hpp"

namespace saltus::modeling {

/// A unit in terms of the base units of the SI, as FMI has them (FMI 3.0, 2.4.4):
/// value in base units = factor * value + offset.
struct BaseUnits {
  int kg = 0, m = 0, s = 0, A = 0, K = 0, mol = 0, cd = 0, rad = 0;
  double factor = 1.0;
  double offset = 0.0;
};

/// What a unit like "m/s2", "kg.m2", "J/(kg.K)", "kN", "degC" or "1" means; nothing if some part of
/// it is not known. A number behind a symbol is its exponent; '.' or '*' multiplies; what stands
/// behind '/' divides, up to the next of these signs.
std::optional<BaseUnits> base_units(std::string_view unit);

/// From a unit to another one of the same quantity: value in `to` = factor * value + offset. Throws
/// `std::invalid_argument`, which says why, where there is no such thing.
struct UnitConversion {
  double factor = 1.0;
  double offset = 0.0;
};
UnitConversion conversion(const std::string& from, const std::string& to);

/// Warns of units that are not known.
void warn_of_units(const Experiment& experiment, std::span<const Variable> variables);
/// The variables whose unit is not known.
std::vector<const Variable*> with_unknown_units(std::span<const Variable> variables);
/// What to say of such a unit.
std::string unknown_unit_text(const Variable& variable);

}  // namespace saltus::modeling

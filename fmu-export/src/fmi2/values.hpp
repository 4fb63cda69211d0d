// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>

#include "instance.hpp"
#include "saltus/fmi/fmi2.h"

/// The two types of FMI 2.0 that are not those of an instance: its truth values are numbers, and
/// its integers have 32 bits, of which a model's integers of other types may need more.
namespace saltus::fmu_export::fmi2 {

/// Throws `CallError`, naming the variable, on a value that FMI 2.0 cannot express.
Eval get_integers(Instance& instance, References references, std::span<fmi2Integer> values);
void set_integers(Instance& instance, References references, std::span<const fmi2Integer> values);

Eval get_booleans(Instance& instance, References references, std::span<fmi2Boolean> values);
void set_booleans(Instance& instance, References references, std::span<const fmi2Boolean> values);

}  // namespace saltus::fmu_export::fmi2

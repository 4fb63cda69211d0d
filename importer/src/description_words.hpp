// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "saltus/importer/model_description.hpp"
#include "xml_file.hpp"

namespace saltus::importer {

/// The words that stand in attributes of FMI 2.0 and 3.0.
inline constexpr Element::Word<Causality> kCausalities[] = {
    {"structuralParameter", Causality::structural_parameter},
    {"parameter", Causality::parameter},
    {"calculatedParameter", Causality::calculated_parameter},
    {"input", Causality::input},
    {"output", Causality::output},
    {"local", Causality::local},
    {"independent", Causality::independent}};
inline constexpr Element::Word<Variability> kVariabilities[] = {
    {"constant", Variability::constant},
    {"fixed", Variability::fixed},
    {"tunable", Variability::tunable},
    {"discrete", Variability::discrete},
    {"continuous", Variability::continuous}};
inline constexpr Element::Word<Initial> kInitials[] = {
    {"exact", Initial::exact}, {"approx", Initial::approx}, {"calculated", Initial::calculated}};

}  // namespace saltus::importer

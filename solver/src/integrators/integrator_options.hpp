// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "saltus/integrators/integrator.hpp"

namespace saltus {

/// Throws `std::invalid_argument` where options mean nothing: a tolerance below `least_tolerance`
/// or infinite, an absolute tolerance or a first step below zero, a largest step that is not
/// positive.
void require_meaning(const IntegratorOptions& options, const char* integrator,
                     double least_tolerance);

}  // namespace saltus

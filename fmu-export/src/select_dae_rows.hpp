// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>

#include "dae_rows.hpp"
#include "find_dae_form.hpp"
#include "saltus/core/model.hpp"

namespace saltus::fmu_export {

/// Which of the equations, differentiated up to `levels`, become residuals, which compute a
/// derivative, and which are left as invariants. Throws `std::runtime_error` with the reason where
/// that would not be the same everywhere.
FoundDaeForm select_dae_rows(const DaeRows& rows, std::span<const int> levels, const Shape& shape);

/// The form of a model whose equations may change.
FoundDaeForm switched_dae_form(const Shape& shape);

}  // namespace saltus::fmu_export

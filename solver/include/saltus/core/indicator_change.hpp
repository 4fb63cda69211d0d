// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

namespace saltus {

/// What became of an indicator at an event. A model that knows what its indicators mean says so
/// (`EventHints::change`); of one that does not, `rose` and `fell` tell the direction.
///
///     when(T > 22.0)     // "T > 22 became true", and later "T > 22 became false"
enum class IndicatorChange : char {
  unknown,
  became_true,   ///< the condition behind it
  became_false,  ///< likewise
  rose,          ///< from z <= 0 to z > 0
  fell,          ///< back
};
/// "became true"; empty where it is unknown.
const char* to_string(IndicatorChange change);
/// "T > 22 became true"; the name alone where it is unknown.
std::string with_change(const std::string& name, IndicatorChange change);

}  // namespace saltus

// SPDX-License-Identifier: BSD-2-Clause
#include "start_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace saltus::cli {

// Numbers only: of inputs, whose values a table may give, and of anything else that is not a number
// there is nothing to compare.
void StartCheck::sample(double t, Moment moment) {
  if (moment != Moment::initial) return;
  for (const auto& [name, text] : values_) {
    const importer::Variable& variable = variables_.variable(name);
    double given = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), given);
    if (error != std::errc{} || end != text.data() + text.size() ||
        variable.type != importer::VariableType::float64 || !variable.dimensions.empty() ||
        variable.causality == importer::Causality::input) {
      continue;
    }
    double now = given;
    variables_.read_numbers(variable.type, {variable.reference}, Vec(&now, 1));
    const double allowed = 10.0 * experiment_.tolerance * std::max(1.0, std::fabs(given));
    if (std::fabs(now - given) > allowed) {
      warn(experiment_, {.time = t,
                         .subject = name,
                         .message = fmt::format("the start value {} became {:.6g}: the FMU's "
                                                "equations do not allow it, or its first event "
                                                "changed it",
                                                text, now)});
    }
  }
}

}  // namespace saltus::cli

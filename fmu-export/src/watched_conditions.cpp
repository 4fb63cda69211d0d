// SPDX-License-Identifier: BSD-2-Clause
#include "watched_conditions.hpp"

#include <algorithm>

namespace saltus::fmu_export {

std::string indicator_text(const modeling::DescribedModel& model, std::size_t i) {
  const std::size_t own = model.shape().indicators;
  return i < own ? model.indicator_name(i) : model.part_names()[i - own];
}

// A model that skips comparisons where discrete variables rule them out shows fewer than it has
// names: the rest is far from changing.
Eval watch_conditions(modeling::DescribedModel& model, double t, ConstVec y, Vec z) {
  const std::size_t own = model.shape().indicators;
  const Eval answer = model.indicators(t, y, z.first(own));
  if (const Vec rest = z.subspan(own); !rest.empty()) {
    const EventHints* const hints = model.capabilities().hints;
    const ConstVec parts = hints != nullptr ? hints->parts() : ConstVec{};
    const std::size_t shown = std::min(parts.size(), rest.size());
    std::copy_n(parts.begin(), shown, rest.begin());
    std::fill(rest.begin() + static_cast<std::ptrdiff_t>(shown), rest.end(), 1.0);
  }
  return answer;
}

}  // namespace saltus::fmu_export

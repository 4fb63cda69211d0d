// SPDX-License-Identifier: BSD-2-Clause
#include "reduced_sides.hpp"

#include <algorithm>
#include <vector>

namespace saltus {
namespace {

// Parts of the way: at first, by how much more each time, and at most. What the point is moved by
// stays well below the tolerance.
constexpr double kFirst = 1e-3;
constexpr double kFarther = 10.0;
constexpr double kMost = 0.1;

bool is_beyond(double z) { return z > 0.0; }

}  // namespace

bool go_on_to_decided_sides(ReducedModel& model, double t, ConstVec decided_at, double way,
                            MovingPoint point) {
  std::vector<double> decided(model.shape().indicators), z(decided.size()), ahead(decided.size());
  if (!(way < kNever) || model.indicators(t, decided_at, decided) == Eval::discard ||
      model.indicators(t, point.x, z) == Eval::discard) {
    return false;
  }
  const std::vector<double> from(point.x.begin(), point.x.end());
  const std::vector<double> slopes(point.slopes.begin(), point.slopes.end());
  const auto move_by = [&](double time) {
    for (std::size_t i = 0; i < from.size(); ++i) {
      point.x[i] = from[i] + time * slopes[i];
    }
  };
  std::vector<std::size_t> before;  // their surfaces, that is where the point lies
  for (std::size_t i = 0; i < z.size(); ++i) {
    if (is_beyond(z[i]) != is_beyond(decided[i])) {
      before.push_back(i);
    }
  }
  if (before.empty()) {
    return false;
  }
  move_by(kMost * way);
  const bool is_known = model.indicators(t, point.x, ahead) == Eval::ok;
  std::erase_if(before, [&](std::size_t i) {
    return !is_known || is_beyond(ahead[i]) != is_beyond(decided[i]);
  });
  for (double part = kFirst; !before.empty() && part <= kMost; part *= kFarther) {
    move_by(part * way);
    if (model.make_consistent(t, point.x, point.slopes) == Eval::ok &&
        model.indicators(t, point.x, z) == Eval::ok &&
        std::none_of(before.begin(), before.end(),
                     [&](std::size_t i) { return is_beyond(z[i]) != is_beyond(decided[i]); })) {
      return true;
    }
  }
  move_by(0.0);
  if (!before.empty()) {
    static_cast<void>(model.make_consistent(t, point.x, point.slopes));  // as it was
  }
  return false;
}

}  // namespace saltus

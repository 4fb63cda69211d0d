// SPDX-License-Identifier: BSD-2-Clause
// Conditions that join comparisons with && or ||, of which one may be that of a surface on which
// the motion slides: `a > 0 || c > 0.5` on a = 0. On the surface it is as near to zero as the
// motion, whatever c does below 0.5; a little beside it, it is clear of zero on both sides, and
// changes when c does. So each configuration is asked on its own side of the surfaces.
#include <algorithm>
#include <string>

#include "saltus/core/error.hpp"
#include "sliding_state.hpp"

namespace saltus {

using sliding::Surface;

// By the text of the condition: hints tell what is compared, not which condition does.
void SlidingModel::State::find_joined_conditions() {
  is_joined.assign(indicators, 0);
  for (std::size_t i = 0; i < indicators && hints != nullptr && !hints->parts().empty(); ++i) {
    const std::string text = model.indicator_name(i);
    is_joined[i] =
        switches[i] != 0 && (text.find("&&") != std::string::npos ||
                             text.find("||") != std::string::npos || text.ends_with("..."))
            ? 1
            : 0;
  }
  any_joined = std::count(is_joined.begin(), is_joined.end(), 1) > 0;
}

// The indicators of configuration v; those of joined conditions are asked beside the surfaces.
Eval SlidingModel::State::indicators_of_side(std::size_t v, double t, ConstVec y, Vec z) {
  if (sides->indicators(on->slots()[v], t, y, z) == Eval::discard) return Eval::discard;
  read_parts();
  if (!any_joined) return Eval::ok;
  const std::vector<double> beside = on->beside(t, y, on->combinations().sides(v), least_shown());
  std::vector<double> there(indicators);
  if (sides->indicators(on->slots()[v], t, beside, there) == Eval::discard) return Eval::discard;
  for (std::size_t i = 0; i < indicators; ++i) {
    if (is_joined[i] != 0) z[i] = there[i];
  }
  return Eval::ok;
}

// Whether condition i, where it is met, has one sign on one side of surface j and the other one on
// the other side: on every side of the other surfaces, or on some.
SlidingModel::State::Follows SlidingModel::State::follows(std::size_t i, std::size_t j, double t,
                                                          ConstVec y) {
  std::vector<double> here(indicators), there(indicators);
  Follows result;
  bool always = true;
  for (std::size_t v = 0; v < on->slots().size(); ++v) {
    sliding::Combination own = on->combinations().sides(v);
    const bool is_positive_side = own[j] != 0;
    const Configurations::Slot slot = on->slots()[v];
    if (sides->indicators(slot, t, on->beside(t, y, own, least_shown()), here) == Eval::discard) {
      continue;
    }
    own[j] = is_positive_side ? 0 : 1;
    if (sides->indicators(slot, t, on->beside(t, y, own, least_shown()), there) == Eval::discard ||
        here[i] == Configurations::kNotMet || there[i] == Configurations::kNotMet) {
      continue;
    }
    const bool turns = (here[i] > 0.0) != (there[i] > 0.0);
    result.sometimes = result.sometimes || turns;
    always = always && turns;
    result.sign = (here[i] > 0.0) == is_positive_side ? 1.0 : -1.0;
  }
  result.always = always && result.sometimes;
  return result;
}

// What has fired and is not the same on all sides of the surfaces slid on, or was not before, is no
// surface of its own: it belongs to one of those from now on, or no longer does. Returns whether
// there was such a one; it is no longer among what has fired.
bool SlidingModel::State::settle_joined_conditions(double t, ConstVec y) {
  if (!any_joined) return false;
  std::vector<Surface> surfaces = on->surfaces();
  std::size_t first = indicators;
  bool is_name = false;  // of a surface, which ends with it
  const std::size_t settled = std::erase_if(fired, [&](std::size_t i) {
    bool belongs = false;
    if (is_joined[i] == 0) return false;
    for (std::size_t j = 0; j < surfaces.size(); ++j) {
      Surface& surface = surfaces[j];
      is_name = is_name || surface.indicator == i;
      const auto known = std::find(surface.coincident.begin(), surface.coincident.end(), i);
      if (known != surface.coincident.end()) {
        surface.coincident_signs.erase(surface.coincident_signs.begin() +
                                       (known - surface.coincident.begin()));
        surface.coincident.erase(known);
        belongs = true;
      }
      const Follows found = follows(i, j, t, y);
      if (found.always) {
        surface.coincident.push_back(i);
        surface.coincident_signs.push_back(found.sign);
      }
      belongs = belongs || found.sometimes;
    }
    for (std::size_t v = 1; v < on->slots().size(); ++v) {
      belongs = belongs || domains[v * indicators + i] != domains[i];
    }
    first = first == indicators ? i : first;
    return belongs;
  });
  // With more surfaces it is not known which combinations of sides are to decide anew; and a
  // surface that ends here has no other side.
  if (is_name || (settled > 0 && (on->size() > 1 || !fired.empty()))) {
    throw ModelError("indicators", t,
                     "\"" + model.indicator_name(first) +
                         "\" changes while the motion slides on \"" +
                         model.indicator_name(on->surfaces().front().indicator) +
                         "\", to which one of its comparisons belongs, and meets other surfaces. "
                         "Assign its comparisons to `const bool` one by one before they are joined "
                         "with && or ||");
  }
  on->orient(std::move(surfaces));
  return settled > 0;
}

}  // namespace saltus

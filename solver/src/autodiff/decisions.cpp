// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/autodiff/decisions.hpp"

#include <cmath>
#include <stdexcept>
#include <string>

#include "saltus/core/mistakes.hpp"

namespace saltus::modeling {
namespace {
constexpr const char* kAdvice =
    ": what leads to a condition has to be another condition, a parameter or a Discrete; a "
    "no_event() or a member that is not declared as a variable, may not decide whether it is met. "
    "The values of an integer that leads to conditions have to be known when the model is made: "
    "give it limits (.min, .max) or an enumeration";
}

void WatchedTruth::hold(std::size_t part) {
  for (const HeldPart& held : held_parts) {
    if (held.part == part && std::fabs(margin_) <= held.within) {
      margin_ = held.positive ? held.within : -held.within;
    }
  }
}

void too_many_decisions() {
  throw ModelMistake(
      std::string("equations() met more decisions than were found when the model was made") +
      kAdvice);
}

void wrong_count(std::size_t met, std::size_t expected, const char* what) {
  throw ModelMistake("the model met " + std::to_string(met) + " " + what + " instead of " +
                     std::to_string(expected) + kAdvice);
}

}  // namespace saltus::modeling

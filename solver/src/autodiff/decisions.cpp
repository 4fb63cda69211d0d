// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/autodiff/decisions.hpp"

#include <stdexcept>
#include <string>

#include "saltus/core/mistakes.hpp"

namespace saltus::modeling {
namespace {
constexpr const char* kAdvice =
    ": every pass over a model has to meet the same ones, so none may stand behind a condition "
    "that "
    "another decides; compute both sides first, then choose";
}

void too_many_decisions() {
  throw ModelMistake(std::string("equations() met more decisions than in its first pass") +
                     kAdvice);
}

void wrong_count(std::size_t met, std::size_t expected, const char* what) {
  throw ModelMistake("the model met " + std::to_string(met) + " " + what + " instead of " +
                     std::to_string(expected) + kAdvice);
}

}  // namespace saltus::modeling

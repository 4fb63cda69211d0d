// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/core/warning.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "saltus/core/model.hpp"
#include "saltus/core/number_text.hpp"

namespace saltus {
namespace {

// A reader takes in far fewer; the bound keeps the memory of a run that warns at every step.
constexpr std::size_t kMostKept = 1000;

}  // namespace

std::string to_string(const Warning& warning) {
  std::string said;
  if (!std::isnan(warning.time)) {
    said = "at t = " + number_text(warning.time) + ": ";
  }
  if (!warning.subject.empty()) {
    said += warning.subject + ": ";
  }
  said += warning.message;
  if (warning.count > 1) {
    said += " (" + std::to_string(warning.count) + " times)";
  }
  return said;
}

void Warnings::keep(Warning warning) {
  all_.push_back(std::move(warning));
  if (listener_) {
    const Warning told = all_.back();  // the listener may add another one
    listener_(told);
  }
}

void Warnings::add(Warning warning) {
  const auto equal = std::find_if(all_.begin(), all_.end(), [&warning](const Warning& other) {
    return other.subject == warning.subject && other.message == warning.message;
  });
  if (equal != all_.end()) {
    equal->count += warning.count;
  } else if (all_.size() < kMostKept) {
    keep(std::move(warning));
  } else if (all_.size() == kMostKept) {
    keep({.time = warning.time,
          .subject = "",
          .message = "a thousand different warnings came before: further ones are not kept"});
  } else {
    ++all_.back().count;
  }
}

void warn(const Experiment& experiment, Warning warning) {
  if (experiment.warnings) {
    experiment.warnings->add(std::move(warning));
  }
}

}  // namespace saltus

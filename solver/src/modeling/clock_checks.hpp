// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cmath>
#include <stdexcept>
#include <string>

#include "saltus/core/number_text.hpp"

namespace saltus::modeling {

[[noreturn]] inline void refuse_clock(const std::string& name, const std::string& why) {
  throw std::invalid_argument("the clock '" + name + "' " + why);
}

/// `from`: where the interval comes from, for the message.
inline void check_interval(const std::string& name, double interval, const std::string& from) {
  if (!(interval > 0.0 && std::isfinite(interval))) {
    refuse_clock(name, "has the interval " + number_text(interval) + from +
                           ": an interval is a positive and finite number");
  }
}

}  // namespace saltus::modeling

// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "saltus/core/clock_ticks.hpp"

namespace saltus::importer {

/// What an FMU answers when it is asked for an interval (FMI 3.0, 2.2.9, fmi3IntervalQualifier).
enum class IntervalQualifier { not_yet_known, unchanged, changed };
struct ClockInterval {
  IntervalQualifier qualifier = IntervalQualifier::not_yet_known;
  ClockLength length;
};

}  // namespace saltus::importer

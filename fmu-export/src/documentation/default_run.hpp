// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "saltus/core/variable.hpp"

namespace saltus::fmu_export {

/// The default experiment of a model, run when its FMU is made. Inputs keep their start values.
struct DefaultRun {
  /// Of what may change, in the order of the model.
  struct Column {
    modeling::Variable variable;
    std::vector<double> values;
  };
  std::vector<double> time;  ///< two rows with the time of an event: before it and after
  std::vector<Column> columns;
  std::size_t state_events = 0;
  std::size_t time_events = 0;
  bool complete = false;  ///< it came to the stop time, or the model ended it
  std::string end;        ///< how it ended, as a sentence
  std::string failure;    ///< what ended it before its time; empty: nothing, or it is only cut off
};

/// A run that a mistake in the model ends (`ModelMistake`) throws it on: nobody could run the FMU.
/// So does what was given a value that it cannot have (`std::logic_error`), unless the model has
/// inputs, which only a run of somebody else gives values. Numerical failures end the run alone.
DefaultRun run_default_experiment();

/// As CSV (RFC 4180), numbers that read back as they were.
std::string csv(const DefaultRun& run);

}  // namespace saltus::fmu_export

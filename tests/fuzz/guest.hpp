// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <dlfcn.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "dice.hpp"
#include "fmi3/allowed_calls.hpp"
#include "saltus/importer/fmu.hpp"

namespace saltus::fuzz {

using fmu_export::Interface;
using fmu_export::Mode;
using fmu_export::fmi3::Function;

/// Every function of FMI 3.0 of an FMU's library.
struct Functions {
#define X(Return, Name, Parameters) Name##TYPE* Name = nullptr;
  SALTUS_FMI3_FUNCTIONS(X)
#undef X
};

/// An FMU, unpacked and loaded, and what of its description random calls need.
class Guest {
 public:
  explicit Guest(const std::string& path);

  struct Known {
    fmi3ValueReference reference = 0;
    double start = 0.0;
    bool settable_later = false;  ///< an input, or a tunable parameter
    bool algebraic = false;       ///< it may be given in DAE mode
    bool intermediate = false;
  };
  std::string path;
  std::string token;
  Functions f;
  std::vector<Known> numbers, int32s, int64s, booleans;
  std::vector<Known> switches;  ///< structural parameters
  double start = 0.0, stop = 1.0;

 private:
  importer::Fmu fmu_;
};

/// What is printed where the process ends in the middle of a call.
void note_run(const std::string& fmu, std::uint64_t seed);
void note_call(const char* name);
/// A run has a minute of the processor; what is a part of its own may have one more.
void allow_another_minute();
/// Prints the run and the last calls on signals, and where the minute is over.
void watch_for_the_end();

}  // namespace saltus::fuzz

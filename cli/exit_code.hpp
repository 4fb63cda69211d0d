// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <stdexcept>

namespace saltus::cli {

/// What the program tells its caller; the help text repeats it. A run that a signal ended is 128
/// plus the signal's number, as shells do it.
inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;
inline constexpr int kWrongUsage = 2;
inline constexpr int kUnusableFmu = 3;
inline constexpr int kEndedBySignal = 128;

/// The command line asks for something that is not there: an option, a variable, a file.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The FMU cannot be used, and the run has not begun; the text says all.
class UnusableFmu : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The FMU failed before the run had begun.
class RunRefused : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace saltus::cli

// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <ctime>

namespace saltus::benchmarks {

/// The processor time of this thread since construction. Unlike the time on the wall it does not
/// count what other programs take away.
class ProcessorTime {
 public:
  ProcessorTime() { clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin_); }
  double microseconds() const {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e6 * static_cast<double>(now.tv_sec - begin_.tv_sec) +
           1e-3 * static_cast<double>(now.tv_nsec - begin_.tv_nsec);
  }

 private:
  timespec begin_{};
};

}  // namespace saltus::benchmarks

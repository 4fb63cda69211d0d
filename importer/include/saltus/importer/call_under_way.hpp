// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

namespace saltus::importer {

/// The call into foreign code that a process has begun and not ended: what to blame when the
/// process ends there or nothing happens any more. A process that was made for an FMU keeps it
/// where its parent can read it, see `FmuProcess`.
struct CallUnderWay {
  /// Null between calls. A literal of this program: its address means the same in a parent.
  std::atomic<const char*> function = nullptr;
  std::atomic<std::uint64_t> count = 0;  ///< of calls begun
};

/// The name of the call, empty between calls. What another process has left there may be damaged:
/// an address that means nothing here is no call either.
std::string call_name(const CallUnderWay& call);

/// Where this process keeps its own.
inline CallUnderWay own_call_under_way;
inline CallUnderWay* call_under_way = &own_call_under_way;

/// `function` has to be a literal.
[[gnu::always_inline]] inline void begin_call(const char* function) {
  CallUnderWay& call = *call_under_way;
  call.function.store(function, std::memory_order_relaxed);
  call.count.store(call.count.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}
[[gnu::always_inline]] inline void end_call() {
  call_under_way->function.store(nullptr, std::memory_order_relaxed);
}

}  // namespace saltus::importer

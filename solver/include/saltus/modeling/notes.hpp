// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <vector>

namespace saltus::modeling {

// Seldom, and out of the way of what is done often.
[[gnu::noinline, gnu::cold]] inline void append_note(std::vector<const void*>& notes,
                                                     const void* variable) {
  notes.push_back(variable);
}

/// Where assignments to what only `events` assigns are noted, while somebody asks for them.
inline constinit thread_local std::vector<const void*>* noted_writes = nullptr;
inline void note_write(const void* variable) {
  if (noted_writes != nullptr) [[unlikely]] {
    append_note(*noted_writes, variable);
  }
}

/// Where readings of what is not a number are noted, while somebody asks for them. The switch is
/// one for all threads, so that a model that runs pays for one load and no more.
inline constinit thread_local std::vector<const void*>* noted_reads = nullptr;
inline constinit std::atomic<int> notes_reads = 0;
inline void note_read(const void* variable) {
  if (notes_reads.load(std::memory_order_relaxed) != 0 && noted_reads != nullptr) [[unlikely]] {
    append_note(*noted_reads, variable);
  }
}
class ReadingScope {
 public:
  explicit ReadingScope(std::vector<const void*>& reads) {
    noted_reads = &reads;
    notes_reads.fetch_add(1, std::memory_order_relaxed);
  }
  ~ReadingScope() {
    notes_reads.fetch_sub(1, std::memory_order_relaxed);
    noted_reads = nullptr;
  }
  ReadingScope(const ReadingScope&) = delete;
  ReadingScope& operator=(const ReadingScope&) = delete;
};

}  // namespace saltus::modeling

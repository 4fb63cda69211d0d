// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace saltus::importer {

/// A process for one FMU, forked from this one: it sees the same memory as it was, and nothing that
/// it does can be seen here, but for what it writes into shared memory.
///
/// In the child, requests to stop the program are left to the parent, other signals do what they do
/// in a fresh program, files of the parent are closed but for its outputs, and standard input is
/// empty. It ends when its work is done, when `end` says so, or with its parent; the processes that
/// it has started, and that have not left its group, end with it.
class FmuProcess {
 public:
  /// `memory` limits what the child may allocate, in bytes; 0: not at all. `kept_file` stays open,
  /// if it is one. A parent that is killed (SIGKILL) leaves its files: then the child removes
  /// `folder`, if that is one.
  FmuProcess(const std::function<void()>& work, std::uint64_t memory, int kept_file,
             const std::filesystem::path& folder = {});
  FmuProcess(const FmuProcess&) = delete;
  FmuProcess& operator=(const FmuProcess&) = delete;
  /// Ends it at once.
  ~FmuProcess();

  /// Whether it has ended, by whatever means.
  bool has_ended();
  /// Waits for that, but not for longer than `most`.
  bool has_ended_within(std::chrono::milliseconds most);
  /// How it ended, as a predicate: "crashed (SIGSEGV, Segmentation fault)".
  std::string how() const;
  bool ended_well() const { return ended_ && status_ == 0; }
  /// Whether it had nearly as much memory as it may.
  bool was_short_of_memory() const;
  void end();

 private:
  void reap();

  pid_t process_ = -1;
  std::uint64_t memory_;
  std::uint64_t most_memory_ = 0;  // that it ever had
  int life_ = -1;                  // the end of a pipe that goes with us
  bool ended_ = false;
  int status_ = 0;
};

/// An FMU that forks and returns in both processes makes a copy of the whole run, which nobody
/// waits for. After `mark_copies` has been called, a copy of this process ends itself in
/// `end_if_copy`.
void mark_copies();
void end_if_copy();

/// Four fifths of the machine's memory: who needs more would take the whole machine down.
std::uint64_t default_memory_limit();

}  // namespace saltus::importer

// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <signal.h>

#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace saltus::cli {

/// Why the process is about to end although its work is not done.
struct Interruption {
  /// SIGSEGV, SIGINT, ...; 0 if foreign code called `exit` or one of its kind.
  int signal = 0;
  /// Somebody asked the program to stop (SIGINT, SIGTERM, SIGHUP) and the run did not listen.
  bool is_request = false;
  /// A thread that the FMU has started did it; the one that runs the simulation may be anywhere.
  bool is_elsewhere = false;
  /// A phrase such as "the FMU called exit()".
  std::string cause;
};

/// An FMU is foreign code in our process: it can call `exit`, abort, crash or never return. While a
/// `Rescue` exists, none of this takes the results away (only a system call of its own cannot be
/// seen). It has a thread that sleeps until
///
///  * foreign code crashes or calls `exit`, `_exit`, `_Exit` or `quick_exit`: the guilty thread is
///    stopped where it is, and if that is not the one that made the rescue, that one is given a
///    moment to come by `is_perishing`;
///  * somebody asks the program to stop. `request` then names the signal, and whoever runs the
///    simulation is expected to end it. If it does not within a second (an FMU that never
///    returns), or somebody asks again, there is nothing to wait for.
///
/// The thread then calls `last_words`, which should write down what there is and must not call into
/// foreign code, and ends the process with the exit code that it answers. What a crash has left of
/// the heap may be damaged, so this is an attempt: a timer ends it if it hangs.
///
/// Requests that the caller of the program has switched off, as `nohup` does, stay so. There is one
/// rescue at a time.
class Rescue {
 public:
  using LastWords = std::function<int(const Interruption&)>;

  explicit Rescue(LastWords last_words);
  Rescue(const Rescue&) = delete;
  Rescue& operator=(const Rescue&) = delete;
  ~Rescue();

  /// The signal by which somebody asked to stop, 0 if nobody did.
  static int request();

  /// An FMU has been loaded into this process, and may have left handlers for its end (`atexit`,
  /// `on_exit`), even handlers whose code is gone: the program ends without calling them.
  inline static bool foreign_code_is_here = false;

  /// The run is over and its results are being written, which may take longer than a second: only a
  /// second request ends the process from now on.
  void be_patient() { patient_ = true; }

  /// `last_words` is about to be called, or is under way: whoever comes by waits for the end.
  static bool is_perishing();

  /// For whoever finds that `last_words` has taken the results over.
  [[noreturn]] static void await_the_end();

 private:
  void take_over(int signal, void (*handler)(int), int flags);
  void watch();
  int receive(bool with_grace) const;
  [[noreturn]] void perish(int word);

  LastWords last_words_;
  std::atomic<bool> patient_ = false;
  int inbox_ = -1;
  std::vector<std::pair<int, struct sigaction>> replaced_;  // by signal, what it did before
  std::thread thread_;
};

}  // namespace saltus::cli

// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/importer/fmu_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <system_error>
#include <thread>

#include "saltus/importer/call_under_way.hpp"

namespace saltus::importer {
namespace {

constexpr std::size_t kLongestCall = 64;
constexpr std::array kLeftToTheParent = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP};

void close_files(int first, int last) {
  if (first <= last) {
    ::syscall(SYS_close_range, static_cast<unsigned>(first), static_cast<unsigned>(last), 0U);
  }
}

/// All but the standard ones and two.
void close_other_files(int one, int other) {
  const auto [low, high] = std::minmax(one, other);
  close_files(3, low - 1);
  close_files(low + 1, high - 1);
  close_files(high + 1, INT_MAX);
}

/// Where the parent is gone: once, whichever thread sees it first, and before either ends the
/// process.
void remove_what_is_left(pid_t parent, const std::filesystem::path& folder) {
  static std::once_flag once;
  if (::getppid() == parent || folder.empty()) return;
  std::call_once(once, [&] {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  });
}

/// Nothing is ever written into the pipe; it is at its end when the parent is gone.
void end_with_parent(int life, pid_t parent, const std::filesystem::path& folder) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, nullptr);
  char byte = 0;
  while (::read(life, &byte, 1) < 0 && errno == EINTR) {
  }
  // An FMU that closes files which are not its own has closed this one too.
  while (::getppid() == parent) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  remove_what_is_left(parent, folder);
  ::_exit(0);
}

std::atomic<bool> is_copy = false;

void become_child(pid_t parent, int life, int kept_file, std::uint64_t memory,
                  const std::filesystem::path& folder) {
  ::setpgid(0, 0);
  is_copy = false;
  mark_copies();
  for (int signal = 1; signal < NSIG; ++signal) ::signal(signal, SIG_DFL);
  for (const int signal : kLeftToTheParent) ::signal(signal, SIG_IGN);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::prctl(PR_SET_NAME, "saltus-fmu");
  const int nothing = ::open("/dev/null", O_RDONLY);
  if (nothing >= 0) ::dup2(nothing, STDIN_FILENO);
  close_other_files(life, kept_file >= 0 ? kept_file : life);
  const rlimit no_core = {.rlim_cur = 0, .rlim_max = 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
#if !defined(__SANITIZE_ADDRESS__)
  if (memory > 0) {
    const rlimit limit = {.rlim_cur = memory, .rlim_max = memory};
    ::setrlimit(RLIMIT_DATA, &limit);
  }
#else
  (void)memory;
#endif
  std::thread(end_with_parent, life, parent, folder).detach();
}

}  // namespace

void mark_copies() {
  [[maybe_unused]] static const int registered = ::pthread_atfork(nullptr, nullptr, [] {
    is_copy = true;
    call_under_way = &own_call_under_way;  // that of the run is shared
  });
}

void end_if_copy() {
  if (is_copy.load(std::memory_order_relaxed)) ::_exit(0);
}

std::string call_name(const CallUnderWay& call) {
  const char* function = call.function;
  std::array<int, 2> pipe = {};
  if (function == nullptr || ::pipe2(pipe.data(), O_CLOEXEC) != 0) return {};
  // The kernel looks at an address that may lead nowhere without falling.
  std::string name;
  char next = 0;
  while (name.size() < kLongestCall && ::write(pipe[1], function + name.size(), 1) == 1 &&
         ::read(pipe[0], &next, 1) == 1 && std::isalnum(static_cast<unsigned char>(next)) != 0) {
    name += next;
  }
  ::close(pipe[0]);
  ::close(pipe[1]);
  return next == '\0' ? name : std::string();
}

FmuProcess::FmuProcess(const std::function<void()>& work, std::uint64_t memory, int kept_file,
                       const std::filesystem::path& folder)
    : memory_(memory) {
  std::array<int, 2> pipe = {};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0) {
    throw std::system_error(errno, std::generic_category(), "pipe");
  }
  std::fflush(nullptr);  // what is buffered must not be written twice
  const pid_t parent = ::getpid();
  process_ = ::fork();
  if (process_ == 0) {
    ::close(pipe[1]);
    try {
      become_child(parent, pipe[0], kept_file, memory, folder);
      work();
    } catch (...) {  // `work` tells its parent; here is nobody to tell
      remove_what_is_left(parent, folder);
      ::_exit(1);
    }
    std::fflush(nullptr);
    remove_what_is_left(parent, folder);
    ::_exit(0);
  }
  const int error = errno;
  if (process_ > 0) ::setpgid(process_, process_);  // whoever is first
  ::close(pipe[0]);
  life_ = pipe[1];
  if (process_ < 0) {
    ::close(life_);
    throw std::system_error(error, std::generic_category(), "fork");
  }
}

FmuProcess::~FmuProcess() {
  end();
  ::close(life_);
}

bool FmuProcess::has_ended() {
  if (ended_) return true;
  siginfo_t state = {};
  // It stays a zombie at first, so that its group cannot become anybody else's.
  const int waited =
      ::waitid(P_PID, static_cast<id_t>(process_), &state, WEXITED | WNOHANG | WNOWAIT);
  if ((waited == 0 && state.si_pid == process_) || (waited < 0 && errno == ECHILD)) reap();
  return ended_;
}

void FmuProcess::reap() {
  ::kill(-process_, SIGKILL);
  rusage used = {};
  while (::wait4(process_, &status_, 0, &used) < 0 && errno == EINTR) {
  }
  most_memory_ = static_cast<std::uint64_t>(used.ru_maxrss) << 10;
  ended_ = true;
}

bool FmuProcess::was_short_of_memory() const {
  return memory_ > 0 && most_memory_ > memory_ / 10 * 9;
}

bool FmuProcess::has_ended_within(std::chrono::milliseconds most) {
  const auto deadline = std::chrono::steady_clock::now() + most;
  for (auto pause = std::chrono::microseconds(50); !has_ended();
       pause = std::min(2 * pause, std::chrono::microseconds(5000))) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(pause);
  }
  return true;
}

void FmuProcess::end() {
  if (has_ended()) return;
  ::kill(process_, SIGKILL);
  reap();
}

std::string FmuProcess::how() const {
  if (WIFSIGNALED(status_)) {
    const int signal = WTERMSIG(status_);
    const char* name = ::sigabbrev_np(signal);
    const char* description = ::sigdescr_np(signal);
    return fmt::format("crashed (SIG{}, {}){}", name != nullptr ? name : std::to_string(signal),
                       description != nullptr ? description : "unknown",
                       was_short_of_memory()
                           ? fmt::format(" after it had taken {} of the {} MiB that it may have",
                                         most_memory_ >> 20, memory_ >> 20)
                       : signal == SIGKILL ? "; the machine may have been short of memory"
                                           : "");
  }
  return fmt::format("called exit({})", WEXITSTATUS(status_));
}

std::uint64_t default_memory_limit() {
  const auto pages = static_cast<std::uint64_t>(std::max(::sysconf(_SC_PHYS_PAGES), 0L));
  const auto size = static_cast<std::uint64_t>(std::max(::sysconf(_SC_PAGESIZE), 0L));
  return pages * size / 5 * 4;
}

}  // namespace saltus::importer

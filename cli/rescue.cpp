// SPDX-License-Identifier: BSD-2-Clause
#include "rescue.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <utility>

#include "exit_code.hpp"

namespace saltus::cli {
namespace {

constexpr std::array kCrashes = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
// Terminals and batch systems send these. Whatever else ends a process by itself (an alarm, say)
// nobody sends but the process.
constexpr std::array kRequests = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGUSR1, SIGUSR2};
constexpr int kGraceMilliseconds = 1000;
constexpr unsigned kMostSecondsForLastWords = 60;
constexpr useconds_t kMomentToComeBy = 100000;  // microseconds

// What the handlers tell the thread: the number of a signal, or one of these.
constexpr int kExitCalled = 254;
constexpr int kDisarm = 255;

// Handlers may touch little more than lock-free atomics. A file descriptor of -1 means: not armed.
std::atomic<int> outbox = -1;
std::atomic<int> requested = 0;
std::atomic<pid_t> armed_process = 0;
std::atomic<pthread_t> rescuer{};
std::atomic<pthread_t> owner{};  // the thread that made the rescue
std::atomic<bool> guilty_elsewhere = false;
std::atomic<bool> perishing = false;
std::array<char, 65536> handler_stack;

// The C library's own, behind the one at the end of this file.
using EndProcess = void (*)(int);
const auto library_exit = reinterpret_cast<EndProcess>(::dlsym(RTLD_NEXT, "_exit"));

[[noreturn]] void end_process(int code) {
  if (library_exit != nullptr) library_exit(code);
  for (;;) ::syscall(SYS_exit_group, code);
}

void send(int word) {
  const auto byte = static_cast<unsigned char>(word);
  // A child that foreign code has forked is not ours to rescue.
  if (::getpid() == armed_process) {
    [[maybe_unused]] const ssize_t sent = ::write(outbox, &byte, 1);
  }
}

void handle(int signal, void (*handler)(int), int flags) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  // A thread that is stopped where it is must not be led into handlers of the FMU.
  sigfillset(&action.sa_mask);
  ::sigaction(signal, &action, nullptr);
}

/// What the rescuer's thread hears of: whatever else may come is for others.
sigset_t all_but_crashes() {
  sigset_t all;
  sigfillset(&all);
  for (const int signal : kCrashes) sigdelset(&all, signal);
  return all;
}

extern "C" void on_request(int signal) {
  const int kept = errno;
  requested = signal;
  send(signal);
  errno = kept;
}

extern "C" void on_crash(int signal) {
  if (::getpid() != armed_process) {  // a child that the FMU has forked dies as it would have
    handle(signal, SIG_DFL, 0);
    sigset_t own;
    sigemptyset(&own);
    sigaddset(&own, signal);
    ::raise(signal);
    pthread_sigmask(SIG_UNBLOCK, &own, nullptr);
  }
  if (pthread_equal(pthread_self(), rescuer) != 0) end_process(kFailed);
  guilty_elsewhere = pthread_equal(pthread_self(), owner) == 0;
  send(signal);
  Rescue::await_the_end();
}

extern "C" void on_timer(int) { end_process(kFailed); }

void on_exit() {
  if (outbox == -1 || ::getpid() != armed_process) return;
  guilty_elsewhere = pthread_equal(pthread_self(), owner) == 0;
  send(kExitCalled);
  Rescue::await_the_end();
}

bool is_one_of(const auto& signals, int signal) {
  for (const int known : signals) {
    if (known == signal) return true;
  }
  return false;
}

Interruption describe(int word) {
  if (word == kExitCalled) {
    return {.signal = 0, .is_elsewhere = guilty_elsewhere, .cause = "the FMU called exit()"};
  }
  const std::string name = fmt::format("SIG{}", ::sigabbrev_np(word));
  if (is_one_of(kRequests, word)) {
    return {.signal = word, .is_request = true, .cause = fmt::format("interrupted by {}", name)};
  }
  return {.signal = word,
          .is_elsewhere = guilty_elsewhere,
          .cause = fmt::format("crashed ({}, {}), most likely inside the FMU", name,
                               ::sigdescr_np(word))};
}

}  // namespace

Rescue::Rescue(LastWords last_words) : last_words_(std::move(last_words)) {
  std::array<int, 2> ends = {};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw std::system_error(errno, std::generic_category(), "pipe");
  }
  inbox_ = ends[0];
  requested = 0;
  armed_process = ::getpid();
  // From its first moment on, whenever that is.
  const sigset_t mask = all_but_crashes();
  sigset_t before;
  pthread_sigmask(SIG_SETMASK, &mask, &before);
  thread_ = std::thread([this] { watch(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  rescuer = thread_.native_handle();
  owner = pthread_self();
  perishing = false;
  outbox = ends[1];
  [[maybe_unused]] static const int registered = std::atexit(on_exit);
  // A stack that has overflowed cannot carry its own handler.
  stack_t stack = {};
  stack.ss_sp = handler_stack.data();
  stack.ss_size = handler_stack.size();
  ::sigaltstack(&stack, nullptr);
  for (const int signal : kCrashes) take_over(signal, on_crash, SA_ONSTACK);
  for (const int signal : kRequests) take_over(signal, on_request, SA_RESTART);
}

Rescue::~Rescue() {
  if (foreign_code_is_here) {  // a timer of the FMU may lead to code that is gone
    sigset_t mask = all_but_crashes();
    for (const int signal : kRequests) sigdelset(&mask, signal);
    pthread_sigmask(SIG_BLOCK, &mask, nullptr);
  }
  for (const auto& [signal, action] : replaced_) ::sigaction(signal, &action, nullptr);
  send(kDisarm);
  thread_.join();
  ::close(outbox.exchange(-1));
  ::close(inbox_);
}

void Rescue::take_over(int signal, void (*handler)(int), int flags) {
  struct sigaction before = {};
  ::sigaction(signal, nullptr, &before);
  if (before.sa_handler == SIG_IGN) return;
  replaced_.emplace_back(signal, before);
  handle(signal, handler, flags);
}

int Rescue::request() { return requested; }
bool Rescue::is_perishing() { return perishing; }

// Handlers call it too.
void Rescue::await_the_end() {
  for (;;) ::pause();
}

void Rescue::watch() {
  for (bool asked = false;;) {
    const int word = receive(asked);
    if (word == kDisarm) return;
    if (!is_one_of(kRequests, word) || asked) perish(word);
    asked = true;
  }
}

/// The next word; with grace, the request that has been waiting for a second.
int Rescue::receive(bool with_grace) const {
  unsigned char byte = 0;
  for (;;) {
    pollfd waiting = {.fd = inbox_, .events = POLLIN, .revents = 0};
    const int ready = ::poll(&waiting, 1, with_grace ? kGraceMilliseconds : -1);
    if (ready == 0 && !patient_) return requested;
    if (ready > 0 && ::read(inbox_, &byte, 1) == 1) return byte;
    // An FMU that closes files which are not its own has closed this one too.
    if (ready > 0 && (waiting.revents & POLLNVAL) != 0) return kDisarm;
  }
}

void Rescue::perish(int word) {
  // A timer of the FMU, and what it has sent already, must not be taken for ours.
  handle(SIGALRM, SIG_IGN, 0);
  ::alarm(kMostSecondsForLastWords);
  handle(SIGALRM, on_timer, 0);
  sigset_t timer;
  sigemptyset(&timer);
  sigaddset(&timer, SIGALRM);
  pthread_sigmask(SIG_UNBLOCK, &timer, nullptr);
  perishing = true;
  if (!is_one_of(kRequests, word) && guilty_elsewhere) ::usleep(kMomentToComeBy);
  int code = kFailed;
  try {
    code = last_words_(describe(word));
  } catch (...) {  // whatever it is, the process ends now
  }
  end_process(code);
}

}  // namespace saltus::cli

// An FMU that is loaded into this program finds these in place of the C library's, which call
// nobody before the process is gone.
extern "C" {
[[gnu::visibility("default")]] void _exit(int code) {
  saltus::cli::on_exit();
  saltus::cli::end_process(code);
}

[[gnu::visibility("default")]] void _Exit(int code) noexcept { ::_exit(code); }
[[gnu::visibility("default")]] void quick_exit(int code) noexcept { ::_exit(code); }
}

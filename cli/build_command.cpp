// SPDX-License-Identifier: BSD-2-Clause
#include "build_command.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <sstream>
#include <system_error>

#include "exit_code.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX leaves it to the program

namespace saltus::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::array kBuildRequests{SIGINT, SIGTERM, SIGHUP};
volatile std::sig_atomic_t build_ended_by = 0;

void note_end_of_build(int signal) { build_ended_by = signal; }

/// Requests to end are noted while it lives, and do not end the program.
class NotedRequests {
 public:
  NotedRequests() {
    build_ended_by = 0;
    struct sigaction noting {};
    noting.sa_handler = note_end_of_build;  // without SA_RESTART, so that waiting ends
    for (std::size_t i = 0; i < kBuildRequests.size(); ++i) {
      ::sigaction(kBuildRequests[i], nullptr, &before_[i]);
      if (before_[i].sa_handler != SIG_IGN) ::sigaction(kBuildRequests[i], &noting, nullptr);
    }
  }
  ~NotedRequests() {
    for (std::size_t i = 0; i < kBuildRequests.size(); ++i) {
      ::sigaction(kBuildRequests[i], &before_[i], nullptr);
    }
  }
  NotedRequests(const NotedRequests&) = delete;
  NotedRequests& operator=(const NotedRequests&) = delete;

 private:
  std::array<struct sigaction, kBuildRequests.size()> before_{};
};

}  // namespace

BuildFolder::BuildFolder() {
  std::string pattern = (fs::temp_directory_path() / "saltus-export-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) {
    throw fs::filesystem_error("a temporary folder cannot be made", pattern,
                               std::error_code(errno, std::generic_category()));
  }
  path_ = pattern;
}

BuildFolder::~BuildFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

BuildResult BuildFolder::run(const std::vector<std::string>& words) const {
  const std::string log = (path_ / "output.txt").string();
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&files, 1, 2);
  // A group of its own: what the command has started ends with it.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setpgroup(&attributes, 0);
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  sigaddset(&defaults, SIGXFSZ);
  posix_spawnattr_setsigdefault(&attributes, &defaults);

  const NotedRequests requests;
  pid_t child = 0;
  const int error =
      ::posix_spawnp(&child, arguments[0], &files, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  if (error != 0) {
    throw UsageError(
        fmt::format("{} cannot be started: {}; `saltus export` builds with CMake and a "
                    "C++ compiler, in Debian the packages cmake and g++",
                    words.front(), std::strerror(error)));
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    if (build_ended_by != 0) ::kill(-child, SIGKILL);
  }
  if (build_ended_by != 0) {
    ::kill(-child, SIGKILL);
    throw BuildInterrupted{build_ended_by};
  }
  std::ifstream file(log);
  std::ostringstream output;
  output << file.rdbuf();
  return {.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1, .output = output.str()};
}

}  // namespace saltus::cli

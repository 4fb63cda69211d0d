// SPDX-License-Identifier: BSD-2-Clause
// Runs random models with known solutions.
//
//   truth [--family NAME] [--seeds FIRST:LAST] [--show-refused] [--seconds S]
//         [--least-solved PERCENT] [--list]
//
// Every WRONG is a line that says how to run it again. Ends with 0 if nothing was wrong and at
// least 95 percent of each family, or what was asked for, were solved, with 1 otherwise, with 2 for
// a wrong option.
#include <signal.h>
#include <unistd.h>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "truth.hpp"

namespace {

using saltus::truth::Family;
using saltus::truth::Verdict;

struct Options {
  const char* family = nullptr;
  std::uint64_t first = 0;
  std::uint64_t last = 99;
  unsigned seconds = 60;  // for one run
  double least_solved = 0.95;
  bool show_refused = false;
  bool list = false;
};

// What is being run, for whoever has to tell that it crashed or does not end.
char running[200];

void tell_and_end(int signal) {
  const char* const what = signal == SIGALRM ? ": does not end\n" : ": crashed\n";
  (void)!write(STDOUT_FILENO, "WRONG ", 6);
  (void)!write(STDOUT_FILENO, running, std::strlen(running));
  (void)!write(STDOUT_FILENO, what, std::strlen(what));
  _exit(1);
}

bool parse(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    const char* const value = i + 1 < argc ? argv[i + 1] : nullptr;
    if (option == "--show-refused") {
      options.show_refused = true;
    } else if (option == "--list") {
      options.list = true;
    } else if (value == nullptr) {
      return false;
    } else if (option == "--family") {
      options.family = argv[++i];
    } else if (option == "--seconds") {
      options.seconds = static_cast<unsigned>(std::atoi(argv[++i]));
    } else if (option == "--least-solved") {
      options.least_solved = 0.01 * std::atof(argv[++i]);
    } else if (option == "--seeds" &&
               std::sscanf(argv[++i], "%" SCNu64 ":%" SCNu64, &options.first, &options.last) >= 1) {
      options.last = std::strchr(value, ':') != nullptr ? options.last : options.first;
    } else {
      return false;
    }
  }
  return true;
}

bool run(const Family& family, const Options& options) {
  std::size_t counts[3] = {};
  for (std::uint64_t seed = options.first; seed <= options.last; ++seed) {
    std::snprintf(running, sizeof running, "--family %s --seeds %" PRIu64, family.name(), seed);
    alarm(options.seconds);
    const Verdict verdict = family.verdict(seed);
    alarm(0);
    ++counts[static_cast<int>(verdict.kind)];
    if (verdict.kind == Verdict::Kind::wrong) {
      std::printf("WRONG %s: %s\n", running, verdict.why.c_str());
    } else if (verdict.kind == Verdict::Kind::refused && options.show_refused) {
      std::printf("refused %s: %s\n", running, verdict.why.c_str());
    }
    std::fflush(stdout);
  }
  const std::size_t all = counts[0] + counts[1] + counts[2];
  const double solved = static_cast<double>(counts[0]) / static_cast<double>(all);
  std::printf("%-24s %8zu runs: %8zu right, %6zu refused, %4zu WRONG; %.2f %% solved\n",
              family.name(), all, counts[0], counts[1], counts[2], 100.0 * solved);
  return counts[2] == 0 && solved >= options.least_solved;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  if (!parse(argc, argv, options)) {
    std::fprintf(stderr,
                 "usage: truth [--family NAME] [--seeds FIRST:LAST] [--show-refused] [--seconds S] "
                 "[--least-solved PERCENT] [--list]\n");
    return 2;
  }
  for (const int one : {SIGALRM, SIGSEGV, SIGFPE, SIGABRT, SIGBUS, SIGILL}) {
    signal(one, tell_and_end);
  }
  bool found = false;
  bool good = true;
  for (const Family* family : saltus::truth::families()) {
    if (options.list) {
      std::printf("%-24s %s\n", family->name(), family->about());
      continue;
    }
    if (options.family == nullptr || std::strcmp(options.family, family->name()) == 0) {
      found = true;
      good = run(*family, options) && good;
    }
  }
  if (!found && !options.list) {
    std::fprintf(stderr, "truth: there is no such family; --list names them\n");
    return 2;
  }
  return good ? 0 : 1;
}

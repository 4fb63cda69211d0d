// SPDX-License-Identifier: BSD-2-Clause
// Random legal calls and changed saved states, over FMUs of ours.
//
// usage: fuzz_fmus [--seeds FIRST:END] [--calls N] [--states M] FMU ...
//
// Each seed is one instance of each FMU with N calls (200); M changed saved states (0) follow. A
// run that crashes, hangs or is wrong prints a line that reproduces it; exit code 1.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "random_run.hpp"

namespace {

int fuzz(int argc, char** argv) {
  unsigned long long first = 0, end = 20;
  saltus::fuzz::RandomRun::Options options;
  std::vector<std::string> fmus;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--seeds" && i + 1 < argc) {
      if (std::sscanf(argv[++i], "%llu:%llu", &first, &end) != 2) return 2;
    } else if (argument == "--calls" && i + 1 < argc) {
      options.calls = std::strtoull(argv[++i], nullptr, 10);
    } else if (argument == "--states" && i + 1 < argc) {
      options.states = std::strtoull(argv[++i], nullptr, 10);
    } else {
      fmus.push_back(argument);
    }
  }
  saltus::fuzz::watch_for_the_end();
  std::size_t calls = 0, mutated = 0, wrong = 0;
  for (const std::string& path : fmus) {
    const saltus::fuzz::Guest guest(path);
    for (unsigned long long seed = first; seed < end; ++seed) {
      saltus::fuzz::RandomRun run(guest, seed, options);
      run.run();
      calls += run.calls();
      mutated += run.mutated();
      if (!run.complaint().empty()) {
        ++wrong;
        std::printf("WRONG: %s --seeds %llu:%llu: %s\n", path.c_str(), seed, seed + 1,
                    run.complaint().c_str());
      }
    }
  }
  std::printf("%zu calls, %zu changed saved states, %zu runs wrong\n", calls, mutated, wrong);
  return wrong == 0 && calls > 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return fuzz(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "fuzz_fmus: %s\n", error.what());
    return 1;
  }
}

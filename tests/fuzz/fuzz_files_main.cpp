// SPDX-License-Identifier: BSD-2-Clause
// Changed files for everything that reads somebody else's: an input is read, or refused with the
// exception that is documented for it, in bounded time and memory, and leaves nothing behind.
//
// usage: fuzz_files SHIPPED_FMUS TEST_FMUS SALTUS [--inputs FIRST:END] [--kind NAME] ...
//
// Inputs are numbered; each follows from its kind and its number. One that is wrong prints a line
// that reproduces it, and is written to the working directory; exit code 1.
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>

#include "file_kind.hpp"

namespace saltus::fuzz {
namespace {

// An input of kilobytes is read in milliseconds; a run of the program may be asked to be long.
constexpr unsigned kLongest = 30;  // seconds
constexpr std::size_t kMostBytes = std::size_t{64} << 20;

char input_text[256] = "no input";
// Kept up to date, so that a signal handler can write it.
const char* input_bytes = nullptr;
std::size_t input_size = 0;

void put(const char* text) { (void)!write(2, text, std::strlen(text)); }

void last_words(int signal) {
  put(signal == SIGALRM ? "\nHANGS: " : "\nCRASHES: ");
  put(input_text);
  put("\n");
  if (std::FILE* const file = std::fopen("fuzz-input", "wb")) {
    std::fwrite(input_bytes, 1, input_size, file);
    std::fclose(file);
  }
  _exit(1);
}

/// A number of a kind: the same input on every machine.
std::uint64_t seed_of(const std::string& kind, std::uint64_t number) {
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (const char c : kind) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash + number;
}

struct Tally {
  std::size_t inputs = 0, accepted = 0, wrong = 0, most_bytes = 0;
};

Tally fuzz(const std::string& name, const FileKind& kind, std::uint64_t first, std::uint64_t end,
           const Playground& playground) {
  Tally tally;
  for (std::uint64_t number = first; number < end; ++number) {
    Dice dice(seed_of(name, number));
    const std::size_t seed = dice.below(kind.seeds.size());
    const std::string input = kind.mutate(kind.seeds[seed], dice);
    std::snprintf(input_text, sizeof input_text, "--kind %s --inputs %llu:%llu", name.c_str(),
                  static_cast<unsigned long long>(number),
                  static_cast<unsigned long long>(number + 1));
    input_bytes = input.data();
    input_size = input.size();
    alarm(kLongest);
    forget_peak();
    const std::size_t before = peak_bytes();
    std::string complaint;
    try {
      if (kind.feed(seed, input)) ++tally.accepted;
    } catch (const std::exception& error) {
      complaint = error.what();
    }
    const std::size_t used = peak_bytes() - before;
    tally.most_bytes = std::max(tally.most_bytes, used);
    if (used > kMostBytes) complaint = "it took " + std::to_string(used) + " bytes to read it";
    if (const std::string litter = playground.litter(); !litter.empty()) {
      complaint = "it left " + litter;
    }
    ++tally.inputs;
    if (complaint.empty()) continue;
    ++tally.wrong;
    std::printf("WRONG: %s: %s\n", input_text, complaint.c_str());
    std::ofstream("fuzz-input", std::ios::binary) << input;
  }
  return tally;
}

int main_of(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc), names;
  unsigned long long first = 0, end = 1000;
  if (words.size() < 3) return 2;
  for (std::size_t i = 3; i < words.size(); ++i) {
    if (words[i] == "--inputs" && i + 1 < words.size()) {
      if (std::sscanf(words[++i].c_str(), "%llu:%llu", &first, &end) != 2) return 2;
    } else if (words[i] == "--kind" && i + 1 < words.size()) {
      names.push_back(words[++i]);
    } else {
      return 2;
    }
  }
  const Playground playground;
  const FmuFolders folders{words[0], words[1], words[2]};
  KindMakers kinds = file_kinds(folders, playground);
  for (auto& kind : run_kinds(folders, playground)) kinds.push_back(std::move(kind));
  for (const int s : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM}) signal(s, last_words);
  std::size_t wrong = 0, inputs = 0;
  for (const auto& [name, make] : kinds) {
    if (!names.empty() && std::find(names.begin(), names.end(), name) == names.end()) continue;
    const FileKind kind = make();
    const auto began = std::chrono::steady_clock::now();
    const Tally tally = fuzz(name, kind, first, end, playground);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    std::printf("%s: %zu inputs, %zu accepted, %zu wrong, at most %zu bytes, %.1f s\n",
                name.c_str(), tally.inputs, tally.accepted, tally.wrong, tally.most_bytes,
                took.count());
    std::fflush(stdout);
    wrong += tally.wrong;
    inputs += tally.inputs;
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("%zu inputs, %zu wrong; %ld kB resident at most\n", inputs, wrong, usage.ru_maxrss);
  return wrong == 0 && inputs > 0 ? 0 : 1;
}

}  // namespace
}  // namespace saltus::fuzz

int main(int argc, char** argv) {
  try {
    return saltus::fuzz::main_of(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "fuzz_files: %s\n", error.what());
    return 1;
  }
}

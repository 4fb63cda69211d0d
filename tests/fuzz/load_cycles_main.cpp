// SPDX-License-Identifier: BSD-2-Clause
// One process that loads FMUs, runs them and lets them go, again and again: nothing may remain.
//
// usage: load_cycles COUNT FMU ...
//
// Each cycle opens every FMU and runs it for a moment through each interface that it offers. Open
// files, mapped files and temporary folders are as many after every cycle as after the first; the
// memory in use does not grow by more than a small part of what one FMU takes. Exit code 1 where
// that does not hold.
#include <malloc.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "saltus/importer/fmu.hpp"
#include "saltus/importer/fmu_simulation.hpp"

namespace {

namespace fs = std::filesystem;
using Interface = saltus::importer::FmuSimulationOptions::Interface;

struct Remains {
  std::size_t descriptors = 0;
  std::size_t mapped_files = 0;
  std::size_t folders = 0;
  std::size_t resident = 0;  ///< bytes
  std::size_t in_use = 0;    ///< bytes of the heap

  static Remains now(const fs::path& temporary) {
    Remains remains;
    const auto count = [](const fs::path& folder) {
      return static_cast<std::size_t>(
          std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
    };
    remains.descriptors = count("/proc/self/fd");
    remains.folders = count(temporary);
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
      if (line.find(".so") != std::string::npos) ++remains.mapped_files;
    }
    std::size_t size = 0;
    std::ifstream("/proc/self/statm") >> size >> remains.resident;
    remains.resident *= static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const struct mallinfo2 heap = mallinfo2();
    remains.in_use = heap.uordblks + heap.hblkhd;
    return remains;
  }
  void print(std::size_t cycle) const {
    std::printf(
        "cycle %zu: %zu descriptors, %zu mapped files, %zu temporary folders, %zu bytes of "
        "the heap in use, %zu kB resident\n",
        cycle, descriptors, mapped_files, folders, in_use, resident / 1024);
    std::fflush(stdout);
  }
};

/// The heap may keep odds and ends. One FMU that is loaded takes hundreds of kilobytes.
constexpr std::size_t kMostBytesPerCycle = 256;

std::size_t run_once(const std::string& path) {
  std::size_t runs = 0;
  const auto run = [&](Interface interface) {
    static_cast<void>(saltus::importer::simulate(path, {.stop = 0.1, .report_interval = 0.05},
                                                 {.interface = interface}));
    ++runs;
  };
  const auto fmu = saltus::importer::Fmu::open(path);
  if (fmu.description().model_exchange) run(Interface::model_exchange);
  if (fmu.description().co_simulation) run(Interface::co_simulation);
  return runs;
}

int repeat(std::size_t cycles, const std::vector<std::string>& fmus) {
  std::string pattern = (fs::temp_directory_path() / "saltus-cycles-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) return 1;
  const fs::path temporary = pattern;
  ::setenv("TMPDIR", temporary.c_str(), 1);
  std::size_t runs = 0;
  Remains first, settled, last;
  bool is_flat = true;
  for (std::size_t cycle = 1; cycle <= cycles && is_flat; ++cycle) {
    for (const std::string& fmu : fmus) runs += run_once(fmu);
    last = Remains::now(temporary);
    if (cycle == 1) first = last;
    // Caches of the C library and of the loader have their size by then.
    if (cycle == std::min<std::size_t>(cycles, 20)) settled = last;
    is_flat = last.descriptors == first.descriptors && last.folders == 0 &&
              last.mapped_files == first.mapped_files;
    if (cycle == 1 || cycle % std::max<std::size_t>(cycles / 10, 1) == 0 || !is_flat) {
      last.print(cycle);
    }
  }
  fs::remove_all(temporary);
  if (last.in_use > settled.in_use + cycles * fmus.size() * kMostBytesPerCycle) {
    std::printf("WRONG: the heap grew from %zu to %zu bytes\n", settled.in_use, last.in_use);
    is_flat = false;
  }
  std::printf("%zu cycles, %zu runs\n", cycles, runs);
  return is_flat && runs > 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  try {
    return repeat(std::strtoull(argv[1], nullptr, 10), {argv + 2, argv + argc});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "load_cycles: %s\n", error.what());
    return 1;
  }
}

// SPDX-License-Identifier: BSD-2-Clause
#include "packing/pack.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "packing/archive.hpp"
#include "packing/source_package.hpp"

namespace saltus::fmu_export {
namespace {

namespace fs = std::filesystem;

std::string contents(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw std::runtime_error("cannot read " + file.string());
  return {std::istreambuf_iterator<char>(stream), {}};
}

void write(const fs::path& file, const std::string& text) {
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  if (!stream.flush()) throw std::runtime_error("cannot write " + file.string());
}

}  // namespace

void add_sources(const fs::path& package, const fs::path& folder) {
  write_sources(read_source_package(package), folder / "sources");
  std::string list = contents(folder / "extras.txt");
  for (const auto& entry : fs::recursive_directory_iterator(folder / "sources")) {
    if (entry.is_regular_file()) {
      list += entry.path().lexically_relative(folder).generic_string() + "\n";
    }
  }
  write(folder / "packed.txt", list);
}

void finish_archive(const fs::path& fmu) { write(fmu, repacked(contents(fmu))); }

}  // namespace saltus::fmu_export

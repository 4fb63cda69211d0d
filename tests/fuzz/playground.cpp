// SPDX-License-Identifier: BSD-2-Clause
// What a reader takes and leaves: files, and memory.
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <new>

#include "file_kind.hpp"
#include "saltus/importer/fmu.hpp"

namespace {

std::atomic<std::size_t> bytes_in_use{0};
std::atomic<std::size_t> most_bytes{0};

}  // namespace

void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  void* const memory = std::malloc(std::max<std::size_t>(size, 1));
  if (memory == nullptr) return nullptr;
  const std::size_t now = bytes_in_use += malloc_usable_size(memory);
  if (now > most_bytes) most_bytes = now;
  return memory;
}
void* operator new(std::size_t size) {
  void* const memory = operator new(size, std::nothrow);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void* operator new[](std::size_t size) { return operator new(size); }
void operator delete(void* memory) noexcept {
  if (memory != nullptr) bytes_in_use -= malloc_usable_size(memory);
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { operator delete(memory); }
void operator delete[](void* memory) noexcept { operator delete(memory); }
void operator delete[](void* memory, std::size_t) noexcept { operator delete(memory); }

namespace saltus::fuzz {

std::size_t peak_bytes() { return most_bytes; }
void forget_peak() { most_bytes = bytes_in_use.load(); }

Playground::Playground() {
  std::string pattern = (std::filesystem::temp_directory_path() / "saltus-fuzz-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no folder for the files");
  folder_ = pattern;
  std::filesystem::create_directories(folder_ / "files");
  std::filesystem::create_directories(folder_ / "tmp");
  ::setenv("TMPDIR", (folder_ / "tmp").c_str(), 1);
}

Playground::~Playground() {
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

std::filesystem::path Playground::write(const std::string& name, const std::string& bytes) const {
  std::filesystem::path file = folder_ / "files" / name;
  std::ofstream(file, std::ios::binary) << bytes;
  return file;
}

std::string Playground::litter() const {
  for (const auto& entry : std::filesystem::directory_iterator(folder_ / "tmp")) {
    return entry.path().string();
  }
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
    if (entry.path().filename() != "tmp" && entry.path().filename() != "files") {
      return entry.path().string();
    }
  }
  return {};
}

std::string content_of_fmu(const std::filesystem::path& fmu, const std::string& entry) {
  const importer::Fmu opened = importer::Fmu::open(fmu);
  std::ifstream stream(opened.folder() / entry, std::ios::binary);
  if (!stream) throw std::runtime_error(fmu.string() + " has no " + entry);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace saltus::fuzz

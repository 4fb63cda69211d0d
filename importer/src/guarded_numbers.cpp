// SPDX-License-Identifier: BSD-2-Clause
#include "guarded_numbers.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace saltus::importer {

GuardedNumbers::~GuardedNumbers() { release(); }

void GuardedNumbers::release() {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  if (memory_ != nullptr) ::munmap(memory_, size_ + page);
  memory_ = nullptr;
  size_ = 0;
}

std::byte* GuardedNumbers::take_bytes(std::size_t bytes) {
  if (bytes > size_ || memory_ == nullptr) {
    release();
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const std::size_t size = (bytes / page + 1) * page;
    void* memory =
        ::mmap(nullptr, size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mmap");
    memory_ = static_cast<std::byte*>(memory);
    size_ = size;
    ::mprotect(memory_ + size_, page, PROT_NONE);
  }
  return memory_ + size_ - bytes;
}

}  // namespace saltus::importer

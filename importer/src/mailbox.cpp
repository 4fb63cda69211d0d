// SPDX-License-Identifier: BSD-2-Clause
#include "mailbox.hpp"

#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <stdexcept>
#include <system_error>

#include "saltus/importer/fmu_process.hpp"

namespace saltus::importer {
namespace {

constexpr std::size_t kHeaderSize = 4096;
constexpr std::size_t kFirstCapacity = std::size_t{60} << 10;
// About 20 microseconds: longer than a quick call takes, shorter than it hurts to have waited.
constexpr int kLooks = 500;
constexpr auto kShortestSleep = std::chrono::milliseconds(1);
constexpr auto kLongestSleep = std::chrono::milliseconds(20);

void rest() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

bool has_two_processors() {
  cpu_set_t processors;
  CPU_ZERO(&processors);
  return ::sched_getaffinity(0, sizeof processors, &processors) != 0 || CPU_COUNT(&processors) > 1;
}

std::uint32_t* word(std::atomic<std::uint32_t>& value) {
  static_assert(sizeof value == sizeof(std::uint32_t));
  return reinterpret_cast<std::uint32_t*>(&value);
}

}  // namespace

struct Mailbox::Header {
  std::atomic<std::uint32_t> turn;
  std::atomic<std::uint32_t> sleeping[2];
  std::atomic<std::size_t> length;
  std::atomic<std::size_t> capacity;
  CallUnderWay call;
};

Mailbox::Mailbox() : file_(::memfd_create("saltus-mailbox", MFD_CLOEXEC | MFD_ALLOW_SEALING)) {
  if (file_ < 0) throw std::system_error(errno, std::generic_category(), "memfd_create");
  if (::ftruncate(file_, static_cast<off_t>(kHeaderSize + kFirstCapacity)) != 0) {
    throw std::system_error(errno, std::generic_category(), "shared memory");
  }
  // What is mapped stays there, whoever may try to take it away.
  ::fcntl(file_, F_ADD_SEALS, F_SEAL_SHRINK);
  map(kFirstCapacity);
  header().capacity = kFirstCapacity;
  header().turn = static_cast<std::uint32_t>(Side::fmu);  // which begins
}

Mailbox::~Mailbox() {
  if (memory_ != nullptr) ::munmap(memory_, kHeaderSize + capacity_);
  if (file_ >= 0) ::close(file_);
}

void Mailbox::map(std::size_t capacity) {
  void* memory =
      memory_ == nullptr
          ? ::mmap(nullptr, kHeaderSize + capacity, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0)
          : ::mremap(memory_, kHeaderSize + capacity_, kHeaderSize + capacity, MREMAP_MAYMOVE);
  if (memory == MAP_FAILED)
    throw std::system_error(errno, std::generic_category(), "shared memory");
  memory_ = memory;
  capacity_ = capacity;
}

void Mailbox::grow(std::size_t size) {
  const std::size_t capacity =
      std::max(2 * capacity_, (size + kHeaderSize) / kHeaderSize * kHeaderSize);
  if (::ftruncate(file_, static_cast<off_t>(kHeaderSize + capacity)) != 0) {
    throw std::system_error(errno, std::generic_category(), "shared memory");
  }
  map(capacity);
  header().capacity = capacity;
}

CallUnderWay& Mailbox::call_under_way() const { return header().call; }
std::size_t Mailbox::length() const { return length_; }
std::byte* Mailbox::payload() const { return static_cast<std::byte*>(memory_) + kHeaderSize; }

void Mailbox::fail() {
  is_damaged_ = true;
  throw std::runtime_error("the FMU damaged what its process was to send");
}

void Mailbox::get_numbers(Vec values) {
  if (get<std::size_t>() != values.size()) fail();
  if (!values.empty()) std::memcpy(values.data(), next(values.size_bytes()), values.size_bytes());
}

void Mailbox::hand_over(Side to) {
  if (to == Side::importer) end_if_copy();
  header().length.store(written_, std::memory_order_relaxed);
  header().turn.store(static_cast<std::uint32_t>(to));
  if (header().sleeping[static_cast<std::size_t>(to)].load() != 0) {
    ::syscall(SYS_futex, word(header().turn), FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
  }
}

void Mailbox::await(Side side, const std::function<void()>& look) {
  static const int looks = has_two_processors() ? kLooks : 0;
  const auto mine = static_cast<std::uint32_t>(side);
  const auto is_mine = [&] { return header().turn.load(std::memory_order_acquire) == mine; };
  bool arrived = is_mine();
  for (int i = 0; !arrived && i < looks; ++i) {
    rest();
    arrived = is_mine();
  }
  std::atomic<std::uint32_t>& sleeping = header().sleeping[mine];
  for (auto sleep = kShortestSleep; !arrived; sleep = std::min(2 * sleep, kLongestSleep)) {
    const timespec time = {.tv_sec = 0, .tv_nsec = std::chrono::nanoseconds(sleep).count()};
    sleeping.store(1);
    if (!is_mine()) {
      ::syscall(SYS_futex, word(header().turn), FUTEX_WAIT, 1 - mine, &time, nullptr, 0);
    }
    sleeping.store(0);
    arrived = is_mine();
    if (!arrived) look();
  }
  const std::size_t capacity = header().capacity;
  if (capacity > capacity_) {
    struct stat status = {};
    if (::fstat(file_, &status) != 0 ||
        static_cast<std::size_t>(status.st_size) < kHeaderSize + capacity) {
      fail();
    }
    map(capacity);
  }
  read_ = 0;
  length_ = header().length.load(std::memory_order_relaxed);
  if (length_ > capacity_) fail();
}

}  // namespace saltus::importer

// SPDX-License-Identifier: BSD-2-Clause
#include "run_stream.hpp"

#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <new>
#include <system_error>

#include "saltus/importer/fmu_process.hpp"

namespace saltus::cli {
namespace {

constexpr std::size_t kHeader = 4096;
constexpr std::uint64_t kRing = std::uint64_t{1} << 22;
// A reader that sleeps is woken for this much; it wakes by itself after a while.
constexpr std::uint64_t kWorthWaking = kRing / 8;
constexpr std::size_t kLongestMessage = std::size_t{1} << 31;
constexpr std::size_t kMostRead = std::size_t{1} << 20;

/// What stands before each message. Its number, from 1, tells that none is missing.
struct MessageHead {
  std::size_t size = 0;
  std::uint64_t number = 0;
};

void futex(std::atomic<std::uint32_t>& word, int operation, std::uint32_t value,
           const timespec* time) {
  ::syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), operation, value, time, nullptr, 0);
}

}  // namespace

RunStream::RunStream() {
  static_assert(sizeof(Shared) <= kHeader);
  void* memory = ::mmap(nullptr, kHeader + kRing, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    throw std::system_error(errno, std::generic_category(), "shared memory");
  shared_ = new (memory) Shared;
  ring_ = static_cast<char*>(memory) + kHeader;
}

RunStream::~RunStream() { ::munmap(shared_, kHeader + kRing); }

void RunStream::fail() { throw DamagedStream(); }

void RunStream::send() {
  importer::end_if_copy();
  // Each side counts for itself: what is shared may be destroyed by foreign code.
  const MessageHead head = {.size = outbox_.size(), .number = ++sent_};
  std::uint64_t& written = written_;
  const auto write = [&](const char* bytes, std::size_t count) {
    while (count > 0) {
      const std::uint64_t unread = written - shared_->read.load(std::memory_order_acquire);
      if (unread > kRing) fail();
      const std::uint64_t room = kRing - unread;
      if (room == 0) {
        ring();
        ::usleep(100);
        continue;
      }
      const std::uint64_t at = written % kRing;
      const std::size_t part =
          std::min({count, static_cast<std::size_t>(room), static_cast<std::size_t>(kRing - at)});
      std::memcpy(ring_ + at, bytes, part);
      bytes += part;
      count -= part;
      written += part;
      // Whole messages become visible at once, unless one is larger than the ring.
      if (count > 0) shared_->written.store(written, std::memory_order_release);
    }
  };
  write(reinterpret_cast<const char*>(&head), sizeof head);
  write(outbox_.data(), outbox_.size());
  shared_->written.store(written, std::memory_order_release);
  outbox_.clear();
  if (shared_->is_waiting.load(std::memory_order_relaxed) != 0 &&
      written - shared_->read.load(std::memory_order_relaxed) > kWorthWaking) {
    ring();
  }
}

void RunStream::ring() const {
  shared_->bell.fetch_add(1);
  futex(shared_->bell, FUTEX_WAKE, INT_MAX, nullptr);
}

void RunStream::wait(std::chrono::milliseconds most) const {
  const std::uint32_t before = shared_->bell.load();
  shared_->is_waiting.store(1);
  if (shared_->written.load() == read_) {
    const timespec time = {.tv_sec = 0, .tv_nsec = std::chrono::nanoseconds(most).count()};
    futex(shared_->bell, FUTEX_WAIT, before, &time);
  }
  shared_->is_waiting.store(0);
}

void RunStream::take_bytes() {
  std::uint64_t& read = read_;
  const std::uint64_t written = shared_->written.load(std::memory_order_acquire);
  if (written < read || written - read > kRing) fail();
  std::size_t most = kMostRead;
  while (read < written && most > 0) {
    const std::uint64_t at = read % kRing;
    const std::size_t part = std::min(
        {static_cast<std::size_t>(written - read), static_cast<std::size_t>(kRing - at), most});
    inbox_.append(ring_ + at, part);
    read += part;
    most -= part;
  }
  shared_->read.store(read, std::memory_order_release);
}

bool RunStream::receive() {
  const auto has_message = [&] {
    MessageHead head;
    if (inbox_.size() - message_end_ < sizeof head) return false;
    std::memcpy(&head, inbox_.data() + message_end_, sizeof head);
    if (head.number != received_ + 1 || head.size > kLongestMessage) fail();
    if (head.size > inbox_.size() - message_end_ - sizeof head) return false;
    received_ = head.number;
    place_ = message_end_ + sizeof head;
    message_end_ = place_ + head.size;
    return true;
  };
  if (has_message()) return true;
  inbox_.erase(0, message_end_);
  message_end_ = place_ = 0;
  take_bytes();
  return has_message();
}

}  // namespace saltus::cli

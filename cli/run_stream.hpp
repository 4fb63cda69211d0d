// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

#include "saltus/importer/call_under_way.hpp"

namespace saltus::cli {

/// What came from the other process makes no sense: something has written over it.
class DamagedStream : public std::runtime_error {
 public:
  DamagedStream() : std::runtime_error("damaged what it was to send") {}
};

/// Memory through which a run in another process tells what it does: a stream of messages one way,
/// and a few words that both sides can look at at any time. What was written is there to be read,
/// even if the writer has died since.
///
/// A message is built by `put` and friends and sent by `send`, which waits while the memory is full
/// of what nobody has read. The reader gets whole messages only.
class RunStream {
 public:
  RunStream();
  RunStream(const RunStream&) = delete;
  RunStream& operator=(const RunStream&) = delete;
  ~RunStream();

  /// What both sides see.
  struct Shared {
    importer::CallUnderWay call;
    std::atomic<double> time = 0.0;          ///< how far the run has come
    std::atomic<std::size_t> events = 0;     ///< so far
    std::atomic<int> stop_request = 0;       ///< not 0: the run is to end because of this signal
    std::atomic<std::uint64_t> written = 0;  ///< bytes, ever
    std::atomic<std::uint64_t> read = 0;
    std::atomic<std::uint32_t> bell = 0;  ///< rung for a reader that sleeps
    std::atomic<std::uint32_t> is_waiting = 0;
  };
  Shared& shared() const { return *shared_; }

  // The writer.
  template <class Plain>
  void put(const Plain& value) {
    static_assert(std::is_trivially_copyable_v<Plain>);
    outbox_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void put_text(std::string_view text) {
    put(text.size());
    outbox_ += text;
  }
  template <class Plain>
  void put_all(std::span<const Plain> values) {
    put(values.size());
    outbox_.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
  }
  void send();
  /// Wakes the reader.
  void ring() const;

  // The reader.
  /// Takes what has been written. True: a whole message is there to be read, see `get`.
  bool receive();
  /// Sleeps until the writer rings, or for this long.
  void wait(std::chrono::milliseconds most) const;
  /// Throws `DamagedStream` beyond the end of the message.
  template <class Plain>
  Plain get() {
    Plain value;
    std::memcpy(&value, next(sizeof value), sizeof value);
    return value;
  }
  /// How many things follow, each of at least a byte.
  std::size_t get_count() {
    const auto count = get<std::size_t>();
    if (count > message_end_ - place_) fail();
    return count;
  }
  std::string get_text() {
    const auto size = get<std::size_t>();
    return {next(size), size};
  }
  template <class Plain, class List>
  void get_all(List& list) {
    const auto size = get<std::size_t>();
    if (size > message_end_ / sizeof(Plain)) fail();
    list.resize(size);
    if (size > 0) std::memcpy(list.data(), next(size * sizeof(Plain)), size * sizeof(Plain));
  }

 private:
  const char* next(std::size_t size) {
    if (size > message_end_ - place_) fail();
    const char* at = inbox_.data() + place_;
    place_ += size;
    return at;
  }
  [[noreturn]] static void fail();
  void take_bytes();

  Shared* shared_;
  char* ring_;
  std::uint64_t written_ = 0;
  std::uint64_t read_ = 0;
  std::uint64_t sent_ = 0;
  std::uint64_t received_ = 0;
  std::string outbox_;
  std::string inbox_;
  std::size_t place_ = 0;        // in the message that is being read
  std::size_t message_end_ = 0;  // of it
};

}  // namespace saltus::cli

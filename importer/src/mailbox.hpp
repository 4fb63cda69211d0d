// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "saltus/core/types.hpp"
#include "saltus/importer/call_under_way.hpp"

namespace saltus::importer {

/// Memory that an importer and the process of an FMU share. They take turns: who has the turn
/// writes a message, hands it over and waits for the other's; the FMU begins. Made before the
/// process forks.
///
/// Waiting begins with a look or two at the memory, which is quick where
/// each side has a processor, and goes on asleep. The memory grows with the messages.
///
/// What comes from the FMU's process may be damaged. Whoever reads beyond the end of a message gets
/// `std::runtime_error`.
class Mailbox {
 public:
  enum class Side : std::uint32_t { importer, fmu };

  Mailbox();
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;
  ~Mailbox();

  int file() const { return file_; }
  /// Whether a message made no sense: nothing that comes later can be trusted.
  bool is_damaged() const { return is_damaged_; }
  /// Where the FMU's process keeps its call under way.
  CallUnderWay& call_under_way() const;

  /// Begins a message.
  void clear() { written_ = 0; }
  template <class Plain>
  void put(const Plain& value) {
    static_assert(std::is_trivially_copyable_v<Plain>);
    std::memcpy(room(sizeof value), &value, sizeof value);
  }
  template <class Plain>
  void put_all(std::span<const Plain> values) {
    put(values.size());
    if (!values.empty()) std::memcpy(room(values.size_bytes()), values.data(), values.size_bytes());
  }
  void put_text(std::string_view text) { put_all(std::span<const char>(text.data(), text.size())); }

  /// For a message that is whole and means nothing.
  [[noreturn]] void refuse() { fail(); }

  void hand_over(Side to);
  /// Waits for the turn of `side`. Where that takes longer `look` is called every few milliseconds;
  /// it may throw.
  void await(Side side, const std::function<void()>& look);

  template <class Plain>
  Plain get() {
    static_assert(std::is_trivially_copyable_v<Plain>);
    Plain value;
    std::memcpy(&value, next(sizeof value), sizeof value);
    return value;
  }
  /// The next list, which has to have the size of `values`.
  void get_numbers(Vec values);
  /// The next list, where it is: valid until the next message is begun. The numbers may stand at
  /// any address.
  template <class Plain>
  std::size_t get_count() {
    const auto count = get<std::size_t>();
    if (count > length() / sizeof(Plain)) fail();
    return count;
  }
  template <class Plain, class List>
  void get_all(List& list) {
    const std::size_t count = get_count<Plain>();
    list.resize(count);
    if (count > 0) std::memcpy(list.data(), next(count * sizeof(Plain)), count * sizeof(Plain));
  }
  std::string get_text() {
    std::string text;
    get_all<char>(text);
    return text;
  }

 private:
  struct Header;
  Header& header() const { return *static_cast<Header*>(memory_); }
  std::size_t length() const;
  std::byte* room(std::size_t size) {
    if (written_ + size > capacity_) grow(written_ + size);
    std::byte* place = payload() + written_;
    written_ += size;
    return place;
  }
  const std::byte* next(std::size_t size) {
    if (size > length_ - read_) fail();
    const std::byte* place = payload() + read_;
    read_ += size;
    return place;
  }
  std::byte* payload() const;
  void grow(std::size_t size);
  void map(std::size_t capacity);
  [[noreturn]] void fail();

  int file_ = -1;
  bool is_damaged_ = false;
  void* memory_ = nullptr;
  std::size_t capacity_ = 0;  // of messages, as mapped here
  std::size_t written_ = 0;
  std::size_t read_ = 0;
  std::size_t length_ = 0;
};

}  // namespace saltus::importer

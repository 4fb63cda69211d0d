// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "saltus/core/variable.hpp"

/// The strings and binaries of a model. What is behind these interfaces is linked with models that
/// declare one: the constructor of such a member is the only place that makes one of them.
namespace saltus::modeling {

class TextStore;

/// The text members of one copy of a model, by their index. A binary is a text of bytes.
class TextMembers {
 public:
  virtual ~TextMembers() = default;
  virtual std::unique_ptr<TextStore> make_store(std::span<const Variable> variables) const = 0;

  virtual const void* place(std::size_t index) const = 0;
  virtual std::string read(std::size_t index) const = 0;
  /// Whether one of the places is that of a member.
  virtual bool has_any(std::span<const void* const> places) const = 0;
  /// A number for what a member holds: the same for the same text, until `forget`.
  virtual std::uint64_t take(std::size_t index) = 0;
  virtual void put(std::size_t index, std::uint64_t taken) = 0;
  virtual void forget() = 0;
};

/// The memory behind the text members of all copies, as `ModelValues` is for numbers.
class TextStore {
 public:
  virtual ~TextStore() = default;
  virtual std::unique_ptr<TextStore> copy() const = 0;
  /// Discrete ones go back to their start values.
  virtual void restart() = 0;
  virtual void load(TextMembers& members) const = 0;
  /// Returns whether anything changed.
  virtual bool store(const TextMembers& members) = 0;
  virtual const std::string& start(std::size_t index) const = 0;
  virtual void set(std::size_t index, std::string_view text) = 0;
  /// Trades what belongs to a configuration.
  virtual void exchange(TextStore& other) = 0;
  /// The numbers, and one more for the texts together: the same for the same ones in all copies.
  /// Until the next call.
  virtual std::span<const std::int64_t> with(std::span<const std::int64_t> numbers) = 0;
  virtual void save(std::vector<std::byte>& bytes) const = 0;
  /// As this one, with what `save` wrote. Throws `std::invalid_argument`.
  virtual std::unique_ptr<TextStore> restored(std::span<const std::byte> bytes) const = 0;
};

/// What a text member says of itself.
struct AboutText {
  const char* name;
  const char* description;
  Variable::Type type;
  Variable::Role role;
  Variable::Causality causality;
  bool tunable;
  const char* mime_type;
};

}  // namespace saltus::modeling

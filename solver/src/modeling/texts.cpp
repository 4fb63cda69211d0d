// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/modeling/texts.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <stdexcept>
#include <utility>

#include "saltus/modeling/member_list.hpp"

namespace saltus::modeling {
namespace {

using Bytes = std::vector<std::uint8_t>;

// Texts and their numbers, in the order in which they were met.
template <class T>
class Pool {
 public:
  std::uint64_t number_of(const T& text) {
    const auto [place, is_new] = numbers_.try_emplace(text, numbers_.size());
    if (is_new) {
      texts_.push_back(&place->first);
    }
    return place->second;
  }
  const T& text(std::uint64_t number) const { return *texts_.at(number); }
  void clear() {
    texts_.clear();
    numbers_.clear();
  }

 private:
  std::map<T, std::uint64_t> numbers_;
  std::vector<const T*> texts_;
};

class Members final : public TextMembers {
 public:
  void add(void* where, bool is_binary) { places_.push_back({where, is_binary}); }
  std::size_t size() const { return places_.size(); }

  std::unique_ptr<TextStore> make_store(std::span<const Variable> variables) const override;
  const void* place(std::size_t index) const override { return places_[index].where; }
  std::string read(std::size_t index) const override {
    const Place& place = places_[index];
    if (!place.is_binary) {
      return *static_cast<const std::string*>(place.where);
    }
    const Bytes& bytes = *static_cast<const Bytes*>(place.where);
    return {bytes.begin(), bytes.end()};
  }
  void write(std::size_t index, const std::string& text) {
    const Place& place = places_[index];
    if (!place.is_binary) {
      *static_cast<std::string*>(place.where) = text;
    } else {
      static_cast<Bytes*>(place.where)->assign(text.begin(), text.end());
    }
  }
  bool has_any(std::span<const void* const> places) const override {
    return std::any_of(places_.begin(), places_.end(), [&](const Place& mine) {
      return std::find(places.begin(), places.end(), mine.where) != places.end();
    });
  }
  std::uint64_t take(std::size_t index) override { return pool_.number_of(read(index)); }
  void put(std::size_t index, std::uint64_t taken) override { write(index, pool_.text(taken)); }
  void forget() override { pool_.clear(); }

 private:
  struct Place {
    void* where;
    bool is_binary;
  };
  std::vector<Place> places_;
  Pool<std::string> pool_;
};

class Store final : public TextStore {
 public:
  Store(std::span<const Variable> variables, const Members& members)
      : pool_(std::make_shared<Pool<std::vector<std::string>>>()) {
    for (const Variable& v : variables) {
      if (v.is_text()) {
        if (v.role == Variable::Role::discrete && v.causality != Variable::Causality::input) {
          own_.push_back(start_.size());
        }
        start_.push_back(members.read(start_.size()));
      }
    }
    now_ = start_;
  }
  std::unique_ptr<TextStore> copy() const override { return std::make_unique<Store>(*this); }
  void restart() override { now_ = start_; }
  void load(TextMembers& members) const override {
    for (std::size_t i = 0; i < now_.size(); ++i) {
      static_cast<Members&>(members).write(i, now_[i]);
    }
  }
  bool store(const TextMembers& members) override {
    bool changed = false;
    for (std::size_t i = 0; i < now_.size(); ++i) {
      std::string text = members.read(i);
      changed = changed || text != now_[i];
      now_[i] = std::move(text);
    }
    return changed;
  }
  const std::string& start(std::size_t index) const override { return start_.at(index); }
  void set(std::size_t index, std::string_view text) override {
    now_.at(index) = text;
    start_.at(index) = text;
  }
  void exchange(TextStore& other) override {
    for (const std::size_t i : own_) {
      std::swap(now_[i], static_cast<Store&>(other).now_[i]);
    }
  }
  std::span<const std::int64_t> with(std::span<const std::int64_t> numbers) override {
    key_.assign(numbers.begin(), numbers.end());
    key_.push_back(static_cast<std::int64_t>(pool_->number_of(now_)));
    return key_;
  }
  void save(std::vector<std::byte>& bytes) const override {
    for (const auto* texts : {&now_, &start_}) {
      for (const std::string& text : *texts) {
        const std::uint64_t size = text.size();
        const auto* first = reinterpret_cast<const std::byte*>(&size);
        bytes.insert(bytes.end(), first, first + sizeof size);
        first = reinterpret_cast<const std::byte*>(text.data());
        bytes.insert(bytes.end(), first, first + text.size());
      }
    }
  }
  std::unique_ptr<TextStore> restored(std::span<const std::byte> bytes) const override {
    auto result = std::make_unique<Store>(*this);
    for (auto* texts : {&result->now_, &result->start_}) {
      for (std::string& text : *texts) {
        std::uint64_t size = 0;
        copy_out(bytes, &size, sizeof size);
        if (size > bytes.size()) {
          throw std::invalid_argument("the saved state ends too early");
        }
        text.resize(size);
        copy_out(bytes, text.data(), size);
      }
    }
    if (!bytes.empty()) {
      throw std::invalid_argument("the saved state has " + std::to_string(bytes.size()) +
                                  " bytes too many");
    }
    return result;
  }

 private:
  static void copy_out(std::span<const std::byte>& bytes, void* to, std::size_t size) {
    if (bytes.size() < size) {
      throw std::invalid_argument("the saved state ends too early");
    }
    if (size > 0) {
      std::memcpy(to, bytes.data(), size);
    }
    bytes = bytes.subspan(size);
  }

  std::vector<std::string> now_;
  std::vector<std::string> start_;
  std::vector<std::size_t> own_;  // discrete and not given from outside
  std::shared_ptr<Pool<std::vector<std::string>>> pool_;
  std::vector<std::int64_t> key_;
};

std::unique_ptr<TextStore> Members::make_store(std::span<const Variable> variables) const {
  return std::make_unique<Store>(variables, *this);
}

}  // namespace

void MemberList::text(const AboutText& about, void* where) {
  Variable& variable = add(full_name(about.name), "", about.description);
  if (texts == nullptr) {
    texts = std::make_unique<Members>();
  }
  auto& members = static_cast<Members&>(*texts);
  variable.type = about.type;
  variable.role = about.role;
  variable.causality = outward(about.causality);
  variable.tunable = about.tunable;
  variable.mime_type = about.mime_type;
  variable.index = members.size();
  members.add(where, about.type == Variable::Type::binary);
}

}  // namespace saltus::modeling

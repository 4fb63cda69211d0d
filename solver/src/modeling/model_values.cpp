// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/modeling/model_values.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace saltus::modeling {
namespace {

// A flat row of trivially copyable vectors, each behind its length.
class Writer {
 public:
  template <class T>
  void add(std::span<const T> values) {
    const std::uint64_t count = values.size();
    append(&count, sizeof count);
    append(values.data(), values.size_bytes());
  }
  std::vector<std::byte> bytes;

 private:
  void append(const void* from, std::size_t size) {
    const auto* first = static_cast<const std::byte*>(from);
    bytes.insert(bytes.end(), first, first + size);
  }
};

class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : rest_(bytes) {}
  template <class T>
  std::vector<T> take(std::size_t expected) {
    std::uint64_t count = 0;
    copy(&count, sizeof count);
    if (count != expected) {
      throw std::invalid_argument("the saved state belongs to another model: a part has " +
                                  std::to_string(count) + " values instead of " +
                                  std::to_string(expected));
    }
    std::vector<T> values(expected);
    copy(values.data(), expected * sizeof(T));
    return values;
  }
  std::span<const std::byte> rest() const { return rest_; }
  void finish() const {
    if (!rest_.empty()) {
      throw std::invalid_argument("the saved state has " + std::to_string(rest_.size()) +
                                  " bytes too many");
    }
  }

 private:
  void copy(void* to, std::size_t size) {
    if (rest_.size() < size) {
      throw std::invalid_argument("the saved state ends too early");
    }
    if (size > 0) {
      std::memcpy(to, rest_.data(), size);
    }
    rest_ = rest_.subspan(size);
  }
  std::span<const std::byte> rest_;
};

[[noreturn]] void refuse_to_set(const Variable& variable) {
  throw std::invalid_argument("'" + variable.name + "' cannot be set as a value of this type");
}

}  // namespace

ModelValues::ModelValues(const MemberList& members)
    : texts_(members.texts == nullptr ? nullptr : members.texts->make_store(members.variables)) {
  const std::vector<Variable>& variables = members.variables;
  for (const Variable::Role role : {Variable::Role::state, Variable::Role::algebraic}) {
    for (const Variable& v : variables) {
      if (v.role == role) {
        unknown_names_.push_back(v.name);
        nominals_.push_back(v.nominal.value_or(1.0));
        start_unknowns_.push_back(v.start);
      }
    }
    states_ = role == Variable::Role::state ? unknown_names_.size() : states_;
  }
  for (const Variable& v : variables) {
    if (v.role == Variable::Role::state || v.role == Variable::Role::derivative ||
        v.role == Variable::Role::algebraic) {
      continue;
    } else if (v.is_number()) {
      if (v.role == Variable::Role::discrete) {
        discrete_.push_back(v.index);
        if (v.causality != Variable::Causality::input) {
          own_numbers_.push_back(v.index);
        }
      }
      numbers_.push_back(v.start);
    } else if (v.is_whole()) {
      if (v.role == Variable::Role::discrete && v.causality != Variable::Causality::input) {
        own_wholes_.push_back(v.index);
      }
      wholes_.push_back(v.start_integer);
    }
  }
  start_numbers_ = numbers_;
  start_wholes_ = wholes_;
}

void ModelValues::know_again(const MemberList& members) { *this = ModelValues(members); }

void ModelValues::add_steps(std::size_t count) {
  steps_ = count;
  for (std::size_t i = 0; i < count; ++i) {
    discrete_.push_back(numbers_.size());
    own_numbers_.push_back(numbers_.size());
    numbers_.push_back(0.0);
  }
  start_numbers_.resize(numbers_.size());
}

void ModelValues::restart() {
  for (const std::size_t i : discrete_) {
    numbers_[i] = start_numbers_[i];
  }
  wholes_ = start_wholes_;
  if (texts_ != nullptr) {
    texts_->restart();
  }
}

void ModelValues::nominals(Vec y) const {
  std::copy(nominals_.begin(), nominals_.end(), y.begin());
}

const std::string& ModelValues::unknown_name(std::size_t unknown) const {
  return unknown_names_.at(unknown);
}

void ModelValues::set_number(const Variable& variable, double value) {
  if (variable.role == Variable::Role::state) {
    start_unknowns_.at(variable.index) = value;
    return;
  }
  if (variable.role == Variable::Role::algebraic) {
    start_unknowns_.at(states_ + variable.index) = value;
    return;
  }
  if (variable.role == Variable::Role::derivative || !variable.is_number()) {
    refuse_to_set(variable);
  }
  numbers_.at(variable.index) = value;
  start_numbers_.at(variable.index) = value;
}

void ModelValues::set_whole(const Variable& variable, std::int64_t value) {
  if (!variable.is_whole()) {
    refuse_to_set(variable);
  }
  check_whole(variable, value);
  wholes_.at(variable.index) = value;
  start_wholes_.at(variable.index) = value;
}

std::string ModelValues::start_text(const Variable& variable) const {
  return texts_ != nullptr && variable.is_text() ? texts_->start(variable.index) : "";
}

void ModelValues::set_text(const Variable& variable, std::string_view value) {
  if (texts_ != nullptr && variable.is_text()) {
    texts_->set(variable.index, value);
  } else {
    refuse_to_set(variable);
  }
}

ModelValues::DiscreteValues ModelValues::discrete_values() const {
  DiscreteValues values;
  for (const std::size_t i : own_numbers_) {
    values.numbers.push_back(numbers_[i]);
  }
  for (const std::size_t i : own_wholes_) {
    values.wholes.push_back(wholes_[i]);
  }
  if (texts_ != nullptr) {
    values.texts = texts_->copy();
  }
  return values;
}

void ModelValues::take_step(std::size_t step, const DiscreteValues& other) {
  const std::size_t k = own_numbers_.size() - steps_ + step;
  numbers_[own_numbers_[k]] = other.numbers[k];
}

void ModelValues::exchange(DiscreteValues& other) {
  for (std::size_t k = 0; k < own_numbers_.size(); ++k) {
    std::swap(numbers_[own_numbers_[k]], other.numbers[k]);
  }
  for (std::size_t k = 0; k < own_wholes_.size(); ++k) {
    std::swap(wholes_[own_wholes_[k]], other.wholes[k]);
  }
  if (texts_ != nullptr) {
    texts_->exchange(*other.texts);
  }
}

std::vector<std::byte> ModelValues::save(const EventMemory& memory, std::span<const Lock> locks,
                                         double start, bool frozen) const {
  Writer out;
  out.add<double>(start_unknowns_);
  out.add<double>(numbers_);
  out.add<double>(start_numbers_);
  out.add<std::int64_t>(wholes_);
  out.add<std::int64_t>(start_wholes_);
  out.add<Lock>(memory.held);
  out.add<double>(memory.clock);
  out.add<Lock>(locks);
  const double rest[] = {start, frozen ? 1.0 : 0.0, memory.running ? 1.0 : 0.0};
  out.add<double>(rest);
  out.add<double>(memory.ticking);
  out.add<double>(outside_ticks);
  if (texts_ != nullptr) {
    texts_->save(out.bytes);
  }
  return out.bytes;
}

ModelValues::Rest ModelValues::restore(std::span<const std::byte> saved, EventMemory& memory,
                                       std::span<Lock> locks) {
  Reader in(saved);
  const auto start_unknowns = in.take<double>(start_unknowns_.size());
  const auto numbers = in.take<double>(numbers_.size());
  const auto start_numbers = in.take<double>(numbers_.size());
  const auto wholes = in.take<std::int64_t>(wholes_.size());
  const auto start_wholes = in.take<std::int64_t>(wholes_.size());
  const auto held = in.take<Lock>(memory.held.size());
  const auto clock = in.take<double>(memory.clock.size());
  const auto new_locks = in.take<Lock>(locks.size());
  const auto rest = in.take<double>(3);
  const auto ticking = in.take<double>(memory.ticking.size());
  const auto outside = in.take<double>(outside_ticks.size());
  std::unique_ptr<TextStore> texts;
  if (texts_ != nullptr) {
    texts = texts_->restored(in.rest());
  } else {
    in.finish();
  }
  start_unknowns_ = start_unknowns;
  numbers_ = numbers;
  start_numbers_ = start_numbers;
  wholes_ = wholes;
  start_wholes_ = start_wholes;
  texts_ = std::move(texts);
  memory.held = held;
  memory.clock = clock;
  memory.running = rest[2] != 0.0;
  memory.ticking = ticking;
  outside_ticks = outside;
  std::copy(new_locks.begin(), new_locks.end(), locks.begin());
  return {rest[0], rest[1] != 0.0};
}

}  // namespace saltus::modeling

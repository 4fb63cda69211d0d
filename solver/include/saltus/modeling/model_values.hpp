// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "saltus/modeling/event_pass.hpp"
#include "saltus/modeling/member_list.hpp"

namespace saltus::modeling {

/// The memory behind the copies of a model: parameters, inputs, discrete variables and start
/// values. Copies are loaded from here; only a discrete update stores back.
class ModelValues {
 public:
  explicit ModelValues(const MemberList& members);
  /// As constructed anew: what the variables are has changed.
  void know_again(const MemberList& members);

  /// Discrete numbers that are no variables, see `MembersOf::add_steps`.
  void add_steps(std::size_t count);

  /// Discrete variables go back to their start values.
  void restart();
  void nominals(Vec y) const;
  /// Unknowns are the states and behind them the algebraics.
  const std::string& unknown_name(std::size_t unknown) const;
  ConstVec start_unknowns() const { return start_unknowns_; }
  /// Parameters, inputs and other numbers, by the index of their variable.
  ConstVec numbers() const { return numbers_; }
  /// What the pass over the equations depends on besides numbers and decisions.
  std::span<const std::int64_t> configuration() const {
    return texts_ == nullptr ? std::span<const std::int64_t>(wholes_) : texts_->with(wholes_);
  }
  /// Whole numbers by the index of their variable.
  std::span<const std::int64_t> wholes() const { return wholes_; }
  std::string start_text(const Variable& variable) const;

  /// Throw `std::invalid_argument` where the variable cannot have the value.
  void set_number(const Variable& variable, double value);
  void set_whole(const Variable& variable, std::int64_t value);
  void set_text(const Variable& variable, std::string_view value);

  /// Everything but the states that a run is at.
  template <class Real>
  void load(MembersOf<Real>& members) const {
    for (std::size_t i = 0; i < members.numbers.size(); ++i) {
      *members.numbers[i] = Real(numbers_[i]);
    }
    load_others(members);
  }
  /// What an acting pass may have changed.
  template <class Real>
  void load_discrete(MembersOf<Real>& members) const {
    for (const std::size_t i : members.discrete_numbers) {
      *members.numbers[i] = Real(numbers_[i]);
    }
    load_others(members);
  }
  /// Returns whether anything changed.
  template <class Real>
  bool store_discrete(const MembersOf<Real>& members) {
    bool changed = false;
    for (const std::size_t i : members.discrete_numbers) {
      const double value = members.numbers[i]->value();
      changed = changed || !(value == numbers_[i]);
      numbers_[i] = value;
    }
    return store_others(members) || changed;
  }

  /// The discrete part of a configuration, inputs and parameters excepted: trades it for another.
  struct DiscreteValues {
    std::vector<double> numbers;
    std::vector<std::int64_t> wholes;
    std::unique_ptr<TextStore> texts;
  };
  DiscreteValues discrete_values() const;
  void exchange(DiscreteValues& other);
  /// One of the numbers of `add_steps`, as it is in another configuration.
  void take_step(std::size_t step, const DiscreteValues& other);
  bool has_discrete() const {
    return !own_numbers_.empty() || !own_wholes_.empty() || texts_ != nullptr;
  }

  /// Per clock: how often the outside has ticked it.
  std::vector<double> outside_ticks;

  /// As bytes, together with what else a model remembers.
  std::vector<std::byte> save(const EventMemory& memory, std::span<const Lock> locks, double start,
                              bool frozen) const;
  /// Returns what `save` was given as `start` and `frozen`. Throws `std::invalid_argument` on bytes
  /// of another model, and then has changed nothing.
  struct Rest {
    double start;
    bool frozen;
  };
  Rest restore(std::span<const std::byte> saved, EventMemory& memory, std::span<Lock> locks);

 private:
  void load_others(MemberList& members) const {
    for (std::size_t i = 0; i < wholes_.size(); ++i) {
      write_whole(members.wholes[i], wholes_[i]);
    }
    if (texts_ != nullptr) [[unlikely]] {
      texts_->load(*members.texts);
    }
  }
  bool store_others(const MemberList& members) {
    bool changed = false;
    for (std::size_t i = 0; i < wholes_.size(); ++i) {
      if (const std::int64_t value = read_whole(members.wholes[i]); value != wholes_[i]) {
        wholes_[i] = value;
        changed = true;
      }
    }
    return (texts_ != nullptr && texts_->store(*members.texts)) || changed;
  }

  std::size_t states_ = 0;
  std::size_t steps_ = 0;
  std::vector<std::string> unknown_names_;
  std::vector<double> nominals_;
  std::vector<double> start_unknowns_;
  std::vector<double> numbers_;
  std::vector<std::int64_t> wholes_;
  std::vector<double> start_numbers_;
  std::vector<std::int64_t> start_wholes_;
  std::vector<std::size_t> discrete_;
  std::vector<std::size_t> own_numbers_;  // discrete and not given from outside
  std::vector<std::size_t> own_wholes_;
  std::unique_ptr<TextStore> texts_;  // null: none
};

}  // namespace saltus::modeling

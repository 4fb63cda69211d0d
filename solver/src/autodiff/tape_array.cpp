// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/autodiff/tape_array.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/same_bits.hpp"
#include "tape_schedule.hpp"

namespace saltus::modeling {

/// Rows up to levels of their own.
struct TapeArray::Request {
  std::vector<int> level;
  std::unique_ptr<TapeSchedule> schedule;
};

TapeArray::TapeArray(Tape tape, std::size_t unknowns, std::vector<std::string> equation_names)
    : tape_(std::move(tape)), unknowns_(unknowns), names_(std::move(equation_names)) {
  for (const Tape::Entry& entry : tape_.differentiate()) {
    entries_.push_back({entry.row, entry.unknown, entry.order});
    entry_nodes_.push_back(entry.node);
  }
  tape_.compact();
  count_leaves();
  find_slope_slots();
  make_pattern();
  slopes_.resize(entries_.size());
  curve_.resize(2 * unknowns_);
  steady_ = std::make_unique<SteadyValues>(tape_);
  steady_->recompute(tape_, std::vector<double>(numbers_, 0.0));
}

TapeArray::~TapeArray() = default;
TapeArray::TapeArray(TapeArray&& other) noexcept = default;
TapeArray& TapeArray::operator=(TapeArray&& other) noexcept = default;

void TapeArray::find_slope_slots() {
  std::vector<char> matters(tape_.size(), 0);
  const auto mark = [&](Tape::Node node) { matters[static_cast<std::size_t>(node)] = 1; };
  std::for_each(entry_nodes_.begin(), entry_nodes_.end(), mark);
  std::vector<char> is_slope_slot(numbers_, 0);
  for (auto node = static_cast<Tape::Node>(tape_.size()); node-- > 0;) {
    if (matters[static_cast<std::size_t>(node)] == 0) {
      continue;
    }
    const Tape::Operation& o = tape_.operation(node);
    if (o.op == Tape::Op::number) {
      is_slope_slot[static_cast<std::size_t>(o.a)] = 1;
    }
    if (Tape::operands(o.op) > 0) {
      mark(o.a);
    }
    if (Tape::operands(o.op) > 1) {
      mark(o.b);
    }
  }
  for (std::size_t slot = 0; slot < numbers_; ++slot) {
    if (is_slope_slot[slot] != 0) {
      slope_slots_.push_back(slot);
    }
  }
}

void TapeArray::count_leaves() {
  for (Tape::Node node = 0; static_cast<std::size_t>(node) < tape_.size(); ++node) {
    const Tape::Operation& o = tape_.operation(node);
    if (o.op == Tape::Op::number) {
      numbers_ = std::max(numbers_, static_cast<std::size_t>(o.a) + 1);
    }
    if (o.op == Tape::Op::unknown) {
      order_ = std::max(order_, static_cast<std::size_t>(o.b));
      if (static_cast<std::size_t>(o.a) >= unknowns_) {
        throw std::invalid_argument("the tape uses unknown " + std::to_string(o.a) + " of only " +
                                    std::to_string(unknowns_));
      }
    }
  }
}

// Entries come row by row, so each column receives its rows in order.
void TapeArray::make_pattern() {
  const auto is_new = [this](std::size_t e) {
    return e == 0 || entries_[e - 1].row != entries_[e].row ||
           entries_[e - 1].unknown != entries_[e].unknown;
  };
  pattern_.rows = equations();
  pattern_.first.assign(unknowns_ + 1, 0);
  for (std::size_t e = 0; e < entries_.size(); ++e) {
    pattern_.first[static_cast<std::size_t>(entries_[e].unknown) + 1] += is_new(e) ? 1 : 0;
  }
  for (std::size_t j = 0; j < unknowns_; ++j) {
    pattern_.first[j + 1] += pattern_.first[j];
  }
  pattern_.row.resize(static_cast<std::size_t>(pattern_.first.back()));
  position_.resize(entries_.size());
  std::vector<int> next(pattern_.first.begin(), pattern_.first.end() - 1);
  for (std::size_t e = 0; e < entries_.size(); ++e) {
    int& end = next[static_cast<std::size_t>(entries_[e].unknown)];
    end += is_new(e) ? 1 : 0;
    position_[e] = static_cast<std::size_t>(end) - 1;
    pattern_.row[position_[e]] = entries_[e].row;
  }
}

std::string TapeArray::equation_name(std::size_t i) const {
  return i < names_.size() && !names_[i].empty() ? names_[i] : "equation " + std::to_string(i + 1);
}

void TapeArray::set_numbers(ConstVec numbers) {
  if (numbers.size() < numbers_) {
    throw std::invalid_argument("the equations use " + std::to_string(numbers_) +
                                " parameters and discrete numbers, but only " +
                                std::to_string(numbers.size()) + " are given");
  }
  const ConstVec used = numbers.first(numbers_);
  if (revision_ > 0 && std::equal(used.begin(), used.end(), given_numbers_.begin(), same_bits)) {
    return;
  }
  ++revision_;
  given_numbers_.assign(used.begin(), used.end());
  slope_numbers_.clear();
  for (const std::size_t slot : slope_slots_) {
    slope_numbers_.push_back(numbers[slot]);
  }
  steady_->recompute(tape_, numbers);
}

TapeSchedule& TapeArray::schedule(Schedules& known, std::span<const Tape::Node> wanted,
                                  std::size_t degree) {
  if (known.size() <= degree) {
    known.resize(degree + 1);
  }
  if (!known[degree]) {
    const std::vector<int> level(wanted.size(), static_cast<int>(degree));
    known[degree] = std::make_unique<TapeSchedule>(tape_, *steady_, wanted, level);
  }
  return *known[degree];
}

TapeSchedule& TapeArray::schedule(std::span<const int> level) {
  // Schedules are kept for the levels asked for last; with fewer, configurations that take turns
  // would make theirs anew each time.
  constexpr std::size_t kKept = 8;
  for (const Request& request : requests_) {
    if (std::equal(level.begin(), level.end(), request.level.begin(), request.level.end())) {
      return *request.schedule;
    }
  }
  if (requests_.size() == kKept) {
    requests_.erase(requests_.begin());
  }
  requests_.push_back({{level.begin(), level.end()},
                       std::make_unique<TapeSchedule>(tape_, *steady_, tape_.rows(), level)});
  return *requests_.back().schedule;
}

Eval TapeArray::values(double t, double scale, std::size_t degree, ConstVec c, Vec F) {
  TapeSchedule& todo = schedule(for_values_, tape_.rows(), degree);
  return todo.evaluate(t, scale, unknowns_, c.data(), steady_->data(), F) ? Eval::ok
                                                                          : Eval::discard;
}

Eval TapeArray::values_upto(double t, double scale, std::span<const int> level, ConstVec c, Vec F) {
  TapeSchedule& todo = schedule(level);
  return todo.evaluate(t, scale, unknowns_, c.data(), steady_->data(), F) ? Eval::ok
                                                                          : Eval::discard;
}

Eval TapeArray::linearize(double t, double scale, std::size_t degree, ConstVec c, Vec a) {
  TapeSchedule& todo = schedule(for_derivatives_, entry_nodes_, degree);
  return todo.evaluate(t, scale, unknowns_, c.data(), steady_->data(), a) ? Eval::ok
                                                                          : Eval::discard;
}

std::size_t TapeArray::operations_for_values(std::size_t degree) {
  return schedule(for_values_, tape_.rows(), degree).size();
}
std::size_t TapeArray::operations_for_derivatives(std::size_t degree) {
  return schedule(for_derivatives_, entry_nodes_, degree).size();
}

}  // namespace saltus::modeling

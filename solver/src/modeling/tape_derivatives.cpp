// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/modeling/tape_derivatives.hpp"

#include <algorithm>
#include <utility>

namespace saltus::modeling {

KnownLeaves::KnownLeaves(std::span<const Variable> variables, bool all) {
  for (const Variable::Role role : {Variable::Role::state, Variable::Role::algebraic}) {
    for (std::size_t i = 0; i < variables.size(); ++i) {
      if (variables[i].role == role) {
        unknowns.push_back(i);
      }
    }
  }
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const Variable::Role role = variables[i].role;
    const bool is_input = variables[i].causality == Variable::Causality::input;
    if (variables[i].is_number() && (is_input || (all && (role == Variable::Role::parameter ||
                                                          role == Variable::Role::discrete)))) {
      given.push_back({i, variables[i].index});
    }
  }
}

std::size_t KnownLeaves::position(std::size_t leaf) const {
  return leaf < unknowns.size() ? unknowns[leaf]
         : leaf < time()        ? given[leaf - unknowns.size()].position
                                : kTimePosition;
}

std::vector<std::size_t> computed_variables(std::span<const Variable> variables) {
  std::vector<std::size_t> computed;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const Variable::Role role = variables[i].role;
    if (role == Variable::Role::derivative || role == Variable::Role::output ||
        role == Variable::Role::local) {
      computed.push_back(i);
    }
  }
  return computed;
}

TapeDerivatives::TapeDerivatives(Tape tape, KnownLeaves leaves,
                                 const std::vector<std::size_t>& rows)
    : leaves_(std::move(leaves)),
      array_(std::move(tape), leaves_.count()),
      point_(leaves_.count()),
      slopes_(leaves_.count()) {
  const Pattern& pattern = array_.pattern();
  for (std::size_t leaf = 0; leaf < pattern.columns(); ++leaf) {
    for (int e = pattern.first[leaf]; e < pattern.first[leaf + 1]; ++e) {
      const int row = pattern.row[static_cast<std::size_t>(e)];
      entries_.push_back({rows[static_cast<std::size_t>(row)], leaves_.position(leaf)});
    }
  }
  by_slope_.resize(entries_.size());
}

void TapeDerivatives::set_numbers(ConstVec numbers) {
  array_.set_numbers(numbers);
  for (std::size_t i = 0; i < leaves_.given.size(); ++i) {
    point_[leaves_.unknowns.size() + i] = numbers[leaves_.given[i].number];
  }
}

TapeEquations::TapeEquations(Tape tape, const KnownLeaves& leaves,
                             std::vector<std::size_t> computed)
    : array_(std::move(tape), leaves.count()),
      given_(leaves.given),
      values_(leaves.given.size()),
      computed_(std::move(computed)) {
  for (const KnownLeaves::Given& given : given_) {
    positions_.push_back(given.position);
  }
}

void TapeEquations::set_numbers(ConstVec numbers) {
  array_.set_numbers(numbers);
  for (std::size_t i = 0; i < given_.size(); ++i) {
    values_[i] = numbers[given_[i].number];
  }
}

Eval TapeDerivatives::evaluate(double t, ConstVec y, Vec values) {
  std::copy(y.begin(), y.end(), point_.begin());
  point_.back() = t;
  return array_.evaluate(t, point_, slopes_, values, by_slope_);
}

}  // namespace saltus::modeling

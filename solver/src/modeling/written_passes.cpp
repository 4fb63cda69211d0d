// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/modeling/written_passes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace saltus::modeling {

void NumberSlots::know(std::span<const Variable> variables, std::size_t numbers) {
  if (!position_.empty()) return;
  using Role = Variable::Role;
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const Variable& v = variables[i];
    const bool is_given = v.is_number() && (v.role == Role::parameter || v.role == Role::input ||
                                            v.role == Role::discrete);
    if (!is_given) continue;
    if (position_.size() <= v.index) position_.resize(v.index + 1, variables.size());
    position_[v.index] = i;
  }
  slots_ = numbers;
  for (const Variable& v : variables) {
    slots_ = std::max(slots_, v.index + 1);
  }
}

bool NumberSlots::sweep(TapeGradient& tape, Direction& gradient) const {
  by_slot_.assign(slots_, 0.0);
  tape.sweep({.time = gradient.time, .unknowns = gradient.unknowns, .numbers = by_slot_});
  double residue = gradient.time - gradient.time;  // zero where all are finite
  for (const double each : gradient.unknowns) residue += each - each;
  for (std::size_t slot = 0; slot < position_.size(); ++slot) {
    if (position_[slot] >= gradient.numbers.size()) continue;
    gradient.numbers[position_[slot]] += by_slot_[slot];
    residue += by_slot_[slot] - by_slot_[slot];
  }
  return residue == 0.0;
}

std::optional<WrittenPass::Margin> WrittenPass::margin_of(std::size_t indicator, double z) const {
  const std::vector<Tape::Node>& all = margins[indicator];
  const auto distance = [&](Tape::Node node) {
    return std::fabs(std::fabs(gradient.value(node)) - std::fabs(z));
  };
  const auto nearest = std::min_element(all.begin(), all.end(), [&](Tape::Node a, Tape::Node b) {
    return distance(a) < distance(b);
  });
  if (nearest == all.end()) return {};
  for (const Tape::Node other : all) {
    if (other == *nearest) continue;
    const Tape::Operation& o = gradient.operation(other);
    const double size = o.op == Tape::Op::subtract
                            ? std::fabs(gradient.value(o.a)) + std::fabs(gradient.value(o.b))
                            : std::fabs(gradient.value(other));
    // Of the products and sums behind a margin; two that are nearer to each other are refused as
    // one.
    constexpr double kRoundings = 64.0 * std::numeric_limits<double>::epsilon();
    // -(a - b) is written as b - a.
    const bool is_opposite = gradient.operation(*nearest).op == Tape::Op::subtract &&
                             o.op == Tape::Op::subtract && o.a == gradient.operation(*nearest).b &&
                             o.b == gradient.operation(*nearest).a;
    if (distance(other) <= kRoundings * size && !is_opposite) return {};
  }
  const bool opposite = (gradient.value(*nearest) > 0.0) != (z > 0.0);
  return Margin{*nearest, opposite ? -1.0 : 1.0};
}

WrittenPass& WrittenPasses::find(std::span<const Lock> locks, std::span<const std::int64_t> wholes,
                                 const std::function<WrittenPass()>& write) {
  key_.assign(wholes.begin(), wholes.end());
  for (const Lock lock : locks) {
    key_.push_back(lock == Lock::yes ? 1 : 0);
  }
  std::unique_ptr<WrittenPass>& pass = known_[key_];
  if (pass == nullptr || !pass->holds_everywhere) {
    pass = std::make_unique<WrittenPass>(write());
  }
  return *pass;
}

WrittenBodies::WrittenBodies(const Tape& tape, const std::vector<Target>& targets,
                             const NumberSlots& slots)
    : slots_(slots) {
  std::vector<Tape::Node> nodes;
  for (const Target& target : targets) {
    std::erase_if(targets_, [&](const Target& one) {
      return one.is_unknown == target.is_unknown && one.place == target.place;
    });
    targets_.push_back(target);
  }
  for (const Target& target : targets_) nodes.push_back(target.node);
  gradient_ = TapeGradient(tape, nodes);
  for (std::size_t i = 0; i < targets_.size(); ++i) targets_[i].node = nodes[i];
}

void WrittenBodies::pull(Direction& gradient) const {
  for (const Target& target : targets_) {
    double& weight = (target.is_unknown ? gradient.unknowns : gradient.numbers)[target.place];
    gradient_.seed(target.node, std::exchange(weight, 0.0));
  }
  slots_.sweep(gradient_, gradient);
}

}  // namespace saltus::modeling

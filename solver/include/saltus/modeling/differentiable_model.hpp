// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "saltus/core/directional.hpp"
#include "saltus/modeling/backward_passes.hpp"
#include "saltus/modeling/native_model.hpp"

namespace saltus::modeling {

/// A `NativeModel` that follows directions through its equations, its conditions and the bodies of
/// its events, by passes with the scalar that knows rates; and backwards, see `BackwardPasses`.
/// FMUs are made without it.
template <template <class> class M, class Unit = M<Locked>>
class DifferentiableModel final : public BackwardPasses<M, Unit>, private Directional {
 public:
  using BackwardPasses<M, Unit>::BackwardPasses;

  Capabilities capabilities() override {
    Capabilities can = NativeModel<M, Unit>::capabilities();
    can.directional = can.is_explicit ? this : nullptr;
    return can;
  }

 private:
  using Base = NativeModel<M, Unit>;
  using Role = Variable::Role;

  Pullback* pullback() override { return this; }

  Eval derivatives_along(double t, ConstVec y, const Direction& direction, Vec rates) override {
    run_along(t, y, direction);
    for (std::size_t i = 0; i < rates.size(); ++i) {
      rates[i] = this->moving_.members.derivatives[i]->rate();
    }
    forget_rates();
    return has_nan(rates) ? Eval::discard : Eval::ok;
  }

  Eval indicators_along(double t, ConstVec y, const Direction& direction, Vec rates) override {
    run_along(t, y, direction);
    this->watching_.z = z_.data() + this->now_.locks.size();
    this->watching_.begin(EventPass::Way::watch);
    this->run_events(this->moving_, Tangent(t, direction.time), this->watching_);
    std::copy(z_.begin(), z_.end(), rates.begin());
    forget_rates();
    return has_nan(z_) ? Eval::discard : Eval::ok;
  }

  Eval variables_along(double t, ConstVec y, const Direction& direction, Vec rates) override {
    run_along(t, y, direction);
    const auto& members = this->moving_.members;
    for (std::size_t i = 0; i < rates.size(); ++i) {
      const Variable& v = this->variables()[i];
      rates[i] = !v.is_number()               ? 0.0
                 : v.role == Role::state      ? members.states[v.index]->rate()
                 : v.role == Role::derivative ? members.derivatives[v.index]->rate()
                 : v.role == Role::algebraic  ? members.algebraics[v.index]->rate()
                                              : members.numbers[v.index]->rate();
    }
    forget_rates();
    return has_nan(rates) ? Eval::discard : Eval::ok;
  }

  std::vector<double> clocks_along(double t, ConstVec y, const Direction& direction) override {
    run_along(t, y, direction);
    std::vector<double> found;
    EventPass pass = this->watching_;
    pass.z = z_.data() + this->now_.locks.size();
    pass.start = this->start_;
    pass.clock_rates = &found;
    pass.begin(EventPass::Way::watch);
    this->run_events(this->moving_, Tangent(t, direction.time), pass);
    forget_rates();
    return found;
  }

  void carry(std::vector<Direction>& directions, ConstVec y) override {
    carries_ = &directions;
    carries_at_.assign(y.begin(), y.end());
    was_carried_ = was_missed_ = false;
    slots_.clear();
    taken_.clear();
    times_taken_ = 0;
  }
  void carry_in(std::span<const std::size_t> slots) override {
    slots_.assign(slots.begin(), slots.end());
  }
  bool carried() override {
    std::vector<Direction>* const directions = std::exchange(carries_, nullptr);
    if (was_carried_ || (taken_.empty() && !was_missed_)) return true;
    if (was_missed_ || times_taken_ != slots_.size()) return false;
    *directions = std::move(taken_);
    return true;
  }
  std::optional<double> held(std::size_t variable) override {
    return this->values_.numbers()[this->variables()[variable].index];
  }
  void hold(std::size_t variable, double value) override {
    const Variable& v = this->variables()[variable];
    this->values_.load_discrete(this->watched_.members);
    *this->watched_.members.numbers[v.index] = Watched(value);
    this->values_.store_discrete(this->watched_.members);
    this->load_all();
  }

  // The numbers with their rates, and one pass over the equations, decisions as they are.
  void run_along(double t, ConstVec y, const Direction& direction) {
    z_.resize(this->shape().indicators);
    load_along(y, direction);
    this->run_equations(this->moving_, Tangent(t, direction.time), z_.data(), false);
  }
  void load_along(ConstVec y, const Direction& direction) {
    MembersOf<Tangent>& members = this->moving_.members;
    this->values_.load(members);
    for (std::size_t i = 0; i < y.size(); ++i) {
      *members.unknowns[i] = Tangent(y[i], direction.unknowns[i]);
    }
    for (std::size_t i = 0; i < this->variables().size(); ++i) {
      if (const Variable& v = this->variables()[i]; is_given(v)) {
        Tangent& number = *members.numbers[v.index];
        number = Tangent(number.value(), direction.numbers[i]);
      }
    }
  }
  static bool is_given(const Variable& v) {
    return v.is_number() &&
           (v.role == Role::parameter || v.role == Role::input || v.role == Role::discrete);
  }
  // Whoever else uses these members wants to know how they change with the states alone.
  void forget_rates() { this->values_.load(this->moving_.members); }

  // The bodies that are due, before they are executed.
  void carry_bodies(double t, ConstVec y) override {
    this->keep_due_bodies(t, y);
    if (carries_ == nullptr || carries_->empty()) {
      return;
    }
    const auto here = this->capabilities().configurations->selected();
    if (!was_carried_ && std::find(slots_.begin(), slots_.end(), here) != slots_.end()) {
      take_beside(t, y);
    } else if (was_carried_ || !std::equal(y.begin(), y.end(), carries_at_.begin())) {
      Direction elsewhere = carries_->front();
      was_missed_ = carry_one(t, y, elsewhere) || was_missed_;
    } else {
      for (Direction& direction : *carries_) {
        carry_one(t, y, direction);
      }
      was_carried_ = true;
    }
    forget_rates();
  }
  // One of the configurations of a motion that slides. What a body does to the states, or to the
  // surface, is for the motion that goes on, which is none of theirs.
  void take_beside(double t, ConstVec y) {
    std::vector<Direction> taken = *carries_;
    bool any = false;
    for (std::size_t k = 0; k < taken.size(); ++k) {
      const Direction& before = (*carries_)[k];
      any = carry_one(t, y, taken[k]) || any;
      was_missed_ = was_missed_ || taken[k].unknowns != before.unknowns ||
                    moves_surface(t, y, before, taken[k]);
    }
    if (!any) return;
    ++times_taken_;
    for (std::size_t k = 0; k < taken_.size(); ++k) {
      was_missed_ = was_missed_ || !are_same(taken_[k].numbers, taken[k].numbers);
    }
    if (taken_.empty()) taken_ = std::move(taken);
  }
  static bool are_same(const std::vector<double>& one, const std::vector<double>& other) {
    // Of one computation in two passes: beyond rounding. What differs by more is given up.
    constexpr double kSame = 1e-9;
    return std::equal(one.begin(), one.end(), other.begin(), other.end(), [](double a, double b) {
      return std::fabs(a - b) <= kSame * (std::fabs(a) + std::fabs(b));
    });
  }
  // Whether a condition of the equations that is as near to zero as where the motion slides changes
  // in another way than before.
  bool moves_surface(double t, ConstVec y, const Direction& before, const Direction& after) {
    // As near as a motion keeps to its surface at common tolerances.
    constexpr double kNear = 1e-6;
    std::vector<double> one(this->shape().indicators, 0.0), other = one;
    if (indicators_along(t, y, before, one) == Eval::discard ||
        indicators_along(t, y, after, other) == Eval::discard) {
      return true;
    }
    // The decisions of this pass have left their margins there.
    const std::vector<double>& margins = this->scratch_;
    for (std::size_t i = 0; i < this->now_.locks.size(); ++i) {
      if (std::fabs(margins[i]) <= kNear && one[i] != other[i]) return true;
    }
    return false;
  }
  // Returns whether anything was assigned that has a rate.
  bool carry_one(double t, ConstVec y, Direction& direction) {
    const std::vector<std::size_t> due = this->acting_.due;
    const auto execute = [&](std::size_t call) {
      EventPass pass = this->acting_;
      pass.begin(EventPass::Way::act);
      pass.chosen = call;
      this->run_events(this->moving_, Tangent(t, direction.time), pass);
    };
    // Each body sees the values of the beginning. What two of them assign is what comes of it when
    // they are executed one after another.
    Direction joined = direction;
    std::set<const void*> by_one, by_two;
    bool any = false;
    load_along(y, direction);
    const ValuesBefore<Tangent> before(this->moving_.members, this->values_, this->by_equations_);
    for (const std::size_t call : due) {
      run_along(t, y, direction);
      std::vector<const void*> written;
      noted_writes = &written;
      try {
        execute(call);
      } catch (...) {
        noted_writes = nullptr;
        throw;
      }
      noted_writes = nullptr;
      const std::set<const void*> places(written.begin(), written.end());
      for (const void* place : places) {
        (by_one.insert(place).second ? by_one : by_two).insert(place);
      }
      any = take(joined, places) || any;
    }
    if (!by_two.empty()) {
      run_along(t, y, direction);
      std::for_each(due.begin(), due.end(), execute);
      take(joined, by_two);
    }
    direction = std::move(joined);
    return any;
  }
  // What stands at these places now; false where there is none that has a rate.
  bool take(Direction& direction, const std::set<const void*>& places) const {
    const MembersOf<Tangent>& members = this->moving_.members;
    bool any = false;
    for (std::size_t i = 0; i < members.unknowns.size(); ++i) {
      if (places.count(members.unknowns[i]) != 0) {
        direction.unknowns[i] = members.unknowns[i]->rate();
        any = true;
      }
    }
    for (std::size_t i = 0; i < this->variables().size(); ++i) {
      const Variable& v = this->variables()[i];
      if (v.is_number() && v.role == Role::discrete &&
          places.count(members.numbers[v.index]) != 0) {
        direction.numbers[i] = members.numbers[v.index]->rate();
        any = true;
      }
    }
    return any;
  }

  std::vector<Direction>* carries_ = nullptr;
  std::vector<double> carries_at_;
  bool was_carried_ = false;
  bool was_missed_ = false;
  std::vector<std::size_t> slots_;  // see `carry_in`
  std::vector<Direction> taken_;    // by the first of them
  std::size_t times_taken_ = 0;
  std::vector<double> z_;
};

}  // namespace saltus::modeling

// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "saltus/core/pullback.hpp"
#include "saltus/modeling/native_model.hpp"
#include "saltus/modeling/written_passes.hpp"

namespace saltus::modeling {

/// A `NativeModel` that knows how sums of its results change with everything that it computes with:
/// passes with the recording scalar write its equations, its conditions and the bodies of its
/// events down, and what was written is swept backwards. `DifferentiableModel` shows it.
template <template <class> class M, class Unit>
class BackwardPasses : public NativeModel<M, Unit>, protected Pullback {
 public:
  using NativeModel<M, Unit>::NativeModel;

 protected:
  using Role = Variable::Role;

  /// Before the bodies of what is due are executed; see `keep_bodies`.
  void keep_due_bodies(double t, ConstVec y) {
    if (!keeps_) return;
    std::shared_ptr<const Bodies> bodies = record_bodies(t, y);
    if (bodies == nullptr) return;
    const bool is_here = kept_.bodies == nullptr && std::equal(y.begin(), y.end(), at_.begin());
    if (is_here) {
      kept_.bodies = std::move(bodies);
    } else {
      kept_.missed = true;
    }
  }

 private:
  Eval pull_slopes(double t, ConstVec y, ConstVec weights, Direction& gradient) override {
    WrittenPass& pass = written_pass(t, y);
    for (std::size_t i = 0; i < weights.size(); ++i) {
      pass.gradient.seed(pass.slopes[i], weights[i]);
    }
    return slots_.sweep(pass.gradient, gradient) ? Eval::ok : Eval::discard;
  }

  Eval pull_indicator(double t, ConstVec y, std::size_t indicator, Direction& gradient) override {
    z_.resize(this->shape().indicators);
    if (this->indicators(t, y, z_) == Eval::discard) return Eval::discard;
    WrittenPass& pass = written_pass(t, y);
    const auto margin = pass.margin_of(indicator, z_[indicator]);
    if (!margin) return Eval::discard;
    pass.gradient.seed(margin->node, margin->sign);
    return slots_.sweep(pass.gradient, gradient) ? Eval::ok : Eval::discard;
  }

  Eval pull_variable(double t, ConstVec y, std::size_t variable, Direction& gradient) override {
    const Variable& v = this->variables()[variable];
    if (v.role == Role::state) {
      gradient.unknowns[v.index] += 1.0;
      return Eval::ok;
    }
    WrittenPass& pass = written_pass(t, y);
    pass.gradient.seed(v.role == Role::derivative ? pass.slopes[v.index] : pass.numbers[v.index],
                       1.0);
    return slots_.sweep(pass.gradient, gradient) ? Eval::ok : Eval::discard;
  }

  std::vector<Direction> pull_clocks(double t, ConstVec y) override {
    std::vector<double> factors;
    WrittenPass pass = write_pass(t, y, &factors);
    std::vector<Direction> found;
    for (std::size_t i = 0; i < pass.clocks.size(); ++i) {
      Direction one{.unknowns = std::vector<double>(y.size(), 0.0),
                    .numbers = std::vector<double>(this->variables().size(), 0.0)};
      pass.gradient.evaluate(t, y, this->values_.numbers());
      pass.gradient.seed(pass.clocks[i], factors[i]);
      slots_.sweep(pass.gradient, one);
      found.push_back(std::move(one));
    }
    return found;
  }

  void keep_bodies(ConstVec y) override {
    keeps_ = true;
    at_.assign(y.begin(), y.end());
    kept_ = {};
  }
  Kept kept_bodies() override {
    keeps_ = false;
    return std::exchange(kept_, {});
  }

  // The passes of the configuration in force, evaluated at a point.
  WrittenPass& written_pass(double t, ConstVec y) {
    WrittenPass& pass = passes_.find(this->now_.locks, this->values_.configuration(),
                                     [&] { return write_pass(t, y, nullptr); });
    pass.gradient.evaluate(t, y, this->values_.numbers());
    return pass;
  }

  // One over the equations and one over the conditions of `events`.
  WrittenPass write_pass(double t, ConstVec y, std::vector<double>* clock_factors) {
    slots_.know(this->variables(), this->values_.numbers().size());
    Tape tape;
    WrittenPass pass;
    std::vector<std::vector<Tape::Node>> margins;
    {
      Recording recording(tape);
      recording.keep_margins(margins, pass.clocks);
      run_recorded(recording, t, y);
      z_.resize(this->shape().indicators);
      EventPass watching = this->watching_;
      watching.z = z_.data() + this->now_.locks.size();
      watching.start = this->start_;
      watching.clock_rates = clock_factors;
      watching.begin(EventPass::Way::watch);
      this->run_events(this->recorded_, recording.time(t), watching);
      for (const Recorded* slope : this->recorded_.members.derivatives) {
        pass.slopes.push_back(recording.node(*slope));
      }
      for (const Recorded* number : this->recorded_.members.numbers) {
        pass.numbers.push_back(recording.node(*number));
      }
      pass.holds_everywhere = recording.holds_everywhere();
    }
    pass.margins.resize(this->shape().indicators);
    const std::size_t met = this->decisions().size();
    for (std::size_t i = 0; i < margins.size(); ++i) {
      const std::size_t indicator = i >= met                     ? this->now_.locks.size() + i - met
                                    : this->paths_.is_straight() ? i
                                                                 : this->path().conditions[i];
      pass.margins[indicator] = std::move(margins[i]);
    }
    pass.gradient = TapeGradient(tape);
    return pass;
  }

  // The equations, with all that is given as leaves.
  void load_recorded(Recording& recording, ConstVec y) {
    this->load_leaves(this->recorded_.members, recording);
    for (std::size_t i = 0; i < y.size(); ++i) {
      *this->recorded_.members.unknowns[i] = recording.unknown(static_cast<int>(i), 0, y[i]);
    }
  }
  void run_recorded(Recording& recording, double t, ConstVec y) {
    load_recorded(recording, y);
    Equations<Recorded> equations(recording.time(t));
    Cursor pass = this->replaying(this->decisions());
    this->hold_steps(pass, this->recorded_.members);
    const CursorScope scope(pass);
    this->recorded_.equations(equations);
  }

  // Each body sees the values of the beginning; what two of them assign is what comes of it when
  // they are executed one after another. Null: no number is assigned.
  std::shared_ptr<const Bodies> record_bodies(double t, ConstVec y) {
    slots_.know(this->variables(), this->values_.numbers().size());
    MembersOf<Recorded>& members = this->recorded_.members;
    Tape tape;
    std::vector<WrittenBodies::Target> targets;
    {
      Recording recording(tape);
      std::set<const void*> by_one, by_two;
      const auto take = [&](const std::set<const void*>& places) {
        for (std::size_t i = 0; i < members.unknowns.size(); ++i) {
          if (places.count(members.unknowns[i]) == 0) continue;
          targets.push_back(
              {.is_unknown = true, .place = i, .node = recording.node(*members.unknowns[i])});
        }
        for (std::size_t i = 0; i < this->variables().size(); ++i) {
          const Variable& v = this->variables()[i];
          if (!v.is_number() || v.role != Role::discrete) continue;
          if (places.count(members.numbers[v.index]) == 0) continue;
          targets.push_back(
              {.is_unknown = false, .place = i, .node = recording.node(*members.numbers[v.index])});
        }
      };
      const auto execute = [&](std::size_t call) {
        EventPass pass = this->acting_;
        pass.begin(EventPass::Way::act);
        pass.chosen = call;
        this->run_events(this->recorded_, recording.time(t), pass);
      };
      load_recorded(recording, y);
      const ValuesBefore<Recorded> before(members, this->values_, this->by_equations_);
      for (const std::size_t call : this->acting_.due) {
        run_recorded(recording, t, y);
        const std::set<const void*> places = noted([&] { execute(call); });
        for (const void* place : places) {
          (by_one.insert(place).second ? by_one : by_two).insert(place);
        }
        take(places);
      }
      if (!by_two.empty()) {
        run_recorded(recording, t, y);
        for (const std::size_t call : this->acting_.due) execute(call);
        take(by_two);
      }
    }
    if (targets.empty()) return nullptr;
    auto bodies = std::make_shared<WrittenBodies>(tape, targets, slots_);
    bodies->evaluate(t, y, this->values_.numbers());
    return bodies;
  }

  // What a body assigns.
  template <class Body>
  static std::set<const void*> noted(const Body& body) {
    std::vector<const void*> written;
    noted_writes = &written;
    try {
      body();
    } catch (...) {
      noted_writes = nullptr;
      throw;
    }
    noted_writes = nullptr;
    return {written.begin(), written.end()};
  }

  NumberSlots slots_;
  WrittenPasses passes_;
  std::vector<double> z_;
  bool keeps_ = false;
  std::vector<double> at_;
  Kept kept_;
};

}  // namespace saltus::modeling

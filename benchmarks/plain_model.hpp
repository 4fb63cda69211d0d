// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <vector>

#include "saltus/modeling/native_model.hpp"

/// A number whose comparisons are decided by its value, at once and everywhere.
template <>
inline bool saltus::modeling::Number<bool>::relate(double margin, bool at_zero) {
  return margin > 0.0 || (margin == 0.0 && at_zero);
}

namespace saltus::benchmarks {

using Plain = modeling::Number<bool>;

/// A model's equations in plain numbers, for peers: they know no configurations, so that an `if` in
/// the equations acts where it stands. Nothing is between them and the equations but this class.
template <template <class> class M>
class PlainModel {
 public:
  PlainModel() {
    modeling::EventPass counting{.way = modeling::EventPass::Way::count};
    run_events(0.0, counting);
    memory_.held.assign(counting.whens, modeling::Lock::no);
    memory_.clock.assign(counting.clocks, kNever);
    event(0.0);
    memory_.running = true;
    find_assigned();
  }

  std::size_t states() const { return listed_.members.states.size(); }
  std::size_t unknowns() const { return states() + listed_.members.algebraics.size(); }

  std::vector<double> start() const {
    std::vector<double> y;
    for (const std::vector<Plain*>* family :
         {&listed_.members.states, &listed_.members.algebraics}) {
      for (const Plain* member : *family) {
        y.push_back(member->value());
      }
    }
    return y;
  }
  /// Replaces those parts of a slope that the equations assign.
  void assign_slope(double t, const double* y, double* yp) {
    evaluate(t, y, yp);
    for (const std::size_t i : assigned_) {
      yp[i] = listed_.members.derivatives[i]->value();
    }
  }
  /// The rows of `der(x) = ...`, then those of `eq(lhs, rhs)`.
  void residual(double t, const double* y, const double* yp, double* r) {
    evaluate(t, y, yp);
    for (const std::size_t i : assigned_) {
      *r++ = yp[i] - listed_.members.derivatives[i]->value();
    }
    for (const Plain& row : rows_) {
      *r++ = row.value();
    }
  }
  /// Whatever the model does at that time by itself.
  void event(double t) {
    std::vector<double> indicators(memory_.held.size());
    modeling::EventPass pass{
        .way = modeling::EventPass::Way::judge, .memory = &memory_, .z = indicators.data()};
    run_events(t, pass);
    for (const std::size_t call : pass.due) {
      pass.begin(modeling::EventPass::Way::act);
      pass.chosen = call;
      run_events(t, pass);
    }
  }

 private:
  void evaluate(double t, const double* y, const double* yp) {
    auto& members = listed_.members;
    for (std::size_t i = 0; i < members.states.size(); ++i) {
      *members.states[i] = Plain(y[i]);
      *members.derivatives[i] = Plain(yp[i]);
    }
    for (std::size_t i = 0; i < members.algebraics.size(); ++i) {
      *members.algebraics[i] = Plain(y[members.states.size() + i]);
    }
    modeling::Equations<Plain> equations(Plain(t), rows_);
    listed_.model.equations(equations);
  }
  // A derivative that keeps an odd value through the equations is not assigned by them.
  void find_assigned() {
    const std::vector<double> y = start();
    const std::vector<double> odd(y.size(), 0.123456789e-3);
    evaluate(0.0, y.data(), odd.data());
    for (std::size_t i = 0; i < states(); ++i) {
      if (listed_.members.derivatives[i]->value() != odd[i]) {
        assigned_.push_back(i);
      }
    }
    rows_.resize(unknowns() - assigned_.size());
  }
  void run_events(double t, modeling::EventPass& pass) {
    if constexpr (modeling::HasEvents<M<Plain>, Plain>) {
      modeling::Events<Plain> events(pass, Plain(t));
      listed_.model.events(events);
    }
  }

  modeling::ModelOf<M, Plain> listed_;
  modeling::EventMemory memory_;
  std::vector<std::size_t> assigned_;
  std::vector<Plain> rows_;
};

}  // namespace saltus::benchmarks

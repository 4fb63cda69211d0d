// SPDX-License-Identifier: BSD-2-Clause
#pragma once

// Included at the end of native_model.hpp: the indicators of the conditions, how fast they change,
// and the instants at which comparisons of time change.
namespace saltus::modeling {

// Whether one of them is no number: the sum of magnitudes, in which infinities do not cancel.
inline bool has_nan(ConstVec values) {
  double sum = 0.0;
  for (const double value : values) {
    sum += std::fabs(value);
  }
  return std::isnan(sum);
}

template <template <class> class M, class Unit>
Eval NativeModel<M, Unit>::indicators(double t, ConstVec y, Vec z) {
  if (watches_more_than_events_) {
    return indicators_of_equations(t, y, z);
  }
  watched_.members.load_unknowns(y);
  load_watched_discrete();
  return watch_events(t, z);
}

// At an announced time the indicators are those just before it: what changes there is no state
// event.
template <template <class> class M, class Unit>
Eval NativeModel<M, Unit>::indicators_of_equations(double t, ConstVec y, Vec z) {
  if (compares_time_ && t == time_event()) {
    t = std::nextafter(t, -kNever);
  }
  std::optional<PartScope> scope;
  if (!part_names_.empty()) {
    scope.emplace(parts_);
  }
  watched_.members.load_unknowns(y);
  load_watched_discrete();
  if (conditions_need_equations_) {
    run_equations(t, z.data(), false);
    if (!paths_.is_straight()) {
      order_parts();
    }
  }
  if (held_.empty()) [[likely]] {
    return watch_events(t, z);
  }
  const HeldPartsScope held(held_);
  return watch_events(t, z);
}

template <template <class> class M, class Unit>
inline Eval NativeModel<M, Unit>::watch_events(double t, Vec z) {
  watching_.z = z.data() + now_.locks.size();
  watching_.begin(EventPass::Way::watch);
  run_events(t, watching_);
  return has_nan(z) ? Eval::discard : Eval::ok;
}

template <template <class> class M, class Unit>
bool NativeModel<M, Unit>::joins_parts(std::size_t indicator) const {
  const std::size_t decisions = shape_.indicators - joined_.size();
  return indicator >= decisions && joined_[indicator - decisions];
}

template <template <class> class M, class Unit>
void NativeModel<M, Unit>::hold_parts(std::span<const HeldPart> held) {
  held_.assign(held.begin(), held.end());
}

template <template <class> class M, class Unit>
Eval NativeModel<M, Unit>::indicator_rates(double t, ConstVec y, ConstVec v, Vec rates) {
  for (std::size_t i = 0; i < y.size(); ++i) {
    *moving_.members.unknowns[i] = Tangent(y[i], v[i]);
  }
  const Tangent time(t, 1.0);
  run_equations(moving_, time, rates.data(), false);
  watching_.z = rates.data() + now_.locks.size();
  watching_.begin(EventPass::Way::watch);
  run_events(moving_, time, watching_);
  return has_nan(rates) ? Eval::discard : Eval::ok;
}

template <template <class> class M, class Unit>
double NativeModel<M, Unit>::next_comparison_of_time(double t, ConstVec y) {
  values_.load_discrete(moving_.members);
  return next_time_comparison(t, [&](double time, bool of_time, std::vector<Comparison>& met) {
    // Rates of which no sum or product vanishes by chance.
    double rate = of_time ? 0.0 : 1.0;
    const auto move = [&](Tangent& number, double value) {
      number = Tangent(value, rate);
      rate *= 1.0 + 1.0 / 1.61803398874989485;
      rate = rate > 1e3 ? 1e-6 * rate : rate;
    };
    for (std::size_t i = 0; i < y.size(); ++i) {
      move(*moving_.members.unknowns[i], y[i]);
    }
    for (Tangent* slope : moving_.members.derivatives) {
      move(*slope, slope->value());
    }
    for (const Variable& variable : variables()) {
      if (variable.role == Variable::Role::input && variable.is_number()) {
        Tangent& input = *moving_.members.numbers[variable.index];
        move(input, input.value());
      }
    }
    const ComparisonScope scope(met);
    const Tangent now(time, of_time ? 1.0 : 0.0);
    run_equations(moving_, now, scratch_.data(), false);
    watching_.z = scratch_.data() + now_.locks.size();
    watching_.begin(EventPass::Way::watch);
    run_events(moving_, now, watching_);
  });
}

}  // namespace saltus::modeling

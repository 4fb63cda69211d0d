// SPDX-License-Identifier: BSD-2-Clause
#pragma once

// Included at the end of native_model.hpp: runs over `equations` and `events` of one of the copies.
namespace saltus::modeling {

template <template <class> class M, class Unit>
template <class Real>
inline void NativeModel<M, Unit>::run_locked(Equations<Real>& equations) {
  if (now_.locks.empty()) {
    locked_.equations(equations);
  } else {
    Cursor pass = replaying(decisions());
    hold_steps(pass, locked_.members);
    const CursorScope scope(pass);
    locked_.equations(equations);
  }
}

template <template <class> class M, class Unit>
template <class Real>
inline std::size_t NativeModel<M, Unit>::run_equations(ModelOf<M, Real>& model, const Real& time,
                                                       double* z, bool deciding) {
  Equations<Real> equations{time};
  if (now_.locks.empty()) {
    model.equations(equations);
    return equations.count();
  }
  if (!paths_.is_straight()) {
    run_branching(model, equations, z, deciding);
    return equations.count();
  }
  Lock* const first = now_.locks.data();
  Cursor pass{.lock = first, .end = first + now_.locks.size(), .z = z, .deciding = deciding};
  hold_steps(pass, model.members);
  const CursorScope scope(pass);
  model.equations(equations);
  check_count(static_cast<std::size_t>(cursor.lock - first), now_.locks.size(), "decisions");
  if (deciding && pass.steps != nullptr) [[unlikely]] {
    take_steps(model.members, step_order_);
  }
  return equations.count();
}

// A pass in which the places of decisions depend on what was decided before. Its indicators are
// put in the order of the conditions.
template <template <class> class M, class Unit>
template <class Real>
void NativeModel<M, Unit>::run_branching(ModelOf<M, Real>& model, Equations<Real>& equations,
                                         double* z, bool deciding) {
  const std::size_t conditions = now_.locks.size();
  met_.resize(conditions);
  if (deciding) {
    taken_.assign(conditions, Lock::no);
    Cursor pass = replaying(taken_);
    pass.z = met_.data();
    pass.deciding = true;
    if (!model.members.steps.empty()) {
      step_pass_.taken.clear();
      pass.steps = &step_pass_;
    }
    {
      const CursorScope scope(pass);
      model.equations(equations);
      taken_.resize(static_cast<std::size_t>(cursor.lock - taken_.data()));
    }
    const std::span<const std::int64_t> stored = values_.configuration();
    std::vector<std::int64_t> wholes(stored.begin(), stored.end());
    for (std::size_t i = 0; i < watched_.members.wholes.size(); ++i) {
      wholes[i] = read_whole(watched_.members.wholes[i]);
    }
    now_.path = paths_.taken(wholes, taken_, symbolic_run());
    if (pass.steps != nullptr) {
      take_steps(model.members, now_.path->steps);
    }
    now_.locks.assign(conditions, Lock::no);
    for (std::size_t i = 0; i < now_.path->locks.size(); ++i) {
      now_.locks[now_.path->conditions[i]] = now_.path->locks[i];
    }
  } else {
    Cursor pass = replaying(path().locks);
    pass.z = met_.data();
    hold_steps(pass, model.members);
    const CursorScope scope(pass);
    model.equations(equations);
    check_count(static_cast<std::size_t>(cursor.lock - pass.lock), path().locks.size(),
                "decisions");
  }
  constexpr bool kIsRate = std::is_same_v<Real, Tangent>;
  std::fill_n(z, conditions, kIsRate ? 0.0 : Configurations::kNotMet);
  for (std::size_t i = 0; i < now_.path->conditions.size(); ++i) {
    z[now_.path->conditions[i]] = met_[i];
  }
}

// After such a pass, the same for the comparisons in its conditions.
template <template <class> class M, class Unit>
void NativeModel<M, Unit>::order_parts() {
  std::vector<double> ordered(paths_.parts().size(), WatchedTruth::kFar);
  for (std::size_t i = 0; i < std::min(parts_.size(), path().parts.size()); ++i) {
    ordered[path().parts[i]] = parts_[i];
  }
  parts_ = std::move(ordered);
}

template <template <class> class M, class Unit>
template <class Real>
inline void NativeModel<M, Unit>::hold_steps(Cursor& pass, MembersOf<Real>& members,
                                             const DecisionPath* along) {
  if (!members.steps.empty()) [[unlikely]] {
    const std::vector<std::uint32_t>& order = paths_.is_straight() ? step_order_
                                              : along != nullptr   ? along->steps
                                                                   : path().steps;
    step_pass_.next = order.data();
    step_pass_.end = order.data() + order.size();
    step_pass_.numbers = members.steps.data();
    step_pass_.taken.clear();
    pass.steps = &step_pass_;
  }
}

template <template <class> class M, class Unit>
template <class Real>
void NativeModel<M, Unit>::take_steps(MembersOf<Real>& members,
                                      const std::vector<std::uint32_t>& order) {
  check_count(step_pass_.taken.size(), order.size(), "functions that jump");
  for (std::size_t i = 0; i < order.size(); ++i) {
    members.steps[order[i]] = Real(step_pass_.taken[i]);
  }
}

template <template <class> class M, class Unit>
template <class Real>
inline void NativeModel<M, Unit>::run_events(ModelOf<M, Real>& model, const Real& time,
                                             EventPass& pass) {
  if constexpr (HasEvents<M<Real>, Real>) {
    Events<Real> events(pass, time);
    const LiveScope scope;
    model.events(events);
    pass.end();
  }
}

}  // namespace saltus::modeling

// SPDX-License-Identifier: BSD-2-Clause
#pragma once

// Included at the end of native_model.hpp: the variables by their numbers, computed at a point,
// read and set.
namespace saltus::modeling {

template <template <class> class M, class Unit>
Eval NativeModel<M, Unit>::evaluate(double t, ConstVec y, ConstVec yp) {
  watched_.members.load_slopes(yp);
  return evaluate(t, y);
}

template <template <class> class M, class Unit>
Eval NativeModel<M, Unit>::evaluate(double t, ConstVec y) {
  watched_.members.load_unknowns(y);
  load_watched_discrete();
  if (now_.frozen) {
    run_equations(t, scratch_.data(), false);
    if (watched_.members.clocks != nullptr) [[unlikely]] {
      watched_.members.clocks->show(now_.memory, t);
    }
  } else {
    preview(t, y);
  }
  bool finite = true;
  for (const Watched* slope : watched_.members.derivatives) {
    finite = finite && std::isfinite(slope->value());
  }
  return finite ? Eval::ok : Eval::discard;
}

template <template <class> class M, class Unit>
double NativeModel<M, Unit>::number(std::size_t variable) const {
  const Variable& v = variables()[variable];
  const auto& members = watched_.members;
  return (v.role == Variable::Role::state        ? members.states
          : v.role == Variable::Role::derivative ? members.derivatives
          : v.role == Variable::Role::algebraic  ? members.algebraics
                                                 : members.numbers)[v.index]
      ->value();
}

template <template <class> class M, class Unit>
std::int64_t NativeModel<M, Unit>::whole(std::size_t variable) const {
  const Variable& v = variables()[variable];
  if (v.type == Variable::Type::clock) [[unlikely]] {
    return watched_.members.clocks->shown(v.clock.number, now_.memory, values_.outside_ticks);
  }
  return read_whole(watched_.members.wholes[v.index]);
}

template <template <class> class M, class Unit>
std::string NativeModel<M, Unit>::text(std::size_t variable) const {
  return text_of(watched_.members, variables()[variable]);
}

template <template <class> class M, class Unit>
void NativeModel<M, Unit>::set_number(std::size_t variable, double value) {
  values_.set_number(variables()[variable], value);
  load_all();
}

template <template <class> class M, class Unit>
void NativeModel<M, Unit>::set_whole(std::size_t variable, std::int64_t value) {
  const Variable& v = variables()[variable];
  if (v.type == Variable::Type::clock) [[unlikely]] {
    watched_.members.clocks->set(v.clock.number, value != 0, now_.memory, values_.outside_ticks);
    return;
  }
  values_.set_whole(v, value);
  load_all();
}

template <template <class> class M, class Unit>
void NativeModel<M, Unit>::set_text(std::size_t variable, std::string_view value) {
  values_.set_text(variables()[variable], value);
  load_all();
}

template <template <class> class M, class Unit>
void NativeModel<M, Unit>::restore(std::span<const std::byte> saved) {
  const auto rest = values_.restore(saved, now_.memory, now_.locks);
  start_ = rest.start;
  now_.frozen = rest.frozen;
  load_all();
}

}  // namespace saltus::modeling

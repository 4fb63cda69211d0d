// SPDX-License-Identifier: BSD-2-Clause
// What moves many unknowns at each evaluation, and is compiled for speed.
#include "core/by_fours.hpp"
#include "saltus/modeling/native_model.hpp"

namespace saltus::modeling {

void load_many_unknowns(const MembersOf<Locked>& members, ConstVec y) {
  std::size_t next = 0;
  const auto load_upto = [&](std::size_t end) {
    Locked* const* const places = members.unknowns.data() + next;
    const double* const from = y.data() + next;
    each_by_fours(end - next, [=](std::size_t i) { *places[i] = Locked(from[i]); });
    next = end;
  };
  const auto load = [&](const auto& arrays) {
    for (const auto& array : arrays) {
      load_upto(array.begin);
      const auto first = array.first;
      const double* const from = y.data() + next;
      each_by_fours(array.count,
                    [=](std::size_t i) { static_cast<Locked&>(first[i]) = Locked(from[i]); });
      next += array.count;
    }
  };
  load(members.state_arrays);
  load(members.algebraic_arrays);
  load_upto(y.size());
}

bool store_many_slopes(const MembersOf<Locked>& members, Vec yp) {
  std::size_t next = 0;
  bool finite = true;
  const auto store_upto = [&](std::size_t end) {
    const Locked* const* const places = members.derivatives.data() + next;
    double* const to = yp.data() + next;
    finite &= all_finite(end - next, [=](std::size_t i) { return to[i] = places[i]->value(); });
    next = end;
  };
  for (const ArrayPlace<State<Locked>>& array : members.state_arrays) {
    store_upto(array.begin);
    State<Locked>* const first = array.first;
    double* const to = yp.data() + next;
    finite &= all_finite(array.count, [=](std::size_t i) { return to[i] = der(first[i]).value(); });
    next += array.count;
  }
  store_upto(yp.size());
  return finite;
}

}  // namespace saltus::modeling

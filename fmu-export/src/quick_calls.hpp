// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>

#include "call_guard.hpp"
#include "me_instance.hpp"

// The files of the C functions are compiled for size; these few are not.
#if defined(__GNUC__) && !defined(__clang__)
#define SALTUS_FOR_SPEED [[gnu::optimize("O2")]]
#else
#define SALTUS_FOR_SPEED
#endif

/// What an integrator calls at each of its points. In a small model the calls around the equations
/// take longer than these, so that a call in Continuous-Time Mode to which there is nothing to
/// object is answered at once. All others go through the guard: `quick_*` has done nothing then,
/// and answers null or false.
namespace saltus::fmu_export {

/// In Continuous-Time Mode all of these may be called; no other interface has that mode.
[[gnu::always_inline]] inline MeInstance* between_events(void* handle) {
  Instance* const instance = static_cast<Instance*>(handle);
  return instance != nullptr && instance->mode() == Mode::continuous_time
             ? static_cast<MeInstance*>(instance)
             : nullptr;
}

[[gnu::always_inline]] inline bool quick_set_time(void* handle, double time) {
  MeInstance* const me = between_events(handle);
  if (me == nullptr || !me->can_go_to(time)) [[unlikely]]
    return false;
  me->go_to(time);
  return true;
}

[[gnu::always_inline]] inline bool quick_set_states(void* handle, const double* states,
                                                    std::size_t count) {
  constexpr std::size_t kFew = 16;
  MeInstance* const me = between_events(handle);
  if (me == nullptr || states == nullptr || count != me->number_of_states() || count > kFew)
    return false;
  me->go_to(ConstVec(states, count));
  return true;
}

[[gnu::always_inline]] inline MeInstance* quick_derivatives(void* handle, const double* values,
                                                            std::size_t count) {
  MeInstance* const me = between_events(handle);
  return me != nullptr && values != nullptr && count == me->number_of_states() ? me : nullptr;
}

[[gnu::always_inline]] inline MeInstance* quick_indicators(void* handle, const double* values,
                                                           std::size_t count) {
  MeInstance* const me = between_events(handle);
  return me != nullptr && values != nullptr && count == me->number_of_indicators() ? me : nullptr;
}

/// The answer of the model as a status, whatever it throws.
template <class Ask>
[[gnu::always_inline]] inline Status evaluated(MeInstance& me, const CallRule& call,
                                               const Ask& ask) noexcept {
  try {
    if (ask() == Eval::ok) [[likely]]
      return Status::ok;
  } catch (...) {
    return fail(me, call);
  }
  return discard(me, call);
}

}  // namespace saltus::fmu_export

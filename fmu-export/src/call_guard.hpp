// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

#include "call_rule.hpp"
#include "instance.hpp"
#include "status.hpp"

/// The border between C and C++: every call that comes in passes here.
///
/// A call is allowed or not by one look at its rule; no message is put together unless it fails.
/// Nothing is thrown across the border: what happened becomes a logged message and a status, and
/// the instance changes its state as FMI demands (3.0, 2.3.1 and 2.0, 2.1.3: an error ends the run;
/// after a discard nothing has changed).
namespace saltus::fmu_export {

/// Logs why the call is not allowed in the instance's state, and answers `error`.
Status refuse(Instance& instance, const CallRule& call) noexcept;
/// Logs the exception that is being handled, and answers `error`, or `fatal` for what nobody
/// understands.
Status fail(Instance& instance, const CallRule& call) noexcept;
/// Logs that the point is not evaluable, and answers `discard`.
Status discard(Instance& instance, const CallRule& call) noexcept;

/// Runs `body` on the instance behind `handle`, which is a `Which` where the rule allows `call` at
/// all. `body` returns nothing, an `Eval`, or a `Status` of its own.
template <class Which, class Body>
Status guarded(void* handle, const CallRule& call, const Body& body) noexcept {
  if (handle == nullptr) {
    return Status::error;
  }
  Instance& instance = *static_cast<Instance*>(handle);
  if ((call.allowed(instance.interface()) & bit(instance.mode())) == 0) [[unlikely]] {
    return refuse(instance, call);
  }
  try {
    using Answer = decltype(body(static_cast<Which&>(instance)));
    if constexpr (std::is_same_v<Answer, Eval>) {
      return body(static_cast<Which&>(instance)) == Eval::ok ? Status::ok : discard(instance, call);
    } else if constexpr (std::is_same_v<Answer, Status>) {
      return body(static_cast<Which&>(instance));
    } else {
      body(static_cast<Which&>(instance));
      return Status::ok;
    }
  } catch (...) {
    return fail(instance, call);
  }
}

/// Throws `CallError`.
[[noreturn, gnu::cold, gnu::noinline]] void refuse_null(const char* name);

/// An array argument. Throws `CallError` when it is NULL and should not be.
template <class T>
[[gnu::always_inline]] inline std::span<T> array(T* first, std::size_t count, const char* name) {
  if (first == nullptr && count > 0) [[unlikely]] {
    refuse_null(name);
  }
  return {first, count};
}

/// A result argument; likewise.
template <class T>
T& result(T* pointer, const char* name) {
  if (pointer == nullptr) [[unlikely]] {
    refuse_null(name);
  }
  return *pointer;
}

}  // namespace saltus::fmu_export

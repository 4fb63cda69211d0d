// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <type_traits>

#include "allowed_calls.hpp"
#include "call_error.hpp"
#include "instance.hpp"

/// The border between C and C++: every call that comes in passes here.
///
/// A call is allowed or not by one look into the table of `allowed_calls.hpp`; no message is put
/// together unless it fails. Nothing is thrown across the border: what happened becomes a logged
/// message and a status, and the instance changes its state as FMI 3.0, 2.3.1 demands (an error
/// leads to Terminated; after a discard nothing has changed).
namespace saltus::fmu_export {

/// Logs why the call is not allowed in the instance's state, and answers `fmi3Error`.
fmi3Status refuse(Instance& instance, Function function) noexcept;
/// Logs the exception that is being handled, and answers `fmi3Error`, or `fmi3Fatal` for what
/// nobody understands.
fmi3Status fail(Instance& instance, Function function) noexcept;
/// Logs that the point is not evaluable, and answers `fmi3Discard`.
fmi3Status discard(Instance& instance, Function function) noexcept;

/// Runs `body` on the instance behind `handle`, which is a `Which` where the table allows
/// `function` at all. `body` returns nothing or an `Eval`.
template <class Which, class Body>
fmi3Status guarded(fmi3Instance handle, Function function, const Body& body) noexcept {
  if (handle == nullptr) {
    return fmi3Error;
  }
  Instance& instance = *static_cast<Instance*>(handle);
  if ((allowed_modes(instance.interface(), function) & bit(instance.mode())) == 0) [[unlikely]] {
    return refuse(instance, function);
  }
  try {
    if constexpr (std::is_same_v<decltype(body(static_cast<Which&>(instance))), Eval>) {
      return body(static_cast<Which&>(instance)) == Eval::ok ? fmi3OK : discard(instance, function);
    } else {
      body(static_cast<Which&>(instance));
      return fmi3OK;
    }
  } catch (...) {
    return fail(instance, function);
  }
}

/// An array argument. Throws `CallError` when it is NULL and should not be.
template <class T>
std::span<T> array(T* first, std::size_t count, const char* name) {
  if (first == nullptr && count > 0) {
    throw CallError(std::string(name) + " is NULL");
  }
  return {first, count};
}

/// A result argument; likewise.
template <class T>
T& result(T* pointer, const char* name) {
  if (pointer == nullptr) {
    throw CallError(std::string(name) + " is NULL");
  }
  return *pointer;
}

}  // namespace saltus::fmu_export

// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <span>
#include <utility>

#include "call_guard.hpp"
#include "snapshot.hpp"

/// A snapshot as the importer holds it: behind a pointer to nothing that it knows.
namespace saltus::fmu_export {

inline Snapshot& snapshot(void* state) { return result(static_cast<Snapshot*>(state), "FMUState"); }

/// Into the snapshot that is there already, if there is one.
inline void keep(void** place, Snapshot&& taken) {
  void*& state = result(place, "FMUState");
  if (state == nullptr) {
    state = new Snapshot(std::move(taken));
  } else {
    snapshot(state) = std::move(taken);
  }
}

inline void release(void** place) {
  delete static_cast<Snapshot*>(std::exchange(result(place, "FMUState"), nullptr));
}

/// The bytes of a serialized snapshot, whatever each version of FMI takes for a byte.
template <class Byte>
auto bytes(Byte* first, std::size_t count) {
  if constexpr (std::is_const_v<Byte>) {
    return std::as_bytes(array(first, count, "serializedState"));
  } else {
    return std::as_writable_bytes(array(first, count, "serializedState"));
  }
}

}  // namespace saltus::fmu_export

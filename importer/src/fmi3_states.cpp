// SPDX-License-Identifier: BSD-2-Clause
// The calls that save and restore the whole of an FMU (FMI 3.0, 2.2, Getting and Setting the
// Complete FMU State).
#include <fmt/format.h>

#include "fmi3_instance.hpp"
#include "saltus/importer/fmu_error.hpp"

namespace saltus::importer {

void Fmi3Instance::save(FmuState& state) {
  if (functions_.fmi3GetFMUState == nullptr || functions_.fmi3SetFMUState == nullptr ||
      functions_.fmi3FreeFMUState == nullptr) {
    refuse_states("fmi3GetFMUState, fmi3SetFMUState, fmi3FreeFMUState",
                  "not all of them are in the binary");
  }
  begin("fmi3GetFMUState");
  const fmi3Status status = functions_.fmi3GetFMUState(handle_, &state.handle);
  finish_state_call("fmi3GetFMUState", status, state);
  if (state.handle == nullptr) refuse_states("fmi3GetFMUState", "the state it gave is NULL");
  state.mode = mode_;
  state.revision = revision_;
}

void Fmi3Instance::restore(const FmuState& state) {
  begin("fmi3SetFMUState");
  finish_state_call("fmi3SetFMUState", functions_.fmi3SetFMUState(handle_, state.handle), state);
  mode_ = state.mode;
  revision_ = state.revision;
}

void Fmi3Instance::release(FmuState& state) {
  if (state.handle == nullptr) return;
  begin("fmi3FreeFMUState");
  const fmi3Status status = functions_.fmi3FreeFMUState(handle_, &state.handle);
  state.handle = nullptr;
  finish_state_call("fmi3FreeFMUState", status, state);
}

std::vector<std::uint8_t> Fmi3Instance::serialize(const FmuState& state) {
  std::size_t size = 0;
  begin("fmi3SerializedFMUStateSize");
  finish_state_call("fmi3SerializedFMUStateSize",
                    functions_.fmi3SerializedFMUStateSize(handle_, state.handle, &size), state);
  std::vector<std::uint8_t> bytes(size);
  begin("fmi3SerializeFMUState");
  const fmi3Status status = functions_.fmi3SerializeFMUState(
      handle_, state.handle, reinterpret_cast<fmi3Byte*>(bytes.data()), size);
  finish_state_call("fmi3SerializeFMUState", status, state);
  return bytes;
}

Instance::FmuState Fmi3Instance::deserialize(std::span<const std::uint8_t> bytes, Mode mode) {
  FmuState state;
  begin("fmi3DeserializeFMUState");
  const fmi3Status status = functions_.fmi3DeserializeFMUState(
      handle_, reinterpret_cast<const fmi3Byte*>(bytes.data()), bytes.size(), &state.handle);
  finish_state_call("fmi3DeserializeFMUState", status, state);
  if (state.handle == nullptr) {
    refuse_states("fmi3DeserializeFMUState", "the state it gave is NULL");
  }
  state.mode = mode;
  state.revision = ++last_revision_;
  return state;
}

}  // namespace saltus::importer

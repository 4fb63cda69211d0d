// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <catch2/catch.hpp>
#include <vector>

#include "rig.hpp"

namespace rig {

/// The state of an instance, to be put back into it or, as bytes, into another one.
class Saved {
 public:
  explicit Saved(const Fmu& fmu) : fmu_(fmu) {
    REQUIRE(fmi3GetFMUState(fmu.instance(), &state_) == fmi3OK);
  }
  Saved(const Saved&) = delete;
  Saved& operator=(const Saved&) = delete;
  ~Saved() { fmi3FreeFMUState(fmu_.instance(), &state_); }
  void into(const Fmu& fmu) const { REQUIRE(fmi3SetFMUState(fmu.instance(), state_) == fmi3OK); }
  std::vector<fmi3Byte> bytes() const {
    size_t size = 0;
    REQUIRE(fmi3SerializedFMUStateSize(fmu_.instance(), state_, &size) == fmi3OK);
    std::vector<fmi3Byte> bytes(size);
    REQUIRE(fmi3SerializeFMUState(fmu_.instance(), state_, bytes.data(), size) == fmi3OK);
    return bytes;
  }
  void as_bytes_into(const Fmu& fmu) const {
    const std::vector<fmi3Byte> copied = bytes();
    fmi3FMUState copy = nullptr;
    REQUIRE(fmi3DeserializeFMUState(fmu.instance(), copied.data(), copied.size(), &copy) == fmi3OK);
    REQUIRE(fmi3SetFMUState(fmu.instance(), copy) == fmi3OK);
    fmi3FreeFMUState(fmu.instance(), &copy);
  }

 private:
  const Fmu& fmu_;
  fmi3FMUState state_ = nullptr;
};

}  // namespace rig

// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "saltus/modeling/native_model.hpp"

namespace saltus::benchmarks {

using namespace modeling;

// A room between two temperatures, with a heater.
template <class Real>
struct Room {
  State<Real> T{"T", {.start = 18.0, .nominal = 20.0}};
  Input<Real> exchange{"exchange"};  // with the rooms beside it
  Parameter<Real> power{"power", {.start = 6.0}};
  Parameter<Real> loss{"loss", {.start = 0.2}};
  Parameter<Real> low{"low", {.start = 19.0}};
  Parameter<Real> high{"high", {.start = 21.0}};
  Discrete<bool> on{"on", {.start = true}};
  void equations(Equations<Real>& eq) {
    const Real outside = 4.0 + 3.0 * sin(0.26 * eq.time);
    der(T) = (on ? Real(power) : Real(0.0)) - loss * (T - outside) + exchange;
  }
  void events(Events<Real>& ev) {
    if (ev.when(T > high)) on = false;
    if (ev.when(T < low)) on = true;
  }
};

// Rooms in a row, each with a thermostat of its own and four parameters, and what it costs to heat
// them and to be cold.
template <class Real, std::size_t kRooms>
struct House {
  Submodels<Room<Real>> rooms{"rooms", kRooms};
  State<Real> cost{"cost"};
  void equations(Equations<Real>& eq) {
    for (std::size_t i = 0; i < kRooms; ++i) {
      Real sum(0.0);
      if (i > 0) sum += rooms[i - 1].T - rooms[i].T;
      if (i + 1 < kRooms) sum += rooms[i + 1].T - rooms[i].T;
      rooms[i].exchange = 0.05 * sum;
    }
    rooms.equations(eq);
    Real rate(0.0);
    for (auto& room : rooms) {
      const Real cold = 20.0 - room.T;
      rate += (room.on ? Real(room.power) : Real(0.0)) + 0.1 * cold * cold;
    }
    der(cost) = rate;
  }
  void events(Events<Real>& ev) { rooms.events(ev); }
};
template <class Real>
struct House2 : House<Real, 2> {};
template <class Real>
struct House5 : House<Real, 5> {};
template <class Real>
struct House20 : House<Real, 20> {};

// No two rooms alike, so that no two of them switch together.
inline std::map<std::string, double> house_values(std::size_t rooms) {
  std::map<std::string, double> values;
  for (std::size_t i = 0; i < rooms; ++i) {
    const std::string room = "rooms[" + std::to_string(i) + "].";
    const auto k = static_cast<double>(i);
    values[room + "T"] = 18.0 + 0.113 * k;
    values[room + "power"] = 6.0 + 0.1 * k;
    values[room + "loss"] = 0.2 + 0.003 * k;
    values[room + "low"] = 19.0 + 0.017 * k;
    values[room + "high"] = 21.0 + 0.029 * k;
  }
  return values;
}
// The first so many of its parameters.
inline std::vector<std::string> house_parameters(std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; names.size() < count; ++i) {
    for (const char* name : {"power", "loss", "low", "high"}) {
      if (names.size() < count) names.push_back("rooms[" + std::to_string(i) + "]." + name);
    }
  }
  return names;
}

}  // namespace saltus::benchmarks

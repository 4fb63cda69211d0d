// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "saltus/core/hybrid_system.hpp"

namespace saltus::test {

/// A hybrid system without numerics: it plays a list of arrivals and a list of updates, and writes
/// down what it is asked.
class ScriptedSystem : public HybridSystem {
 public:
  std::deque<Arrival> arrivals;     ///< once empty, the barrier is reached
  std::deque<EventUpdate> updates;  ///< once empty, all is quiet
  std::vector<std::string> calls;
  std::vector<Horizon> horizons;
  std::string throws_in;  ///< the function that fails

  void initialize(const Experiment&) override { call("initialize"); }
  EventUpdate update_discrete_states() override {
    call("update");
    if (updates.empty()) {
      return {};
    }
    const EventUpdate update = updates.front();
    updates.pop_front();
    return update;
  }
  void leave_event_mode() override { call("leave"); }
  Arrival advance(Horizon horizon) override {
    call("advance");
    horizons.push_back(horizon);
    if (arrivals.empty()) {
      return {.time = horizon.barrier, .why = Stop::barrier};
    }
    const Arrival arrival = arrivals.front();
    arrivals.pop_front();
    return arrival;
  }
  void enter_event_mode() override { call("enter"); }
  void terminate() override { call("terminate"); }
  std::string indicator_name(std::size_t i) const override { return "z" + std::to_string(i); }

 private:
  void call(const std::string& name) {
    calls.push_back(name);
    if (name == throws_in) {
      throw std::runtime_error(name + " failed");
    }
  }
};

}  // namespace saltus::test

// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>
#include <vector>

#include "saltus/core/configurations.hpp"
#include "saltus/core/model.hpp"

namespace saltus::sliding {

/// One configuration's stay in event mode, at a point of its own.
struct Visit {
  Configurations::Slot slot = 0;
  std::vector<double> y;
  bool entered = false;  ///< the model is in event mode already
  bool freezes = true;   ///< it leaves event mode as soon as it is settled
  bool settled = false;
  bool moved = false;  ///< its states have jumped

  /// One pass. Unknowns of infinite nominal value follow from the others: they do not jump.
  EventUpdate update_discrete_states(Model& model, Configurations& sides, double t,
                                     ConstVec nominals,
                                     std::span<const Configurations::Imposed> conditions);
};

/// Stays of several configurations side by side: one pass of all that are not settled.
class Visits {
 public:
  void clear() { visits_.clear(); }
  /// The configuration in force, which is in event mode already and stays there.
  void stay(Configurations::Slot slot, ConstVec y) {
    visits_.push_back({.slot = slot, .y = {y.begin(), y.end()}, .entered = true, .freezes = false});
  }
  void add(Configurations::Slot slot, std::vector<double> y) {
    visits_.push_back({.slot = slot, .y = std::move(y)});
  }
  /// A configuration that has been dropped.
  void forget(Configurations::Slot slot) {
    std::erase_if(visits_, [&](const Visit& visit) { return visit.slot == slot; });
  }
  /// `conditions` are imposed on all of them, see `Configurations::impose`.
  EventUpdate pass(Model& model, Configurations& sides, double t, ConstVec nominals,
                   std::span<const Configurations::Imposed> conditions);

  bool settled() const;
  bool any_moved() const;
  const Visit& front() const { return visits_.front(); }
  const std::vector<Visit>& all() const { return visits_; }

 private:
  std::vector<Visit> visits_;
};

}  // namespace saltus::sliding

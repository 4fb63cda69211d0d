// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "saltus/core/pullback.hpp"

namespace saltus {

/// What a run has left for the way back: phases, and before each of them an event, the first of
/// which is the start.
struct RecordedRun {
  /// A direction of which most is zero.
  struct Sparse {
    struct Entry {
      std::size_t place;
      double value;
    };
    std::vector<Entry> unknowns = {}, numbers = {};
    bool is_zero() const { return unknowns.empty() && numbers.empty(); }
  };
  struct Event {
    double time = 0.0;
    /// How its time changes with the unknowns before it and with numbers. At the start, and at a
    /// time that nothing moves, not at all.
    Sparse moved = {};
    /// Its time is that of the event before, at the same instant, wherever that goes.
    bool follows = false;
    std::vector<double> slope_before = {}, slope_after = {};  ///< of the unknowns
    std::vector<std::shared_ptr<const Pullback::Bodies>> bodies = {};
    bool ends_run = false;
  };
  struct Phase {
    std::vector<std::byte> saved;  ///< what the model remembers in it
    std::vector<double> times;     ///< where it begins, and where its steps end
    std::vector<double> points;    ///< the unknowns there, one point behind the other
    std::vector<char> implicit;    ///< beside the steps: whether an implicit method has taken it
  };
  /// Why there is no gradient: of what, and the rest of the sentence.
  struct Loss {
    double time = 0.0;
    std::string subject;
    std::string why;
  };

  std::vector<Event> events;
  std::vector<Phase> phases;
  std::vector<double> end;  ///< the unknowns after an event that ends the run
  std::optional<Loss> loss;
};

}  // namespace saltus

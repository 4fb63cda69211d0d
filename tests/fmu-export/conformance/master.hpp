// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "arguments.hpp"

/// A run of one instance in small moves, of which each depends on nothing but the FMU's answers and
/// the master's own memory: a copy of the memory, and a saved state of the FMU, lead on from any
/// place in the same way.
namespace conformance {

/// The variables of one FMU by type: what is recorded, and what is set.
class Catalogue {
 public:
  explicit Catalogue(const ModelDescription& description);
  /// All values that can be read, one after the other.
  Status read_all(Session& session, std::vector<double>& values) const;

  struct Group {
    Type type;
    std::vector<std::uint32_t> all, continuous_inputs, discrete_inputs;
  };
  const std::vector<Group>& groups() const { return groups_; }

 private:
  std::vector<Group> groups_;
};

class Master {
 public:
  Master(const Catalogue& catalogue, std::uint64_t seed) : catalogue_(&catalogue), random_(seed) {}

  /// One move from the state that the session is in: begin, initialise, one update, one integrator
  /// step or communication step, an event entered or left. False at the end of the run, or after an
  /// error: see the state.
  bool move(Session& session);
  /// Moves up to `count` times; what can be read after each, and the time and the state.
  std::vector<double> run(Session& session, std::size_t count);

 private:
  Status integrate(Session& session);
  Status communicate(Session& session);
  Status set_inputs(Session& session, bool discrete_ones);

  const Catalogue* catalogue_;
  Random random_;
  std::vector<double> before_, slopes_;  // the last point from which a step was made
  std::vector<bool> positive_;           // the indicators there
  double time_before_ = 0.0, largest_ = 1.0;
};

/// Leads an instance from Instantiated to a state by the shortest way; false if this FMU has none.
bool lead_to(Session& session, State state);

}  // namespace conformance

// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "saltus/core/model.hpp"

namespace saltus::benchmarks {

/// Something that hits a wall again and again and loses nothing: position and speed, a wall at
/// position zero, and flights that are all alike, so that the k-th impact is at (2k - 1) times the
/// first, for ever.
struct ImpactProblem {
  std::string name;
  long double first_impact = 1.0;  ///< when
  double impact_speed = 1.0;
  std::function<std::unique_ptr<Model>()> make_model;
  /// For a peer: the position, and whatever else is to be watched.
  std::size_t root_functions = 1;
  std::function<void(const double* y, double* z)> roots;

  double impact_time(std::size_t k) const {
    return static_cast<double>((2.0L * static_cast<long double>(k) - 1.0L) * first_impact);
  }
  /// The largest deviation of impacts, the first one first, from when they should be.
  double worst_error(const std::vector<double>& impacts) const {
    double worst = 0.0;
    for (std::size_t k = 0; k < impacts.size(); ++k) {
      worst = std::fmax(worst, std::fabs(impacts[k] - impact_time(k + 1)));
    }
    return worst;
  }
};

/// A ball dropped from 1 m, through the modelling layer.
ImpactProblem elastic_ball();
/// theta'' = -sin theta from theta = 1, through the modelling layer.
ImpactProblem impact_pendulum();
/// The same written by hand, among `indicators` indicators; one of them is the wall, the others
/// never fire.
ImpactProblem crowded_pendulum(std::size_t indicators);

/// What one run over many impacts cost and how well it did.
struct EventRate {
  std::string solver;
  double microseconds = 0.0;     ///< per event
  double rhs_evaluations = 0.0;  ///< per event
  double indicator_evaluations = 0.0;
  double steps = 0.0;
  double worst_time_error = 0.0;  ///< over all impacts, in seconds
  double speed_error = 0.0;       ///< relative, right after the last impact

  double microseconds_per_step() const { return microseconds / steps; }
};

/// `impacts` impacts of `model`, which belongs to the problem.
EventRate run_saltus(const char* name, const ImpactProblem& problem, Model& model, double tolerance,
                     std::size_t impacts);

/// Which variant of SUNDIALS.
enum class Peer { cvode_bdf, cvode_adams, arkode_erk4, arkode_erk5, count };

/// The same model under SUNDIALS, with its root finder, and a restart after each root. The impact
/// law is applied by the caller, at no cost to the peer.
EventRate run_sundials(Peer peer, const ImpactProblem& problem, double tolerance,
                       std::size_t impacts);

/// Of several runs the fastest counts.
inline void keep_faster(EventRate& best, const EventRate& next) {
  if (best.solver.empty() || next.microseconds < best.microseconds) {
    best = next;
  }
}

}  // namespace saltus::benchmarks

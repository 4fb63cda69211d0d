// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "saltus/model.hpp"

namespace saltus::benchmarks {

/// A ball dropped from 1 m that loses nothing: the k-th impact is at (2k - 1) sqrt(2 h0 / g), for
/// ever.
struct ElasticBall {
  static constexpr double kGravity = 9.81;
  static constexpr double kHeight = 1.0;
  static double impact_time(std::size_t k) {
    return static_cast<double>((2.0L * static_cast<long double>(k) - 1.0L) *
                               std::sqrt(2.0L * kHeight / static_cast<long double>(kGravity)));
  }
};

/// The largest deviation of impacts, the first one first, from when they should be.
inline double worst_error(const std::vector<double>& impacts) {
  double worst = 0.0;
  for (std::size_t k = 0; k < impacts.size(); ++k) {
    worst = std::fmax(worst, std::fabs(impacts[k] - ElasticBall::impact_time(k + 1)));
  }
  return worst;
}

/// What one run over many impacts cost and how well it did.
struct EventRate {
  std::string solver;
  double microseconds = 0.0;     ///< per event
  double rhs_evaluations = 0.0;  ///< per event
  double indicator_evaluations = 0.0;
  double steps = 0.0;
  double worst_time_error = 0.0;  ///< over all impacts, in seconds
  double speed_error = 0.0;       ///< relative, after the last impact
};

/// Which variant of SUNDIALS.
enum class Peer { cvode_bdf, cvode_adams, arkode_erk4, arkode_erk5, count };

/// The same model under SUNDIALS, with its root finder, and a restart after each root. The impact
/// law is applied by the caller, at no cost to the peer.
EventRate run_sundials(Peer peer, Model& ball, double tolerance, std::size_t impacts);

}  // namespace saltus::benchmarks

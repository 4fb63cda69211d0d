// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <vector>

#include "truth.hpp"

namespace saltus::truth {

/// An input over time: straight pieces, with jumps and kinks between them.
class DrivenInput {
 public:
  struct Piece {
    double from = 0.0, to = 0.0;
    double begin = 0.0, end = 0.0;  ///< values
    double slope() const { return to > from ? (end - begin) / (to - from) : 0.0; }
    double at(double t) const { return begin + slope() * (t - from); }
  };

  /// Ramps, rests and jumps at random in [0, stop]; every other knot at a multiple of `interval`.
  static DrivenInput random(Random& random, double stop, double interval, double size);
  /// What a Co-Simulation with these reports makes of it: values are held from one communication
  /// point (reports and jumps) to the next.
  DrivenInput held(double interval) const;

  const std::vector<Piece>& pieces() const { return pieces_; }
  double left_of(double t) const;
  /// For `InputTable`.
  std::string table(const std::string& name) const;
  bool jumps_near(double t) const;

 private:
  std::vector<Piece> pieces_;
};

}  // namespace saltus::truth

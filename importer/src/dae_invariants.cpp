// SPDX-License-Identifier: BSD-2-Clause
// What an FMU in DAE mode says to be constant along its solution: invariants, and constraints
// whose derivatives are among the residuals. Integrators do not know of them; where they have
// drifted by more than the tolerance, the states are moved back by the least that does it (Eich,
// SIAM J. Numer. Anal. 30 (1993) 1467-1482).
#include <algorithm>
#include <cmath>

#include "dae_equations.hpp"

namespace saltus::importer {

Eval DaeEquations::kept_values(double t, ConstVec y, std::vector<double>& values) {
  values.resize(kept_nominals_.size());
  if (place_slopes(t, y) == Eval::discard ||
      instance_.get_numbers(VariableType::float64, kept_references_, values) == Eval::discard) {
    return Eval::discard;
  }
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); })
             ? Eval::ok
             : Eval::discard;
}

double DaeEquations::kept_size(std::size_t i) const {
  return i < constraints_ ? kept_nominals_[i] : std::max(std::fabs(kept_[i]), kept_nominals_[i]);
}

void DaeEquations::begin_keeping(double t, ConstVec y) {
  if (kept_nominals_.empty()) return;
  if (kept_values(t, y, kept_) == Eval::discard) {
    kept_.clear();
    warn_once("invariants cannot be evaluated and are not kept");
    return;
  }
  for (std::size_t i = 0; i < constraints_; ++i) {
    if (std::fabs(kept_[i]) <= std::sqrt(experiment_.tolerance) * kept_nominals_[i]) {
      kept_[i] = 0.0;
    } else {
      warn_once(
          "a constraint does not hold where a phase begins; it is kept as far from it as it "
          "is there");
    }
  }
}

bool DaeEquations::has_drifted(double t, ConstVec y) {
  if (kept_.empty() || kept_.size() != kept_nominals_.size()) return false;
  std::vector<double> values;
  if (kept_values(t, y, values) == Eval::discard) return false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::fabs(values[i] - kept_[i]) > experiment_.tolerance * kept_size(i)) {
      has_drifted_ = true;
    }
  }
  return has_drifted_;
}

Eval DaeEquations::mend(double t, Vec y) {
  constexpr int kMostIterations = 6;
  constexpr double kMended = 1e-3;  // of the tolerance
  const std::size_t m = kept_.size();
  std::vector<double> values, moved_values, gradient(m * states_), share(m), size(states_);
  std::vector<double> point(y.begin(), y.begin() + static_cast<std::ptrdiff_t>(unknowns_)), moved;
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    if (kept_values(t, point, values) == Eval::discard) return Eval::discard;
    bool is_mended = true;
    for (std::size_t i = 0; i < m; ++i) {
      share[i] = values[i] - kept_[i];
      is_mended =
          is_mended && std::fabs(share[i]) <= kMended * experiment_.tolerance * kept_size(i);
    }
    if (is_mended) {
      std::copy(point.begin(), point.end(), y.begin());
      return Eval::ok;
    }
    for (std::size_t j = 0; j < states_; ++j) {
      size[j] = std::fabs(point[j]) + nominals_[j];
      moved = point;
      moved[j] += 0x1p-26 * size[j];
      const double difference = moved[j] - point[j];
      if (!solve(t, moved) || kept_values(t, moved, moved_values) == Eval::discard) {
        return Eval::discard;
      }
      for (std::size_t i = 0; i < m; ++i) {
        gradient[i * states_ + j] = (moved_values[i] - values[i]) / difference * size[j];
      }
    }
    DenseLu gram;
    gram.resize(m);
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t k = 0; k < m; ++k) {
        for (std::size_t j = 0; j < states_; ++j) {
          gram(i, k) += gradient[i * states_ + j] * gradient[k * states_ + j];
        }
      }
    }
    if (!gram.factor()) return Eval::discard;
    gram.solve(share);
    for (std::size_t j = 0; j < states_; ++j) {
      for (std::size_t i = 0; i < m; ++i) {
        point[j] -= size[j] * gradient[i * states_ + j] * share[i];
      }
    }
    if (!solve(t, point)) return Eval::discard;
  }
  return Eval::discard;
}

}  // namespace saltus::importer

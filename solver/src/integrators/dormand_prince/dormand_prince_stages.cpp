// SPDX-License-Identifier: BSD-2-Clause
// The points at which a step of Dormand and Prince has evaluated the equations.
#include <array>

#include "dormand_prince_state.hpp"
#include "dormand_prince_weights.hpp"

namespace saltus {

using namespace dormand_prince;

namespace {

// The rows of the tableau, without the first column: slopes are kept as differences from the first.
struct Row {
  double at;
  std::array<double, 4> weights;
};
constexpr std::array<Row, 5> kInner{Row{kC2, {}}, Row{kC3, {kA32}}, Row{kC4, {kA42, kA43}},
                                    Row{kC5, {kA52, kA53, kA54}},
                                    Row{1.0, {kA62, kA63, kA64, kA65}}};

}  // namespace

double DormandPrince::stage(std::size_t i, Vec y) const {
  const State& s = *state_;
  const bool known = s.length > 0.0 && !s.projects && !s.quintic && s.repeated == 0.0;
  if (!known || i >= kInner.size()) {
    return 0.0;
  }
  const Row& row = kInner[i];
  each(s.n, [&](std::size_t j) {
    const double bent = row.weights[0] * s.k2[j] + row.weights[1] * s.k3[j] +
                        row.weights[2] * s.k4[j] + row.weights[3] * s.k5[j];
    y[j] = s.y0[j] + s.length * (row.at * s.k1[j] + bent);
  });
  return row.at;
}

}  // namespace saltus

// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <vector>

#include "saltus/core/solution_series.hpp"
#include "stage_solver.hpp"

namespace saltus {
namespace {

class ExplicitSeries final : public SolutionSeries {
 public:
  explicit ExplicitSeries(DerivativeArray& array)
      : n_(array.unknowns()), solver_(array, std::vector<int>(n_, 0), std::vector<int>(n_, 1)) {}

  Eval expand(double t, Vec y, double scale, std::size_t degree, Vec c) override {
    const int last_stage = static_cast<int>(degree) - 1;
    solver_.prepare(last_stage);
    std::copy(y.begin(), y.end(), c.begin());
    return solver_.run(t, scale, 0, last_stage, degree, c);
  }

 private:
  std::size_t n_;
  StageSolver solver_;
};

}  // namespace

std::unique_ptr<SolutionSeries> explicit_series(DerivativeArray& array) {
  return array.offers_series() ? std::make_unique<ExplicitSeries>(array) : nullptr;
}

}  // namespace saltus

// SPDX-License-Identifier: BSD-2-Clause
#include "disode_rows.hpp"

#include <cmath>
#include <memory>

#include "problems/curved_belt.hpp"
#include "problems/pounding.hpp"
#include "problems/relay_feedback.hpp"
#include "problems/two_masses.hpp"

namespace saltus::benchmarks {
namespace {

template <template <class> class M>
void add_rows(std::vector<RunRow>& rows, const problems::Problem& problem,
              const std::vector<problems::Published>& published) {
  for (const problems::Published& line : published) {
    modeling::NativeModel<M> model(problem.name);
    rows.push_back({.problem = problem,
                    .tolerance = line.tolerance,
                    .outcome = run_sliding(model, problem, at_tolerance(line.tolerance)),
                    .published = line});
  }
}

// The geometric mean of ratios, over runs that found what there is to find.
class RatioMean {
 public:
  void add(double ours, double published) {
    log_sum_ += std::log(ours / published);
    count_ += 1.0;
  }
  double value() const { return std::exp(log_sum_ / count_); }

 private:
  double log_sum_ = 0.0;
  double count_ = 0.0;
};

}  // namespace

std::vector<RunRow> run_disode_problems() {
  using namespace problems;
  std::vector<RunRow> rows;
  add_rows<CurvedBelt>(rows, curved_belt(), curved_belt_published());
  add_rows<reference::Pounding>(rows, pounding(), pounding_published());
  add_rows<reference::RelayFeedback>(rows, relay_feedback(), relay_feedback_published());
  add_rows<TwoMasses>(rows, two_masses(), two_masses_published());
  return rows;
}

std::vector<Figure> disode_figures(const std::vector<RunRow>& rows) {
  int incomplete = 0;
  int worse_time = 0;
  int worse_end = 0;
  RatioMean rhs, indicators;
  for (const RunRow& row : rows) {
    const problems::Published& published = *row.published;
    worse_time += row.outcome.is_as_good_in_time(row.problem, published) ? 0 : 1;
    worse_end += row.outcome.is_as_good_at_the_end(row.problem, published) ? 0 : 1;
    if (!row.outcome.is_complete(row.problem)) {
      ++incomplete;
      continue;
    }
    rhs.add(static_cast<double>(row.outcome.rhs_evaluations), published.rhs_evaluations);
    indicators.add(static_cast<double>(row.outcome.indicator_evaluations),
                   published.indicator_evaluations);
  }
  const auto at_most = [](const char* metric, double value, double bound) {
    return Figure{.problem = "DISODE45 1 to 4",
                  .metric = metric,
                  .value = value,
                  .direction = Figure::Bound::at_most,
                  .bound = bound};
  };
  return {at_most("runs with a wrong list of events", incomplete, 0.0),
          at_most("runs with a larger event-time error", worse_time, 0.0),
          at_most("runs with a larger error at the end", worse_end, 0.0),
          at_most("right-hand sides to published (mean)", rhs.value(), 0.8),
          at_most("indicators to published (mean)", indicators.value(), 0.25)};
}

}  // namespace saltus::benchmarks

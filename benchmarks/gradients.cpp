// SPDX-License-Identifier: BSD-2-Clause
// What the gradient of one number costs, in units of the solution alone, and how near it is to the
// derivatives that are integrated forwards.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "figure.hpp"
#include "gradient_problems.hpp"
#include "processor_time.hpp"
#include "saltus/gradient.hpp"
#include "sensitivity_problems.hpp"

namespace saltus::benchmarks {
namespace {

struct Case {
  std::string name;
  std::string of;
  std::vector<std::string> by;
  SimulationOptions options;
  double most = 0.0;  // plain solutions
};

SimulationOptions house(std::size_t rooms) {
  return {
      .stop = 24.0, .tolerance = 1e-8, .values = house_values(rooms), .report_interval = kNever};
}
SimulationOptions until(double stop) {
  return {.stop = stop, .tolerance = 1e-8, .report_interval = kNever};
}

template <template <class> class M>
double plain_time(const Case& one) {
  const ProcessorTime time;
  simulate<M>(one.options);
  return time.microseconds();
}
template <template <class> class M>
double back_time(const Case& one) {
  const ProcessorTime time;
  gradient<M>(one.of, one.by, one.options);
  return time.microseconds();
}
template <template <class> class M>
double forward_time(const Case& one) {
  SimulationOptions with = one.options;
  with.sensitivities = one.by;
  const ProcessorTime time;
  simulate<M>(with);
  return time.microseconds();
}

// Taking turns, so that a busy moment of the machine meets all; of each the fastest run counts.
// Returns how many plain solutions it takes.
template <template <class> class M>
double measure(const Case& one, int rounds, std::vector<Figure>& figures) {
  double alone = kNever, back = kNever;
  for (int round = 0; round < rounds; ++round) {
    alone = std::min(alone, plain_time<M>(one));
    back = std::min(back, back_time<M>(one));
  }
  figures.push_back(
      {.problem = one.name,
       .metric = "plain solutions, by " + std::to_string(one.by.size()) + " parameters",
       .value = back / alone,
       .peer = ".sensitivities",
       .peer_value = forward_time<M>(one) / alone,
       .direction = Figure::Bound::at_most,
       .bound = one.most});
  return back / alone;
}

// The largest difference to what goes forwards, beside the largest derivative.
template <template <class> class M>
void compare(const Case& one, std::vector<Figure>& figures) {
  SimulationOptions options = one.options;
  options.tolerance = 1e-11;
  const Gradient back = gradient<M>(one.of, one.by, options);
  options.sensitivities = one.by;
  const SimulationResult forwards = simulate<M>(options);
  double worst = 0.0, largest = 0.0;
  for (std::size_t k = 0; k < one.by.size(); ++k) {
    const double right = forwards["d(" + one.of + ")/d(" + one.by[k] + ")"].back();
    worst = std::max(worst, std::fabs(back.by()[k] - right));
    largest = std::max(largest, std::fabs(right));
  }
  figures.push_back({.problem = one.name,
                     .metric = "largest error beside derivatives forwards, at 1e-11, relative",
                     .value = worst / largest,
                     .direction = Figure::Bound::at_most,
                     .bound = 1e-8});
}

void measure_houses(int rounds, std::vector<Figure>& figures) {
  const Case five{"thermostats of 5 rooms", "cost", house_parameters(20), house(5), 5.0};
  measure<House5>(five, 4 * rounds, figures);
  compare<House5>(five, figures);
  Case twenty{"thermostats of 20 rooms", "cost", {}, house(20), 5.0};
  double few = 0.0, many = 0.0;
  for (const std::size_t count : {5, 20, 80}) {
    twenty.by = house_parameters(count);
    many = measure<House20>(twenty, rounds, figures);
    few = count == 5 ? many : few;
  }
  figures.push_back({.problem = twenty.name,
                     .metric = "time by 80 parameters over that by 5",
                     .value = many / few,
                     .direction = Figure::Bound::at_most,
                     .bound = 1.25});
}

}  // namespace
}  // namespace saltus::benchmarks

int main(int argc, char** argv) {
  using namespace saltus::benchmarks;
  const Arguments arguments = parse_arguments(argc, argv);
  std::vector<Figure> figures;
  measure_houses(arguments.rounds, figures);
  const Case robertson{"Robertson", "y2", {"k1", "k2", "k3"}, until(4e4), 10.0};
  measure<Robertson>(robertson, 4 * arguments.rounds, figures);
  const Case akzo{"Akzo Nobel", "y2", {"k1", "k2", "k3", "k4", "K", "klA"}, until(180.0), 15.0};
  measure<AkzoNobel>(akzo, 4 * arguments.rounds, figures);
  compare<AkzoNobel>(akzo, figures);
  const Case pendulum{"pendulum of index 3", "x", {"g", "length"}, until(2.0), 10.0};
  measure<IndexThreePendulum>(pendulum, 4 * arguments.rounds, figures);
  compare<IndexThreePendulum>(pendulum, figures);
  return report(figures, arguments);
}

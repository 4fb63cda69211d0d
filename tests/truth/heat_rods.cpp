// SPDX-License-Identifier: BSD-2-Clause
// Rods of any number of cells, natively and as FMUs with that as a structural parameter. Each mode
// of a rod whose ends are held at zero keeps its form and decays at a rate that is known.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "heat_rod.hpp"
#include "saltus/core/number_text.hpp"
#include "saltus/importer/fmu_simulation.hpp"
#include "saltus/simulation.hpp"
#include "truth.hpp"

namespace saltus::truth {
namespace {

struct Rod {
  std::size_t cells = 0;
  double conductivity = 0.0;
  double tolerance = 0.0;
  double stop = 0.0;
  std::vector<double> starts = {};
  std::vector<double> ends = {};
};

Rod random_rod(Random& random) {
  Rod rod{.cells = static_cast<std::size_t>(random.integer(2, 60)),
          .conductivity = random.log_uniform(0.01, 10.0),
          .tolerance = random.log_uniform(1e-9, 1e-5)};
  const double n = static_cast<double>(rod.cells + 1);
  // Several modes together; the first one has decayed by a factor of e at most.
  rod.stop = random.uniform(0.2, 1.0) / test::decay_of_first_mode(rod.cells, rod.conductivity);
  rod.starts.assign(rod.cells, 0.0);
  rod.ends.assign(rod.cells, 0.0);
  for (int modes = random.integer(1, 3); modes > 0; --modes) {
    const double j = random.integer(1, static_cast<int>(rod.cells));
    const double size = random.uniform(-1.0, 1.0);
    const double rate = 2.0 * rod.conductivity * n * n * (1.0 - std::cos(j * M_PI / n));
    for (std::size_t i = 0; i < rod.cells; ++i) {
      const double here = size * std::sin(j * M_PI * static_cast<double>(i + 1) / n);
      rod.starts[i] += here;
      rod.ends[i] += here * std::exp(-rate * rod.stop);
    }
  }
  return rod;
}

std::string element(std::size_t i) { return "T[" + std::to_string(i) + "]"; }

SimulationResult run_native(const Rod& rod) {
  SimulationOptions options{.stop = rod.stop,
                            .tolerance = rod.tolerance,
                            .values = {{"k", rod.conductivity}},
                            .sizes = {{"n", rod.cells}}};
  for (std::size_t i = 0; i < rod.cells; ++i) options.values[element(i)] = rod.starts[i];
  return simulate<test::HeatRod>(options);
}

SimulationResult run_fmu(const Rod& rod, importer::FmuSimulationOptions::Interface interface) {
  importer::FmuSimulationOptions options{.interface = interface};
  std::string starts;
  for (const double start : rod.starts) starts += (starts.empty() ? "" : " ") + number_text(start);
  options.instance.start_values = {
      {"n", std::to_string(rod.cells)}, {"k", number_text(rod.conductivity)}, {"T", starts}};
  return importer::simulate(SALTUS_EXPORT_TEST_DIR "/heat_rod.fmu",
                            {.stop = rod.stop, .tolerance = rod.tolerance}, options);
}

Verdict run(std::uint64_t seed) {
  Random random(seed);
  const Rod rod = random_rod(random);
  using Interface = importer::FmuSimulationOptions::Interface;
  const int road = random.integer(0, 2);
  const SimulationResult found =
      road == 0 ? run_native(rod)
                : run_fmu(rod, road == 1 ? Interface::model_exchange : Interface::co_simulation);
  if (found["n"].back() != static_cast<double>(rod.cells)) return wrong("another size");
  for (std::size_t i = 0; i < rod.cells; ++i) {
    const double T = found[element(i)].back();
    // All modes decay, so that errors of steps do not add up to more than a few of them.
    if (!(std::fabs(T - rod.ends[i]) <= 100.0 * rod.tolerance)) {
      return wrong(element(i) + " = " + number_text(T) + " for " + number_text(rod.ends[i]) +
                   " on road " + std::to_string(road));
    }
  }
  return right();
}

const Family kFamily{"heat_rods", "rods of any number of cells, natively and as FMUs", run};

}  // namespace
}  // namespace saltus::truth

// SPDX-License-Identifier: BSD-2-Clause
// Marbles in jars, with default options: no contact may be missed, and energy is conserved.
#include "marble_jar.hpp"
#include "saltus/control/mode_controller.hpp"
#include "saltus/integrators/dormand_prince.hpp"
#include "truth.hpp"

namespace saltus::truth {
namespace {

Verdict run(std::uint64_t seed) {
  Random random(seed);
  const auto marbles = static_cast<std::size_t>(random.integer(2, 6));
  const test::JarContents contents{.marbles = marbles,
                                   .radius = random.log_uniform(0.005, 0.1),
                                   .spring = random.log_uniform(1e2, 1e6),
                                   .gravity = random.chance(0.5) ? 0.0 : random.uniform(0.1, 10.0),
                                   .is_round = random.chance(0.5),
                                   .seed = seed};
  test::MarbleJar jar(contents);
  DormandPrince integrator(jar);
  IntegratedModel system(jar, integrator);
  test::JarWatch watch(jar, system);
  ModeController controller(system, {.report_interval = 1e-3});
  controller.add(watch);
  const RunResult result = controller.run({.stop = 5.0});
  if (watch.misses() > 0) {
    return wrong(std::to_string(watch.misses()) + " reports in which a contact is missed");
  }
  // A hundred times the tolerance for each contact that is made or lost.
  if (!(watch.energy_off() <= 1e-4 * (1.0 + 0.01 * static_cast<double>(result.events)))) {
    return wrong("energy off by " + std::to_string(watch.energy_off()));
  }
  return right();
}

const Family kFamily{"jars", "marbles in jars at default options: contacts and energy", run};

}  // namespace
}  // namespace saltus::truth

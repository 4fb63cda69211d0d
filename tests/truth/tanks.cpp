// SPDX-License-Identifier: BSD-2-Clause
// Tanks that empty, are filled again, and equalise: roots whose slope has no bound where the flow
// ends. With s = sqrt(h) and an inflow q, Torricelli's law h' = q - c s is 2 s s' = q - c s, which
// has a solution in closed form for t; without inflow s falls in a straight line.
#include "tanks.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "saltus/core/number_text.hpp"
#include "saltus/importer/fmu_simulation.hpp"
#include "saltus/simulation.hpp"
#include "truth.hpp"

namespace saltus::truth {
namespace {

struct Case {
  double c, inflow, from, until, k, area, h, left, right, stop, tolerance;
  int way;
};

// Times are those of the run, so that something of each phase is seen.
Case random_case(Random& random) {
  Case one{};
  one.stop = random.log_uniform(0.1, 100.0);
  one.tolerance = random.log_uniform(1e-10, 1e-3);
  one.way = random.integer(0, 2);
  one.from = one.stop * random.uniform(0.1, 0.6);
  one.until = one.from + one.stop * random.uniform(0.05, 0.5);
  one.h = random.log_uniform(0.1, 10.0);
  // Empty before the pump is on, or not.
  one.c = 2.0 * std::sqrt(one.h) / (one.from * random.log_uniform(0.3, 3.0));
  one.inflow = one.c * std::sqrt(one.h) * random.log_uniform(0.1, 3.0);
  one.left = random.log_uniform(0.1, 10.0);
  one.right = random.chance(0.1) ? one.left : random.log_uniform(0.1, 10.0);
  one.area = random.log_uniform(0.2, 5.0);
  const double apart = std::sqrt(std::fabs(one.left - one.right)) + 1e-3;
  one.k = 2.0 * apart / (1.0 + 1.0 / one.area) / (one.stop * random.log_uniform(0.2, 3.0));
  return one;
}

// How long the root of the level takes from one value to another, with the pump on.
double time_between(const Case& one, double from, double to) {
  const double rest = one.inflow / one.c;
  return -2.0 / one.c * ((to - from) + rest * std::log1p((to - from) / (from - rest)));
}

// The root of the level after some time with the pump on, on its way to where it rests.
double filled(const Case& one, double from, double time) {
  const double rest = one.inflow / one.c;
  double near = from, far = rest;
  for (int halving = 0; halving < 200; ++halving) {
    const double middle = 0.5 * (near + far);
    (time_between(one, from, middle) < time ? near : far) = middle;
  }
  return near;
}

struct End {
  double h, left, right;
  int emptied;
  bool doubtful;  // something happens so near to a change of the pump that the order is not known
};

End end_of(const Case& one) {
  End end{};
  const double falls = 0.5 * one.c;
  const auto drain = [&](double s, double time) {
    const double empty_after = s / falls;
    end.emptied += s > 0.0 && empty_after <= time ? 1 : 0;
    end.doubtful = end.doubtful || std::fabs(empty_after - time) < 1e-2 * one.stop;
    return std::max(0.0, s - falls * time);
  };
  double s = drain(std::sqrt(one.h), one.from);
  s = filled(one, s, std::min(one.until, one.stop) - one.from);
  if (one.until < one.stop) s = drain(s, one.stop - one.until);
  end.h = s * s;
  const double apart = one.left - one.right, whole = one.left + one.area * one.right;
  const double root =
      std::max(0.0, std::sqrt(std::fabs(apart)) - 0.5 * one.k * (1.0 + 1.0 / one.area) * one.stop);
  const double left_apart = std::copysign(root * root, apart);
  end.right = (whole - left_apart) / (1.0 + one.area);
  end.left = end.right + left_apart;
  return end;
}

std::map<std::string, double> values_of(const Case& one) {
  return {{"h", one.h},           {"left", one.left},
          {"right", one.right},   {"c", one.c},
          {"from", one.from},     {"until", one.until},
          {"inflow", one.inflow}, {"k", one.k},
          {"area", one.area},     {"way", static_cast<double>(one.way)}};
}

constexpr Method kMethods[] = {Method::automatic, Method::dormand_prince, Method::radau,
                               Method::adams};
constexpr const char* kRoads[] = {
    "automatic",  "DormandPrince",         "Radau",      "Adams",     "FMI 3.0 ME",
    "FMI 3.0 CS", "CS without event mode", "FMI 2.0 ME", "FMI 2.0 CS"};

SimulationResult run_on(int road, const Case& one) {
  SimulationOptions options{.stop = one.stop, .tolerance = one.tolerance};
  if (road < 4) {
    options.values = values_of(one);
    options.method = kMethods[road];
    return simulate<Tanks>(options);
  }
  using Interface = importer::FmuSimulationOptions::Interface;
  importer::FmuSimulationOptions fmu{
      .interface = road == 4 || road == 7 ? Interface::model_exchange : Interface::co_simulation};
  for (const auto& [name, value] : values_of(one)) {
    fmu.instance.start_values[name] = number_text(value);
  }
  if (road == 6) fmu.instance.event_mode = fmu.instance.early_return = false;
  const std::string folder = SALTUS_TRUTH_FMU_DIR;
  return importer::simulate(folder + (road < 7 ? "/tanks.fmu" : "/fmi2/tanks.fmu"), options, fmu);
}

Verdict run(std::uint64_t seed) {
  Random random(seed);
  const Case one = random_case(random);
  const int road = random.integer(0, 8);
  const End end = end_of(one);
  if (end.doubtful) return right();
  const SimulationResult found = run_on(road, one);
  const std::string where = std::string(" (") + kRoads[road] + ", way " + std::to_string(one.way) +
                            ", tolerance " + number_text(one.tolerance) + ")";
  if (found["emptied"].back() != end.emptied) {
    return wrong("emptied " + number_text(found["emptied"].back()) + " times for " +
                 std::to_string(end.emptied) + where);
  }
  const std::pair<const char*, double> expected[] = {
      {"h", end.h}, {"left", end.left}, {"right", end.right}};
  for (const auto& [name, known] : expected) {
    const double size = name[0] == 'h' ? one.h : one.left + one.right;
    if (!(std::fabs(found[name].back() - known) <= (1e-7 + 100.0 * one.tolerance) * (1.0 + size))) {
      return wrong(std::string(name) + " = " + number_text(found[name].back()) + " for " +
                   number_text(known) + where);
    }
  }
  return right();
}

const Family kFamily{"tanks", "tanks that empty, are filled and equalise, on all roads", run};

}  // namespace
}  // namespace saltus::truth

// SPDX-License-Identifier: BSD-2-Clause
// Models of several sizes natively and as FMUs: one source, the same numbers.
#include "sized_network.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "saltus/importer/fmu_simulation.hpp"
#include "saltus/simulation.hpp"

namespace saltus::test {
namespace {

using importer::FmuSimulationOptions;
using Interface = FmuSimulationOptions::Interface;

const std::string kFolder = SALTUS_TEST_FMU_DIR;

void check_same(const std::string& fmu, const SimulationResult& native, const Sizes& sizes,
                const std::vector<std::string>& names) {
  std::map<std::string, std::string> starts;
  for (const auto& [name, value] : sizes) starts[name] = std::to_string(value);
  for (const Interface interface : {Interface::model_exchange, Interface::co_simulation}) {
    INFO(fmu << (interface == Interface::co_simulation ? " in Co-Simulation" : ""));
    FmuSimulationOptions options{.interface = interface};
    options.instance.start_values = starts;
    const auto run = importer::simulate(kFolder + "/" + fmu + ".fmu", {}, options);
    for (const std::string& name : names) {
      INFO(name);
      // Both are run at a tolerance of 1e-8, and decay.
      CHECK(run[name].back() == Approx(native[name].back()).margin(1e-6));
    }
  }
}

std::vector<std::string> elements(const std::string& name, std::size_t count) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < count; ++i) all.push_back(name + "[" + std::to_string(i) + "]");
  return all;
}

TEST_CASE("a network of any sizes is the same natively and as an FMU") {
  for (const std::size_t n : {std::size_t{2}, std::size_t{3}, std::size_t{7}}) {
    for (const std::size_t left : {std::size_t{1}, std::size_t{4}}) {
      for (const std::size_t right : {std::size_t{1}, std::size_t{3}}) {
        CAPTURE(n, left, right);
        const Sizes sizes{{"n", n}, {"left.m", left}, {"right.m", right}};
        std::vector<std::string> names{"s", "ticks", "high"};
        for (const auto& more :
             {elements("left.x", left), elements("right.x", right), elements("y", n)}) {
          names.insert(names.end(), more.begin(), more.end());
        }
        const auto native = simulate<SizedNetwork>({.sizes = sizes});
        CHECK(native["ticks"].back() == 7.0);
        check_same("sized_network", native, sizes, names);
      }
    }
  }
}

TEST_CASE("implicit equations of any size are the same natively and as an FMU") {
  for (const std::size_t n : {std::size_t{1}, std::size_t{2}, std::size_t{6}}) {
    CAPTURE(n);
    std::vector<std::string> names = elements("x", n);
    for (const std::string& name : elements("z", n)) names.push_back(name);
    names.insert(names.end(), {"sum", "falls"});
    const auto native = simulate<SizedEquations>({.sizes = {{"n", n}}});
    CHECK(native["falls"].back() == 1.0);
    check_same("sized_equations", native, {{"n", n}}, names);
  }
}

TEST_CASE("sizes of an FMU are given before its columns are known") {
  const std::string fmu = kFolder + "/sized_equations.fmu";
  CHECK_THROWS_WITH(
      importer::simulate(fmu, {.values = {{"n", 3.0}}}),
      Catch::Contains("\"n\" cannot be set") && Catch::Contains("InstanceOptions::start_values"));
  CHECK_THROWS_WITH(importer::simulate(fmu, {.sizes = {{"n", 3}}}),
                    Catch::Contains("FmuSimulationOptions::instance.start_values"));
}

}  // namespace
}  // namespace saltus::test

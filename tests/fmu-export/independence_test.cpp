// SPDX-License-Identifier: BSD-2-Clause
#include <catch2/catch.hpp>
#include <cstring>
#include <thread>

#include "rig.hpp"

using rig::Fmu;

namespace {

// A run without test macros, which belong to one thread.
std::vector<double> run(fmi3Instance instance, double e) {
  const fmi3ValueReference parameter = rig::reference("e");
  const fmi3ValueReference shown[] = {rig::reference("h"), rig::reference("v"),
                                      rig::reference("energy")};
  std::vector<double> rows;
  bool ok = fmi3SetFloat64(instance, &parameter, 1, &e, 1) == fmi3OK &&
            fmi3EnterInitializationMode(instance, fmi3True, 1e-8, 0.0, fmi3False, 0.0) == fmi3OK &&
            fmi3ExitInitializationMode(instance) == fmi3OK;
  for (int k = 0; ok && k < 200; ++k) {
    bool event = false;
    bool terminate = false;
    bool early = false;
    double time = 0.0;
    double values[3];
    ok = fmi3DoStep(instance, k * 0.01, 0.01, fmi3True, &event, &terminate, &early, &time) ==
             fmi3OK &&
         fmi3GetFloat64(instance, shown, 3, values, 3) == fmi3OK;
    rows.insert(rows.end(), values, values + 3);
  }
  return rows;
}

}  // namespace

TEST_CASE("two interleaved instances do not know of each other", "[independence]") {
  Fmu alone = Fmu::co_simulation();
  alone.initialize();
  const std::vector<double> expected = alone.run(0.0, 1.5, 0.1);
  Fmu a = Fmu::co_simulation();
  Fmu b = Fmu::co_simulation();
  REQUIRE(b.set("g", 3.0) == fmi3OK);
  a.initialize();
  b.initialize();
  std::vector<double> rows;
  for (int k = 0; k < 15; ++k) {
    const double t = a.number("time");
    const double target = std::fmin((k + 1) * 0.1, 1.5);
    const std::vector<double> row = a.run(t, target, 1.0);
    rows.insert(rows.end(), row.begin(), row.end());
    b.run(b.number("time"), (k + 1) * 0.07, 1.0);
  }
  CHECK(rig::difference(rows, expected) == "");
}

TEST_CASE("two instances run in two threads at once", "[independence]") {
  Fmu a = Fmu::co_simulation();
  Fmu b = Fmu::co_simulation();
  Fmu c = Fmu::co_simulation();
  const std::vector<double> expected = run(c.instance(), 0.9);
  REQUIRE(expected.size() == 600);
  std::vector<double> rows_a;
  std::vector<double> rows_b;
  std::thread first([&] { rows_a = run(a.instance(), 0.9); });
  std::thread second([&] { rows_b = run(b.instance(), 0.85); });
  first.join();
  second.join();
  CHECK(rig::difference(rows_a, expected) == "");
  CHECK(rows_b.size() == expected.size());
  CHECK(rows_b != expected);
}

TEST_CASE("an instance may move from one thread to another", "[independence]") {
  Fmu stay = Fmu::co_simulation();
  Fmu go = Fmu::co_simulation();
  const std::vector<double> expected = run(stay.instance(), 0.9);
  std::vector<double> rows;
  std::thread([&] { rows = run(go.instance(), 0.9); }).join();
  CHECK(rig::difference(rows, expected) == "");
  CHECK(std::memcmp(go.everything().data(), stay.everything().data(), sizeof(double)) == 0);
}

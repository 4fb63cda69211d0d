// SPDX-License-Identifier: BSD-2-Clause
// Models F(t, x, x') = 0 of index 1 to 3: natively, as Model Exchange and as Co-Simulation FMUs
// they have to give the same trajectory.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <sstream>

#include "andrews_squeezer/andrews_squeezer.hpp"
#include "pendulum/pendulum.hpp"
#include "roads.hpp"
#include "robertson/robertson.hpp"
#include "transistor_amplifier/transistor_amplifier.hpp"

namespace saltus::test {
namespace {

std::vector<Case> cases() {
  return {
      {"pendulum", make<reference::Pendulum>, {"x", "y", "u", "v", "force", "energy", "der(v)"}},
      {"robertson", make<reference::Robertson>, {"y1", "y2", "y3", "der(y1)"}},
      {"transistor_amplifier",
       make<reference::TransistorAmplifier>,
       {"u[0]", "u[1]", "u[2]", "u[3]", "u[4]", "u[5]", "u[6]", "u[7]"}},
      {"andrews_squeezer",
       make<reference::AndrewsSqueezer>,
       {"q[0]", "q[1]", "q[2]", "q[3]", "q[4]", "q[5]", "q[6]"}},
  };
}

// Corrections of drift are events of the one road and not of the others: rows are found by time.
const std::vector<double>& row_at(const Result& result, double time) {
  const auto later = std::lower_bound(result.times.begin(), result.times.end(), time - 1e-9);
  REQUIRE(later != result.times.end());
  REQUIRE(*later == Approx(time).margin(1e-9).epsilon(0));
  return result.rows[later - result.times.begin()];
}

// reference.csv: a header, then numbers; the first column is time.
Result read_reference(const std::string& model) {
  std::ifstream file(SALTUS_REFERENCE_DIR "/" + model + "/reference.csv");
  REQUIRE(file);
  Result result;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    std::string cell;
    std::getline(cells, cell, ',');
    result.times.push_back(std::stod(cell));
    auto& row = result.rows.emplace_back();
    while (std::getline(cells, cell, ',')) {
      row.push_back(std::stod(cell));
    }
  }
  return result;
}

/// The largest error, in units of the value or of one.
double error_of(const Result& result, const Result& reference) {
  double largest = 0.0;
  for (std::size_t row = 0; row < reference.times.size(); ++row) {
    const std::vector<double>& values = row_at(result, reference.times[row]);
    for (std::size_t i = 0; i < reference.rows[row].size(); ++i) {
      const double expected = reference.rows[row][i];
      largest =
          std::max(largest, std::fabs(values[i] - expected) / std::max(1.0, std::fabs(expected)));
    }
  }
  return largest;
}

}  // namespace

// Errors of each step are 1e-6 at most and add up; a hundred times that is what hundreds of steps
// of a method without damping (that of Model Exchange, here) make of it.
TEST_CASE("implicit models agree with the truth on every road", "[agreement]") {
  for (const Case& c : cases()) {
    DYNAMIC_SECTION(c.fmu) {
      const Result reference = read_reference(c.fmu);
      CHECK(error_of(run_natively(c), reference) <= 2e-5);
      CHECK(error_of(run_co_simulation(c, true, true), reference) <= 2e-5);
      CHECK(error_of(run_co_simulation(c, false, false), reference) <= 2e-5);
      CHECK(error_of(run_model_exchange(c), reference) <= 1e-4);
      CHECK(error_of(run_model_exchange(c, false), reference) <= 1e-4);
    }
  }
}

TEST_CASE("an event that depends on an algebraic unknown is found on every road", "[agreement]") {
  const Case robertson = cases()[1];
  for (const Result& result : {run_natively(robertson), run_model_exchange(robertson),
                               run_co_simulation(robertson, true, true)}) {
    REQUIRE(result.events.size() == 1);
    CHECK(result.events[0] == Approx(problems::robertson_y3_time).margin(1e-6).epsilon(0));
  }
}

TEST_CASE("an importer that does not project stays on the constraints", "[agreement]") {
  const Result result = run_model_exchange(cases()[0], false);
  for (const std::vector<double>& row : result.rows) {
    CHECK(std::fabs(row[0] * row[0] + row[1] * row[1] - 1.0) <= 4e-6);
    CHECK(std::fabs(row[0] * row[2] + row[1] * row[3]) <= 2e-5);
  }
}

}  // namespace saltus::test

// SPDX-License-Identifier: BSD-2-Clause
// Natively, as a Model Exchange FMU, and as a Co-Simulation FMU with event mode, a model has to
// give the same trajectory.
#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>

#include "bouncing_ball/bouncing_ball.hpp"
#include "dahlquist/dahlquist.hpp"
#include "feedthrough/feedthrough.hpp"
#include "roads.hpp"
#include "stair/stair.hpp"
#include "van_der_pol/van_der_pol.hpp"

namespace saltus::test {
namespace {

std::vector<Case> cases() {
  return {
      {"bouncing_ball", make<reference::BouncingBall>, {"h", "v", "der(v)", "resting"}},
      {"dahlquist", make<reference::Dahlquist>, {"x", "der(x)"}},
      {"van_der_pol", make<reference::VanDerPol>, {"x0", "x1"}},
      {"stair", make<reference::Stair>, {"counter"}},
      {"feedthrough",
       make<reference::Feedthrough>,
       {"Float64_continuous_output", "Float64_scaled_output", "Float64_discrete_output",
        "Int32_output", "Int64_output", "Boolean_output"},
       {{"Float64_continuous_input", "3.25"},
        {"Float64_tunable_parameter", "-1.5"},
        {"Float64_discrete_input", "2.5"},
        {"Int32_input", "-7"},
        {"Int64_input", "1099511627776"},
        {"Boolean_input", "true"}}},
  };
}

// Steps that end where an importer asks for values err otherwise than free ones do: after a hundred
// steps van der Pol's runs differ by 10.5 tolerances.
constexpr double kMostTolerances = 11.0;

void check_agreement(const Result& a, const Result& b, double tolerance) {
  CHECK(a.run.outcome == b.run.outcome);
  CHECK(a.run.time == b.run.time);
  REQUIRE(a.events.size() == b.events.size());
  for (std::size_t i = 0; i < a.events.size(); ++i) {
    CHECK(a.events[i] == Approx(b.events[i]).margin(1e-9).epsilon(0));
  }
  REQUIRE(a.times.size() == b.times.size());
  for (std::size_t row = 0; row < a.times.size(); ++row) {
    CHECK(a.times[row] == Approx(b.times[row]).margin(1e-9).epsilon(0));
    for (std::size_t i = 0; i < a.rows[row].size(); ++i) {
      CAPTURE(a.times[row], i, a.rows[row][i], b.rows[row][i]);
      const double scale = std::max(1.0, std::abs(a.rows[row][i]));
      CHECK(std::abs(a.rows[row][i] - b.rows[row][i]) <= kMostTolerances * tolerance * scale);
    }
  }
}

// reference.csv: a header, then numbers; the first column is time.
std::vector<std::vector<double>> read_reference(const std::string& model) {
  std::ifstream file(SALTUS_REFERENCE_DIR "/" + model + "/reference.csv");
  REQUIRE(file);
  std::string line;
  std::getline(file, line);
  std::vector<std::vector<double>> rows;
  while (std::getline(file, line)) {
    auto& row = rows.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) {
      row.push_back(std::stod(cell));
    }
  }
  return rows;
}

}  // namespace

TEST_CASE("native, Model Exchange and Co-Simulation with event mode agree", "[agreement]") {
  for (const Case& c : cases()) {
    DYNAMIC_SECTION(c.fmu) {
      const double tolerance = c.native()->info().tolerance;
      const Result native = run_natively(c);
      check_agreement(native, run_model_exchange(c), tolerance);
      check_agreement(native, run_co_simulation(c, true, true), tolerance);
    }
  }
}

TEST_CASE("Co-Simulation without event mode ends where the others do", "[agreement]") {
  for (const Case& c : cases()) {
    DYNAMIC_SECTION(c.fmu) {
      const Result native = run_natively(c);
      for (const bool early_return : {false, true}) {
        const Result smeared = run_co_simulation(c, false, early_return);
        CHECK(smeared.run.time == Approx(native.run.time).margin(c.native()->info().step_size));
        for (std::size_t i = 0; i < native.rows.back().size(); ++i) {
          CHECK(smeared.rows.back()[i] == Approx(native.rows.back()[i]).margin(1e-5));
        }
      }
    }
  }
}

TEST_CASE("the ball bounces when it should, on every road", "[agreement]") {
  // (1 + 2 e + 2 e^2 + ...) sqrt(2 h0 / g) for h0 = 1, e = 0.7, g = 9.81
  const double bounces[] = {0.4515236409857309, 1.083656738365754, 1.5261499065317703,
                            1.8358951242479817};
  const Case ball = cases().front();
  for (const Result& result :
       {run_natively(ball), run_model_exchange(ball), run_co_simulation(ball, true, true)}) {
    REQUIRE(result.events.size() == 11);
    for (std::size_t i = 0; i < 4; ++i) {
      CHECK(result.events[i] == Approx(bounces[i]).margin(1e-9).epsilon(0));
    }
  }
}

TEST_CASE("results lie on the stored reference", "[agreement]") {
  for (const Case& c : cases()) {
    DYNAMIC_SECTION(c.fmu) {
      const Result native = run_natively(c);
      const auto reference = read_reference(c.fmu);
      std::size_t found = 0;
      for (const auto& row : reference) {
        for (std::size_t i = 0; i < native.times.size(); ++i) {
          if (std::abs(native.times[i] - row[0]) < 1e-12) {
            // Local errors of 1e-6 add up; van der Pol's reach 1.2e-5 where it turns fastest.
            for (std::size_t k = 1; k < row.size(); ++k) {
              CHECK(native.rows[i][k - 1] == Approx(row[k]).margin(2e-5).epsilon(0));
            }
            ++found;
            break;
          }
        }
      }
      CHECK(found == reference.size());
    }
  }
}

}  // namespace saltus::test

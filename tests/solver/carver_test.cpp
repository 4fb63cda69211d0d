// SPDX-License-Identifier: BSD-2-Clause
// The circuit of Carver as the manual of DSL48SE writes it: three modes chosen by nested conditions
// on currents and on an algebraic voltage. Events, states and their derivatives by a5 were computed
// from closed forms with 40 digits.
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>
#include <vector>

#include "saltus/simulation.hpp"

namespace {

using namespace saltus;
using namespace saltus::modeling;

template <class Real>
struct Carver {
  static constexpr ModelInfo info{.stop = 0.05, .tolerance = 1e-10};
  State<Real> x1{"x1"}, x2{"x2"};
  Algebraic<Real> v3{"v3", {.start = 83.3333}};
  Output<Real> v1{"v1"}, v2{"v2"}, x3{"x3"};
  Parameter<Real> a5{"a5", {.start = 13.64}}, a6{"a6", {.start = -11.64}};
  void equations(Equations<Real>& eq) {
    v1 = 100.0 * cos(100.0 * std::numbers::pi * eq.time), v2 = -v1, x3 = x1 + x2;
    if ((x1 > 0.0 || v1 > v3) && (x2 <= 0.0 && v2 < v3)) {
      der(x1) = (v1 - 12.0 * x1) / 0.24, der(x2) = 0.0;
    } else if ((x2 > 0.0 || v2 > v3) && (x1 < 0.0 && v1 < v3)) {
      der(x1) = 0.0, der(x2) = (v2 - 12.0 * x2) / 0.24;
    } else {
      der(x1) = a5 * v1 + a6 * v2 - 50.0 * x1, der(x2) = a6 * v1 + 13.64 * v2 - 50.0 * x2;
    }
    eq(10.0 * x3 + 0.2 * (der(x1) + der(x2)), v3);
  }
};

struct Event {
  double time, moved;
};
struct Row {
  double time, x1, x2, s1, s2;
};

void check(double a6, const std::vector<Event>& events, const std::vector<Row>& rows) {
  const auto run =
      simulate<Carver>({.values = {{"a6", a6}}, .report_interval = 0.005, .sensitivities = {"a5"}});
  CHECK(run.warnings().empty());
  REQUIRE(run.events().size() == events.size());
  for (std::size_t n = 0; n < events.size(); ++n) {
    CHECK(run.events()[n].time == Approx(events[n].time).margin(1e-9).epsilon(0));
    CHECK(run.events()[n].time_sensitivities[0] ==
          Approx(events[n].moved).epsilon(1e-7).margin(1e-12));
  }
  for (const Row& row : rows) {
    const auto now = run.at(row.time);
    CAPTURE(row.time);
    CHECK(now["x1"] == Approx(row.x1).epsilon(1e-7).margin(1e-9));
    CHECK(now["x2"] == Approx(row.x2).epsilon(1e-7).margin(1e-9));
    CHECK(now["d(x1)/d(a5)"] == Approx(row.s1).epsilon(1e-7).margin(1e-9));
    CHECK(now["d(x2)/d(a5)"] == Approx(row.s2).epsilon(1e-7).margin(1e-9));
    CHECK(now["d(x3)/d(a5)"] == Approx(row.s1 + row.s2).epsilon(1e-7).margin(1e-9));
  }
}

}  // namespace

TEST_CASE("the circuit of Carver and its derivatives are those of the closed form",
          "[sensitivity][dae]") {
  check(-11.64,
        {{0.005, 0.0},
         {0.006662002216900565, -3.2718552820107497e-5},
         {0.015, 0.0},
         {0.017544832750479503, -1.1030761267865888e-5},
         {0.025, 0.0},
         {0.027897068615958255, -3.6068461528990280e-5},
         {0.035, 0.0},
         {0.038062053038821209, -1.7441963929123671e-5},
         {0.045, 0.0},
         {0.048142873496871146, -3.5841087865473948e-5}},
        {{0.010, 0.0, 1.9503422601134865, 0.0, -0.029156342089045759},
         {0.015, 0.0, 2.6521213648672313, 0.0, -0.022706982050446598},
         {0.020, 2.9383112765034545, 0.0, 0.066934393245114785, 0.0},
         {0.025, 3.4215524084820240, 0.0, 0.052128557873704747, 0.0},
         {0.030, 0.0, 3.4387787058918555, 0.0, -0.054127954849290375},
         {0.035, 0.0, 3.8113168343914437, 0.0, -0.042154893622680990},
         {0.040, 3.6922964212488019, 0.0, 0.089996053182320226, 0.0},
         {0.045, 4.0087566296339071, 0.0, 0.070088996691726790, 0.0},
         {0.050, 0.0, 3.8207188284339182, 0.0, -0.057554188260875027}});
  check(-11.3636,
        {{0.005, 0.0},
         {0.006671120821893441, -3.3265195584037556e-5},
         {0.015, 0.0},
         {0.017558426995951130, -1.1197351477589569e-5},
         {0.025, 0.0},
         {0.027911868188587417, -3.6639725694078464e-5},
         {0.035, 0.0},
         {0.038077119633050194, -1.7684855609310778e-5},
         {0.045, 0.0},
         {0.048157913604115257, -3.6382033946729182e-5}},
        {{0.010, 0.0, 1.9487342915389036, 0.0, -0.029414338712685129},
         {0.015, 0.0, 2.6508690776821919, 0.0, -0.022907910022966718},
         {0.020, 2.9337352342080063, 0.0, 0.067700390070346544, 0.0},
         {0.025, 3.4179885831589611, 0.0, 0.052725116801025451, 0.0},
         {0.030, 0.0, 3.4316106301876393, 0.0, -0.054501231555759254},
         {0.035, 0.0, 3.8057343314198850, 0.0, -0.042445601813981269},
         {0.040, 3.6832651202332880, 0.0, 0.090991268920400171, 0.0},
         {0.045, 4.0017230453308713, 0.0, 0.070864071487868437, 0.0},
         {0.050, 0.0, 3.8104655861963142, 0.0, -0.057880715486887350}});
}

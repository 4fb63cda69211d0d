// SPDX-License-Identifier: BSD-2-Clause
// Motions that come to rest at a surface in finite time, as FMUs.
#include <catch2/catch.hpp>
#include <cmath>
#include <string>

#include "saltus/control/mode_controller.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/importer/csv_recorder.hpp"
#include "saltus/importer/fmu.hpp"
#include "saltus/integrators/dormand_prince.hpp"

namespace saltus::test {
namespace {

constexpr double kStop = 6.0;

void check_end(const importer::Recorder& recorder, const RunResult& result, double tolerance) {
  CHECK(result.events < 200);
  for (const auto& column : recorder.columns()) {
    const double exact = column.name == "x" ? std::asin(std::tanh(kStop)) : 1.0;
    INFO(column.name);
    if (column.name.size() == 1) {
      CHECK(column.values[recorder.rows() - 1] ==
            Approx(exact).epsilon(0).margin(10.0 * tolerance));
    }
  }
}

}  // namespace

TEST_CASE("connected tanks equalise as FMUs at every tolerance", "[agreement]") {
  importer::Fmu fmu = importer::Fmu::open(SALTUS_TEST_FMU_DIR "/connected_tanks.fmu");
  for (int k = 0; k < 100; ++k) {
    const double tolerance = std::pow(10.0, -3.0 - 8.0 * k / 99.0);
    const Experiment experiment{.stop = kStop, .tolerance = tolerance};
    INFO("tolerance " << tolerance);
    {
      INFO("ME");
      auto model = fmu.instantiate_model_exchange("me");
      DormandPrince integrator(*model, {.relative_tolerance = tolerance});
      IntegratedModel system(*model, integrator);
      importer::Recorder recorder(*model, system);
      ModeController controller(system);
      controller.add(recorder);
      check_end(recorder, controller.run(experiment), tolerance);
    }
    for (const bool event_mode : {true, false}) {
      INFO("CS" << (event_mode ? " with event mode" : ""));
      auto system = fmu.instantiate_co_simulation("cs", {.event_mode = event_mode});
      importer::Recorder recorder(*system);
      ModeController controller(*system, {.report_interval = 0.5});
      controller.add(recorder);
      check_end(recorder, controller.run(experiment), tolerance);
    }
  }
}

}  // namespace saltus::test

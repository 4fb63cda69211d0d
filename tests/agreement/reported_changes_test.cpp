// SPDX-License-Identifier: BSD-2-Clause
// Importers are found that begin their integration anew only where an event reports changed states.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "saltus/importer/fmu.hpp"

namespace saltus::test {

TEST_CASE("an event after which a model moves differently reports changed states", "[agreement]") {
  importer::Fmu fmu = importer::Fmu::open(SALTUS_FMU_DIR "/boost_converter.fmu");
  const auto model = fmu.instantiate_model_exchange("me");
  std::vector<double> y(model->shape().unknowns()), before(y.size()), after(y.size());
  const double stop = fmu.description().default_experiment.stop_time.value();
  model->initialize({.stop = stop, .tolerance = 1e-8}, y);
  double t = 0.0;
  const auto iterate_events = [&](bool& changed) {
    EventUpdate update;
    do {
      update = model->update_discrete_states(t, y);
      changed = changed || update.states_changed;
    } while (update.iterate);
    model->enter_continuous_mode(t, y);
    return update.next_event_time;
  };
  bool changed = false;
  double next = iterate_events(changed);
  int switches = 0;
  for (int event = 0; event < 2; ++event) {
    REQUIRE(next < stop);
    constexpr int kSteps = 50;
    const double h = (next - t) / kSteps;
    for (int k = 0; k < kSteps; ++k) {
      REQUIRE(model->derivatives(t, y, before) == Eval::ok);
      for (std::size_t i = 0; i < y.size(); ++i) y[i] += h * before[i];
      t = k + 1 == kSteps ? next : t + h;
    }
    REQUIRE(model->derivatives(t, y, before) == Eval::ok);
    model->enter_event_mode(t, y);
    changed = false;
    next = iterate_events(changed);
    REQUIRE(model->derivatives(t, y, after) == Eval::ok);
    switches += before != after ? 1 : 0;
    CHECK((changed || before == after));
  }
  CHECK(switches > 0);
}

}  // namespace saltus::test

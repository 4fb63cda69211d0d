// SPDX-License-Identifier: BSD-2-Clause
// Random legal orders of FMI calls on the shipped FMUs: updates more than needed, visits to event
// mode for nothing, looks at any variable at any time, evaluations elsewhere, saved states
// restored, steps of any size. The end of the run is that of the plain one.
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "saltus/control/mode_controller.hpp"
#include "saltus/core/configurations.hpp"
#include "saltus/core/model_decorator.hpp"
#include "saltus/events/integrated_model.hpp"
#include "saltus/importer/fmu.hpp"
#include "saltus/integrators/dormand_prince.hpp"
#include "truth.hpp"

namespace saltus::truth {
namespace {

struct Shipped {
  const char* name;
  double stop;    // shorter than the reference, where that is long
  double margin;  // at a tolerance of 1e-8; restarts for nothing cost accuracy
};
constexpr Shipped kShipped[] = {
    {"belt_oscillator", 15.0, 1e-5}, {"boost_converter", 0.4, 1e-3},  {"bouncing_ball", 2.0, 1e-5},
    {"dahlquist", 10.0, 1e-6},       {"pendulum", 1.0, 1e-5},         {"pounding", 3.0, 1e-4},
    {"relay_feedback", 1.0, 1e-4},   {"stick_slip_pair", 10.0, 1e-5}, {"van_der_pol", 10.0, 1e-5},
};

void look(Random& random, const importer::VariableAccess& access) {
  const auto& variables = access.description().variables;
  const int count = static_cast<int>(variables.size());
  for (int k = random.integer(0, 3); k > 0; --k) {
    access.read(variables[static_cast<std::size_t>(random.integer(0, count - 1))]);
  }
}

/// Does what an importer may do besides what it has to.
class Whims final : public ModelDecorator {
 public:
  Whims(importer::FmuModel& fmu, Random& random)
      : ModelDecorator(fmu), fmu_(fmu), random_(random) {}

  EventUpdate update_discrete_states(double t, Vec y) override {
    look(random_, fmu_.variables());
    EventUpdate update = wrapped().update_discrete_states(t, y);
    while (!update.iterate && !update.terminate && random_.chance(0.5)) {
      const EventUpdate again = wrapped().update_discrete_states(t, y);
      more_ = more_ || again.iterate || again.states_changed || again.terminate ||
              again.next_event_time != update.next_event_time;
      update.iterate = again.iterate;
      look(random_, fmu_.variables());
    }
    return update;
  }
  Eval derivatives(double t, ConstVec y, Vec yp) override {
    if (random_.chance(0.1)) {
      std::vector<double> elsewhere(y.begin(), y.end());
      for (double& value : elsewhere) value += 1e-3 * random_.normal();
      (void)wrapped().derivatives(t, elsewhere, yp);
    }
    const Eval answer = wrapped().derivatives(t, y, yp);
    if (random_.chance(0.05)) look(random_, fmu_.variables());
    return answer;
  }
  Eval indicators(double t, ConstVec y, Vec z) override {
    if (random_.chance(0.05)) look(random_, fmu_.variables());
    return wrapped().indicators(t, y, z);
  }
  StepVerdict completed_step(double t, ConstVec y) override {
    StepVerdict verdict = wrapped().completed_step(t, y);
    if (random_.chance(0.05)) {
      fmu_.move_to(t, y);
      look(random_, fmu_.variables());
    }
    verdict.enter_event_mode = verdict.enter_event_mode || random_.chance(0.02);
    return verdict;
  }
  bool updates_did_more() const { return more_; }

 private:
  importer::FmuModel& fmu_;
  Random& random_;
  bool more_ = false;
};

std::vector<double> end_of_model_exchange(const Shipped& shipped, Random* random, bool& more) {
  importer::Fmu fmu = importer::Fmu::open(std::string(SALTUS_FMU_DIR "/") + shipped.name + ".fmu");
  const auto model = fmu.instantiate_model_exchange("me");
  Random nobody(0);
  Whims whims(*model, random != nullptr ? *random : nobody);
  Model& driven = random != nullptr ? static_cast<Model&>(whims) : *model;
  DormandPrince integrator(driven, {.relative_tolerance = 1e-8, .max_step = shipped.stop / 50.0});
  IntegratedModel system(driven, integrator);
  ModeController(system).run({.stop = shipped.stop, .tolerance = 1e-8});
  more = whims.updates_did_more();
  return {system.unknowns().begin(), system.unknowns().end()};
}

std::vector<double> end_of_co_simulation(const Shipped& shipped, Random* random, bool& more) {
  importer::Fmu fmu = importer::Fmu::open(std::string(SALTUS_FMU_DIR "/") + shipped.name + ".fmu");
  const bool event_mode = random == nullptr || random->chance(0.5);
  const auto system =
      fmu.instantiate_co_simulation("cs", {.event_mode = event_mode, .early_return = event_mode});
  Random nobody(0);
  Random& dice = random != nullptr ? *random : nobody;
  const auto iterate_events = [&] {
    EventUpdate update;
    do {
      if (random != nullptr) look(dice, system->variables());
      update = system->update_discrete_states();
    } while (update.iterate);
    while (random != nullptr && event_mode && dice.chance(0.5)) {
      const EventUpdate again = system->update_discrete_states();
      more = more || again.iterate || again.next_event_time != update.next_event_time;
    }
    system->leave_event_mode();
    return update.next_event_time;
  };
  system->initialize({.stop = shipped.stop, .tolerance = 1e-8});
  double next = iterate_events();
  double t = 0.0;
  while (t < shipped.stop) {
    const double step = shipped.stop * (random != nullptr ? dice.log_uniform(1e-4, 0.3) : 0.02);
    const double goal = std::min({shipped.stop, t + step, next});
    const Arrival arrival = system->advance({.report = goal, .barrier = goal});
    t = arrival.time;
    if (arrival.why == Stop::terminate) break;
    if (random != nullptr) look(dice, system->variables());
    const bool visit = random != nullptr && event_mode && dice.chance(0.1);
    if (arrival.why == Stop::event || t >= next || visit) {
      system->enter_event_mode();
      next = iterate_events();
    }
  }
  std::vector<double> end;
  for (const importer::Unknown& unknown :
       fmu.description().structure.continuous_state_derivatives) {
    const auto value = system->variables().read(*fmu.description().state_of(unknown));
    end.push_back(importer::to_number(value.at(0)));
  }
  return end;
}

Verdict run(std::uint64_t seed) {
  Random random(seed);
  constexpr int kCount = static_cast<int>(std::size(kShipped));
  const Shipped& shipped = kShipped[random.integer(0, kCount - 1)];
  const bool integrates = random.chance(0.5);
  const auto end = integrates ? end_of_model_exchange : end_of_co_simulation;
  bool more = false, nothing = false;
  const std::vector<double> plain = end(shipped, nullptr, nothing);
  const std::vector<double> is = end(shipped, &random, more);
  const std::string what = std::string(shipped.name) + (integrates ? " as ME" : " as CS") + ": ";
  if (more) {
    return wrong(what + "one update more than needed changes something");
  }
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const double margin = shipped.margin * std::max(1.0, std::fabs(plain[i]));
    if (!(std::fabs(is[i] - plain[i]) <= margin)) {
      return wrong(what + "state " + std::to_string(i) + " ends at " + std::to_string(is[i]) +
                   " instead of " + std::to_string(plain[i]));
    }
  }
  return right();
}

const Family kFamily{"call_orders", "random legal orders of FMI calls on the shipped FMUs", run};

}  // namespace
}  // namespace saltus::truth

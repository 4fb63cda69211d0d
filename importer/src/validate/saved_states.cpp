// SPDX-License-Identifier: BSD-2-Clause
// Rule 39: a run that goes on from a saved state, or from its bytes, is the run that it was.
#include <fmt/format.h>

#include "run_checks.hpp"

namespace saltus::importer::validation {
namespace {

using SeenValues = std::vector<double>;
using Trajectory = std::vector<SeenValues>;
/// Goes on with an instance and answers with what was seen.
using GoOn = std::function<Trajectory(LedInstance&)>;

class SavedRun {
 public:
  SavedRun(RunContext& context, InterfaceType type, const Interface& interface, GoOn go_on)
      : context_(context), type_(type), interface_(interface), go_on_(std::move(go_on)) {}

  /// `led` is where the state is to be saved.
  void check(LedInstance& led) {
    Instance::FmuState state;
    led->expect_return();
    led->save(state);
    const Trajectory expected = go_on_(led);
    led->restore(state);
    compare(led, expected, go_on_(led), {39, "run.state.run"}, "a restored FMU state",
            Severity::error);
    if (interface_.can_serialize_fmu_state && can_serialize(led)) {
      check_bytes(led, state, expected);
    }
    led->release(state);
  }

 private:
  bool can_serialize(LedInstance& led) {
    const std::string state = context_.description().major_version == 2 ? "FMUstate" : "FMUState";
    return led->exports(led->name_of(("Serialized" + state + "Size").c_str())) &&
           led->exports(led->name_of(("Serialize" + state).c_str()));
  }

  void check_bytes(LedInstance& led, const Instance::FmuState& state, const Trajectory& expected) {
    const std::vector<std::uint8_t> bytes = led->serialize(state);
    Instance::FmuState copy = led->deserialize(bytes, state.mode);
    led->restore(copy);
    compare(led, expected, go_on_(led), {39, "run.state.bytes"}, "a serialized FMU state",
            Severity::error);
    led->release(copy);
    if (interface_.can_be_instantiated_only_once_per_process) return;
    // What only the instance knows that wrote the bytes is not in them.
    LedInstance other(context_, type_);
    other.initialize();
    other->expect_return();
    Instance::FmuState foreign = other->deserialize(bytes, state.mode);
    other->restore(foreign);
    compare(other, expected, go_on_(other), {39, "run.state.bytes"},
            "a serialized FMU state in another instance", Severity::warning);
    other->release(foreign);
  }

  /// One that ends sooner is another one, too.
  void compare(const LedInstance& led, const Trajectory& expected, const Trajectory& found,
               Rule rule, const char* what, Severity severity) {
    double largest = 0.0;
    std::string name;
    std::size_t point = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      std::size_t where = 0;
      const double error =
          largest_difference(expected[i], i < found.size() ? found[i] : SeenValues(), &where);
      if (error <= largest) continue;
      largest = error;
      name = led.name_of(where);
      point = i + 1;
    }
    if (largest == 0.0) return;
    context_.findings.add(
        rule, largest > same_run() ? severity : Severity::warning,
        fmt::format("the run from {} is another one: at point {} of {} \"{}\" differs by {:.1e}",
                    what, point, expected.size(), name, largest),
        "save all that the equations depend on");
  }

  /// A slave may have an integrator that begins anew where it is put.
  double same_run() const { return type_ == InterfaceType::co_simulation ? 1e-3 : kIterationError; }

  RunContext& context_;
  InterfaceType type_;
  const Interface& interface_;
  GoOn go_on_;
};

constexpr std::size_t kStepsAfterwards = 50;

}  // namespace

void check_saved_run(RunContext& context) {
  const Interface& interface = *context.description().model_exchange;
  const Script& script = context.script();
  if (!interface.can_get_and_set_fmu_state || script.size() < 4 || context.has_clocks()) return;
  // In continuous-time mode, where a step has just been made.
  std::size_t middle = script.size() / 2;
  while (middle > 0 && script[middle].kind != Move::Kind::step) --middle;
  const std::size_t end = std::min(script.size(), middle + 1 + 4 * kStepsAfterwards);
  if (middle == 0) return;
  const GoOn go_on = [&](LedInstance& led) {
    const Script rest(script.begin() + static_cast<std::ptrdiff_t>(middle) + 1,
                      script.begin() + static_cast<std::ptrdiff_t>(end));
    Trajectory seen = {led.observe()};
    for (const Move& move : rest) {
      if (!move.repeat(*led)) break;
      seen.push_back(led.observe());
    }
    return seen;
  };
  watch(context.findings, [&] {
    LedInstance led(context, InterfaceType::model_exchange);
    led.initialize();
    const Script first(script.begin(), script.begin() + static_cast<std::ptrdiff_t>(middle) + 1);
    for (const Move& move : first) {
      if (!move.repeat(*led)) return;
    }
    SavedRun(context, InterfaceType::model_exchange, interface, go_on).check(led);
  });
}

void check_saved_steps(RunContext& context) {
  const CoSimulation& interface = *context.description().co_simulation;
  if (!interface.can_get_and_set_fmu_state || context.has_clocks()) return;
  const Experiment experiment = experiment_of(context.description());
  const double h = communication_step(context.description());
  const auto all = static_cast<std::size_t>((experiment.stop - experiment.start) / h + 1e-6);
  const std::size_t count = std::min(all / 2, kStepsAfterwards);
  if (count == 0) return;
  const auto steps = [=](LedInstance& led, std::size_t first) {
    Trajectory seen = {led.observe()};
    for (std::size_t i = first; i < first + count; ++i) {
      const StepOutcome outcome = led->do_step(experiment.start + static_cast<double>(i) * h, h);
      if (outcome.eval == Eval::discard || outcome.terminate) break;
      seen.push_back(led.observe());
    }
    return seen;
  };
  watch(context.findings, [&] {
    LedInstance led(context, InterfaceType::co_simulation);
    led.initialize();
    if (steps(led, 0).size() <= count) return;
    SavedRun(context, InterfaceType::co_simulation, interface, [&](LedInstance& instance) {
      return steps(instance, count);
    }).check(led);
  });
}

}  // namespace saltus::importer::validation

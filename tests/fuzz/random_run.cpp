// SPDX-License-Identifier: BSD-2-Clause
#include "random_run.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace saltus::fuzz {

#define CALL(Name, ...) did(f_.Name(instance_, __VA_ARGS__), #Name)
#define CALL_BARE(Name) did(f_.Name(instance_), #Name)

RandomRun::RandomRun(const Guest& guest, std::uint64_t seed, const Options& options)
    : guest_(guest),
      f_(guest.f),
      dice_(seed),
      options_(options),
      interface_(dice_.one_in(2) ? Interface::model_exchange : Interface::co_simulation) {
  note_run(guest.path, seed);
  if (interface_ == Interface::model_exchange) {
    instance_ = f_.fmi3InstantiateModelExchange("me", guest.token.c_str(), nullptr, fmi3False,
                                                fmi3False, nullptr, nullptr);
    f_.fmi3GetNumberOfContinuousStates(instance_, &states_);
    f_.fmi3GetNumberOfEventIndicators(instance_, &indicators_);
    return;
  }
  event_mode_used_ = dice_.one_in(2);
  early_return_ = dice_.one_in(2);
  const bool listens = dice_.one_in(3);
  for (const Guest::Known& v : guest.numbers) {
    if (listens && v.intermediate && dice_.one_in(2)) intermediate_.push_back(v.reference);
  }
  instance_ = f_.fmi3InstantiateCoSimulation("cs", guest.token.c_str(), nullptr, fmi3False,
                                             fmi3False, event_mode_used_, early_return_,
                                             intermediate_.data(), intermediate_.size(), this,
                                             nullptr, listens ? &RandomRun::intermediate : nullptr);
}

RandomRun::~RandomRun() {
  for (Kept& kept : kept_) {
    if (mode_ != Mode::broken) f_.fmi3FreeFMUState(instance_, &kept.state);
  }
  if (mode_ != Mode::broken) f_.fmi3FreeFMUState(instance_, &saved_.state);
  if (instance_ != nullptr) f_.fmi3FreeInstance(instance_);
}

bool RandomRun::may(Function function) const {
  return (fmu_export::fmi3::rule_of(function).allowed(interface_) & fmu_export::bit(mode_)) != 0;
}

fmi3Status RandomRun::did(fmi3Status status, const char* name) {
  ++calls_;
  note_call(name);
  if (status == fmi3Error) {
    mode_ = Mode::terminated;
  } else if (status == fmi3Fatal) {
    mode_ = Mode::broken;
  }
  return status;
}

void RandomRun::run() {
  if (instance_ == nullptr) {
    complaint_ = "it cannot be instantiated";
    return;
  }
  while (calls_ < options_.calls && mode_ != Mode::broken && complaint_.empty()) {
    act();
  }
  return_changed_states();
  if (mode_ == Mode::terminated) look_at_everything();
}

void RandomRun::act() {
  if (dice_.one_in(100)) {
    make_a_mistake();
    look_at_everything();
    return;
  }
  if (dice_.one_in(25)) {
    keep_or_return_a_state();
    return;
  }
  if (dice_.one_in(4)) {
    look();
    return;
  }
  switch (mode_) {
    case Mode::instantiated:
      act_in_instantiated();
      break;
    case Mode::initialization:
      dice_.one_in(2) ? set_something() : initialize();
      break;
    case Mode::event:
      act_in_event_mode();
      break;
    case Mode::continuous_time:
      act_in_continuous_time();
      break;
    case Mode::step:
      act_in_step_mode();
      break;
    default:
      act_in_terminated();
      break;
  }
}

void RandomRun::act_in_instantiated() {
  if (dice_.one_in(3)) {
    set_something();
    return;
  }
  const double length = guest_.stop - guest_.start;
  stop_ = guest_.start + (dice_.one_in(3) ? length : dice_.unit() * length);
  const double tolerance = std::pow(10.0, -2.0 - 8.0 * dice_.unit());
  if (CALL(fmi3EnterInitializationMode, dice_.one_in(2), tolerance, guest_.start, !dice_.one_in(4),
           stop_) == fmi3OK) {
    move_to(Mode::initialization);
  }
}

void RandomRun::initialize() {
  if (CALL_BARE(fmi3ExitInitializationMode) != fmi3OK) return;
  settled_ = event_reported_ = false;
  const bool steps = interface_ == Interface::co_simulation && !event_mode_used_;
  move_to(steps ? Mode::step : Mode::event);
}

void RandomRun::act_in_event_mode() {
  if (dice_.one_in(5)) {
    set_something();
    return;
  }
  update_until_quiet();
  if (mode_ != Mode::event || !settled_) return;
  if (dice_.one_in(3)) {
    update_once_more();
    return;
  }
  const bool integrates = interface_ == Interface::model_exchange;
  const fmi3Status status =
      integrates ? CALL_BARE(fmi3EnterContinuousTimeMode) : CALL_BARE(fmi3EnterStepMode);
  if (status == fmi3OK) {
    move_to(integrates ? Mode::continuous_time : Mode::step);
    event_reported_ = false;
  }
}

void RandomRun::update_until_quiet() {
  for (int pass = 0; pass < 30 && mode_ == Mode::event && !settled_; ++pass) {
    fmi3Boolean need = fmi3False, terminate = fmi3False, nominals = fmi3False, moved = fmi3False;
    fmi3Boolean defined = fmi3False;
    fmi3Float64 next = 0.0;
    if (CALL(fmi3UpdateDiscreteStates, &need, &terminate, &nominals, &moved, &defined, &next) !=
        fmi3OK) {
      return;
    }
    if (terminate) {
      if (CALL_BARE(fmi3Terminate) == fmi3OK) move_to(Mode::terminated);
      return;
    }
    settled_ = !need;
    next_event_defined_ = defined;
    next_event_time_ = next;
    if (dice_.one_in(3)) look();
  }
}

// One update more than needed changes nothing. What two looks in a row differ by, where algebraics
// are solved for anew, is no change.
void RandomRun::update_once_more() {
  const std::vector<double> before = numbers();
  const std::vector<double> again = numbers();
  fmi3Boolean need = fmi3False, terminate = fmi3False, nominals = fmi3False, moved = fmi3False;
  fmi3Boolean defined = fmi3False;
  fmi3Float64 next = 0.0;
  if (CALL(fmi3UpdateDiscreteStates, &need, &terminate, &nominals, &moved, &defined, &next) !=
      fmi3OK) {
    complaint_ = "one update more than needed fails";
    return;
  }
  const auto same = [](double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
  };
  const std::vector<double> after = numbers();
  if (need || terminate || moved || defined != next_event_defined_ ||
      (defined && !same(next, next_event_time_))) {
    complaint_ = "one update more than needed asks for something";
  }
  for (std::size_t i = 0; i < before.size(); ++i) {
    const double margin =
        10.0 * std::fabs(again[i] - before[i]) + 1e-9 * std::fmax(1.0, std::fabs(before[i]));
    if (!same(before[i], after[i]) && !(std::fabs(after[i] - before[i]) <= margin)) {
      complaint_ = "one update more than needed changes variable " +
                   std::to_string(guest_.numbers[i].reference) + " by " +
                   std::to_string((after[i] - before[i]) * 1e9) + "e-9";
    }
  }
}

void RandomRun::act_in_continuous_time() {
  switch (dice_.below(8)) {
    case 0:
      set_something();
      break;
    case 1:
      enter_event_mode();
      break;
    case 2: {
      fmi3Boolean enter = fmi3False, terminate = fmi3False;
      CALL(fmi3CompletedIntegratorStep, fmi3True, &enter, &terminate);
      break;
    }
    case 3:
      if (dice_.one_in(30) && CALL_BARE(fmi3Terminate) == fmi3OK) move_to(Mode::terminated);
      break;
    default:
      integrate();
  }
}

// One step of Euler's method, and a look at the indicators.
void RandomRun::integrate() {
  const double t = time();
  if (t >= stop_ || mode_ != Mode::continuous_time) {
    enter_event_mode();
    return;
  }
  std::vector<double> x(states_), slopes(states_), z(indicators_);
  CALL(fmi3GetContinuousStates, x.data(), x.size());
  if (CALL(fmi3GetContinuousStateDerivatives, slopes.data(), slopes.size()) > fmi3Discard) return;
  double h = 0.01 * dice_.unit() * (guest_.stop - guest_.start);
  h = std::min(h, stop_ - t);
  if (next_event_defined_) h = std::min(h, next_event_time_ - t);
  if (!(h > 0.0)) {
    enter_event_mode();
    return;
  }
  for (std::size_t i = 0; i < states_; ++i) {
    x[i] += std::isfinite(slopes[i]) ? h * slopes[i] : 0.0;
  }
  if (dice_.one_in(50) && states_ > 0) x[dice_.below(states_)] = dice_.number(1.0);
  if (CALL(fmi3SetTime, t + h) > fmi3Discard) return;
  if (CALL(fmi3SetContinuousStates, x.data(), x.size()) > fmi3Discard) return;
  if (dice_.one_in(4)) set_something();
  if (mode_ != Mode::continuous_time) return;
  std::vector<double> before = z;
  CALL(fmi3GetEventIndicators, z.data(), z.size());
  if (dice_.one_in(10)) enter_event_mode();
}

void RandomRun::enter_event_mode() {
  if (!may(Function::fmi3EnterEventMode)) return;
  if (interface_ == Interface::co_simulation && !event_mode_used_) return;
  if (CALL_BARE(fmi3EnterEventMode) == fmi3OK) {
    move_to(Mode::event);
    settled_ = event_reported_ = false;
  }
}

void RandomRun::act_in_step_mode() {
  if (event_reported_ || dice_.one_in(10)) {
    enter_event_mode();
    return;
  }
  if (dice_.one_in(4)) {
    set_something();
  } else if (dice_.one_in(60)) {
    if (CALL_BARE(fmi3Terminate) == fmi3OK) move_to(Mode::terminated);
  } else {
    do_step();
  }
}

void RandomRun::do_step() {
  const double t = time();
  if (mode_ != Mode::step) return;
  double h = stride_ * dice_.unit() * (guest_.stop - guest_.start);
  h = std::min(h, stop_ - t);
  if (!(h > 0.0)) {
    if (CALL_BARE(fmi3Reset) == fmi3OK) move_to(Mode::instantiated);
    return;
  }
  fmi3Boolean event = fmi3False, terminate = fmi3False, early = fmi3False;
  fmi3Float64 reached = t;
  if (CALL(fmi3DoStep, t, h, fmi3True, &event, &terminate, &early, &reached) != fmi3OK) return;
  event_reported_ = event;
  if (!(reached >= t) || reached > t + 1.0000001 * h) {
    complaint_ = "a step from " + std::to_string(t) + " by " + std::to_string(h) + " ends at " +
                 std::to_string(reached);
  }
  if (terminate && CALL_BARE(fmi3Terminate) == fmi3OK) move_to(Mode::terminated);
}

void RandomRun::act_in_terminated() {
  look_at_everything();
  if (dice_.one_in(3)) {
    keep_or_return_a_state();
  } else if (CALL_BARE(fmi3Reset) == fmi3OK) {
    move_to(Mode::instantiated);
  }
}

}  // namespace saltus::fuzz

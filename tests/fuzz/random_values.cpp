// SPDX-License-Identifier: BSD-2-Clause
// Values that are read and set, mistakes, and saved states.
#include <cstring>
#include <limits>

#include "content_hash.hpp"
#include "random_run.hpp"

namespace saltus::fuzz {

#define CALL(Name, ...) did(f_.Name(instance_, __VA_ARGS__), #Name)

double RandomRun::time() {
  const fmi3ValueReference reference = 0;
  double value = std::numeric_limits<double>::quiet_NaN();
  CALL(fmi3GetFloat64, &reference, 1, &value, 1);
  return value;
}

std::vector<double> RandomRun::numbers() {
  std::vector<double> values(guest_.numbers.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    CALL(fmi3GetFloat64, &guest_.numbers[i].reference, 1, &values[i], 1);
  }
  return values;
}

void RandomRun::look() {
  if (!may(Function::fmi3GetFloat64)) return;
  switch (dice_.below(6)) {
    case 0:
      numbers();
      break;
    case 1:
      if (may(Function::fmi3GetContinuousStateDerivatives)) {
        std::vector<double> slopes(states_);
        CALL(fmi3GetContinuousStateDerivatives, slopes.data(), slopes.size());
      }
      break;
    case 2:
      if (may(Function::fmi3GetEventIndicators)) {
        std::vector<double> z(indicators_);
        CALL(fmi3GetEventIndicators, z.data(), z.size());
      }
      break;
    case 3:
      if (may(Function::fmi3GetNominalsOfContinuousStates)) {
        std::vector<double> nominals(states_);
        CALL(fmi3GetNominalsOfContinuousStates, nominals.data(), nominals.size());
      }
      break;
    default:
      if (!guest_.numbers.empty()) {
        double value = 0.0;
        const auto& known = guest_.numbers[dice_.below(guest_.numbers.size())];
        CALL(fmi3GetFloat64, &known.reference, 1, &value, 1);
      }
  }
}

void RandomRun::look_at_everything() {
  if (!may(Function::fmi3GetFloat64)) return;
  numbers();
  for (const Guest::Known& v : guest_.int32s) {
    fmi3Int32 value = 0;
    CALL(fmi3GetInt32, &v.reference, 1, &value, 1);
  }
  for (const Guest::Known& v : guest_.int64s) {
    fmi3Int64 value = 0;
    CALL(fmi3GetInt64, &v.reference, 1, &value, 1);
  }
  for (const Guest::Known& v : guest_.booleans) {
    fmi3Boolean value = fmi3False;
    CALL(fmi3GetBoolean, &v.reference, 1, &value, 1);
  }
  if (interface_ != Interface::model_exchange || !may(Function::fmi3GetContinuousStates)) return;
  std::vector<double> x(states_), z(indicators_);
  CALL(fmi3GetContinuousStates, x.data(), x.size());
  CALL(fmi3GetContinuousStateDerivatives, x.data(), x.size());
  CALL(fmi3GetEventIndicators, z.data(), z.size());
  CALL(fmi3GetNominalsOfContinuousStates, x.data(), x.size());
}

// Whatever may be set in the mode; a value that the FMU refuses is an error like any other.
void RandomRun::set_something() {
  const bool later = mode_ != Mode::instantiated && mode_ != Mode::initialization;
  const auto pick = [&](const std::vector<Guest::Known>& from) -> const Guest::Known* {
    std::vector<const Guest::Known*> possible;
    for (const Guest::Known& v : from) {
      const bool is_given = v.algebraic && is_dae_ && dice_.one_in(2);
      if (v.settable_later || is_given || (!later && dice_.one_in(3))) possible.push_back(&v);
    }
    return possible.empty() ? nullptr : possible[dice_.below(possible.size())];
  };
  const std::uint64_t kind = dice_.below(6);
  if (kind < 2 && !guest_.switches.empty()) {
    switch_to_dae(guest_.switches[0]);
  } else if (kind == 0) {
    if (const Guest::Known* v = pick(guest_.int32s)) {
      const auto value = static_cast<fmi3Int32>(dice_.below(7)) - 3;
      CALL(fmi3SetInt32, &v->reference, 1, &value, 1);
    }
  } else if (kind == 1) {
    if (const Guest::Known* v = pick(guest_.booleans)) {
      const fmi3Boolean value = dice_.one_in(2);
      CALL(fmi3SetBoolean, &v->reference, 1, &value, 1);
    }
  } else if (const Guest::Known* v = pick(guest_.numbers)) {
    const double value = dice_.number(v->start);
    CALL(fmi3SetFloat64, &v->reference, 1, &value, 1);
  }
  settled_ = false;
}

// FMI-LS-DAE: an ODE becomes a DAE, or the other way round.
void RandomRun::switch_to_dae(const Guest::Known& by) {
  if (!may(Function::fmi3EnterConfigurationMode)) return;
  const fmi3Boolean value = !dice_.one_in(3);
  const auto enter = [&] {
    return did(f_.fmi3EnterConfigurationMode(instance_), "fmi3EnterConfigurationMode");
  };
  if (enter() != fmi3OK) return;
  if (dice_.one_in(20)) enter();
  CALL(fmi3SetBoolean, &by.reference, 1, &value, 1);
  if (did(f_.fmi3ExitConfigurationMode(instance_), "fmi3ExitConfigurationMode") == fmi3OK) {
    is_dae_ = value;
  }
}

void RandomRun::make_a_mistake() {
  const fmi3ValueReference nobody = 1000000;
  double value = 0.0;
  switch (dice_.below(5)) {
    case 0:
      CALL(fmi3GetFloat64, &nobody, 1, &value, 1);
      break;
    case 1:
      CALL(fmi3SetFloat64, &nobody, 1, &value, 1);
      break;
    case 2:
      CALL(fmi3EnterInitializationMode, fmi3False, 0.0, 2.0, fmi3True, 1.0);
      break;
    case 3:
      did(f_.fmi3ExitConfigurationMode(instance_), "fmi3ExitConfigurationMode");
      break;
    default: {
      fmi3Boolean event = fmi3False, terminate = fmi3False, early = fmi3False;
      CALL(fmi3DoStep, -1e9, 1.0, fmi3True, &event, &terminate, &early, &value);
    }
  }
}

void RandomRun::keep_or_return_a_state() {
  if (!may(Function::fmi3GetFMUState)) return;
  if (kept_.size() < 3 && dice_.one_in(2)) {
    Kept kept{.state = nullptr, .mode = mode_};
    if (CALL(fmi3GetFMUState, &kept.state) == fmi3OK) kept_.push_back(kept);
    return;
  }
  if (kept_.empty()) return;
  return_to(kept_[dice_.below(kept_.size())]);
}

void RandomRun::return_to(const Kept& kept) {
  if (CALL(fmi3SetFMUState, kept.state) != fmi3OK) return;
  move_to(kept.mode);
  settled_ = event_reported_ = false;
  next_event_defined_ = false;
}

// One state in `kChanges` is saved where random calls lead; between them the run returns to it.
void RandomRun::return_changed_states() {
  constexpr std::size_t kChanges = 50, kCallsBefore = 30, kCallsAfter = 8;
  // A large model of which a parameter has become nonsense takes its time for very many events.
  constexpr std::size_t kLarge = 200;
  if (guest_.numbers.size() > kLarge) stride_ = 2e-4;
  for (std::size_t k = 0; k < options_.states && mode_ != Mode::broken; ++k) {
    allow_another_minute();
    if (k % kChanges == 0) {
      const std::size_t until = calls_ + kCallsBefore;
      while (calls_ < until && mode_ != Mode::broken) act();
      if (!save_a_state()) return;
    } else {
      return_to(saved_);
    }
    return_a_changed_state();
    const std::size_t until = calls_ + kCallsAfter;
    while (calls_ < until && mode_ != Mode::broken) act();
  }
}

bool RandomRun::save_a_state() {
  if (!may(Function::fmi3GetFMUState)) return false;
  std::size_t size = 0;
  if (CALL(fmi3GetFMUState, &saved_.state) != fmi3OK) return false;
  saved_.mode = mode_;
  if (CALL(fmi3SerializedFMUStateSize, saved_.state, &size) != fmi3OK) return false;
  saved_bytes_.resize(size);
  return CALL(fmi3SerializeFMUState, saved_.state, saved_bytes_.data(), size) == fmi3OK;
}

// Bytes at random, then the checksum of what came out, so that it is read and not refused at once.
void RandomRun::return_a_changed_state() {
  std::vector<fmi3Byte> bytes = saved_bytes_;
  const std::size_t size = bytes.size();
  for (std::uint64_t k = 1 + dice_.below(4); k > 0; --k) {
    const std::size_t at = dice_.below(size);
    switch (dice_.below(4)) {
      case 0:
        bytes[at] = static_cast<fmi3Byte>(dice_.below(256));
        break;
      case 1:
        bytes[at] = static_cast<fmi3Byte>(bytes[at] ^ (1U << dice_.below(8)));
        break;
      case 2:
        bytes[at] = static_cast<fmi3Byte>(dice_.below(4));
        break;
      default: {
        const double odd = dice_.number(1.0);
        if (at + sizeof odd <= size) std::memcpy(&bytes[at], &odd, sizeof odd);
      }
    }
  }
  if (dice_.one_in(20)) bytes.resize(dice_.below(size + 8));
  if (bytes.size() > sizeof(std::uint64_t) && !dice_.one_in(20)) {
    const std::size_t content = bytes.size() - sizeof(std::uint64_t);
    const std::uint64_t sum =
        fmu_export::content_hash(std::as_bytes(std::span<const fmi3Byte>(bytes.data(), content)));
    std::memcpy(&bytes[content], &sum, sizeof sum);
  }
  ++mutated_;
  fmi3FMUState changed = nullptr;
  if (CALL(fmi3DeserializeFMUState, bytes.data(), bytes.size(), &changed) != fmi3OK) return;
  constexpr std::size_t kMode = 8 + 4 + 8 + 1;  // behind magic, version, token and interface
  return_to({.state = changed, .mode = static_cast<Mode>(bytes[kMode])});
  if (mode_ != Mode::broken) CALL(fmi3FreeFMUState, &changed);
}

// Within a step: reads and sets what was announced.
void RandomRun::intermediate(fmi3InstanceEnvironment environment, fmi3Float64 now, fmi3Boolean set,
                             fmi3Boolean, fmi3Boolean, fmi3Boolean early, fmi3Boolean* requested,
                             fmi3Float64* return_time) {
  RandomRun& run = *static_cast<RandomRun*>(environment);
  for (const fmi3ValueReference reference : run.intermediate_) {
    double value = 0.0;
    run.f_.fmi3GetFloat64(run.instance_, &reference, 1, &value, 1);
    ++run.calls_;
  }
  for (const Guest::Known& v : run.guest_.numbers) {
    const bool announced = std::find(run.intermediate_.begin(), run.intermediate_.end(),
                                     v.reference) != run.intermediate_.end();
    if (set && announced && v.settable_later && run.dice_.one_in(4)) {
      const double value = run.dice_.number(v.start);
      run.f_.fmi3SetFloat64(run.instance_, &v.reference, 1, &value, 1);
      ++run.calls_;
    }
  }
  *requested = early && run.dice_.one_in(10);
  *return_time = now;
}

}  // namespace saltus::fuzz

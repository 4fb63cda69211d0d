// SPDX-License-Identifier: BSD-2-Clause
#include "rig.hpp"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <sstream>
#include <type_traits>
#include <utility>

#include "exported.hpp"
#include "own_description.hpp"

namespace rig {
namespace {

saltus::fmu_export::ExportedModel& exported() {
  static auto model =
      saltus::fmu_export::exported_model(saltus::fmu_export::Interface::model_exchange);
  return model;
}

}  // namespace

fmi3ValueReference reference(const std::string& name) {
  fmi3ValueReference next = 1;
  for (const auto& variable : exported().model->variables()) {
    if (variable.name == name) {
      return next;
    }
    ++next;
  }
  FAIL("no variable " << name);
  return 0;
}

fmi3ValueReference indicator_reference(std::size_t i) {
  return static_cast<fmi3ValueReference>(1 + exported().model->variables().size() + i);
}

const std::string& token() { return saltus::fmu_export::own_instantiation_token(); }

void Fmu::hear(fmi3InstanceEnvironment environment, fmi3Status, fmi3String category,
               fmi3String message) {
  static_cast<Environment*>(environment)->log += std::string(category) + ": " + message + "\n";
}

void Fmu::intermediate_update(fmi3InstanceEnvironment environment, fmi3Float64 time,
                              fmi3Boolean set_requested, fmi3Boolean get_allowed,
                              fmi3Boolean step_finished, fmi3Boolean can_return_early,
                              fmi3Boolean* return_requested, fmi3Float64* return_time) {
  auto& importer = *static_cast<Environment*>(environment);
  Intermediate update{importer.instance, time,          set_requested,
                      get_allowed,       step_finished, can_return_early};
  importer.callback(update);
  *return_requested = update.return_requested;
  *return_time = update.return_time;
}

Fmu Fmu::model_exchange() {
  Fmu fmu(true);
  fmu.instance_ = fmi3InstantiateModelExchange("rig", token().c_str(), nullptr, fmi3False,
                                               fmi3False, fmu.environment_.get(), hear);
  REQUIRE(fmu.instance_ != nullptr);
  return fmu;
}

Fmu Fmu::co_simulation(const CoSimulation& settings) {
  Fmu fmu(false);
  std::vector<fmi3ValueReference> intermediate;
  for (const std::string& name : settings.intermediate) {
    intermediate.push_back(reference(name));
  }
  fmu.environment_->callback = settings.callback;
  fmu.instance_ = fmi3InstantiateCoSimulation(
      "rig", token().c_str(), nullptr, fmi3False, fmi3False, settings.event_mode,
      settings.early_return, intermediate.data(), intermediate.size(), fmu.environment_.get(), hear,
      settings.callback ? intermediate_update : nullptr);
  fmu.environment_->instance = fmu.instance_;
  INFO(fmu.log());
  REQUIRE(fmu.instance_ != nullptr);
  return fmu;
}

Fmu::Fmu(Fmu&& other) noexcept
    : me_(other.me_),
      environment_(std::move(other.environment_)),
      instance_(std::exchange(other.instance_, nullptr)) {}

Fmu::~Fmu() { fmi3FreeInstance(instance_); }

std::string Fmu::messages() { return std::exchange(environment_->log, {}); }

double Fmu::number(const std::string& name) const {
  const fmi3ValueReference vr = name == "time" ? 0 : reference(name);
  double value = NAN;
  INFO(name << " " << log());
  REQUIRE(fmi3GetFloat64(instance_, &vr, 1, &value, 1) == fmi3OK);
  return value;
}

namespace {

template <class T>
std::int64_t got(fmi3Instance instance, fmi3ValueReference vr,
                 fmi3Status (*get)(fmi3Instance, const fmi3ValueReference*, size_t, T*, size_t)) {
  T value{};
  REQUIRE(get(instance, &vr, 1, &value, 1) == fmi3OK);
  if constexpr (std::is_same_v<T, float>) {
    return std::bit_cast<std::int32_t>(value);
  } else {
    return static_cast<std::int64_t>(value);
  }
}

}  // namespace

std::int64_t Fmu::whole(const std::string& name) const {
  const fmi3ValueReference vr = reference(name);
  INFO(name << " " << log());
  using Type = saltus::modeling::Variable::Type;
  switch (exported().model->variables()[vr - 1].type) {
    case Type::float32:
      return got(instance_, vr, &fmi3GetFloat32);
    case Type::int8:
      return got(instance_, vr, &fmi3GetInt8);
    case Type::uint8:
      return got(instance_, vr, &fmi3GetUInt8);
    case Type::int16:
      return got(instance_, vr, &fmi3GetInt16);
    case Type::uint16:
      return got(instance_, vr, &fmi3GetUInt16);
    case Type::int32:
      return got(instance_, vr, &fmi3GetInt32);
    case Type::uint32:
      return got(instance_, vr, &fmi3GetUInt32);
    case Type::int64:
    case Type::enumeration:
      return got(instance_, vr, &fmi3GetInt64);
    case Type::uint64:
      return got(instance_, vr, &fmi3GetUInt64);
    case Type::clock: {
      fmi3Clock value = fmi3ClockInactive;
      REQUIRE(fmi3GetClock(instance_, &vr, 1, &value) == fmi3OK);
      return value ? 1 : 0;
    }
    default:
      return got(instance_, vr, &fmi3GetBoolean);
  }
}

std::string Fmu::text(const std::string& name) const {
  const fmi3ValueReference vr = reference(name);
  INFO(name << " " << log());
  if (exported().model->variables()[vr - 1].type == saltus::modeling::Variable::Type::string) {
    fmi3String value = nullptr;
    REQUIRE(fmi3GetString(instance_, &vr, 1, &value, 1) == fmi3OK);
    return value;
  }
  fmi3Binary value = nullptr;
  size_t size = 0;
  REQUIRE(fmi3GetBinary(instance_, &vr, 1, &size, &value, 1) == fmi3OK);
  return {reinterpret_cast<const char*>(value), size};
}

fmi3Status Fmu::set_text(const std::string& name, const std::string& text) {
  const fmi3ValueReference vr = reference(name);
  if (exported().model->variables()[vr - 1].type == saltus::modeling::Variable::Type::string) {
    const fmi3String value = text.c_str();
    return fmi3SetString(instance_, &vr, 1, &value, 1);
  }
  const auto* value = reinterpret_cast<fmi3Binary>(text.data());
  const size_t size = text.size();
  return fmi3SetBinary(instance_, &vr, 1, &size, &value, 1);
}

fmi3Status Fmu::set(const std::string& name, double value) {
  const fmi3ValueReference vr = reference(name);
  return fmi3SetFloat64(instance_, &vr, 1, &value, 1);
}

fmi3Status Fmu::set_whole(const std::string& name, std::int64_t value) {
  const fmi3ValueReference vr = reference(name);
  if (name == "ticks") {
    return fmi3SetInt64(instance_, &vr, 1, &value, 1);
  }
  if (name == "bounces") {
    const auto narrow = static_cast<std::int32_t>(value);
    return fmi3SetInt32(instance_, &vr, 1, &narrow, 1);
  }
  const bool flag = value != 0;
  return fmi3SetBoolean(instance_, &vr, 1, &flag, 1);
}

std::vector<double> Fmu::everything() const {
  std::vector<double> values{number("time")};
  for (const auto& variable : exported().model->variables()) {
    if (variable.is_text()) {
      for (const char byte : text(variable.name)) {
        values.push_back(byte);
      }
      continue;
    }
    values.push_back(variable.is_number() ? number(variable.name)
                                          : static_cast<double>(whole(variable.name)));
  }
  return values;
}

void Fmu::enter_initialization(double start, double tolerance) const {
  INFO(log());
  REQUIRE(fmi3EnterInitializationMode(instance_, fmi3True, tolerance, start, fmi3False, 0.0) ==
          fmi3OK);
}

void Fmu::initialize(double start, double tolerance) const {
  enter_initialization(start, tolerance);
  INFO(log());
  REQUIRE(fmi3ExitInitializationMode(instance_) == fmi3OK);
}

Update Fmu::update() const {
  Update u;
  INFO(log());
  REQUIRE(fmi3UpdateDiscreteStates(instance_, &u.iterate, &u.terminate, &u.nominals, &u.states,
                                   &u.defined, &u.next) == fmi3OK);
  return u;
}

Update Fmu::settle_and_leave() const {
  Update last = update();
  bool states = last.states;
  while (last.iterate && !last.terminate) {
    last = update();
    states = states || last.states;
  }
  last.states = states;
  INFO(log());
  REQUIRE((me_ ? fmi3EnterContinuousTimeMode(instance_) : fmi3EnterStepMode(instance_)) == fmi3OK);
  return last;
}

Step Fmu::step(double from, double size) const {
  Step s;
  const fmi3Status status =
      fmi3DoStep(instance_, from, size, fmi3True, &s.event, &s.terminate, &s.early, &s.time);
  INFO(log());
  REQUIRE(status == fmi3OK);
  return s;
}

std::vector<double> Fmu::run(double from, double end, double size) const {
  std::vector<double> rows;
  double t = from;
  for (int k = 1; t < end; ++k) {
    const double target = std::fmin(from + k * size, end);
    while (t < target) {
      const Step s = step(t, target - t);
      t = s.early ? s.time : target;
      const std::vector<double> row = everything();
      rows.insert(rows.end(), row.begin(), row.end());
      if (s.terminate) {
        return rows;
      }
      if (s.event) {
        REQUIRE(fmi3EnterEventMode(instance_) == fmi3OK);
        settle_and_leave();
      }
    }
  }
  return rows;
}

std::string difference(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) {
    return std::to_string(a.size()) + " values and " + std::to_string(b.size());
  }
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::memcmp(&a[i], &b[i], sizeof(double)) != 0) {
      std::ostringstream text;
      text << "value " << i << " of " << a.size() << ": " << std::hexfloat << a[i] << " and "
           << b[i];
      return text.str();
    }
  }
  return {};
}

}  // namespace rig

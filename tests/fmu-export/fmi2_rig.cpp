// SPDX-License-Identifier: BSD-2-Clause
#include "fmi2_rig.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <utility>

#include "own_description.hpp"
#include "rig.hpp"
#include "saltus/fmu_export/export_fmu.hpp"

namespace rig2 {
namespace {

using saltus::modeling::Variable;

const saltus::modeling::DescribedModel& model() {
  static const auto exported = [] {
    saltus::fmu_export::ExportedModel made;
    saltus_exported_model(made);
    return made;
  }();
  return *exported.model;
}

}  // namespace

const std::string& guid() { return saltus::fmu_export::own_guid(); }

void Fmu::hear(fmi2ComponentEnvironment environment, fmi2String name, fmi2Status,
               fmi2String category, fmi2String message, ...) {
  char text[1000];
  va_list arguments;
  va_start(arguments, message);
  std::vsnprintf(text, sizeof text, message, arguments);
  va_end(arguments);
  *static_cast<std::string*>(environment) +=
      std::string(name) + " " + category + ": " + text + "\n";
}

Fmu::Fmu(fmi2Type type, bool logging)
    : log_(std::make_unique<std::string>()),
      callbacks_(std::make_unique<fmi2CallbackFunctions>(
          fmi2CallbackFunctions{.logger = hear,
                                .allocateMemory = nullptr,
                                .freeMemory = nullptr,
                                .stepFinished = nullptr,
                                .componentEnvironment = log_.get()})) {
  component_ = fmi2Instantiate("rig", type, guid().c_str(), nullptr, callbacks_.get(), fmi2False,
                               logging ? fmi2True : fmi2False);
  // FMI 2.0, 2.1.5: the struct may be gone after the call.
  *callbacks_ = {};
  REQUIRE(component_ != nullptr);
}

Fmu::Fmu(Fmu&& other) noexcept
    : log_(std::move(other.log_)),
      callbacks_(std::move(other.callbacks_)),
      component_(std::exchange(other.component_, nullptr)) {}

Fmu::~Fmu() { fmi2FreeInstance(component_); }

std::string Fmu::messages() { return std::exchange(*log_, {}); }

double Fmu::number(const std::string& name) const {
  const fmi2ValueReference vr = name == "time" ? 0 : rig::reference(name);
  double value = NAN;
  const fmi2Status status = fmi2GetReal(component_, &vr, 1, &value);
  INFO(name << " " << *log_);
  REQUIRE(status == fmi2OK);
  return value;
}

int Fmu::integer(const std::string& name) const {
  const fmi2ValueReference vr = rig::reference(name);
  fmi2Integer value = 0;
  const fmi2Status status = fmi2GetInteger(component_, &vr, 1, &value);
  INFO(name << " " << *log_);
  REQUIRE(status == fmi2OK);
  return value;
}

bool Fmu::truth(const std::string& name) const {
  const fmi2ValueReference vr = rig::reference(name);
  fmi2Boolean value = 2;
  REQUIRE(fmi2GetBoolean(component_, &vr, 1, &value) == fmi2OK);
  REQUIRE((value == fmi2True || value == fmi2False));
  return value == fmi2True;
}

std::string Fmu::text(const std::string& name) const {
  const fmi2ValueReference vr = rig::reference(name);
  fmi2String value = nullptr;
  const fmi2Status status = fmi2GetString(component_, &vr, 1, &value);
  INFO(name << " " << *log_);
  REQUIRE(status == fmi2OK);
  return value;
}

fmi2Status Fmu::set_text(const std::string& name, const std::string& text) const {
  const fmi2ValueReference vr = rig::reference(name);
  const fmi2String value = text.c_str();
  return fmi2SetString(component_, &vr, 1, &value);
}

fmi2Status Fmu::set(const std::string& name, double value) const {
  const fmi2ValueReference vr = rig::reference(name);
  return fmi2SetReal(component_, &vr, 1, &value);
}

fmi2Status Fmu::set_integer(const std::string& name, int value) const {
  const fmi2ValueReference vr = rig::reference(name);
  return fmi2SetInteger(component_, &vr, 1, &value);
}

fmi2Status Fmu::set_truth(const std::string& name, bool value) const {
  const fmi2ValueReference vr = rig::reference(name);
  const fmi2Boolean truth = value ? fmi2True : fmi2False;
  return fmi2SetBoolean(component_, &vr, 1, &truth);
}

std::vector<double> Fmu::everything() const {
  std::vector<double> values{number("time")};
  for (const Variable& variable : model().variables()) {
    if (variable.is_text()) {
      for (const char byte : text(variable.name)) {
        values.push_back(byte);
      }
      continue;
    }
    const bool is_real = variable.is_number() || variable.type == Variable::Type::float32;
    values.push_back(is_real                                    ? number(variable.name)
                     : variable.type == Variable::Type::boolean ? truth(variable.name)
                                                                : integer(variable.name));
  }
  return values;
}

void Fmu::set_up(double start, double tolerance) const {
  REQUIRE(fmi2SetupExperiment(component_, fmi2True, tolerance, start, fmi2False, 0.0) == fmi2OK);
}

void Fmu::enter_initialization(double start) const {
  set_up(start);
  REQUIRE(fmi2EnterInitializationMode(component_) == fmi2OK);
}

void Fmu::initialize(double start) const {
  enter_initialization(start);
  const fmi2Status status = fmi2ExitInitializationMode(component_);
  INFO(*log_);
  REQUIRE(status == fmi2OK);
}

fmi2EventInfo Fmu::update() const {
  fmi2EventInfo event{};
  const fmi2Status status = fmi2NewDiscreteStates(component_, &event);
  INFO(*log_);
  REQUIRE(status == fmi2OK);
  return event;
}

fmi2EventInfo Fmu::settle_and_leave() const {
  fmi2EventInfo last = update();
  fmi2Boolean changed = last.valuesOfContinuousStatesChanged;
  while (last.newDiscreteStatesNeeded && !last.terminateSimulation) {
    last = update();
    changed = changed || last.valuesOfContinuousStatesChanged;
  }
  last.valuesOfContinuousStatesChanged = changed;
  const fmi2Status status = fmi2EnterContinuousTimeMode(component_);
  INFO(*log_);
  REQUIRE(status == fmi2OK);
  return last;
}

void Fmu::step(double from, double size) const {
  const fmi2Status status = fmi2DoStep(component_, from, size, fmi2True);
  INFO(*log_);
  REQUIRE(status == fmi2OK);
}

std::vector<double> Fmu::run(double from, double end, double size) const {
  std::vector<double> rows;
  double t = from;
  for (int k = 1; t < end; ++k) {
    const double target = std::fmin(from + k * size, end);
    step(t, target - t);
    t = target;
    const std::vector<double> row = everything();
    rows.insert(rows.end(), row.begin(), row.end());
  }
  return rows;
}

Saved::Saved(const Fmu& fmu) : fmu_(fmu) { REQUIRE(fmi2GetFMUstate(fmu.c(), &state_) == fmi2OK); }
Saved::Saved(const Fmu& fmu, const std::vector<fmi2Byte>& bytes) : fmu_(fmu) {
  REQUIRE(fmi2DeSerializeFMUstate(fmu.c(), bytes.data(), bytes.size(), &state_) == fmi2OK);
}
Saved::~Saved() { fmi2FreeFMUstate(fmu_.c(), &state_); }
void Saved::into(const Fmu& fmu) const { REQUIRE(fmi2SetFMUstate(fmu.c(), state_) == fmi2OK); }
std::vector<fmi2Byte> Saved::bytes() const {
  size_t size = 0;
  REQUIRE(fmi2SerializedFMUstateSize(fmu_.c(), state_, &size) == fmi2OK);
  std::vector<fmi2Byte> bytes(size);
  REQUIRE(fmi2SerializeFMUstate(fmu_.c(), state_, bytes.data(), size) == fmi2OK);
  return bytes;
}

}  // namespace rig2

// SPDX-License-Identifier: BSD-2-Clause
#include "session2.hpp"

#include <stdexcept>

namespace conformance {
namespace {

Status from(fmi2Status status) { return static_cast<Status>(status); }

template <class T, class Function>
Status read(Function function, fmi2Component c, References references,
            std::vector<double>& values) {
  std::vector<T> buffer(references.size() + 1);
  const fmi2Status status = function(c, references.data(), references.size(), buffer.data());
  if (status == fmi2OK || status == fmi2Warning) {
    values.assign(buffer.begin(), buffer.end() - 1);
  }
  return from(status);
}

template <class T, class Function>
Status write(Function function, fmi2Component c, References references,
             const std::vector<double>& values) {
  std::vector<T> buffer(values.size() + 1);
  for (std::size_t i = 0; i < values.size(); ++i) buffer[i] = static_cast<T>(values[i]);
  return from(function(c, references.data(), references.size(), buffer.data()));
}

}  // namespace

Session2::Session2(const FmuLibrary& fmu, Kind kind) : Session(fmu, 2, kind) {
  callbacks_.logger = hear;
  callbacks_.componentEnvironment = this;
  component_ = instantiate();
  if (component_ == nullptr) throw std::runtime_error("no instance: " + messages());
}
Session2::~Session2() { f().fmi2FreeInstance(component_); }

fmi2Component Session2::instantiate() {
  return f().fmi2Instantiate("one", is_model_exchange() ? fmi2ModelExchange : fmi2CoSimulation,
                             description().instantiation_token.c_str(), nullptr, &callbacks_,
                             fmi2False, fmi2False);
}

void Session2::hear(fmi2ComponentEnvironment environment, fmi2String, fmi2Status, fmi2String,
                    fmi2String message, ...) {
  static_cast<Session2*>(environment)->log_ += std::string(message) + "\n";
}

Status Session2::do_set_up_experiment() {
  return from(f().fmi2SetupExperiment(component_, fmi2False, 0.0, start(), fmi2True, stop()));
}
Status Session2::do_enter_initialization() {
  return from(f().fmi2EnterInitializationMode(component_));
}
Status Session2::do_exit_initialization() {
  return from(f().fmi2ExitInitializationMode(component_));
}
Status Session2::do_enter_event_mode() { return from(f().fmi2EnterEventMode(component_)); }
Status Session2::do_update(Update& update) {
  fmi2EventInfo info{};
  const fmi2Status status = f().fmi2NewDiscreteStates(component_, &info);
  update = {.iterate = info.newDiscreteStatesNeeded != fmi2False,
            .terminate = info.terminateSimulation != fmi2False,
            .nominals = info.nominalsOfContinuousStatesChanged != fmi2False,
            .states = info.valuesOfContinuousStatesChanged != fmi2False,
            .defined = info.nextEventTimeDefined != fmi2False,
            .next = info.nextEventTime};
  return from(status);
}
Status Session2::do_enter_continuous_time_mode() {
  return from(f().fmi2EnterContinuousTimeMode(component_));
}
Status Session2::do_completed_step(bool& enter, bool& terminate) {
  fmi2Boolean event = fmi2False;
  fmi2Boolean end = fmi2False;
  const fmi2Status status = f().fmi2CompletedIntegratorStep(component_, fmi2False, &event, &end);
  enter = event != fmi2False;
  terminate = end != fmi2False;
  return from(status);
}
Status Session2::do_set_time(double time) { return from(f().fmi2SetTime(component_, time)); }

Status Session2::do_do_step(double size, Step& step) {
  const fmi2Status status = f().fmi2DoStep(component_, now.time, size, fmi2False);
  step = {.time = now.time + size};
  if (status == fmi2Discard) {
    fmi2Boolean terminated = fmi2False;
    if (f().fmi2GetBooleanStatus(component_, fmi2Terminated, &terminated) != fmi2OK ||
        f().fmi2GetRealStatus(component_, fmi2LastSuccessfulTime, &step.time) != fmi2OK) {
      return Status::error;
    }
    step.terminate = terminated != fmi2False;
  }
  return from(status);
}
Status Session2::do_terminate() { return from(f().fmi2Terminate(component_)); }
Status Session2::do_reset() { return from(f().fmi2Reset(component_)); }

Status Session2::do_get(Type type, References references, std::vector<double>& values) {
  switch (type) {
    case Type::float64:
      return read<fmi2Real>(f().fmi2GetReal, component_, references, values);
    case Type::boolean:
      return read<fmi2Boolean>(f().fmi2GetBoolean, component_, references, values);
    case Type::string: {
      std::vector<fmi2String> texts(references.size());
      const fmi2Status status =
          f().fmi2GetString(component_, references.data(), references.size(), texts.data());
      if (status == fmi2OK || status == fmi2Warning) {
        values.clear();
        for (const fmi2String text : texts) values.push_back(text_number(text));
      }
      return from(status);
    }
    default:
      return read<fmi2Integer>(f().fmi2GetInteger, component_, references, values);
  }
}

Status Session2::do_set(Type type, References references, const std::vector<double>& values) {
  switch (type) {
    case Type::float64:
      return write<fmi2Real>(f().fmi2SetReal, component_, references, values);
    case Type::boolean:
      return write<fmi2Boolean>(f().fmi2SetBoolean, component_, references, values);
    case Type::string: {
      std::vector<std::string> texts;
      for (const double value : values) texts.push_back(std::to_string(value));
      std::vector<fmi2String> strings;
      for (const std::string& text : texts) strings.push_back(text.c_str());
      return from(
          f().fmi2SetString(component_, references.data(), references.size(), strings.data()));
    }
    default:
      return write<fmi2Integer>(f().fmi2SetInteger, component_, references, values);
  }
}

Status Session2::do_set_states(std::span<const double> x) {
  return from(f().fmi2SetContinuousStates(component_, x.data(), x.size()));
}
Status Session2::do_get_states(std::span<double> x) {
  return from(f().fmi2GetContinuousStates(component_, x.data(), x.size()));
}
Status Session2::do_get_derivatives(std::span<double> dx) {
  return from(f().fmi2GetDerivatives(component_, dx.data(), dx.size()));
}
Status Session2::do_get_indicators(std::span<double> z) {
  return from(f().fmi2GetEventIndicators(component_, z.data(), z.size()));
}
Status Session2::do_get_nominals(std::span<double> x) {
  return from(f().fmi2GetNominalsOfContinuousStates(component_, x.data(), x.size()));
}
Status Session2::do_save(void*& handle) { return from(f().fmi2GetFMUstate(component_, &handle)); }
Status Session2::do_restore(void* handle) { return from(f().fmi2SetFMUstate(component_, handle)); }
Status Session2::do_free_saved(void*& handle) {
  return from(f().fmi2FreeFMUstate(component_, &handle));
}
Status Session2::do_serialized_size(void* handle, std::size_t& size) {
  return from(f().fmi2SerializedFMUstateSize(component_, handle, &size));
}
Status Session2::do_serialize(void* handle, std::span<std::uint8_t> bytes) {
  return from(f().fmi2SerializeFMUstate(component_, handle,
                                        reinterpret_cast<fmi2Byte*>(bytes.data()), bytes.size()));
}
Status Session2::do_deserialize(std::span<const std::uint8_t> bytes, void*& handle) {
  return from(f().fmi2DeSerializeFMUstate(
      component_, reinterpret_cast<const fmi2Byte*>(bytes.data()), bytes.size(), &handle));
}
Status Session2::do_directional(References unknowns, References knowns,
                                std::span<const double> seed, std::span<double> sensitivity) {
  return from(f().fmi2GetDirectionalDerivative(component_, unknowns.data(), unknowns.size(),
                                               knowns.data(), knowns.size(), seed.data(),
                                               sensitivity.data()));
}

std::unique_ptr<Session> make_session2(const FmuLibrary& fmu, Kind kind) {
  return std::make_unique<Session2>(fmu, kind);
}

}  // namespace conformance

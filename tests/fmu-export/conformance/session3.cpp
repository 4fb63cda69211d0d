// SPDX-License-Identifier: BSD-2-Clause
#include "session3.hpp"

#include <stdexcept>

namespace conformance {
namespace {

Status from(fmi3Status status) { return static_cast<Status>(status); }

template <class T, class Function>
Status read(Function function, fmi3Instance instance, References references, std::size_t count,
            std::vector<double>& values) {
  const auto buffer = std::make_unique<T[]>(count + 1);
  const fmi3Status status =
      function(instance, references.data(), references.size(), buffer.get(), count);
  if (status == fmi3OK || status == fmi3Warning) {
    values.resize(count);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(buffer[i]);
  }
  return from(status);
}

template <class T, class Function>
Status write(Function function, fmi3Instance instance, References references,
             const std::vector<double>& values) {
  const auto buffer = std::make_unique<T[]>(values.size() + 1);
  for (std::size_t i = 0; i < values.size(); ++i) buffer[i] = static_cast<T>(values[i]);
  return from(
      function(instance, references.data(), references.size(), buffer.get(), values.size()));
}

}  // namespace

Session3::Session3(const FmuLibrary& fmu, Kind kind) : Session(fmu, 3, kind) {
  for (const Variable& variable : description().variables) {
    if (variable.intermediate_update) announced_.push_back(variable.reference);
  }
  instance_ = instantiate(kind);
  if (instance_ == nullptr) throw std::runtime_error("no instance: " + messages());
}
Session3::~Session3() { f().fmi3FreeInstance(instance_); }

fmi3Instance Session3::instantiate(Kind kind) {
  const char* token = description().instantiation_token.c_str();
  if (kind == Kind::model_exchange) {
    return f().fmi3InstantiateModelExchange("one", token, nullptr, fmi3False, fmi3False, this,
                                            hear);
  }
  return f().fmi3InstantiateCoSimulation(
      "one", token, nullptr, fmi3False, fmi3False, kind == Kind::co_simulation_with_events,
      fmi3True, announced_.data(), announced_.size(), this, hear, intermediate_update);
}

void Session3::hear(fmi3InstanceEnvironment environment, fmi3Status, fmi3String,
                    fmi3String message) {
  static_cast<Session3*>(environment)->log_ += std::string(message) + "\n";
}

void Session3::intermediate_update(fmi3InstanceEnvironment environment, fmi3Float64 time,
                                   fmi3Boolean set_requested, fmi3Boolean, fmi3Boolean, fmi3Boolean,
                                   fmi3Boolean* requested, fmi3Float64* return_time) {
  *requested = fmi3False;
  *return_time = time;
  auto& self = *static_cast<Session3*>(environment);
  if (!self.in_intermediate_update) return;
  self.now.state = State::intermediate_update;
  self.now.inputs_wanted = set_requested;
  self.now.values_set = false;
  self.in_intermediate_update();
  if (self.now.state == State::intermediate_update) self.now.state = State::step;
}

Status Session3::do_enter_initialization() {
  return from(
      f().fmi3EnterInitializationMode(instance_, fmi3False, 0.0, start(), fmi3True, stop()));
}
Status Session3::do_exit_initialization() {
  return from(f().fmi3ExitInitializationMode(instance_));
}
Status Session3::do_enter_event_mode() { return from(f().fmi3EnterEventMode(instance_)); }
Status Session3::do_update(Update& update) {
  return from(f().fmi3UpdateDiscreteStates(instance_, &update.iterate, &update.terminate,
                                           &update.nominals, &update.states, &update.defined,
                                           &update.next));
}
Status Session3::do_enter_continuous_time_mode() {
  return from(f().fmi3EnterContinuousTimeMode(instance_));
}
Status Session3::do_enter_step_mode() { return from(f().fmi3EnterStepMode(instance_)); }
Status Session3::do_completed_step(bool& enter, bool& terminate) {
  return from(f().fmi3CompletedIntegratorStep(instance_, fmi3False, &enter, &terminate));
}
Status Session3::do_set_time(double time) { return from(f().fmi3SetTime(instance_, time)); }
Status Session3::do_do_step(double size, Step& step) {
  return from(f().fmi3DoStep(instance_, now.time, size, fmi3False, &step.event, &step.terminate,
                             &step.early, &step.time));
}
Status Session3::do_terminate() { return from(f().fmi3Terminate(instance_)); }
Status Session3::do_reset() { return from(f().fmi3Reset(instance_)); }

Status Session3::do_get(Type type, References references, std::vector<double>& values) {
  const std::size_t count = number_of_values(references);
  switch (type) {
    case Type::float64:
      return read<double>(f().fmi3GetFloat64, instance_, references, count, values);
    case Type::float32:
      return read<float>(f().fmi3GetFloat32, instance_, references, count, values);
    case Type::int8:
      return read<std::int8_t>(f().fmi3GetInt8, instance_, references, count, values);
    case Type::uint8:
      return read<std::uint8_t>(f().fmi3GetUInt8, instance_, references, count, values);
    case Type::int16:
      return read<std::int16_t>(f().fmi3GetInt16, instance_, references, count, values);
    case Type::uint16:
      return read<std::uint16_t>(f().fmi3GetUInt16, instance_, references, count, values);
    case Type::int32:
      return read<std::int32_t>(f().fmi3GetInt32, instance_, references, count, values);
    case Type::uint32:
      return read<std::uint32_t>(f().fmi3GetUInt32, instance_, references, count, values);
    case Type::int64:
    case Type::enumeration:
      return read<std::int64_t>(f().fmi3GetInt64, instance_, references, count, values);
    case Type::uint64:
      return read<std::uint64_t>(f().fmi3GetUInt64, instance_, references, count, values);
    case Type::boolean:
      return read<bool>(f().fmi3GetBoolean, instance_, references, count, values);
    case Type::string:
    case Type::binary:
      break;
  }
  return read_texts(type, references, values);
}

Status Session3::read_texts(Type type, References references, std::vector<double>& values) {
  const std::size_t count = references.size();
  std::vector<fmi3String> strings(count);
  std::vector<fmi3Binary> binaries(count);
  std::vector<std::size_t> sizes(count);
  const fmi3Status status =
      type == Type::string
          ? f().fmi3GetString(instance_, references.data(), count, strings.data(), count)
          : f().fmi3GetBinary(instance_, references.data(), count, sizes.data(), binaries.data(),
                              count);
  if (status == fmi3OK || status == fmi3Warning) {
    values.clear();
    for (std::size_t i = 0; i < count; ++i) {
      values.push_back(text_number(
          type == Type::string
              ? std::string_view(strings[i])
              : std::string_view(reinterpret_cast<const char*>(binaries[i]), sizes[i])));
    }
  }
  return from(status);
}

Status Session3::write_texts(Type type, References references, const std::vector<double>& values) {
  std::vector<std::string> texts;
  for (const double value : values) texts.push_back(std::to_string(value));
  std::vector<fmi3String> strings;
  std::vector<fmi3Binary> binaries;
  std::vector<std::size_t> sizes;
  for (const std::string& text : texts) {
    strings.push_back(text.c_str());
    binaries.push_back(reinterpret_cast<fmi3Binary>(text.data()));
    sizes.push_back(text.size());
  }
  return from(type == Type::string
                  ? f().fmi3SetString(instance_, references.data(), references.size(),
                                      strings.data(), strings.size())
                  : f().fmi3SetBinary(instance_, references.data(), references.size(), sizes.data(),
                                      binaries.data(), binaries.size()));
}

Status Session3::do_set(Type type, References references, const std::vector<double>& values) {
  switch (type) {
    case Type::float64:
      return write<double>(f().fmi3SetFloat64, instance_, references, values);
    case Type::float32:
      return write<float>(f().fmi3SetFloat32, instance_, references, values);
    case Type::int8:
      return write<std::int8_t>(f().fmi3SetInt8, instance_, references, values);
    case Type::uint8:
      return write<std::uint8_t>(f().fmi3SetUInt8, instance_, references, values);
    case Type::int16:
      return write<std::int16_t>(f().fmi3SetInt16, instance_, references, values);
    case Type::uint16:
      return write<std::uint16_t>(f().fmi3SetUInt16, instance_, references, values);
    case Type::int32:
      return write<std::int32_t>(f().fmi3SetInt32, instance_, references, values);
    case Type::uint32:
      return write<std::uint32_t>(f().fmi3SetUInt32, instance_, references, values);
    case Type::int64:
    case Type::enumeration:
      return write<std::int64_t>(f().fmi3SetInt64, instance_, references, values);
    case Type::uint64:
      return write<std::uint64_t>(f().fmi3SetUInt64, instance_, references, values);
    case Type::boolean:
      return write<bool>(f().fmi3SetBoolean, instance_, references, values);
    case Type::string:
    case Type::binary:
      break;
  }
  return write_texts(type, references, values);
}

Status Session3::do_set_states(std::span<const double> x) {
  return from(f().fmi3SetContinuousStates(instance_, x.data(), x.size()));
}
Status Session3::do_get_states(std::span<double> x) {
  return from(f().fmi3GetContinuousStates(instance_, x.data(), x.size()));
}
Status Session3::do_get_derivatives(std::span<double> dx) {
  return from(f().fmi3GetContinuousStateDerivatives(instance_, dx.data(), dx.size()));
}
Status Session3::do_get_indicators(std::span<double> z) {
  return from(f().fmi3GetEventIndicators(instance_, z.data(), z.size()));
}
Status Session3::do_get_nominals(std::span<double> x) {
  return from(f().fmi3GetNominalsOfContinuousStates(instance_, x.data(), x.size()));
}
Status Session3::do_save(void*& handle) { return from(f().fmi3GetFMUState(instance_, &handle)); }
Status Session3::do_restore(void* handle) { return from(f().fmi3SetFMUState(instance_, handle)); }
Status Session3::do_free_saved(void*& handle) {
  return from(f().fmi3FreeFMUState(instance_, &handle));
}
Status Session3::do_serialized_size(void* handle, std::size_t& size) {
  return from(f().fmi3SerializedFMUStateSize(instance_, handle, &size));
}
Status Session3::do_serialize(void* handle, std::span<std::uint8_t> bytes) {
  return from(f().fmi3SerializeFMUState(instance_, handle, bytes.data(), bytes.size()));
}
Status Session3::do_deserialize(std::span<const std::uint8_t> bytes, void*& handle) {
  return from(f().fmi3DeserializeFMUState(instance_, bytes.data(), bytes.size(), &handle));
}
Status Session3::do_directional(References unknowns, References knowns,
                                std::span<const double> seed, std::span<double> sensitivity) {
  return from(f().fmi3GetDirectionalDerivative(
      instance_, unknowns.data(), unknowns.size(), knowns.data(), knowns.size(), seed.data(),
      seed.size(), sensitivity.data(), sensitivity.size()));
}

std::unique_ptr<Session> make_session3(const FmuLibrary& fmu, Kind kind) {
  return std::make_unique<Session3>(fmu, kind);
}

}  // namespace conformance

// SPDX-License-Identifier: BSD-2-Clause
// The calls that read and write variables of FMI 2.0: four base types, no arrays.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>
#include <type_traits>

#include "call_text.hpp"
#include "fmi2_instance.hpp"

namespace saltus::importer {
namespace {

/// A truth value, which has the C type of an integer.
struct Fmi2Boolean {
  fmi2Boolean value;
};
static_assert(sizeof(Fmi2Boolean) == sizeof(fmi2Boolean));

/// C++ type -> pair of functions.
template <class Type>
struct Fmi2Accessor;
#define SALTUS_FMI2_ACCESSOR(Type, Suffix)                                           \
  template <>                                                                        \
  struct Fmi2Accessor<Type> {                                                        \
    using Native = fmi2##Suffix;                                                     \
    static constexpr const char* kGet = "fmi2Get" #Suffix;                           \
    static constexpr const char* kSet = "fmi2Set" #Suffix;                           \
    static auto getter(const Fmi2Functions& table) { return table.fmi2Get##Suffix; } \
    static auto setter(const Fmi2Functions& table) { return table.fmi2Set##Suffix; } \
  };
SALTUS_FMI2_ACCESSOR(double, Real)
SALTUS_FMI2_ACCESSOR(fmi2Integer, Integer)
SALTUS_FMI2_ACCESSOR(Fmi2Boolean, Boolean)
SALTUS_FMI2_ACCESSOR(const char*, String)
#undef SALTUS_FMI2_ACCESSOR

std::string show(Fmi2Boolean value) { return fmt::format("{}", value.value); }

}  // namespace

std::span<const fmi2ValueReference> Fmi2Instance::native(
    std::span<const ValueReference> references) {
  native_.resize(references.size());
  const std::vector<Variable>& variables = description().variables;
  for (std::size_t i = 0; i < references.size(); ++i) {
    native_[i] = variables[references[i]].binary_reference;
  }
  return native_;
}

template <class Type>
Eval Fmi2Instance::get(std::span<const ValueReference> references, std::span<Type> values) {
  begin(Fmi2Accessor<Type>::kGet);
  const auto vr = native(references);
  auto* first = reinterpret_cast<typename Fmi2Accessor<Type>::Native*>(values.data());
  const fmi2Status status =
      Fmi2Accessor<Type>::getter(functions_)(handle_, vr.data(), vr.size(), first);
  return finish(
      Fmi2Accessor<Type>::kGet, status, [&] { return list("vr", vr); },
      [&] { return status > fmi2Warning ? std::string() : shown(values); });
}

template <class Type>
Eval Fmi2Instance::set(std::span<const ValueReference> references, std::span<const Type> values) {
  begin(Fmi2Accessor<Type>::kSet);
  const auto vr = native(references);
  const auto* first = reinterpret_cast<const typename Fmi2Accessor<Type>::Native*>(values.data());
  const fmi2Status status =
      Fmi2Accessor<Type>::setter(functions_)(handle_, vr.data(), vr.size(), first);
  return finish(
      Fmi2Accessor<Type>::kSet, status, [&] { return list("vr", vr) + ", " + shown(values); },
      kNothing);
}

Eval Fmi2Instance::get_numbers(VariableType type, std::span<const ValueReference> references,
                               Vec numbers) {
  if (type == VariableType::float64) {
    const Vec room = room_for(numbers);
    const Eval eval = get<double>(references, room);
    bring_home(room, numbers);
    return eval;
  }
  Eval eval = Eval::ok;
  if (type == VariableType::boolean) {
    const auto values = scratch<Fmi2Boolean>(numbers.size());
    eval = get<Fmi2Boolean>(references, values);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = values[i].value != 0 ? 1.0 : 0.0;
  } else {
    const auto values = scratch<fmi2Integer>(numbers.size());
    eval = get<fmi2Integer>(references, values);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = values[i];
  }
  return eval;
}

Eval Fmi2Instance::set_numbers(VariableType type, std::span<const ValueReference> references,
                               ConstVec numbers) {
  if (type == VariableType::float64) return set<double>(references, numbers);
  if (type == VariableType::boolean) {
    const auto values = scratch<Fmi2Boolean>(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      values[i].value = std::get<bool>(from_number(type, numbers[i])) ? fmi2True : fmi2False;
    }
    return set<Fmi2Boolean>(references, values);
  }
  const auto values = scratch<fmi2Integer>(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    values[i] = std::get<std::int32_t>(from_number(VariableType::int32, numbers[i]));
  }
  return set<fmi2Integer>(references, values);
}

Value Fmi2Instance::read(const Variable& variable) {
  const std::span<const ValueReference> reference(&variable.reference, 1);
  if (variable.type == VariableType::string) {
    const char* text = nullptr;
    require(get<const char*>(reference, std::span(&text, 1)), "fmi2GetString");
    return {std::string(text != nullptr ? text : "")};
  }
  double number = 0.0;
  require(get_numbers(variable.type, reference, Vec(&number, 1)), "fmi2Get of a variable");
  return {from_number(variable.type, number)};
}

void Fmi2Instance::write(const Variable& variable, const Value& value) {
  note_change();
  const std::span<const ValueReference> reference(&variable.reference, 1);
  if (variable.type == VariableType::string) {
    const char* text = std::get<std::string>(value.front()).c_str();
    require(set<const char*>(reference, std::span<const char* const>(&text, 1)), "fmi2SetString");
    return;
  }
  const double number = to_number(value.front());
  require(set_numbers(variable.type, reference, ConstVec(&number, 1)), "fmi2Set of a variable");
}

bool Fmi2Instance::has_directional_derivatives() {
  return description().model_exchange &&
         description().model_exchange->provides_directional_derivatives &&
         functions_.fmi2GetDirectionalDerivative != nullptr;
}

Eval Fmi2Instance::directional_derivative(std::span<const ValueReference> unknowns,
                                          std::span<const ValueReference> knowns, ConstVec seed,
                                          Vec sensitivity) {
  begin("fmi2GetDirectionalDerivative");
  const auto mapped = native(unknowns);
  const std::vector<fmi2ValueReference> wanted(mapped.begin(), mapped.end());
  const auto given = native(knowns);
  const fmi2Status status =
      functions_.fmi2GetDirectionalDerivative(handle_, wanted.data(), wanted.size(), given.data(),
                                              given.size(), seed.data(), sensitivity.data());
  return finish(
      "fmi2GetDirectionalDerivative", status,
      [&] {
        return fmt::format("{}, {}, {}", list("vUnknown_ref", wanted), list("vKnown_ref", given),
                           list("dvKnown", seed));
      },
      [&] { return list("dvUnknown", sensitivity); });
}

}  // namespace saltus::importer

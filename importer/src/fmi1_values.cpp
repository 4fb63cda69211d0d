// SPDX-License-Identifier: BSD-2-Clause
// The calls that read and write variables of FMI 1.0: four base types, no arrays, and names for the
// negative of another variable.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "call_text.hpp"
#include "fmi1_instance.hpp"

namespace saltus::importer {
namespace {

/// C++ type -> pair of functions.
template <class Type>
struct Fmi1Accessor;
#define SALTUS_FMI1_ACCESSOR(Type, Suffix)                                           \
  template <>                                                                        \
  struct Fmi1Accessor<Type> {                                                        \
    static constexpr const char* kGet = "fmiGet" #Suffix;                            \
    static constexpr const char* kSet = "fmiSet" #Suffix;                            \
    static auto getter(const Fmi1Functions& table) { return table.fmi1Get##Suffix; } \
    static auto setter(const Fmi1Functions& table) { return table.fmi1Set##Suffix; } \
  };
SALTUS_FMI1_ACCESSOR(double, Real)
SALTUS_FMI1_ACCESSOR(fmi1Integer, Integer)
SALTUS_FMI1_ACCESSOR(fmi1Boolean, Boolean)
SALTUS_FMI1_ACCESSOR(const char*, String)
#undef SALTUS_FMI1_ACCESSOR

/// What the binary holds for a value, and the other way round.
double negated(VariableType type, double number) {
  return type == VariableType::boolean ? 1.0 - number : -number;
}

}  // namespace

std::span<const fmi1ValueReference> Fmi1Instance::native(
    std::span<const ValueReference> references) {
  native_.resize(references.size());
  const std::vector<Variable>& variables = description().variables;
  for (std::size_t i = 0; i < references.size(); ++i) {
    native_[i] = variables[references[i]].binary_reference;
  }
  return native_;
}

template <class Type>
Eval Fmi1Instance::get(std::span<const ValueReference> references, std::span<Type> values) {
  begin(Fmi1Accessor<Type>::kGet);
  const auto vr = native(references);
  const fmi1Status status =
      Fmi1Accessor<Type>::getter(functions_)(handle_, vr.data(), vr.size(), values.data());
  return finish(
      Fmi1Accessor<Type>::kGet, status, [&] { return list("vr", vr); },
      [&] { return status > fmi1Warning ? std::string() : shown(values); });
}

template <class Type>
Eval Fmi1Instance::set(std::span<const ValueReference> references, std::span<const Type> values) {
  begin(Fmi1Accessor<Type>::kSet);
  initial_update_.reset();
  const auto vr = native(references);
  const fmi1Status status =
      Fmi1Accessor<Type>::setter(functions_)(handle_, vr.data(), vr.size(), values.data());
  return finish(
      Fmi1Accessor<Type>::kSet, status, [&] { return list("vr", vr) + ", " + shown(values); },
      kNothing);
}

Eval Fmi1Instance::get_numbers(VariableType type, std::span<const ValueReference> references,
                               Vec numbers) {
  Eval eval = Eval::ok;
  if (type == VariableType::float64) {
    eval = get<double>(references, numbers);
  } else if (type == VariableType::boolean) {
    const auto values = scratch<fmi1Boolean>(numbers.size());
    eval = get<fmi1Boolean>(references, values);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = values[i] != 0 ? 1.0 : 0.0;
  } else {
    const auto values = scratch<fmi1Integer>(numbers.size());
    eval = get<fmi1Integer>(references, values);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = values[i];
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (is_negated(references[i])) numbers[i] = negated(type, numbers[i]);
  }
  return eval;
}

Eval Fmi1Instance::set_numbers(VariableType type, std::span<const ValueReference> references,
                               ConstVec numbers) {
  const auto held = [&](std::size_t i) {
    return is_negated(references[i]) ? negated(type, numbers[i]) : numbers[i];
  };
  if (type == VariableType::float64) {
    const auto values = scratch<double>(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) values[i] = held(i);
    return set<double>(references, values);
  }
  if (type == VariableType::boolean) {
    const auto values = scratch<fmi1Boolean>(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      values[i] = std::get<bool>(from_number(type, held(i))) ? fmi1True : fmi1False;
    }
    return set<fmi1Boolean>(references, values);
  }
  const auto values = scratch<fmi1Integer>(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    values[i] = std::get<std::int32_t>(from_number(VariableType::int32, held(i)));
  }
  return set<fmi1Integer>(references, values);
}

Value Fmi1Instance::read(const Variable& variable) {
  const std::span<const ValueReference> reference(&variable.reference, 1);
  if (variable.type == VariableType::string) {
    const char* text = nullptr;
    require(get<const char*>(reference, std::span(&text, 1)), "fmiGetString");
    return {std::string(text != nullptr ? text : "")};
  }
  double number = 0.0;
  require(get_numbers(variable.type, reference, Vec(&number, 1)), "fmiGet of a variable");
  return {from_number(variable.type, number)};
}

void Fmi1Instance::write(const Variable& variable, const Value& value) {
  note_change();
  const std::span<const ValueReference> reference(&variable.reference, 1);
  if (variable.type == VariableType::string) {
    const char* text = std::get<std::string>(value.front()).c_str();
    require(set<const char*>(reference, std::span<const char* const>(&text, 1)), "fmiSetString");
    return;
  }
  const double number = to_number(value.front());
  require(set_numbers(variable.type, reference, ConstVec(&number, 1)), "fmiSet of a variable");
}

}  // namespace saltus::importer

// SPDX-License-Identifier: BSD-2-Clause
// The calls that read and write variables, for all types.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <type_traits>

#include "call_text.hpp"
#include "fmi3_instance.hpp"
#include "saltus/core/error.hpp"

namespace saltus::importer {
namespace {

/// C++ type -> pair of functions.
template <class Type>
struct Accessor;
#define SALTUS_ACCESSOR(Type, Suffix)                                                \
  template <>                                                                        \
  struct Accessor<Type> {                                                            \
    static constexpr const char* kGet = "fmi3Get" #Suffix;                           \
    static constexpr const char* kSet = "fmi3Set" #Suffix;                           \
    static auto getter(const Fmi3Functions& table) { return table.fmi3Get##Suffix; } \
    static auto setter(const Fmi3Functions& table) { return table.fmi3Set##Suffix; } \
  };
SALTUS_ACCESSOR(float, Float32)
SALTUS_ACCESSOR(double, Float64)
SALTUS_ACCESSOR(std::int8_t, Int8)
SALTUS_ACCESSOR(std::uint8_t, UInt8)
SALTUS_ACCESSOR(std::int16_t, Int16)
SALTUS_ACCESSOR(std::uint16_t, UInt16)
SALTUS_ACCESSOR(std::int32_t, Int32)
SALTUS_ACCESSOR(std::uint32_t, UInt32)
SALTUS_ACCESSOR(std::int64_t, Int64)
SALTUS_ACCESSOR(std::uint64_t, UInt64)
SALTUS_ACCESSOR(bool, Boolean)
SALTUS_ACCESSOR(const char*, String)
#undef SALTUS_ACCESSOR

/// Calls `body` with a value of the C++ type that belongs to a numeric FMI type.
template <class Body>
decltype(auto) with_type(VariableType type, const Body& body) {
  switch (type) {
    case VariableType::float32:
      return body(float{});
    case VariableType::int8:
      return body(std::int8_t{});
    case VariableType::uint8:
      return body(std::uint8_t{});
    case VariableType::int16:
      return body(std::int16_t{});
    case VariableType::uint16:
      return body(std::uint16_t{});
    case VariableType::int32:
      return body(std::int32_t{});
    case VariableType::uint32:
      return body(std::uint32_t{});
    case VariableType::int64:
    case VariableType::enumeration:
      return body(std::int64_t{});
    case VariableType::uint64:
      return body(std::uint64_t{});
    case VariableType::boolean:
      return body(bool{});
    default:
      return body(double{});
  }
}

/// An FMU may answer NULL instead of an empty text.
template <class Pointer>
std::string list_of_texts(const char* name, std::span<Pointer> texts) {
  std::vector<std::string> quoted;
  for (const char* text : texts)
    quoted.push_back(text != nullptr ? fmt::format("\"{}\"", text) : "NULL");
  return list(name, quoted);
}
std::string list(const char* name, std::span<const char*> texts) {
  return list_of_texts(name, texts);
}
std::string list(const char* name, std::span<const char* const> texts) {
  return list_of_texts(name, texts);
}

}  // namespace

template <class Type>
Eval Fmi3Instance::get(std::span<const ValueReference> references, std::span<Type> values) {
  begin(Accessor<Type>::kGet);
  const fmi3Status status = Accessor<Type>::getter(functions_)(
      handle_, references.data(), references.size(), values.data(), values.size());
  return finish(
      Accessor<Type>::kGet, status, [&] { return list("valueReferences", references); },
      [&] { return status > fmi3Warning ? std::string() : list("values", values); });
}

template <class Type>
Eval Fmi3Instance::set(std::span<const ValueReference> references, std::span<const Type> values) {
  begin(Accessor<Type>::kSet);
  const fmi3Status status = Accessor<Type>::setter(functions_)(
      handle_, references.data(), references.size(), values.data(), values.size());
  return finish(
      Accessor<Type>::kSet, status,
      [&] { return list("valueReferences", references) + ", " + list("values", values); },
      [] { return std::string(); });
}

Eval Fmi3Instance::get_numbers(VariableType type, std::span<const ValueReference> references,
                               Vec numbers) {
  if (type == VariableType::float64) {
    const Vec room = room_for(numbers);
    const Eval eval = get<double>(references, room);
    bring_home(room, numbers);
    return eval;
  }
  return with_type(type, [&](auto zero) {
    using Type = decltype(zero);
    const std::span<Type> values = scratch<Type>(numbers.size());
    const Eval eval = get<Type>(references, values);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(values[i]);
    return eval;
  });
}

Eval Fmi3Instance::set_numbers(VariableType type, std::span<const ValueReference> references,
                               ConstVec numbers) {
  if (type == VariableType::float64) return set<double>(references, numbers);
  return with_type(type, [&](auto zero) {
    using Type = decltype(zero);
    const std::span<Type> values = scratch<Type>(numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      values[i] = std::get<Type>(from_number(type, numbers[i]));
    }
    return set<Type>(references, values);
  });
}

Value Fmi3Instance::read(const Variable& variable) {
  const std::span<const ValueReference> reference(&variable.reference, 1);
  const std::size_t count = element_count(variable);
  Value result;
  if (variable.type == VariableType::string) {
    const std::span<const char*> texts = scratch<const char*>(count);
    std::fill(texts.begin(), texts.end(), nullptr);
    require(get<const char*>(reference, texts), "fmi3GetString");
    for (const char* text : texts) result.emplace_back(std::string(text != nullptr ? text : ""));
  } else if (variable.type == VariableType::binary) {
    std::vector<std::size_t> lengths(count, 0);
    std::vector<fmi3Binary> bytes(count, nullptr);
    begin("fmi3GetBinary");
    const fmi3Status status =
        functions_.fmi3GetBinary(handle_, reference.data(), 1, lengths.data(), bytes.data(), count);
    require(finish(
                "fmi3GetBinary", status, [&] { return list("valueReferences", reference); },
                [&] { return list("valueSizes", lengths); }),
            "fmi3GetBinary");
    for (std::size_t i = 0; i < count; ++i) {
      Binary binary;
      if (bytes[i] != nullptr) binary.bytes.assign(bytes[i], bytes[i] + lengths[i]);
      result.emplace_back(std::move(binary));
    }
  } else if (variable.type == VariableType::clock) {
    throw std::invalid_argument(fmt::format("\"{}\" is a clock", variable.name));
  } else {
    with_type(variable.type, [&](auto zero) {
      using Type = decltype(zero);
      const std::span<Type> values = scratch<Type>(count);
      require(get<Type>(reference, values), Accessor<Type>::kGet);
      result.assign(values.begin(), values.end());
    });
  }
  return result;
}

void Fmi3Instance::write(const Variable& variable, const Value& value) {
  note_change();
  const std::span<const ValueReference> reference(&variable.reference, 1);
  if (variable.type == VariableType::string) {
    std::vector<const char*> texts;
    for (const Scalar& scalar : value) texts.push_back(std::get<std::string>(scalar).c_str());
    require(set<const char*>(reference, texts), "fmi3SetString");
  } else if (variable.type == VariableType::binary) {
    std::vector<std::size_t> lengths;
    std::vector<fmi3Binary> bytes;
    for (const Scalar& scalar : value) {
      lengths.push_back(std::get<Binary>(scalar).bytes.size());
      bytes.push_back(std::get<Binary>(scalar).bytes.data());
    }
    begin("fmi3SetBinary");
    const fmi3Status status = functions_.fmi3SetBinary(handle_, reference.data(), 1, lengths.data(),
                                                       bytes.data(), bytes.size());
    require(
        finish(
            "fmi3SetBinary", status,
            [&] { return list("valueReferences", reference) + ", " + list("valueSizes", lengths); },
            [] { return std::string(); }),
        "fmi3SetBinary");
  } else {
    with_type(variable.type, [&](auto zero) {
      using Type = decltype(zero);
      const std::span<Type> values = scratch<Type>(value.size());
      for (std::size_t i = 0; i < value.size(); ++i) values[i] = std::get<Type>(value[i]);
      require(set<Type>(reference, values), Accessor<Type>::kSet);
    });
  }
  if (mode_ == Mode::configuration) note_size(variable, value);
}

}  // namespace saltus::importer

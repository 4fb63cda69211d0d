// SPDX-License-Identifier: BSD-2-Clause
#include "fmi2/values.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "call_error.hpp"

namespace saltus::fmu_export::fmi2 {
namespace {

static_assert(sizeof(fmi2Integer) == sizeof(std::int32_t));

bool is_wide(const Instance& instance, Reference reference) {
  const modeling::Variable* v = instance.variable(reference);
  return v != nullptr && v->type == modeling::Variable::Type::int64;
}

Eval get_wide(Instance& instance, Reference reference, fmi2Integer& value) {
  std::int64_t wide = 0;
  if (instance.get(References(&reference, 1), std::span(&wide, 1)) == Eval::discard) {
    return Eval::discard;
  }
  if (!std::in_range<fmi2Integer>(wide)) {
    throw CallError(instance.described(reference) + " is " + std::to_string(wide) +
                    ", which does not fit into the 32 bits of an Integer of FMI 2.0; FMI 3.0 has "
                    "an Int64");
  }
  value = static_cast<fmi2Integer>(wide);
  return Eval::ok;
}

}  // namespace

Eval get_integers(Instance& instance, References references, std::span<fmi2Integer> values) {
  for (std::size_t i = 0; i < references.size(); ++i) {
    const Eval answer = is_wide(instance, references[i])
                            ? get_wide(instance, references[i], values[i])
                            : instance.get(references.subspan(i, 1), values.subspan(i, 1));
    if (answer == Eval::discard) {
      return Eval::discard;
    }
  }
  return Eval::ok;
}

void set_integers(Instance& instance, References references, std::span<const fmi2Integer> values) {
  std::vector<Reference> narrow_references, wide_references;
  std::vector<std::int32_t> narrow;
  std::vector<std::int64_t> wide;
  for (std::size_t i = 0; i < references.size(); ++i) {
    if (is_wide(instance, references[i])) {
      wide_references.push_back(references[i]);
      wide.push_back(values[i]);
    } else {
      narrow_references.push_back(references[i]);
      narrow.push_back(values[i]);
    }
  }
  instance.set(narrow_references, std::span<const std::int32_t>(narrow));
  instance.set(wide_references, std::span<const std::int64_t>(wide));
}

Eval get_booleans(Instance& instance, References references, std::span<fmi2Boolean> values) {
  const auto truths = std::make_unique<bool[]>(values.size());
  const Eval answer = instance.get(references, std::span(truths.get(), values.size()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = truths[i] ? fmi2True : fmi2False;
  }
  return answer;
}

void set_booleans(Instance& instance, References references, std::span<const fmi2Boolean> values) {
  const auto truths = std::make_unique<bool[]>(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    truths[i] = values[i] != fmi2False;
  }
  instance.set(references, std::span<const bool>(truths.get(), values.size()));
}

}  // namespace saltus::fmu_export::fmi2

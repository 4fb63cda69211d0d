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

using Type = modeling::Variable::Type;

static_assert(sizeof(fmi2Integer) == sizeof(std::int32_t));

bool is_unsigned_long(const Instance& instance, Reference reference) {
  const modeling::Variable* v = instance.variable(reference);
  return v != nullptr && v->type == Type::uint64;
}

WholeArray wide(std::int64_t* first, std::size_t count) {
  return {Type::int32, Type::int64, first, count, sizeof *first};
}

}  // namespace

Eval get_integers(Instance& instance, References references, std::span<fmi2Integer> values) {
  for (std::size_t i = 0; i < references.size(); ++i) {
    std::int64_t value = 0;
    if (instance.get(references.subspan(i, 1), wide(&value, 1)) == Eval::discard) {
      return Eval::discard;
    }
    const bool is_unsigned = is_unsigned_long(instance, references[i]);
    if (!std::in_range<fmi2Integer>(value) || (is_unsigned && value < 0)) {
      throw CallError(instance.described(references[i]) + " is " +
                      modeling::whole_text(*instance.variable(references[i]), value) +
                      ", which does not fit into the 32 bits of an Integer of FMI 2.0; FMI 3.0 has "
                      "larger ones");
    }
    values[i] = static_cast<fmi2Integer>(value);
  }
  return Eval::ok;
}

void set_integers(Instance& instance, References references, std::span<const fmi2Integer> values) {
  std::vector<std::int64_t> all(values.begin(), values.end());
  for (std::size_t i = 0; i < references.size(); ++i) {
    if (all[i] < 0 && is_unsigned_long(instance, references[i])) {
      throw CallError(instance.described(references[i]) + " cannot be " + std::to_string(all[i]) +
                      ": it is never negative");
    }
  }
  instance.set(references, wide(all.data(), all.size()));
}

Eval get_booleans(Instance& instance, References references, std::span<fmi2Boolean> values) {
  for (std::size_t i = 0; i < references.size(); ++i) {
    bool truth = false;
    if (instance.get(references.subspan(i, 1), WholeArray{Type::boolean, Type::boolean, &truth, 1,
                                                          sizeof truth}) == Eval::discard) {
      return Eval::discard;
    }
    values[i] = truth ? fmi2True : fmi2False;
  }
  return Eval::ok;
}

void set_booleans(Instance& instance, References references, std::span<const fmi2Boolean> values) {
  const auto truths = std::make_unique<bool[]>(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    truths[i] = values[i] != fmi2False;
  }
  instance.set(references,
               WholeArray{Type::boolean, Type::boolean, truths.get(), values.size(), sizeof(bool)});
}

}  // namespace saltus::fmu_export::fmi2

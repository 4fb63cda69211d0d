// SPDX-License-Identifier: BSD-2-Clause
#include <stdexcept>

#include "saltus/modeling/variables.hpp"

namespace saltus::modeling {

void throw_overflow(const std::string& value, Variable::Type type) {
  const WholeRange range = range_of(type);
  Variable variable;
  variable.type = type;
  throw std::range_error("a Discrete that holds " + whole_text(variable, range.lowest) + " to " +
                         whole_text(variable, range.highest) + " cannot become " + value +
                         ": give it a larger type, or limit what is assigned to it");
}

void throw_no_item(std::int64_t value, const EnumerationType& type) {
  throw std::range_error("a Discrete<" + std::string(type.name) + "> cannot become " +
                         std::to_string(value) +
                         ", which is none of its items: enumerators beyond 63 or below zero are "
                         "named in a specialization of EnumerationNames");
}

}  // namespace saltus::modeling

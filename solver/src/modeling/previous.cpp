// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/core/mistakes.hpp"
#include "saltus/modeling/variables.hpp"

namespace saltus::modeling {

std::int64_t WholesBefore::at(const void* place) const {
  for (std::size_t i = 0; i < members_.wholes.size(); ++i) {
    if (members_.wholes[i].where == place) {
      check(false, i);
      return values_.wholes()[i];
    }
  }
  throw_no_previous("what is no variable");
}

void WholesBefore::check(bool is_number, std::size_t index) const {
  for (const std::size_t position : computed_) {
    const Variable& variable = members_.variables[position];
    if (variable.is_number() == is_number && variable.index == index) {
      throw_no_previous("'" + variable.name + "', which equations() assigns in every pass");
    }
  }
}

void throw_no_previous(const std::string& what) {
  throw ModelMistake("a body in events() asks for previous() of " + what +
                     ": it takes a State, an Algebraic or a Discrete that events assign; keep what "
                     "is to be remembered in such a Discrete");
}

}  // namespace saltus::modeling

// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "saltus/core/variable.hpp"
#include "saltus/modeling/number.hpp"

namespace saltus::modeling {

class Recorded;
class Symbolic;
class Table;
class Tangent;
template <class Real>
class MembersOf;

/// Moves inputs of a model in time: before a pass over its equations it gives them the values of
/// that time, computed by the scalar of the pass. So whatever a pass is for, it sees the
/// inputs as functions of time: where they bend or jump is a condition on time, rates of conditions
/// and hidden equations contain their derivatives.
///
/// An input that is driven is a local variable of the model, as one of a submodel is that the model
/// around assigns.
class InputDriver {
 public:
  virtual ~InputDriver() = default;

  /// Makes local variables of what it drives. Throws `std::invalid_argument` if one of them is no
  /// input of the model that is a real number.
  virtual void take_over(std::vector<Variable>& variables) = 0;

  virtual void drive(MembersOf<Locked>& members, const Locked& time) const = 0;
  virtual void drive(MembersOf<Watched>& members, const Watched& time) const = 0;
  virtual void drive(MembersOf<Tangent>& members, const Tangent& time) const = 0;
  virtual void drive(MembersOf<Recorded>& members, const Recorded& time) const = 0;
  virtual void drive(MembersOf<Symbolic>& members, const Symbolic& time) const = 0;
};

/// By tables of time, by the names of the inputs; null if there are none.
std::unique_ptr<InputDriver> driven_by(const std::map<std::string, Table>& inputs);

}  // namespace saltus::modeling

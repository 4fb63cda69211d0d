// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "saltus/core/types.hpp"
#include "saltus/modeling/model_numbers.hpp"
#include "saltus/modeling/model_values.hpp"

// Included by variables.hpp: the values that a pass over the events began with.
namespace saltus::modeling {

/// The whole numbers that a pass began with.
class WholesBefore {
 public:
  /// `computed`: the variables, by position, that equations assign. They are assigned in every
  /// pass, so that before the one that is under way they may have been the same.
  WholesBefore(const MemberList& members, const ModelValues& values,
               const std::vector<std::size_t>& computed)
      : members_(members),
        values_(values),
        computed_(computed),
        outer_(std::exchange(now_, this)) {}
  ~WholesBefore() { now_ = outer_; }
  WholesBefore(const WholesBefore&) = delete;
  WholesBefore& operator=(const WholesBefore&) = delete;

  static const WholesBefore* now() { return now_; }
  /// What was at this place. Throws `ModelMistake` where no variable is that events assign.
  std::int64_t at(const void* place) const;

 protected:
  void check(bool is_number, std::size_t index) const;
  const ModelValues& values() const { return values_; }

 private:
  const MemberList& members_;
  const ModelValues& values_;
  const std::vector<std::size_t>& computed_;
  const WholesBefore* outer_;
  static inline constinit thread_local const WholesBefore* now_ = nullptr;
};

/// Throws `ModelMistake`: nothing was before.
[[noreturn]] void throw_no_previous(const std::string& what);

/// All that a pass began with, while this lives: while the bodies are executed.
template <class Real>
class ValuesBefore : private WholesBefore {
 public:
  /// Of the scalar that acts: the numbers as they are stored, which outlive this.
  ValuesBefore(const MembersOf<Real>& members, const ModelValues& values,
               const std::vector<std::size_t>& computed, ConstVec y)
      : WholesBefore(members, values, computed),
        members_(members),
        y_(y),
        outer_(std::exchange(now_, this)) {}
  /// Of others, for which numbers are more than their values: those that the members have now.
  ValuesBefore(const MembersOf<Real>& members, const ModelValues& values,
               const std::vector<std::size_t>& computed)
      : ValuesBefore(members, values, computed, {}) {
    for (const std::vector<Real*>* family : {&members.unknowns, &members.numbers}) {
      for (const Real* number : *family) {
        taken_.push_back(*number);
      }
    }
  }
  ~ValuesBefore() { now_ = outer_; }
  ValuesBefore(const ValuesBefore&) = delete;
  ValuesBefore& operator=(const ValuesBefore&) = delete;

  static const ValuesBefore* now() { return now_; }
  Real at(const Real& variable) const {
    const std::vector<Real*>& unknowns = members_.unknowns;
    for (std::size_t i = 0; i < unknowns.size(); ++i) {
      if (unknowns[i] == &variable) return taken_.empty() ? Real(y_[i]) : taken_[i];
    }
    for (const std::size_t i : members_.discrete_numbers) {
      if (members_.numbers[i] == &variable) {
        check(true, i);
        return taken_.empty() ? Real(values().numbers()[i]) : taken_[unknowns.size() + i];
      }
    }
    throw_no_previous("what is no variable");
  }

 private:
  const MembersOf<Real>& members_;
  ConstVec y_;
  std::vector<Real> taken_;
  const ValuesBefore* outer_;
  static inline constinit thread_local const ValuesBefore* now_ = nullptr;
};

/// Throws `ModelMistake` outside of bodies, and `now` is null there. While a model is inspected,
/// notes what is asked for.
void check_previous(const void* now, const void* place);

/// The value that a state, an algebraic or a discrete variable had before the bodies that are due
/// now, also where the body that asks has assigned it: Modelica's `pre`. For `events`.
///
///     if (ev.when(x > 1.0)) {
///       low = x;
///       high = previous(low);   // what low was, in whichever order these two stand
///     }
///
/// An event may take several passes at one instant: in each, `previous` is what the pass before it
/// has left. A discrete variable that `equations` assign has none.
template <ModelNumber X>
Scalar<X> previous(const X& x) {
  using Real = Scalar<X>;
  if constexpr (std::is_same_v<Real, Symbolic>) {
    return Symbolic::previous(x);
  } else {
    const ValuesBefore<Real>* const before = ValuesBefore<Real>::now();
    check_previous(before, nullptr);
    return before->at(x);
  }
}
template <WholeType T>
T previous(const Discrete<T>& x) {
  const WholesBefore* const before = WholesBefore::now();
  check_previous(before, x.place());
  const std::int64_t bits = before != nullptr ? before->at(x.place()) : bits_of(x.value());
  if constexpr (std::same_as<T, float>) {
    return float_of(bits);
  } else {
    return static_cast<T>(bits);
  }
}
template <TextType T>
void previous(const Discrete<T>&) = delete;  // keep the text in a variable of the body

}  // namespace saltus::modeling

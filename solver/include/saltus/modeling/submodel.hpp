// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <deque>
#include <initializer_list>
#include <string>

#include "saltus/modeling/member_list.hpp"
#include "saltus/modeling/passes.hpp"
#include "saltus/modeling/symbolic.hpp"

/// Models inside of models.
namespace saltus::modeling {

/// Another start value for a variable of a submodel: `{"capacity", 2.0}`.
struct StartValue {
  const char* name;
  double value;
};

/// Open while the members of a submodel are constructed. The names of its own members are chosen
/// so that they hide nothing of the model that stands beside it.
class SubmodelMembers {
 protected:
  explicit SubmodelMembers(const char* name);
  ~SubmodelMembers() = default;
  SubmodelMembers(const SubmodelMembers&) = delete;
  SubmodelMembers& operator=(const SubmodelMembers&) = delete;
  void submodel_complete_(bool has_equations, bool has_events,
                          std::initializer_list<StartValue> starts);

  std::size_t submodel_position_ = 0;
};

/// While it lives, the equations or the events of a submodel run with the spelling scalar.
class SubmodelRun {
 public:
  enum class What { equations, events };
  SubmodelRun(std::size_t position, What what);
  ~SubmodelRun();
  SubmodelRun(const SubmodelRun&) = delete;
  SubmodelRun& operator=(const SubmodelRun&) = delete;
};

/// Throws `ModelMistake`: the model inside has no such function, or one with other parameters.
[[noreturn]] void throw_not_in_submodel(std::size_t position, const char* function,
                                        const char* parameter);

/// A model as a member of another one, under a name that stands before those of its variables:
///
///     template <class Real> struct Tanks {
///       Submodel<Tank<Real>> upper{"upper"}, lower{"lower", {{"level", 0.5}}};
///       void equations(Equations<Real>& eq) {
///         upper.inflow = 1.0;
///         upper.equations(eq);
///         lower.inflow = upper.outflow;
///         lower.equations(eq);
///       }
///       void events(Events<Real>& ev) { upper.events(ev), lower.events(ev); }
///     };
///
/// has the variables "upper.level", "lower.level", ... It is a `Tank<Real>`: its members are read
/// and assigned as the model's own. The model that it stands in calls `equations` once in a pass,
/// where what they read is known and before what they compute is used, and `events`, if it has any,
/// once in its own; a model that leaves one out, or calls it twice, is refused.
///
/// - An `Input` that the model assigns is connected. The others stay inputs of the whole.
/// - An `Output` is none of the whole, but a local.
/// - An `Algebraic` may be determined by equations of either.
/// - The braces behind the name give other start values, to parameters and to states.
template <class M>
class Submodel : private SubmodelMembers, public M {
 public:
  Submodel(const char* name, std::initializer_list<StartValue> starts = {})
      : SubmodelMembers(name) {
    submodel_complete_(kHasEquations, kHasEvents, starts);
  }

  template <class Real>
  void equations(Equations<Real>& eq) {
    if constexpr (!requires(M & model) { model.equations(eq); }) {
      throw_not_in_submodel(submodel_position_, "equations", "Equations<Real>& eq");
    } else if constexpr (requires { Real::kTellsItsEnd; }) {
      const SubmodelRun run(submodel_position_, SubmodelRun::What::equations);
      M::equations(eq);
    } else {
      M::equations(eq);
    }
  }
  template <class Real>
  void events(Events<Real>& ev) {
    if constexpr (!requires(M & model) { model.events(ev); }) {
      throw_not_in_submodel(submodel_position_, "events", "Events<Real>& ev");
    } else if constexpr (requires { Real::kTellsItsEnd; }) {
      const SubmodelRun run(submodel_position_, SubmodelRun::What::events);
      M::events(ev);
    } else {
      M::events(ev);
    }
  }

 private:
  static constexpr bool kHasEquations = requires(M & model, Equations<Symbolic>& eq) {
    model.equations(eq);
  };
  static constexpr bool kHasEvents = requires(M & model, Events<Symbolic>& ev) {
    model.events(ev);
  };
};

/// Several of them under one name: `Submodels<Tank<Real>> tanks{"tanks", 3}` are tanks[0] to
/// tanks[2], in the model as for the outside, with variables as "tanks[2].level".
template <class M>
class Submodels {
 public:
  Submodels(const std::string& name, std::size_t count,
            std::initializer_list<StartValue> starts = {})
      : name_(name) {
    for (std::size_t i = 0; i < count; ++i) {
      members_.emplace_back((name + "[" + std::to_string(i) + "]").c_str(), starts);
    }
  }
  Submodels(const Submodels&) = delete;
  Submodels& operator=(const Submodels&) = delete;

  std::size_t size() const { return members_.size(); }
  auto begin() { return members_.begin(); }
  auto end() { return members_.end(); }
  Submodel<M>& operator[](std::size_t i) {
    if (i >= members_.size()) {
      no_such_element(name_, i, members_.size());
    }
    return members_[i];
  }
  /// Those of all, in their order.
  template <class Real>
  void equations(Equations<Real>& eq) {
    for (Submodel<M>& member : members_) {
      member.equations(eq);
    }
  }
  template <class Real>
  void events(Events<Real>& ev) {
    for (Submodel<M>& member : members_) {
      member.events(ev);
    }
  }

 private:
  std::string name_;
  std::deque<Submodel<M>> members_;  // which moves none of them
};

}  // namespace saltus::modeling

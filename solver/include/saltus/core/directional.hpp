// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "saltus/core/capabilities.hpp"
#include "saltus/core/types.hpp"

namespace saltus {

class Pullback;

/// A direction in everything that a model computes with.
struct Direction {
  double time = 0.0;
  std::vector<double> unknowns;
  /// Beside `NamedVariables::variables`: what is given from outside, and discrete numbers. The
  /// entries of all others are not looked at.
  std::vector<double> numbers;
  /// Which of the variables of `Directional::follow` it belongs to; of none: it is a motion.
  std::optional<std::size_t> parameter = {};
};

/// How what a model computes changes along a direction, in the configuration in force: d/ds at
/// s = 0 of its value at (t + s time, y + s unknowns, numbers + s numbers). Native models know it
/// exactly; who knows them only from outside looks at neighbours of each parameter.
///
///     Direction by_gravity{.unknowns = s, .numbers = unit_vector};
///     directional.derivatives_along(t, y, by_gravity, s_slope);  // f_y s + f_p
class Directional {
 public:
  virtual ~Directional() = default;

  /// By what the run will be differentiated: positions in `NamedVariables::variables` of
  /// parameters, and of states, whose start values are meant. Once, before `Model::initialize`.
  /// Throws `std::invalid_argument` where that cannot be.
  virtual void follow(std::span<const std::size_t>) {}

  /// Whether the motion is that of these equations. Otherwise, as while it slides, only
  /// `clocks_along` and `carry` can be used.
  virtual bool follows_motion() const { return true; }

  virtual Eval derivatives_along(double t, ConstVec y, const Direction& direction, Vec rates) = 0;
  /// `rates` may be longer than there are indicators: the rest is left alone.
  virtual Eval indicators_along(double t, ConstVec y, const Direction& direction, Vec rates) = 0;
  /// Of all variables that are numbers, beside `NamedVariables::variables`.
  virtual Eval variables_along(double t, ConstVec y, const Direction& direction, Vec rates) = 0;
  /// How fast the instants move at which clocks (`every`, `at`) are due at t, one for each, in an
  /// event that has just begun; nothing where none is.
  virtual std::vector<double> clocks_along(double t, ConstVec y, const Direction& direction) = 0;

  /// The next discrete update at exactly this point takes the directions along: what bodies assign
  /// changes their unknowns and their discrete numbers. `directions` have to live until `carried`.
  /// The first update after `Model::initialize` finds the directions of the start by itself, where
  /// start values depend on parameters.
  virtual void carry(std::vector<Direction>& directions, ConstVec y) = 0;
  /// After `carry`, of a motion that slides: updates in these configurations count although each of
  /// them sees another point, a little beside y. Where all of them give discrete numbers the same
  /// directions, these are it.
  virtual void carry_in(std::span<const std::size_t> /*slots*/) {}
  /// Ends that. False: bodies have assigned numbers somewhere else, and nobody took directions
  /// along.
  virtual bool carried() = 0;
  /// The value of a discrete number in the configurations that the motion is made of, between
  /// events; none where it has several there, or nobody knows.
  virtual std::optional<double> held(std::size_t /*variable*/) { return {}; }
  /// After `held`: gives it this value in all of them; its start value stays. For whoever takes
  /// differences, and puts it back.
  virtual void hold(std::size_t /*variable*/, double /*value*/) {}
  /// A step to y was accepted, between events; `directions` are those of y. Only of a model that
  /// `NamedVariables::needs_completed_steps`.
  virtual void accept(double /*t*/, ConstVec /*y*/, const std::vector<Direction>& /*directions*/) {}

  /// Why there are no derivatives any more, once: of what, and the rest of the sentence.
  struct Loss {
    std::string subject;
    std::string why;
  };
  virtual std::optional<Loss> loss() { return {}; }

  /// The same the other way round; null where the model does not know it.
  virtual Pullback* pullback() { return nullptr; }
};

}  // namespace saltus

// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "saltus/core/model.hpp"
#include "saltus/core/observer.hpp"
#include "saltus/events/integrated_model.hpp"

namespace saltus::test {

/// What is in a jar, and what it is like.
struct JarContents {
  std::size_t marbles = 4;
  double radius = 0.1;
  double spring = 1e4;
  double gravity = 0.0;
  bool is_round = false;  ///< a circle of radius 1/2 instead of a unit square
  std::uint64_t seed = 1;
};

/// Marbles of mass 1 in a plane jar, at random places with random velocities; whatever touches
/// pushes apart like a linear spring (after Compere, 2001, 5.3.4). Energy is conserved. Between
/// contacts the motion is a parabola, which one step of any length follows exactly, while
/// distances are not: they fall and rise again within a part of it.
class MarbleJar : public OdeModel {
 public:
  explicit MarbleJar(const JarContents& contents) : c_(contents) {
    const std::size_t walls = c_.is_round ? 1 : 4;
    overlap_.resize(c_.marbles * (c_.marbles - 1) / 2 + walls * c_.marbles);
    touching_.assign(overlap_.size(), false);
  }

  Shape shape() const override { return {.states = 4 * c_.marbles, .indicators = overlap_.size()}; }
  void initialize(const Experiment&, Vec y) override {
    std::mt19937_64 random(c_.seed);
    const auto uniform = [&] { return static_cast<double>(random() >> 11U) * 0x1p-53; };
    touching_.assign(touching_.size(), false);
    for (std::size_t i = 0; i < c_.marbles; ++i) {
      do {
        y[4 * i] = c_.radius + (1.0 - 2.0 * c_.radius) * uniform();
        y[4 * i + 1] = c_.radius + (1.0 - 2.0 * c_.radius) * uniform();
      } while (!is_free(y, i));
      y[4 * i + 2] = 2.0 * uniform() - 1.0;
      y[4 * i + 3] = 2.0 * uniform() - 1.0;
    }
  }
  EventUpdate update_discrete_states(double, Vec y) override {
    EventUpdate update;
    measure(y);
    for (std::size_t k = 0; k < overlap_.size(); ++k) {
      const bool touches = overlap_[k] > 0.0;
      update.iterate = update.iterate || touches != touching_[k];
      touching_[k] = touches;
    }
    return update;
  }
  Eval derivatives(double, ConstVec y, Vec yp) override {
    for (std::size_t i = 0; i < c_.marbles; ++i) {
      yp[4 * i] = y[4 * i + 2];
      yp[4 * i + 1] = y[4 * i + 3];
      yp[4 * i + 2] = 0.0;
      yp[4 * i + 3] = -c_.gravity;
    }
    measure(y);
    std::size_t k = 0;
    const auto push = [&](std::size_t i, double dx, double dy) {
      yp[4 * i + 2] += c_.spring * overlap_[k] * dx;
      yp[4 * i + 3] += c_.spring * overlap_[k] * dy;
    };
    each_contact(y, [&](std::size_t i, std::size_t other, double dx, double dy) {
      if (touching_[k]) {
        push(i, dx, dy);
        if (other < c_.marbles) {
          push(other, -dx, -dy);
        }
      }
      ++k;
    });
    return Eval::ok;
  }
  Eval indicators(double, ConstVec y, Vec z) override {
    measure(y);
    std::copy(overlap_.begin(), overlap_.end(), z.begin());
    return Eval::ok;
  }

  double energy(ConstVec y) {
    measure(y);
    double sum = 0.0;
    for (std::size_t k = 0; k < overlap_.size(); ++k) {
      sum += touching_[k] ? 0.5 * c_.spring * overlap_[k] * overlap_[k] : 0.0;
    }
    for (std::size_t i = 0; i < c_.marbles; ++i) {
      sum += 0.5 * (y[4 * i + 2] * y[4 * i + 2] + y[4 * i + 3] * y[4 * i + 3]) +
             c_.gravity * y[4 * i + 1];
    }
    return sum;
  }
  /// Whether a pair or a wall overlaps and does not push, or the other way round, by more than
  /// `slack`.
  bool misses_contact(ConstVec y, double slack) {
    measure(y);
    for (std::size_t k = 0; k < overlap_.size(); ++k) {
      if (touching_[k] ? overlap_[k] < -slack : overlap_[k] > slack) {
        return true;
      }
    }
    return false;
  }

 private:
  bool is_free(ConstVec y, std::size_t i) const {
    const double x = y[4 * i] - 0.5, h = y[4 * i + 1] - 0.5;
    bool is = !c_.is_round || std::hypot(x, h) + c_.radius < 0.5;
    for (std::size_t j = 0; j < i; ++j) {
      is = is && std::hypot(y[4 * i] - y[4 * j], y[4 * i + 1] - y[4 * j + 1]) > 2.05 * c_.radius;
    }
    return is;
  }
  // Of each: marble, the other one (or none: a wall), the direction in which the first is pushed.
  template <class Visit>
  void each_contact(ConstVec y, Visit visit) const {
    for (std::size_t i = 0; i < c_.marbles; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const double dx = y[4 * i] - y[4 * j], dy = y[4 * i + 1] - y[4 * j + 1];
        const double distance = std::hypot(dx, dy);
        visit(i, j, dx / distance, dy / distance);
      }
    }
    for (std::size_t i = 0; i < c_.marbles; ++i) {
      if (c_.is_round) {
        const double dx = y[4 * i] - 0.5, dy = y[4 * i + 1] - 0.5, distance = std::hypot(dx, dy);
        visit(i, c_.marbles, -dx / distance, -dy / distance);
        continue;
      }
      visit(i, c_.marbles, 1.0, 0.0);
      visit(i, c_.marbles, -1.0, 0.0);
      visit(i, c_.marbles, 0.0, 1.0);
      visit(i, c_.marbles, 0.0, -1.0);
    }
  }
  void measure(ConstVec y) {
    std::size_t k = 0;
    for (std::size_t i = 0; i < c_.marbles; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        overlap_[k++] =
            2.0 * c_.radius - std::hypot(y[4 * i] - y[4 * j], y[4 * i + 1] - y[4 * j + 1]);
      }
    }
    for (std::size_t i = 0; i < c_.marbles; ++i) {
      const double x = y[4 * i], h = y[4 * i + 1];
      if (c_.is_round) {
        overlap_[k++] = std::hypot(x - 0.5, h - 0.5) + c_.radius - 0.5;
        continue;
      }
      overlap_[k++] = c_.radius - x;
      overlap_[k++] = x + c_.radius - 1.0;
      overlap_[k++] = c_.radius - h;
      overlap_[k++] = h + c_.radius - 1.0;
    }
  }

  JarContents c_;
  std::vector<double> overlap_;
  std::vector<bool> touching_;
};

/// Looks at a jar at every report: contacts that were missed, and the largest change of energy as
/// part of the energy at the start.
class JarWatch : public Observer {
 public:
  JarWatch(MarbleJar& jar, const IntegratedModel& system) : jar_(jar), system_(system) {}

  void sample(double, Moment moment) override {
    if (moment == Moment::initial) {
      energy_ = jar_.energy(system_.unknowns());
    } else if (moment == Moment::report) {
      misses_ += jar_.misses_contact(system_.unknowns(), kSlack) ? 1 : 0;
      off_ = std::max(off_, std::fabs(jar_.energy(system_.unknowns()) / energy_ - 1.0));
    }
  }
  std::size_t misses() const { return misses_; }
  double energy_off() const { return off_; }

 private:
  // A grazing contact that a tolerance of 1e-6 need not see lies below this.
  static constexpr double kSlack = 1e-7;

  MarbleJar& jar_;
  const IntegratedModel& system_;
  double energy_ = 0.0;
  std::size_t misses_ = 0;
  double off_ = 0.0;
};

}  // namespace saltus::test

// SPDX-License-Identifier: BSD-2-Clause
#include "nearest_point.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/at.hpp"
#include "least_change.hpp"

namespace saltus {
namespace {

// From the points that integrators try two or three are enough; from afar it takes more, as long as
// steps become shorter by this factor.
constexpr int kEnough = 8;
constexpr int kMostApproaches = 30;
constexpr double kShrinking = 0.5;
// Steps that are still larger in the end: the point is no function of what is given.
constexpr double kUnsettled = 1e-8;
// In units of weights and values: rests and steps of this size are rounding.
constexpr double kRoundingStep = 1e-13;

/// How far the states have to move so that all that counts comes as near as possible to where it
/// was; all in units of the weights.
class Approach {
 public:
  virtual ~Approach() = default;
  /// At the point of the solver's last factorisation; whether there is an answer.
  virtual bool factorize(PointSolver& solver, ConstVec weight, std::span<const char> counts) = 0;
  /// `rest`: what is missing of each column, zero where it does not count.
  virtual std::vector<double> step(const PointSolver& solver, ConstVec rest) const = 0;
};

// With coordinates s and all else a function of them, x = x(s), of derivative S: the normal
// equations S' S ds = S' (given - x(s)).
class ByResponses final : public Approach {
 public:
  bool factorize(PointSolver& solver, ConstVec weight, std::span<const char> counts) override {
    const std::size_t states = solver.selection().states.size();
    responses_.resize(static_cast<Eigen::Index>(weight.size()), static_cast<Eigen::Index>(states));
    for (std::size_t s = 0; s < states; ++s) {
      solver.response(s, weight,
                      Vec(responses_.col(static_cast<Eigen::Index>(s)).data(), weight.size()));
    }
    for (Eigen::Index c = 0; c < responses_.rows(); ++c) {
      if (c >= static_cast<Eigen::Index>(counts.size()) || counts[c] == 0) {
        responses_.row(c).setZero();
      }
    }
    normal_.compute(responses_.transpose() * responses_);
    return true;
  }
  std::vector<double> step(const PointSolver&, ConstVec rest) const override {
    const Eigen::VectorXd step = normal_.solve(
        responses_.transpose() *
        Eigen::Map<const Eigen::VectorXd>(rest.data(), static_cast<Eigen::Index>(rest.size())));
    return {step.begin(), step.end()};
  }

 private:
  Eigen::MatrixXd responses_;
  Eigen::LDLT<Eigen::MatrixXd> normal_;
};

// The same for many columns: with A for the derivatives of the rows, the smallest change of
// (rest - dx) of what counts that A dx = 0 allows.
class BySparseRows final : public Approach {
 public:
  bool factorize(PointSolver& solver, ConstVec weight, std::span<const char> counts) override {
    pattern_ = &solver.system().pattern();
    entries_.assign(solver.entries().begin(), solver.entries().end());
    std::vector<double> size(pattern_->rows, 0.0);
    for_each([&](std::size_t row, std::size_t column, double& entry) {
      entry *= weight[column];
      size[row] = std::max(size[row], std::fabs(entry));
    });
    for_each([&](std::size_t row, std::size_t, double& entry) {
      entry /= size[row] > 0.0 ? size[row] : 1.0;
    });
    mobility_.assign(pattern_->columns(), Mobility::free);
    for (std::size_t j = 0; j < counts.size(); ++j) {
      mobility_[j] = counts[j] != 0 ? Mobility::reluctant : Mobility::free;
    }
    return change_.factorize(*pattern_, entries_, mobility_);
  }
  std::vector<double> step(const PointSolver& solver, ConstVec rest) const override {
    std::vector<double> right(pattern_->rows, 0.0), change(pattern_->columns());
    for (std::size_t j = 0; j < pattern_->columns(); ++j) {
      for (int k = pattern_->first[j]; k < pattern_->first[j + 1]; ++k) {
        right[at(pattern_->row[at(k)])] -= entries_[at(k)] * rest[j];
      }
    }
    change_.solve(right, change);
    std::vector<double> step;
    for (const int state : solver.selection().states) {
      step.push_back(change[at(state)] + rest[at(state)]);
    }
    return step;
  }

 private:
  template <class Action>
  void for_each(Action action) {
    for (std::size_t j = 0; j < pattern_->columns(); ++j) {
      for (int k = pattern_->first[j]; k < pattern_->first[j + 1]; ++k) {
        action(at(pattern_->row[at(k)]), j, entries_[at(k)]);
      }
    }
  }

  const Pattern* pattern_ = nullptr;
  std::vector<double> entries_;
  std::vector<Mobility> mobility_;
  LeastChange change_;
};

}  // namespace

PointSolver::End find_nearest_point(PointSolver& solver, double t, Vec z, ConstVec weight,
                                    std::span<const char> counts) {
  const std::vector<double> begin(z.begin(), z.end());
  const auto fail = [&](PointSolver::End end) {
    std::copy(begin.begin(), begin.end(), z.begin());
    return end;
  };
  const std::vector<int>& states = solver.selection().states;
  ByResponses by_responses;
  BySparseRows by_sparse_rows;
  Approach& approach =
      z.size() < kManyColumns ? static_cast<Approach&>(by_responses) : by_sparse_rows;
  double moved = 1.0;
  for (int iteration = 0; iteration < kMostApproaches; ++iteration) {
    const PointSolver::End end = solver.solve(t, z, weight);
    if (end != PointSolver::End::found) {
      return fail(end);
    }
    std::vector<double> rest(z.size(), 0.0);
    double size = 0.0;
    for (std::size_t j = 0; j < counts.size(); ++j) {
      if (counts[j] != 0) {
        rest[j] = (begin[j] - z[j]) / weight[j];
        size = std::max(size, std::fabs(begin[j] - z[j]) / (weight[j] + std::fabs(z[j])));
      }
    }
    if (size <= kRoundingStep) {
      return PointSolver::End::found;
    }
    // The directions in which the states move are those of the nearest point itself: as far as they
    // have turned, what is missing makes a difference.
    if ((iteration == 0 || moved * size > kRoundingStep) &&
        (solver.factorize(t, z) == Eval::discard || !approach.factorize(solver, weight, counts))) {
      return fail(PointSolver::End::singular);
    }
    const std::vector<double> step = approach.step(solver, rest);
    const double last = std::exchange(moved, 0.0);
    for (std::size_t s = 0; s < states.size(); ++s) {
      const int c = states[s];
      moved = std::max(moved, std::fabs(step[s]) * weight[c] / (weight[c] + std::fabs(z[c])));
      z[c] += weight[c] * step[s];
    }
    if (!std::isfinite(moved)) {
      return fail(PointSolver::End::not_evaluable);
    }
    if (moved <= kRoundingStep || (iteration >= kEnough && moved > kShrinking * last)) {
      break;
    }
  }
  if (moved > kUnsettled) {
    return fail(PointSolver::End::no_convergence);
  }
  const PointSolver::End end = solver.solve(t, z, weight);
  return end == PointSolver::End::found ? end : fail(end);
}

}  // namespace saltus

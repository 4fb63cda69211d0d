// SPDX-License-Identifier: BSD-2-Clause
#include "consistent_point.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "dense_scaling.hpp"

namespace saltus {
namespace {

constexpr int kMostIterations = 60;
constexpr int kMostHalvings = 12;
// In units of the scaled rows: what counts as satisfied, and the size below which steps are noise.
constexpr double kSatisfied = 1e-10;
constexpr double kNoise = 1e-14;
// How many roundings of the terms of an equation are no error of it.
constexpr double kRoundings = 8.0;
// A linearisation that reduced the rest to this part of it is used once more.
constexpr double kServes = 1e-3;
constexpr double kRankTolerance = 1e-10;
// A free column may be large without a nominal value that says so: then a unit of it does next to
// nothing. It counts as if a unit did this much, well above what counts as dependent.
constexpr double kSlight = 1e-5;

Eigen::MatrixXd columns(const Eigen::MatrixXd& whole, const std::vector<int>& which) {
  Eigen::MatrixXd part(whole.rows(), which.size());
  for (std::size_t k = 0; k < which.size(); ++k) {
    part.col(k) = whole.col(which[k]);
  }
  return part;
}
void spread(const Eigen::VectorXd& part, const std::vector<int>& which, Eigen::VectorXd& whole) {
  for (std::size_t k = 0; k < which.size(); ++k) {
    whole[which[k]] = part[k];
  }
}

class Search {
 public:
  Search(ExtendedSystem& system, double t, Vec z, ConstVec weight,
         std::span<const Mobility> mobility, const Eigen::MatrixXd* directions)
      : system_(system),
        t_(t),
        z_(z),
        weight_(Eigen::Map<const Eigen::VectorXd>(weight.data(), weight.size())),
        rest_(system.rows().size()),
        trial_(z.size()),
        entries_(system.pattern().entries()),
        directions_(directions) {
    for (std::size_t c = 0; c < mobility.size(); ++c) {
      if (mobility[c] == Mobility::held) {
        weight_[c] = 0.0;
      } else {
        (mobility[c] == Mobility::free ? free_ : reluctant_).push_back(static_cast<int>(c));
      }
    }
  }

  SearchResult run() {
    if (system_.values(t_, z_, rest_) == Eval::discard) {
      return result(SearchResult::End::not_evaluable);
    }
    bool fresh = false;  // the linearisation is that of this point
    bool serves = false;
    for (int iteration = 0; iteration < kMostIterations; ++iteration) {
      fresh = !serves;
      if (fresh && !linearize()) {
        return result(SearchResult::End::not_evaluable);
      }
      const double before = size();
      const double moved = step(before);
      serves = moved >= 0.0 && size() <= kServes * before;
      if (moved < 0.0 && !fresh) {
        continue;
      }
      if (moved < 0.0) {
        return result(before <= kSatisfied ? SearchResult::End::found
                                           : SearchResult::End::no_progress);
      }
      const bool still = moved <= kNoise || (before <= kSatisfied && size() >= 0.5 * before);
      if (still) {
        return result(size() <= kSatisfied ? SearchResult::End::found
                                           : SearchResult::End::no_progress);
      }
    }
    return result(SearchResult::End::no_progress);
  }

 private:
  bool linearize() {
    if (system_.jacobian(t_, z_, entries_) == Eval::discard) {
      return false;
    }
    const Eigen::MatrixXd slopes = dense(system_.pattern(), entries_);
    rounding_ = kRoundings * std::numeric_limits<double>::epsilon() *
                (slopes.cwiseAbs() *
                 Eigen::Map<const Eigen::VectorXd>(z_.data(), slopes.cols()).cwiseAbs());
    const Eigen::MatrixXd moving = slopes * weight_.asDiagonal();
    row_scale_ = moving.cwiseAbs().rowwise().maxCoeff();
    // A row that nothing may move is measured as it stands.
    row_scale_ = row_scale_.unaryExpr([](double v) { return v > 0.0 ? v : 1.0; });
    const Eigen::MatrixXd scaled = row_scale_.cwiseInverse().asDiagonal() * moving;
    by_free_ = columns(scaled, free_);
    lift_.resize(by_free_.cols());
    for (Eigen::Index k = 0; k < by_free_.cols(); ++k) {
      const double largest = by_free_.col(k).cwiseAbs().maxCoeff();
      lift_[k] = largest > 0.0 && largest < kSlight ? kSlight / largest : 1.0;
    }
    by_free_ *= lift_.asDiagonal();
    by_reluctant_ = columns(scaled, reluctant_);
    if (directions_ != nullptr) {
      by_reluctant_ *= *directions_;
    }
    eliminate_.setThreshold(kRankTolerance);
    eliminate_.compute(by_free_);
    if (by_reluctant_.cols() > 0) {
      remaining_.setThreshold(kRankTolerance);
      remaining_.compute(beyond_free(by_reluctant_));
    }
    return true;
  }
  // What of a vector or matrix of rows the free columns cannot make.
  Eigen::MatrixXd beyond_free(const Eigen::MatrixXd& rows) const {
    const Eigen::MatrixXd turned = eliminate_.householderQ().adjoint() * rows;
    return turned.bottomRows(rows.rows() - eliminate_.rank());
  }
  Eigen::VectorXd solve(const Eigen::VectorXd& right) const {
    Eigen::VectorXd solution = Eigen::VectorXd::Zero(weight_.size());
    Eigen::VectorXd left_over = right;
    if (by_reluctant_.cols() > 0 && eliminate_.rank() < right.size()) {
      const Eigen::VectorXd least = remaining_.solve(beyond_free(right));
      if (directions_ != nullptr) {
        spread(*directions_ * least, reluctant_, solution);
      } else {
        spread(least, reluctant_, solution);
      }
      left_over -= by_reluctant_ * least;
    }
    if (!free_.empty()) {
      spread(lift_.cwiseProduct(eliminate_.solve(left_over)), free_, solution);
    }
    return solution;
  }
  // The largest scaled rest, without what rounding of its terms may be. Not a number stays.
  double size() const {
    double largest = 0.0;
    for (std::size_t r = 0; r < rest_.size(); ++r) {
      const double off = off_by(r);
      largest = off <= largest ? largest : off;
    }
    return largest;
  }
  double off_by(std::size_t r) const {
    return std::fabs(rest_[r]) <= rounding_[r]
               ? 0.0
               : (std::fabs(rest_[r]) - rounding_[r]) / row_scale_[r];
  }
  double norm() const {
    double sum = 0.0;
    for (std::size_t r = 0; r < rest_.size(); ++r) {
      sum += std::pow(rest_[r] / row_scale_[r], 2);
    }
    return std::sqrt(sum);
  }

  // One damped step; how far it went in units of the weights and values, or less than zero when no
  // step reduces the rest.
  double step(double before) {
    Eigen::VectorXd scaled_rest(rest_.size());
    for (std::size_t r = 0; r < rest_.size(); ++r) {
      scaled_rest[r] = rest_[r] / row_scale_[r];
    }
    const Eigen::VectorXd direction = weight_.cwiseProduct(solve(-scaled_rest));
    const double norm_before = norm();
    const std::vector<double> rest_before = rest_;
    double damping = 1.0;
    for (int halving = 0; halving < kMostHalvings; ++halving, damping *= 0.5) {
      double moved = 0.0;
      for (std::size_t c = 0; c < z_.size(); ++c) {
        const double change = damping * direction[c];
        trial_[c] = z_[c] + change;
        if (weight_[c] > 0.0) {
          moved = std::max(moved, std::fabs(change) / (weight_[c] + std::fabs(z_[c])));
        }
      }
      if (system_.values(t_, trial_, rest_) == Eval::ok &&
          (norm() < norm_before || before <= kSatisfied)) {
        std::copy(trial_.begin(), trial_.end(), z_.begin());
        return moved;
      }
    }
    rest_ = rest_before;
    return -1.0;
  }

  SearchResult result(SearchResult::End end) const {
    SearchResult answer{.end = end};
    for (std::size_t r = 0; row_scale_.size() > 0 && r < rest_.size(); ++r) {
      const double off = off_by(r);
      if (off > answer.rest) {
        answer.rest = off;
        answer.worst_row = r;
      }
    }
    return answer;
  }

  ExtendedSystem& system_;
  double t_;
  Vec z_;
  Eigen::VectorXd weight_;
  std::vector<double> rest_, trial_, entries_;
  Eigen::VectorXd row_scale_, rounding_, lift_;
  std::vector<int> free_, reluctant_;
  Eigen::MatrixXd by_free_, by_reluctant_;
  const Eigen::MatrixXd* directions_;
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> eliminate_, remaining_;
};

}  // namespace

SearchResult find_consistent_point(ExtendedSystem& system, double t, Vec z, ConstVec weight,
                                   std::span<const Mobility> mobility,
                                   const Eigen::MatrixXd* directions) {
  return Search(system, t, z, weight, mobility, directions).run();
}

}  // namespace saltus

// SPDX-License-Identifier: BSD-2-Clause
#include "consistent_point.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "core/at.hpp"
#include "dense_least_change.hpp"
#include "least_change.hpp"

namespace saltus {
namespace {

// From near, Newton's method takes a few; damped steps from far take more. More of them delay a
// refusal.
constexpr int kMostIterations = 60;
// If a part of 1 in 4096 of a step does not lessen the rest, its direction is wrong.
constexpr int kMostHalvings = 12;
// In units of the scaled rows: what counts as satisfied, and the size below which steps are noise.
constexpr double kSatisfied = 1e-10;
constexpr double kNoise = 1e-14;
// How many roundings of the terms of an equation are no error of it.
constexpr double kRoundings = 8.0;
// A linearisation that reduced the rest to this part of it is used once more.
constexpr double kServes = 1e-3;
// A free column may be large without a nominal value that says so: then a unit of it does next to
// nothing. It counts as if a unit did this much, well above what counts as dependent.
constexpr double kSlight = 1e-5;

class Search {
 public:
  Search(ExtendedSystem& system, double t, Vec z, ConstVec weight,
         std::span<const Mobility> mobility, const Eigen::MatrixXd* directions)
      : system_(system),
        t_(t),
        z_(z),
        weight_(weight.begin(), weight.end()),
        given_weight_(weight_),
        mobility_(mobility),
        rest_(system.rows().size()),
        trial_(z.size()),
        entries_(system.pattern().entries()),
        counts_(rest_.size(), 1) {
    for (std::size_t c = 0; c < mobility.size(); ++c) {
      if (mobility[c] == Mobility::held) {
        weight_[c] = 0.0;
      }
    }
    if (directions != nullptr || z.size() < kManyColumns) {
      few_.emplace(directions);
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
        return verdict();
      }
      const bool still = moved <= kNoise || (before <= kSatisfied && size() >= 0.5 * before);
      if (still) {
        return verdict();
      }
    }
    return result(SearchResult::End::no_progress);
  }

 private:
  bool linearize() {
    if (system_.jacobian(t_, z_, entries_) == Eval::discard) {
      return false;
    }
    const Pattern& pattern = system_.pattern();
    rounding_.assign(rest_.size(), 0.0);
    row_scale_.assign(rest_.size(), 0.0);
    std::vector<double> largest(rest_.size(), 0.0);
    for_each_entry([&](std::size_t row, std::size_t column, std::size_t k) {
      rounding_[row] += std::fabs(entries_[k]) * std::fabs(z_[column]);
      largest[row] = std::max(largest[row], std::fabs(entries_[k]) * given_weight_[column]);
    });
    for_each_entry([&](std::size_t row, std::size_t column, std::size_t k) {
      const double size = std::fabs(entries_[k]) * given_weight_[column];
      entries_[k] = size > kRoundedZero * largest[row] ? entries_[k] : 0.0;
      row_scale_[row] = std::max(row_scale_[row], std::fabs(entries_[k]) * weight_[column]);
    });
    for (std::size_t r = 0; r < rest_.size(); ++r) {
      rounding_[r] *= kRoundings * std::numeric_limits<double>::epsilon();
      // A row that nothing may move is measured as it stands.
      row_scale_[r] = row_scale_[r] > 0.0 ? row_scale_[r] : 1.0;
    }
    unit_.assign(weight_.size(), 0.0);
    for_each_entry([&](std::size_t row, std::size_t column, std::size_t k) {
      entries_[k] *= weight_[column] / row_scale_[row];
      unit_[column] = std::max(unit_[column], std::fabs(entries_[k]));
    });
    for (std::size_t c = 0; c < unit_.size(); ++c) {
      const bool slight = mobility_[c] == Mobility::free && unit_[c] > 0.0 && unit_[c] < kSlight;
      const double lift = slight ? kSlight / unit_[c] : 1.0;
      unit_[c] = weight_[c] * lift;
      for (int k = pattern.first[c]; slight && k < pattern.first[c + 1]; ++k) {
        entries_[at(k)] *= lift;
      }
    }
    if (few_) {
      few_->factorize(pattern, entries_, mobility_);
      return true;
    }
    const bool regular = many_.factorize(pattern, entries_, mobility_);
    counts_ = many_.independent();
    return regular;
  }
  template <class Action>
  void for_each_entry(Action action) const {
    const Pattern& pattern = system_.pattern();
    for (std::size_t j = 0; j < pattern.columns(); ++j) {
      for (int k = pattern.first[j]; k < pattern.first[j + 1]; ++k) {
        action(at(pattern.row[at(k)]), j, at(k));
      }
    }
  }
  // The largest scaled rest, without what rounding of its terms may be, of the rows that a step
  // satisfies. Not a number stays.
  double size() const {
    double largest = 0.0;
    for (std::size_t r = 0; r < rest_.size(); ++r) {
      const double off = counts_[r] != 0 ? off_by(r) : 0.0;
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
      sum += counts_[r] != 0 ? std::pow(rest_[r] / row_scale_[r], 2) : 0.0;
    }
    return std::sqrt(sum);
  }

  // One damped step; how far it went in units of the weights and values, or less than zero when no
  // step reduces the rest.
  double step(double before) {
    std::vector<double> wanted(rest_.size()), direction(z_.size());
    for (std::size_t r = 0; r < rest_.size(); ++r) {
      wanted[r] = -rest_[r] / row_scale_[r];
    }
    if (few_) {
      few_->solve(wanted, direction);
    } else {
      many_.solve(wanted, direction);
    }
    const double norm_before = norm();
    const std::vector<double> rest_before = rest_;
    double damping = 1.0;
    for (int halving = 0; halving < kMostHalvings; ++halving, damping *= 0.5) {
      double moved = 0.0;
      for (std::size_t c = 0; c < z_.size(); ++c) {
        const double change = damping * unit_[c] * direction[c];
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
    for (std::size_t r = 0; !row_scale_.empty() && r < rest_.size(); ++r) {
      const double off = off_by(r);
      if (off > answer.rest || std::isnan(off)) {
        answer.rest = off;
        answer.worst_row = r;
      }
    }
    return answer;
  }
  // Rows that depend on others are satisfied with these, or contradict them.
  SearchResult verdict() const {
    SearchResult answer = result(SearchResult::End::no_progress);
    if (answer.rest <= kSatisfied) {
      answer.end = SearchResult::End::found;
    }
    return answer;
  }

  ExtendedSystem& system_;
  double t_;
  Vec z_;
  std::vector<double> weight_, given_weight_;  // the first are zero where nothing moves
  std::span<const Mobility> mobility_;
  std::vector<double> rest_, trial_, entries_;
  std::vector<char> counts_;
  std::vector<double> row_scale_, rounding_;
  std::vector<double> unit_;  // of what is solved for
  std::optional<DenseLeastChange> few_;
  LeastChange many_;
};

}  // namespace

SearchResult find_consistent_point(ExtendedSystem& system, double t, Vec z, ConstVec weight,
                                   std::span<const Mobility> mobility,
                                   const Eigen::MatrixXd* directions) {
  return Search(system, t, z, weight, mobility, directions).run();
}

}  // namespace saltus

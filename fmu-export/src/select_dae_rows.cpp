// SPDX-License-Identifier: BSD-2-Clause
#include "select_dae_rows.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

namespace saltus::fmu_export {
namespace {

using Derivative = DaeForm::Derivative;
using Row = DaeForm::Row;

/// Vectors that are independent of each other, as far as they were accepted.
class Basis {
 public:
  bool accept(std::vector<double> row) {
    constexpr double kIndependent = 1e-6;
    const double before = length(row);
    if (before == 0.0) return false;
    for (const std::vector<double>& other : rows_) {
      double product = 0.0;
      for (std::size_t j = 0; j < row.size(); ++j) product += row[j] * other[j];
      for (std::size_t j = 0; j < row.size(); ++j) row[j] -= product * other[j];
    }
    const double left = length(row);
    if (left <= kIndependent * before) return false;
    for (double& x : row) x /= left;
    rows_.push_back(std::move(row));
    return true;
  }
  std::size_t size() const { return rows_.size(); }

 private:
  static double length(const std::vector<double>& row) {
    double sum = 0.0;
    for (const double x : row) sum += x * x;
    return std::sqrt(sum);
  }
  std::vector<std::vector<double>> rows_;
};

class Selection {
 public:
  Selection(const DaeRows& rows, std::span<const int> levels, const Shape& shape)
      : rows_(rows), levels_(levels.begin(), levels.end()), shape_(shape) {
    for (std::size_t j = 0; j < shape.unknowns(); ++j) {
      highest_.push_back(rows.highest(static_cast<int>(j), levels));
      if (highest_.back() < first_order(j)) {
        throw std::runtime_error("its equations do not contain the derivatives of all states");
      }
    }
    if (std::any_of(levels_.begin(), levels_.end(), [](int level) { return level < 0; })) {
      throw std::runtime_error("some of its equations follow from others");
    }
  }

  // The highest derivatives of the unknowns come from the equations at their highest level, the
  // next lower ones from these at the level below, and so on (Pryce, BIT 41 (2001) 364). Where
  // states are given, there are more equations than derivatives to be found.
  void choose() {
    const int deepest = *std::max_element(levels_.begin(), levels_.end());
    for (int stage = 0; stage <= deepest; ++stage) choose(stage);
    for (std::size_t j = 0; j < highest_.size(); ++j) {
      if (highest_[j] - deepest > first_order(j)) {
        throw std::runtime_error("its equations do not give all derivatives that they contain");
      }
    }
  }

  FoundDaeForm form() {
    FoundDaeForm found;
    found.form.levels = levels_;
    found.form.invariants = left_;
    compute_derivatives(found.form);
    for (const Derivative& one : unknowns_) {
      if (!computed_.contains(key(one))) found.form.algebraics.push_back(one);
    }
    for (const Row& row : chosen_) {
      if (!used_.contains({row.equation, row.level})) found.form.residuals.push_back(row);
    }
    if (found.form.residuals.size() != found.form.algebraics.size()) {
      throw std::runtime_error("its residuals are not as many as its algebraic variables");
    }
    std::sort(found.form.algebraics.begin(), found.form.algebraics.end(),
              [](const Derivative& a, const Derivative& b) {
                return std::pair(a.order, a.unknown) < std::pair(b.order, b.unknown);
              });
    find_dependencies(found);
    return found;
  }

 private:
  using Key = std::pair<int, int>;
  static Key key(const Derivative& of) { return {of.unknown, of.order}; }
  int first_order(std::size_t unknown) const { return unknown < shape_.states ? 1 : 0; }

  void choose(int stage) {
    std::map<int, std::size_t> columns;
    for (std::size_t j = 0; j < highest_.size(); ++j) {
      if (highest_[j] - stage >= first_order(j)) {
        columns.emplace(static_cast<int>(j), columns.size());
        unknowns_.push_back({static_cast<int>(j), highest_[j] - stage});
      }
    }
    struct Candidate {
      Row row;
      std::vector<double> factors;
      bool constant = true;
    };
    std::vector<Candidate> candidates;
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      if (levels_[i] < stage) continue;
      Candidate one{{static_cast<int>(i), levels_[i] - stage}, {}, true};
      one.factors.assign(columns.size(), 0.0);
      for (const DaeRows::Entry& entry : rows_.entries(one.row)) {
        const auto column = columns.find(entry.derivative.unknown);
        const auto j = static_cast<std::size_t>(entry.derivative.unknown);
        if (column == columns.end() || entry.derivative.order != highest_[j] - stage) continue;
        one.factors[column->second] = entry.factor;
        one.constant = one.constant && entry.constant;
      }
      candidates.push_back(std::move(one));
    }
    std::stable_partition(candidates.begin(), candidates.end(),
                          [](const Candidate& one) { return one.constant; });
    if (candidates.size() == columns.size()) {
      for (const Candidate& one : candidates) chosen_.push_back(one.row);
      return;
    }
    Basis basis;
    bool is_choice_safe = true;
    for (Candidate& one : candidates) {
      if (basis.size() < columns.size() && basis.accept(one.factors)) {
        chosen_.push_back(one.row);
        is_choice_safe = is_choice_safe && one.constant;
      } else {
        left_.push_back(one.row);
      }
    }
    if (basis.size() < columns.size()) {
      throw std::runtime_error("its equations do not give all derivatives that they contain");
    }
    if (!is_choice_safe) {
      throw std::runtime_error(
          "which of its equations give the derivatives of states may change along the motion");
    }
  }

  // Unknowns without a derivative are algebraics. Derivatives are computed one after the other as
  // far as it goes, and where it does not one of them becomes an algebraic.
  void compute_derivatives(DaeForm& form) {
    std::map<Key, int> layers;  // of what is known; 0: given
    std::set<Key> missing;
    for (const Derivative& one : unknowns_) {
      if (one.order > 0) {
        missing.insert(key(one));
      } else {
        layers[key(one)] = 0;
      }
    }
    for (std::size_t j = 0; j < shape_.states; ++j) layers[{static_cast<int>(j), 0}] = 0;
    while (!missing.empty()) {
      bool any = false;
      for (const Row& row : chosen_) {
        if (used_.contains({row.equation, row.level})) continue;
        const auto entries = rows_.entries(row);
        const DaeRows::Entry* open = nullptr;
        int count = 0;
        int layer = 1;
        for (const DaeRows::Entry& entry : entries) {
          const auto known = layers.find(key(entry.derivative));
          if (known == layers.end()) {
            open = &entry;
            ++count;
          } else {
            layer = std::max(layer, known->second + 1);
          }
        }
        if (count != 1 || !open->constant || open->factor == 0.0) continue;
        form.computed.push_back({row, open->derivative, layer});
        layers[key(open->derivative)] = layer;
        missing.erase(key(open->derivative));
        computed_.insert(key(open->derivative));
        used_.insert({row.equation, row.level});
        any = true;
      }
      if (!any && !missing.empty()) {
        const auto lowest =
            std::min_element(missing.begin(), missing.end(), [](const Key& a, const Key& b) {
              return std::pair(a.second, a.first) < std::pair(b.second, b.first);
            });
        layers[*lowest] = 0;
        missing.erase(lowest);
      }
    }
    std::stable_sort(
        form.computed.begin(), form.computed.end(),
        [](const DaeForm::Computed& a, const DaeForm::Computed& b) { return a.layer < b.layer; });
  }

  // Through what is computed, to states and algebraics.
  void find_dependencies(FoundDaeForm& found) const {
    using Dependencies = std::map<std::size_t, bool>;  // and whether they are linear
    std::map<Key, Dependencies> of;
    for (std::size_t j = 0; j < shape_.states; ++j) of[{static_cast<int>(j), 0}] = {{j, true}};
    for (std::size_t k = 0; k < found.form.algebraics.size(); ++k) {
      of[key(found.form.algebraics[k])] = {{shape_.states + k, true}};
    }
    const auto of_row = [&](const Row& row, const Derivative* without) {
      Dependencies sum;
      for (const DaeRows::Entry& entry : rows_.entries(row)) {
        if (without != nullptr && entry.derivative == *without) continue;
        for (const auto& [on, linear] : of.at(key(entry.derivative))) {
          const auto [place, is_new] = sum.emplace(on, true);
          place->second = place->second && linear && entry.constant;
        }
      }
      return sum;
    };
    for (const DaeForm::Computed& one : found.form.computed) {
      of[key(one.derivative)] = of_row(one.row, &one.derivative);
    }
    const auto list = [](const Dependencies& dependencies) {
      std::vector<DaeDependencies::On> members;
      for (const auto& [on, linear] : dependencies) members.push_back({on, linear});
      return members;
    };
    for (std::size_t j = 0; j < shape_.states; ++j) {
      found.dependencies.slopes.push_back(list(of.at({static_cast<int>(j), 1})));
    }
    for (const Row& row : found.form.residuals) {
      found.dependencies.residuals.push_back(list(of_row(row, nullptr)));
    }
  }

  const DaeRows& rows_;
  std::vector<int> levels_;
  Shape shape_;
  std::vector<int> highest_;
  std::vector<Derivative> unknowns_;
  std::vector<Row> chosen_, left_;
  std::set<Key> computed_, used_;
};

}  // namespace

FoundDaeForm select_dae_rows(const DaeRows& rows, std::span<const int> levels, const Shape& shape) {
  Selection selection(rows, levels, shape);
  selection.choose();
  return selection.form();
}

FoundDaeForm switched_dae_form(const Shape& shape) {
  FoundDaeForm found;
  found.form.switched = true;
  const auto unknowns = static_cast<int>(shape.unknowns());
  const auto states = static_cast<int>(shape.states);
  found.form.levels.assign(shape.unknowns(), 0);
  for (int j = states; j < unknowns; ++j) found.form.algebraics.push_back({j, 0});
  for (int j = 0; j < states; ++j) {
    found.dependencies.slopes.push_back(
        {{.state_or_algebraic = shape.states + found.form.algebraics.size(), .linear = true}});
    found.form.algebraics.push_back({j, 1});
  }
  for (int i = 0; i < unknowns; ++i) found.form.residuals.push_back({i, 0});
  return found;
}

}  // namespace saltus::fmu_export

// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "core/at.hpp"
#include "count_queue.hpp"
#include "elimination.hpp"

namespace saltus::elimination {

// A pivot is not smaller than this part of the largest number of its row and column: more makes
// for better pivots, less for fewer new entries. LUSOL takes 1/4.
constexpr double kThreshold = 0.25;
// So many of the shortest columns and rows are looked at for a pivot.
constexpr std::size_t kLookedAt = 4;

class Eliminating {
 public:
  Eliminating(const Pattern& pattern, ConstVec values, const EliminationPlan& plan)
      : plan_(plan),
        rows_(pattern.rows),
        later_(pattern.rows),
        steps_(pattern.rows),
        column_rows_(pattern.columns()),
        row_done_(pattern.rows, 0),
        column_done_(pattern.columns(), 0),
        row_count_(pattern.rows, 0),
        column_count_(pattern.columns(), 0),
        place_(pattern.columns(), -1),
        short_rows_(pattern.rows, pattern.columns()),
        short_columns_(pattern.columns(), pattern.rows) {
    for (std::size_t j = 0; j < pattern.columns(); ++j) {
      for (int k = pattern.first[j];
           plan_.stage[j] != EliminationPlan::kNever && k < pattern.first[j + 1]; ++k) {
        if (values[at(k)] != 0.0) {
          auto& part = plan_.stage[j] == 0 ? rows_ : later_;
          part[at(pattern.row[at(k)])].push_back({static_cast<int>(j), values[at(k)]});
        }
      }
    }
  }

  Elimination run();

 private:
  struct Item {
    int column;
    double value;
  };
  struct Place {
    int row = -1;
    int column = -1;
  };
  // A row that was pivot, by its number among these, and how often it was subtracted.
  struct Step {
    int pivot;
    double factor;
  };

  void count_columns();

  void bring_in_later_columns();
  void add(const std::vector<Item>& more, double times, std::vector<Item>& sum);

  bool takes_part(int column) const {
    return column_done_[at(column)] == 0 && plan_.stage[at(column)] <= now_;
  }

  void begin_stage();

  double value(int row, int column) const;
  double column_size(int column, int* where = nullptr);
  double row_demand(int row, int* where = nullptr) const;

  // The best of the candidates so far: the one that may make the fewest new entries.
  struct Best {
    Place place;
    double cost = std::numeric_limits<double>::infinity();
    double size = 0.0;
  };
  void consider(int row, int column, double size, Best& best) const;

  void look_along_column(int column, Best& best);
  void look_along_row(int row, Best& best);

  Place climb(int column);

  Place choose();

  void take(const Place& pivot);
  void requeue_column(int column);

  void subtract(const std::vector<Item>& used, double divisor, int pivot_column, int row);

  const EliminationPlan& plan_;
  int now_ = 0;
  std::vector<std::vector<Item>> rows_;
  std::vector<std::vector<Item>> later_;       // the columns of later stages, as they were
  std::vector<std::vector<Step>> steps_;       // of the first stage
  std::vector<std::vector<int>> column_rows_;  // also of rows that are done
  std::vector<char> row_done_, column_done_;
  std::vector<int> row_count_, column_count_;  // of what takes part and is left
  std::vector<int> place_;
  CountQueue short_rows_, short_columns_;
  std::vector<int> candidates_, rows_looked_at_, todo_;
  Elimination result_;
};

}  // namespace saltus::elimination

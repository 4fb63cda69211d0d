// SPDX-License-Identifier: BSD-2-Clause
#include "elimination.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "count_queue.hpp"

namespace saltus {
namespace {

// A pivot is not smaller than this part of the largest number of its row and column: more makes
// for better pivots, less for fewer new entries. LUSOL takes 1/4.
constexpr double kThreshold = 0.25;
// So many of the shortest columns and rows are looked at for a pivot.
constexpr std::size_t kLookedAt = 4;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

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

  Elimination run() {
    count_columns();
    for (now_ = 0; now_ <= static_cast<int>(plan_.clearly.size()); ++now_) {
      begin_stage();
      for (Place pivot = choose(); pivot.row >= 0; pivot = choose()) {
        take(pivot);
      }
      result_.rank.push_back(static_cast<int>(result_.rows.size()));
      if (now_ == 0 && !plan_.clearly.empty()) {
        bring_in_later_columns();
      }
    }
    return std::move(result_);
  }

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

  void count_columns() {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      for (const Item& item : rows_[i]) {
        column_rows_[at(item.column)].push_back(static_cast<int>(i));
      }
    }
    for (std::size_t j = 0; j < column_rows_.size(); ++j) {
      column_count_[j] = static_cast<int>(column_rows_[j].size());
    }
  }

  // What the first stage makes of the columns of the later ones, in the rows that are left alone:
  // those of the pivots would become full for nothing.
  void bring_in_later_columns() {
    std::vector<double> factor(result_.rows.size(), 0.0);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      rows_[i].clear();
      if (row_done_[i] != 0) {
        continue;
      }
      add(later_[i], 1.0, rows_[i]);
      todo_.clear();
      const auto subtract = [&](const std::vector<Step>& steps, double times) {
        for (const Step& step : steps) {
          if (factor[at(step.pivot)] == 0.0) {
            todo_.push_back(step.pivot);
            std::push_heap(todo_.begin(), todo_.end());
          }
          factor[at(step.pivot)] -= times * step.factor;
        }
      };
      subtract(steps_[i], 1.0);
      // Each pivot row is the original one without multiples of earlier ones.
      while (!todo_.empty()) {
        std::pop_heap(todo_.begin(), todo_.end());
        const int pivot = todo_.back();
        todo_.pop_back();
        const double times = std::exchange(factor[at(pivot)], 0.0);
        if (times != 0.0) {
          const auto row = at(result_.rows[at(pivot)]);
          add(later_[row], times, rows_[i]);
          subtract(steps_[row], times);
        }
      }
      for (const Item& item : rows_[i]) {
        place_[at(item.column)] = -1;
      }
    }
    for (std::vector<int>& rows : column_rows_) {
      rows.clear();
    }
    count_columns();
  }
  void add(const std::vector<Item>& more, double times, std::vector<Item>& sum) {
    for (const Item& item : more) {
      int& place = place_[at(item.column)];
      if (place < 0) {
        place = static_cast<int>(sum.size());
        sum.push_back({item.column, 0.0});
      }
      sum[at(place)].value += times * item.value;
    }
  }

  bool takes_part(int column) const {
    return column_done_[at(column)] == 0 && plan_.stage[at(column)] <= now_;
  }

  void begin_stage() {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (row_done_[i] == 0) {
        row_count_[i] = static_cast<int>(
            std::count_if(rows_[i].begin(), rows_[i].end(),
                          [this](const Item& item) { return takes_part(item.column); }));
        if (row_count_[i] > 0) {
          short_rows_.put(static_cast<int>(i), row_count_[i]);
        }
      }
    }
    for (std::size_t j = 0; j < column_rows_.size(); ++j) {
      if (takes_part(static_cast<int>(j)) && column_count_[j] > 0) {
        short_columns_.put(static_cast<int>(j), column_count_[j]);
      }
    }
  }

  double value(int row, int column) const {
    for (const Item& item : rows_[at(row)]) {
      if (item.column == column) {
        return item.value;
      }
    }
    return 0.0;
  }
  // The largest number of a column among the rows that are left.
  double column_size(int column, int* where = nullptr) {
    std::vector<int>& rows = column_rows_[at(column)];
    std::erase_if(rows, [this](int row) { return row_done_[at(row)] != 0; });
    double largest = 0.0;
    for (const int row : rows) {
      const double size = std::fabs(value(row, column));
      if (size > largest) {
        largest = size;
        if (where != nullptr) {
          *where = row;
        }
      }
    }
    return largest;
  }
  // What a pivot of this row has to be, at least.
  double row_demand(int row, int* where = nullptr) const {
    double largest = 0.0, overall = 0.0;
    for (const Item& item : rows_[at(row)]) {
      const double size = std::fabs(item.value);
      overall = std::max(overall, size);
      if (takes_part(item.column) && size > largest) {
        largest = size;
        if (where != nullptr) {
          *where = item.column;
        }
      }
    }
    const double clearly = now_ > 0 ? plan_.clearly[at(now_ - 1)] : 0.0;
    return std::max(kThreshold * largest, clearly * overall);
  }

  // The best of the candidates so far: the one that may make the fewest new entries.
  struct Best {
    Place place;
    double cost = std::numeric_limits<double>::infinity();
    double size = 0.0;
  };
  void consider(int row, int column, double size, Best& best) const {
    const double cost =
        static_cast<double>(row_count_[at(row)] - 1) * (column_count_[at(column)] - 1);
    if (cost < best.cost || (cost == best.cost && size > best.size)) {
      best = {{row, column}, cost, size};
    }
  }

  void look_along_column(int column, Best& best) {
    const double largest = column_size(column);
    if (!(largest > plan_.tolerance)) {
      short_columns_.remove(column);
      return;
    }
    for (const int row : column_rows_[at(column)]) {
      const double size = std::fabs(value(row, column));
      if (size >= kThreshold * largest && size > plan_.tolerance && size >= row_demand(row)) {
        consider(row, column, size, best);
      }
    }
  }
  void look_along_row(int row, Best& best) {
    int column = -1;
    const double demand = row_demand(row, &column);
    const double size = column < 0 ? 0.0 : std::fabs(value(row, column));
    if (!(size > plan_.tolerance) || size < demand) {
      short_rows_.remove(row);
      return;
    }
    if (size >= kThreshold * column_size(column)) {
      consider(row, column, size, best);
    }
  }

  // From a number to the largest of its column, to the largest of that row, and so on: the numbers
  // grow, and so this ends.
  Place climb(int column) {
    for (;;) {
      int row = -1;
      const double size = column_size(column, &row);
      if (!(size > plan_.tolerance)) {
        short_columns_.remove(column);
        return {};
      }
      int larger = column;
      const double demand = row_demand(row, &larger);
      if (size >= demand) {
        return {row, column};
      }
      if (larger == column || std::fabs(value(row, larger)) < demand) {
        return {};  // a later stage has larger ones in this row
      }
      column = larger;
    }
  }

  Place choose() {
    for (;;) {
      Best best;
      short_columns_.smallest(kLookedAt, candidates_);
      if (candidates_.empty()) {
        return {};
      }
      for (const int column : candidates_) {
        look_along_column(column, best);
      }
      rows_looked_at_.clear();
      short_rows_.smallest(kLookedAt, rows_looked_at_);
      for (const int row : rows_looked_at_) {
        look_along_row(row, best);
      }
      if (best.place.row >= 0) {
        return best.place;
      }
      for (const int column : candidates_) {
        if (!short_columns_.has(column)) {
          continue;
        }
        const Place place = climb(column);
        if (place.row >= 0) {
          return place;
        }
        short_columns_.remove(column);  // nothing of it serves in this stage
      }
    }
  }

  void take(const Place& pivot) {
    result_.rows.push_back(pivot.row);
    result_.columns.push_back(pivot.column);
    row_done_[at(pivot.row)] = 1;
    column_done_[at(pivot.column)] = 1;
    short_rows_.remove(pivot.row);
    short_columns_.remove(pivot.column);
    std::vector<Item>& used = rows_[at(pivot.row)];
    const double divisor = value(pivot.row, pivot.column);
    std::erase_if(used, [&](const Item& item) { return item.column == pivot.column; });
    for (const Item& item : used) {
      --column_count_[at(item.column)];
    }
    for (const int row : column_rows_[at(pivot.column)]) {
      if (row_done_[at(row)] == 0) {
        subtract(used, divisor, pivot.column, row);
      }
    }
    for (const Item& item : used) {
      requeue_column(item.column);
    }
    column_rows_[at(pivot.column)].clear();
    used.clear();
  }
  void requeue_column(int column) {
    if (takes_part(column)) {
      if (column_count_[at(column)] > 0) {
        short_columns_.put(column, column_count_[at(column)]);
      } else {
        short_columns_.remove(column);
      }
    }
  }

  void subtract(const std::vector<Item>& used, double divisor, int pivot_column, int row) {
    std::vector<Item>& items = rows_[at(row)];
    double factor = 0.0;
    for (std::size_t k = 0; k < items.size();) {
      if (items[k].column == pivot_column) {
        factor = items[k].value / divisor;
        items[k] = items.back();
        items.pop_back();
      } else {
        place_[at(items[k].column)] = static_cast<int>(k);
        ++k;
      }
    }
    if (now_ == 0 && factor != 0.0) {
      steps_[at(row)].push_back({static_cast<int>(result_.rows.size()) - 1, factor});
    }
    const std::size_t before = items.size();
    for (const Item& item : used) {
      const int place = place_[at(item.column)];
      if (place >= 0) {
        items[at(place)].value -= factor * item.value;
      } else if (factor != 0.0) {
        items.push_back({item.column, -factor * item.value});
        column_rows_[at(item.column)].push_back(row);
        ++column_count_[at(item.column)];
      }
    }
    int count = row_count_[at(row)] - 1;
    for (std::size_t k = 0; k < items.size(); ++k) {
      place_[at(items[k].column)] = -1;
      count += k >= before && takes_part(items[k].column) ? 1 : 0;
    }
    row_count_[at(row)] = count;
    if (count > 0) {
      short_rows_.put(row, count);
    } else {
      short_rows_.remove(row);
    }
  }

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

}  // namespace

Elimination eliminate(const Pattern& pattern, ConstVec values, const EliminationPlan& plan) {
  return Eliminating(pattern, values, plan).run();
}

}  // namespace saltus

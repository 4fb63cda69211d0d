// SPDX-License-Identifier: BSD-2-Clause
#include "elimination.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "eliminating.hpp"

namespace saltus {
namespace elimination {

Elimination Eliminating::run() {
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

void Eliminating::count_columns() {
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
void Eliminating::bring_in_later_columns() {
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

void Eliminating::add(const std::vector<Item>& more, double times, std::vector<Item>& sum) {
  for (const Item& item : more) {
    int& place = place_[at(item.column)];
    if (place < 0) {
      place = static_cast<int>(sum.size());
      sum.push_back({item.column, 0.0});
    }
    sum[at(place)].value += times * item.value;
  }
}

void Eliminating::begin_stage() {
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

void Eliminating::take(const Place& pivot) {
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

void Eliminating::requeue_column(int column) {
  if (takes_part(column)) {
    if (column_count_[at(column)] > 0) {
      short_columns_.put(column, column_count_[at(column)]);
    } else {
      short_columns_.remove(column);
    }
  }
}

void Eliminating::subtract(const std::vector<Item>& used, double divisor, int pivot_column,
                           int row) {
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

}  // namespace elimination

Elimination eliminate(const Pattern& pattern, ConstVec values, const EliminationPlan& plan) {
  return elimination::Eliminating(pattern, values, plan).run();
}

}  // namespace saltus

// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <cmath>
#include <limits>

#include "eliminating.hpp"

// Which entry is the next pivot.
namespace saltus::elimination {

void Eliminating::consider(int row, int column, double size, Best& best) const {
  const double cost =
      static_cast<double>(row_count_[at(row)] - 1) * (column_count_[at(column)] - 1);
  if (cost < best.cost || (cost == best.cost && size > best.size)) {
    best = {{row, column}, cost, size};
  }
}

void Eliminating::look_along_column(int column, Best& best) {
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

void Eliminating::look_along_row(int row, Best& best) {
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
Eliminating::Place Eliminating::climb(int column) {
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

Eliminating::Place Eliminating::choose() {
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

double Eliminating::value(int row, int column) const {
  for (const Item& item : rows_[at(row)]) {
    if (item.column == column) {
      return item.value;
    }
  }
  return 0.0;
}

// The largest number of a column among the rows that are left.
double Eliminating::column_size(int column, int* where) {
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
double Eliminating::row_demand(int row, int* where) const {
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

}  // namespace saltus::elimination

// SPDX-License-Identifier: BSD-2-Clause
#include "transversal.hpp"

#include <algorithm>
#include <cstddef>

#include "core/at.hpp"

namespace saltus::index {
namespace {

constexpr int kUnreached = -1;

/// The primal-dual method for the assignment problem (Kuhn 1955), many paths at a time: labels with
/// u_i + v_j >= weight_ij are kept, pairs are only formed where equality holds. Weights are tiny
/// whole numbers, so that distances are sorted by buckets (Dial 1969).
class Pairing {
 public:
  explicit Pairing(const WeightTable& table)
      : table_(table), u_(at(table.rows()), 0), v_(at(table.columns()), 0) {
    result_.column_of.assign(at(table.rows()), -1);
    result_.row_of.assign(at(table.columns()), -1);
    for (int i = 0; i < table.rows(); ++i) {
      for (int k = table.row_first[at(i)]; k < table.row_first[at(i) + 1]; ++k) {
        u_[at(i)] = std::max(u_[at(i)], table.weight[at(k)]);
      }
    }
  }

  Transversal run() {
    do {
      while (augment_disjoint_paths()) {
      }
    } while (result_.size < std::min(table_.rows(), table_.columns()) && relax_labels());
    return result_;
  }

 private:
  int slack(int i, int k) const {
    return u_[at(i)] + v_[at(table_.column[at(k)])] - table_.weight[at(k)];
  }

  /// Depth first from every free row along pairs without slack; each column is entered once.
  bool augment_disjoint_paths() {
    entered_.assign(at(table_.columns()), 0);
    next_ = table_.row_first;
    bool found = false;
    for (int i = 0; i < table_.rows(); ++i) {
      if (result_.column_of[at(i)] < 0 && augment_from(i)) {
        found = true;
      }
    }
    return found;
  }

  bool augment_from(int start) {
    path_.assign(1, start);
    while (!path_.empty()) {
      const int i = path_.back();
      int& k = next_[at(i)];
      for (; k < table_.row_first[at(i) + 1]; ++k) {
        const int j = table_.column[at(k)];
        if (entered_[at(j)] != 0 || slack(i, k) != 0) {
          continue;
        }
        entered_[at(j)] = 1;
        if (result_.row_of[at(j)] < 0) {
          shift_pairs(j);
          return true;
        }
        path_.push_back(result_.row_of[at(j)]);
        break;
      }
      if (path_.back() == i) {
        path_.pop_back();
      }
    }
    return false;
  }

  /// The last row of the path takes the free column, the row before takes what that one had, ...
  void shift_pairs(int free_column) {
    for (std::size_t p = path_.size(); p-- > 0;) {
      const int i = path_[p];
      const int had = result_.column_of[at(i)];
      result_.column_of[at(i)] = free_column;
      result_.row_of[at(free_column)] = i;
      free_column = had;
    }
    ++result_.size;
  }

  /// Shortest paths in slack from all free rows to a free column; lowers the labels so that the
  /// path has no slack any more. False if no free column can be reached.
  bool relax_labels() {
    std::vector<int> row_distance(at(table_.rows()), kUnreached);
    std::vector<int> column_distance(at(table_.columns()), kUnreached);
    std::vector<std::vector<int>> bucket(1);
    std::vector<char> row_done(at(table_.rows()), 0);
    for (int i = 0; i < table_.rows(); ++i) {
      if (result_.column_of[at(i)] < 0) {
        row_distance[at(i)] = 0;
        bucket[0].push_back(i);
      }
    }
    int nearest = kUnreached;
    for (std::size_t distance = 0; distance < bucket.size(); ++distance) {
      if (nearest != kUnreached && static_cast<int>(distance) >= nearest) {
        break;
      }
      for (std::size_t b = 0; b < bucket[distance].size(); ++b) {
        const int i = bucket[distance][b];
        if (row_done[at(i)] != 0 || row_distance[at(i)] != static_cast<int>(distance)) {
          continue;
        }
        row_done[at(i)] = 1;
        for (int k = table_.row_first[at(i)]; k < table_.row_first[at(i) + 1]; ++k) {
          const int j = table_.column[at(k)];
          const int through = static_cast<int>(distance) + slack(i, k);
          if (column_distance[at(j)] != kUnreached && column_distance[at(j)] <= through) {
            continue;
          }
          column_distance[at(j)] = through;
          const int paired = result_.row_of[at(j)];
          if (paired < 0) {
            nearest = nearest == kUnreached ? through : std::min(nearest, through);
            continue;
          }
          row_distance[at(paired)] = through;
          if (bucket.size() <= at(through)) {
            bucket.resize(at(through) + 1);
          }
          bucket[at(through)].push_back(paired);
        }
      }
    }
    if (nearest == kUnreached) {
      return false;
    }
    for (int i = 0; i < table_.rows(); ++i) {
      if (row_distance[at(i)] != kUnreached && row_distance[at(i)] < nearest) {
        u_[at(i)] -= nearest - row_distance[at(i)];
      }
    }
    for (int j = 0; j < table_.columns(); ++j) {
      if (column_distance[at(j)] != kUnreached && column_distance[at(j)] < nearest) {
        v_[at(j)] += nearest - column_distance[at(j)];
      }
    }
    return true;
  }

  const WeightTable& table_;
  std::vector<int> u_;
  std::vector<int> v_;
  std::vector<char> entered_;
  std::vector<int> next_;
  std::vector<int> path_;
  Transversal result_;
};

}  // namespace

WeightTable::WeightTable(int rows, int columns, std::span<const Item> items)
    : row_first(at(rows) + 1, 0),
      column(items.size()),
      weight(items.size()),
      column_first(at(columns) + 1, 0),
      row(items.size()),
      column_weight(items.size()) {
  for (const Item& item : items) {
    ++row_first[at(item.row) + 1];
    ++column_first[at(item.column) + 1];
  }
  for (std::size_t i = 1; i < row_first.size(); ++i) {
    row_first[i] += row_first[i - 1];
  }
  for (std::size_t j = 1; j < column_first.size(); ++j) {
    column_first[j] += column_first[j - 1];
  }
  std::vector<int> next_in_row = row_first;
  std::vector<int> next_in_column = column_first;
  for (const Item& item : items) {
    const std::size_t k = at(next_in_row[at(item.row)]++);
    column[k] = item.column;
    weight[k] = item.weight;
    const std::size_t l = at(next_in_column[at(item.column)]++);
    row[l] = item.row;
    column_weight[l] = item.weight;
  }
}

Transversal heaviest_transversal(const WeightTable& table) { return Pairing(table).run(); }

}  // namespace saltus::index

// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>
#include <vector>

namespace saltus::index {

/// A sparse table of small whole numbers: row by row and column by column.
struct WeightTable {
  struct Item {
    int row;
    int column;
    int weight;
  };
  WeightTable(int rows, int columns, std::span<const Item> items);

  int rows() const { return static_cast<int>(row_first.size()) - 1; }
  int columns() const { return static_cast<int>(column_first.size()) - 1; }

  /// Row i holds the items row_first[i] ... row_first[i + 1] - 1 of `column` and `weight`.
  std::vector<int> row_first;
  std::vector<int> column;
  std::vector<int> weight;
  /// Column j holds the rows column_first[j] ... of `row`, with `column_weight`.
  std::vector<int> column_first;
  std::vector<int> row;
  std::vector<int> column_weight;
};

/// Pairs as many rows with columns as possible, and among the possibilities of a complete pairing
/// one with the largest sum of weights.
struct Transversal {
  /// -1: not paired.
  std::vector<int> column_of;
  std::vector<int> row_of;
  int size = 0;
};
Transversal heaviest_transversal(const WeightTable& table);

}  // namespace saltus::index

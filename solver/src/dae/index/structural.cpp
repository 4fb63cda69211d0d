// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>

#include "array_matrix.hpp"
#include "core/at.hpp"
#include "saltus/dae/index_analysis.hpp"
#include "transversal.hpp"

namespace saltus {
namespace {

/// sigma_ij: the highest derivative of unknown j in equation i. Entries are sorted, so that the
/// last one of a pair has the highest order.
std::vector<index::WeightTable::Item> signature(std::span<const DerivativeArray::Entry> entries) {
  std::vector<index::WeightTable::Item> items;
  for (const DerivativeArray::Entry& entry : entries) {
    if (!items.empty() && items.back().row == entry.row && items.back().column == entry.unknown) {
      items.back().weight = std::max(items.back().weight, entry.order);
    } else {
      items.push_back({entry.row, entry.unknown, entry.order});
    }
  }
  return items;
}

/// The smallest c_i >= 0 and d_j with d_j - c_i >= sigma_ij, equal on the transversal: the fixed
/// point of Pryce (2001), section 3, raised only where something below it rose.
void smallest_offsets(const index::WeightTable& table, const std::vector<int>& row_of,
                      StructuralOffsets& offsets) {
  std::vector<int>& c = offsets.equation_offset;
  std::vector<int>& d = offsets.unknown_offset;
  c.assign(at(table.rows()), 0);
  d.assign(at(table.columns()), 0);
  std::vector<int> raised;
  for (int j = 0; j < table.columns(); ++j) {
    for (int k = table.column_first[at(j)]; k < table.column_first[at(j) + 1]; ++k) {
      d[at(j)] = std::max(d[at(j)], table.column_weight[at(k)]);
    }
    raised.push_back(j);
  }
  while (!raised.empty()) {
    const int j = raised.back();
    raised.pop_back();
    const int i = row_of[at(j)];
    int sigma = 0;
    for (int k = table.row_first[at(i)]; k < table.row_first[at(i) + 1]; ++k) {
      if (table.column[at(k)] == j) {
        sigma = table.weight[at(k)];
      }
    }
    if (d[at(j)] - sigma <= c[at(i)]) {
      continue;
    }
    c[at(i)] = d[at(j)] - sigma;
    for (int k = table.row_first[at(i)]; k < table.row_first[at(i) + 1]; ++k) {
      const int other = table.column[at(k)];
      if (table.weight[at(k)] + c[at(i)] > d[at(other)]) {
        d[at(other)] = table.weight[at(k)] + c[at(i)];
        raised.push_back(other);
      }
    }
  }
}

/// Everything that alternating paths reach from the unpaired rows, or from the unpaired columns.
void coarse_decomposition(const index::WeightTable& table, const index::Transversal& pairs,
                          StructuralOffsets& offsets) {
  std::vector<char> row_seen(at(table.rows()), 0);
  std::vector<char> column_seen(at(table.columns()), 0);
  std::vector<int> todo;
  const auto take = [&todo](std::vector<char>& seen, std::vector<int>& part, int one) {
    if (seen[at(one)] == 0) {
      seen[at(one)] = 1;
      part.push_back(one);
      todo.push_back(one);
    }
  };
  for (int i = 0; i < table.rows(); ++i) {
    if (pairs.column_of[at(i)] < 0) {
      take(row_seen, offsets.overdetermined_equations, i);
    }
  }
  while (!todo.empty()) {
    const int i = todo.back();
    todo.pop_back();
    for (int k = table.row_first[at(i)]; k < table.row_first[at(i) + 1]; ++k) {
      const int j = table.column[at(k)];
      if (column_seen[at(j)] == 0) {
        column_seen[at(j)] = 1;
        offsets.overdetermined_unknowns.push_back(j);
        take(row_seen, offsets.overdetermined_equations, pairs.row_of[at(j)]);
      }
    }
  }
  for (int j = 0; j < table.columns(); ++j) {
    if (pairs.row_of[at(j)] < 0) {
      take(column_seen, offsets.underdetermined_unknowns, j);
    }
  }
  while (!todo.empty()) {
    const int j = todo.back();
    todo.pop_back();
    for (int k = table.column_first[at(j)]; k < table.column_first[at(j) + 1]; ++k) {
      const int i = table.row[at(k)];
      if (row_seen[at(i)] == 0) {
        row_seen[at(i)] = 1;
        offsets.underdetermined_equations.push_back(i);
        take(column_seen, offsets.underdetermined_unknowns, pairs.column_of[at(i)]);
      }
    }
  }
  for (std::vector<int>* part :
       {&offsets.overdetermined_equations, &offsets.overdetermined_unknowns,
        &offsets.underdetermined_equations, &offsets.underdetermined_unknowns}) {
    std::sort(part->begin(), part->end());
  }
}

/// At most five names: the part may be the whole model.
template <class Name>
std::string listed(const std::vector<int>& members, Name name) {
  constexpr std::size_t kShown = 5;
  std::string text;
  for (std::size_t k = 0; k < std::min(members.size(), kShown); ++k) {
    text += (k == 0 ? "\"" : ", \"") + name(members[k]) + "\"";
  }
  return members.size() > kShown ? text + ", ..." : text;
}

std::string counted(std::size_t number, const std::string& what) {
  return std::to_string(number) + " " + what + (number == 1 ? "" : "s");
}

}  // namespace

StructuralOffsets structural_offsets(std::size_t equations, std::size_t unknowns,
                                     std::span<const DerivativeArray::Entry> entries) {
  const index::WeightTable table(static_cast<int>(equations), static_cast<int>(unknowns),
                                 signature(entries));
  const index::Transversal pairs = index::heaviest_transversal(table);
  StructuralOffsets offsets;
  offsets.partner = pairs.column_of;
  offsets.matched = equations == unknowns && pairs.size == table.rows();
  if (offsets.matched) {
    smallest_offsets(table, pairs.row_of, offsets);
  } else {
    coarse_decomposition(table, pairs, offsets);
  }
  return offsets;
}

std::string describe(const StructuralOffsets& offsets, const DerivativeArray& array,
                     const std::vector<std::string>& unknown_names) {
  const auto equation = [&array](int i) { return array.equation_name(at(i)); };
  const auto unknown = [&unknown_names](int j) { return index::unknown_name(unknown_names, j); };
  std::string text;
  if (!offsets.overdetermined_equations.empty()) {
    text += counted(offsets.overdetermined_equations.size(), "equation") + " (" +
            listed(offsets.overdetermined_equations, equation) + ") contain only " +
            counted(offsets.overdetermined_unknowns.size(), "unknown");
    if (!offsets.overdetermined_unknowns.empty()) {
      text += " (" + listed(offsets.overdetermined_unknowns, unknown) + ")";
    }
  }
  if (!offsets.underdetermined_unknowns.empty()) {
    text += (text.empty() ? "" : "; ") +
            counted(offsets.underdetermined_unknowns.size(), "unknown") + " (" +
            listed(offsets.underdetermined_unknowns, unknown) + ") occur in only " +
            counted(offsets.underdetermined_equations.size(), "equation");
    if (!offsets.underdetermined_equations.empty()) {
      text += " (" + listed(offsets.underdetermined_equations, equation) + ")";
    }
  }
  return text;
}

}  // namespace saltus

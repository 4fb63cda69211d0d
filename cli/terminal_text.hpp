// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace saltus::cli {

/// `text` without control characters. Names and descriptions are somebody else's: what they print
/// must not move the cursor of a terminal or change its title.
std::string printable(std::string_view text);

/// The first `columns` characters of `text`, with an ellipsis where something is cut off.
std::string shortened(std::string_view text, std::size_t columns);

/// Rows of cells in aligned columns, two blanks apart. The last column is not padded.
class TextTable {
 public:
  explicit TextTable(std::size_t indent = 2) : indent_(indent) {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  /// With `rule`, the first row is a heading with a line below.
  std::string text(bool rule = false) const;

 private:
  std::size_t indent_;
  std::vector<std::vector<std::string>> rows_;
};

/// Writes to the standard output. A reader that goes away, as `head` does, is no failure.
void print(std::string_view text);

/// Writes `saltus: ` and one line to the standard error, past every buffer, so that it also works
/// when little else does.
void complain(std::string_view message);

}  // namespace saltus::cli

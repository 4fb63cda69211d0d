// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace saltus::importer {

/// Input values over time, from a CSV file:
///
///     time,throttle,"gear, selected",on
///     0,0.0,1,true
///     2,0.5,1,true
///     2,0.5,2,true
///     4,0.1,2,false
///
/// The first column is `time` and never decreases. Two rows of equal time are the left and the
/// right limit of a jump. Between rows continuous inputs are interpolated linearly and discrete
/// ones hold their value; before the first and after the last row the nearest row holds. Names with
/// commas or quotes are quoted, an element of an array is `u[2]`, counted from 1. Values are
/// numbers or `true` and `false`; a whole array is a list of them with blanks between, a string is
/// taken as it stands, a binary is hexadecimal.
///
/// A table knows nothing of an FMU: give it to `FmuModel` or `CoSimulationFmu`, which check names
/// and values.
class InputTable {
 public:
  /// Throws `InputError` with file, line and column.
  static InputTable load(const std::filesystem::path& file);
  /// The same from memory; `source` names it in messages.
  static InputTable parse(std::string_view text, std::string source);

  /// Where it came from, for messages.
  const std::string& source() const { return source_; }
  /// The columns without `time`.
  const std::vector<std::string>& names() const { return names_; }
  std::span<const double> times() const { return times_; }
  /// Where a run goes on beyond the rows, in words; empty if it does not, or if there is but one
  /// time: constants are meant to hold.
  std::string uncovered(double start, double stop) const;
  /// NaN where the cell is no number; see `text`.
  double value(std::size_t row, std::size_t column) const {
    return values_[row * names_.size() + column];
  }
  /// The cell as it stands in the file, or of an element its word there.
  std::string text(std::size_t row, std::size_t column) const;
  /// The line of a row in the file, from 1.
  std::size_t line(std::size_t row) const { return lines_[row].number; }
  /// The column in the file, from 1, which is time.
  std::size_t file_column(std::size_t column) const { return file_columns_[column]; }

  /// The same with one column for each element where a column is an array. `elements` gives the
  /// names of the elements of a column, which may be none at all, and nothing if it is no array.
  /// Throws `InputError` where a cell has another number of elements; one stands for all.
  using Elements = std::function<std::optional<std::vector<std::string>>(const std::string& name)>;
  InputTable with_elements(const Elements& elements) const;

  /// Which of two rows of equal time counts.
  enum class Side { left, right };
  /// A point between two rows, found once for all columns.
  struct Place {
    std::size_t lower = 0;
    std::size_t upper = 0;
    double weight = 0.0;  ///< of the upper row
  };
  Place locate(double t, Side side) const;
  double interpolated(const Place& place, std::size_t column) const;
  double held(const Place& place, std::size_t column) const { return value(place.lower, column); }

 private:
  std::string source_;
  std::vector<std::string> names_;
  std::vector<double> times_;
  std::vector<double> values_;  // row by row
  struct Line {
    std::size_t begin = 0;
    std::size_t number = 0;
  };
  std::vector<Line> lines_;                  // of the rows
  std::shared_ptr<const std::string> file_;  // its text
  std::vector<std::size_t> file_columns_;    // where a column stands there, from 1
};

}  // namespace saltus::importer

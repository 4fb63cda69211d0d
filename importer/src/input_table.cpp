// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/importer/input_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <unordered_set>

#include "number_text.hpp"
#include "saltus/importer/fmu_error.hpp"

namespace saltus::importer {
namespace {

/// One line, cell by cell.
class Cells {
 public:
  Cells(std::string_view line, const std::string& source, std::size_t number)
      : rest_(line), source_(source), line_(number) {}

  bool next(std::string& cell) {
    if (done_) return false;
    ++column_;
    cell.clear();
    const std::size_t begin = rest_.find_first_not_of(" \t");
    if (begin != std::string_view::npos && rest_[begin] == '"') {
      rest_.remove_prefix(begin + 1);
      read_quoted(cell);
    } else {
      cell = trim(rest_.substr(0, rest_.find(',')));
    }
    const std::size_t comma = rest_.find(',');
    done_ = comma == std::string_view::npos;
    if (!done_) rest_.remove_prefix(comma + 1);
    return true;
  }

  std::size_t column() const { return column_; }
  [[noreturn]] void fail(const std::string& reason) const {
    throw InputError(source_, line_, column_, reason);
  }

 private:
  void read_quoted(std::string& cell) {
    for (;;) {
      const std::size_t quote = rest_.find('"');
      if (quote == std::string_view::npos) fail("a quotation mark is not closed");
      cell += rest_.substr(0, quote);
      rest_.remove_prefix(quote + 1);
      if (!rest_.starts_with('"')) break;
      cell += '"';
      rest_.remove_prefix(1);
    }
    const std::string_view after = rest_.substr(0, rest_.find(','));
    if (!trim(after).empty()) fail("text after a quotation mark");
  }

  std::string_view rest_;
  const std::string& source_;
  std::size_t line_;
  std::size_t column_ = 0;
  bool done_ = false;
};

/// NaN for what is no finite number and no truth value.
double read_cell(std::string_view cell) {
  double number = 0.0;
  if (read_number(cell, number) && std::isfinite(number)) return number;
  bool truth = false;
  if (read_boolean(cell, truth)) return truth ? 1.0 : 0.0;
  return std::numeric_limits<double>::quiet_NaN();
}

std::vector<std::string> read_header(Cells cells) {
  std::vector<std::string> names;
  std::unordered_set<std::string> seen;
  std::string cell;
  while (cells.next(cell)) {
    if (cells.column() == 1) {
      if (cell != "time") cells.fail(fmt::format("the first column is \"{}\", not time", cell));
      continue;
    }
    if (cell.empty()) cells.fail("the column has no name");
    if (!seen.insert(cell).second) cells.fail(fmt::format("\"{}\" is there twice", cell));
    names.push_back(cell);
  }
  return names;
}

}  // namespace

InputTable InputTable::load(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream || std::filesystem::is_directory(file)) {
    throw InputError(file.string(), 0, 0, "the file cannot be read");
  }
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  return parse(text, file.string());
}

InputTable InputTable::parse(std::string_view given, std::string source) {
  InputTable table;
  table.source_ = std::move(source);
  table.file_ = std::make_shared<const std::string>(given);
  std::string_view text = *table.file_;
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  bool has_header = false;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (trim(line).empty()) continue;
    Cells cells(line, table.source_, number);
    if (!has_header) {
      table.names_ = read_header(cells);
      for (std::size_t i = 0; i < table.names_.size(); ++i) table.file_columns_.push_back(i + 2);
      has_header = true;
      continue;
    }
    table.lines_.push_back(
        {.begin = static_cast<std::size_t>(line.data() - table.file_->data()), .number = number});
    std::string cell;
    while (cells.next(cell)) {
      const double entry = read_cell(cell);
      if (cells.column() > table.names_.size() + 1) cells.fail("more cells than the header has");
      if (cells.column() > 1) {
        table.values_.push_back(entry);
        continue;
      }
      if (!std::isfinite(entry))
        cells.fail(fmt::format("the time \"{}\" is no finite number", cell));
      if (!table.times_.empty() && entry < table.times_.back()) {
        cells.fail(fmt::format("time goes back from {} to {}", table.times_.back(), entry));
      }
      table.times_.push_back(entry);
    }
    if (cells.column() != table.names_.size() + 1) {
      throw InputError(
          table.source_, number, 0,
          fmt::format("{} cells, but the header has {}", cells.column(), table.names_.size() + 1));
    }
  }
  if (!has_header) throw InputError(table.source_, 0, 0, "the file is empty");
  if (table.times_.empty()) throw InputError(table.source_, 0, 0, "there is no row of values");
  return table;
}

std::string InputTable::text(std::size_t row, std::size_t column) const {
  std::string_view line = std::string_view(*file_).substr(lines_[row].begin);
  line = line.substr(0, line.find('\n'));
  Cells cells(line, source_, lines_[row].number);
  std::string cell;
  while (cells.next(cell) && cells.column() < file_columns_[column]) {
  }
  const auto [first, last] =
      std::equal_range(file_columns_.begin(), file_columns_.end(), file_columns_[column]);
  if (last - first == 1) return cell;
  const std::vector<std::string_view> words = split(cell);
  const auto element = column - static_cast<std::size_t>(first - file_columns_.begin());
  return words.empty() ? cell : std::string(words[words.size() == 1 ? 0 : element]);
}

InputTable InputTable::with_elements(const Elements& elements) const {
  InputTable table = *this;
  table.names_.clear();
  table.file_columns_.clear();
  std::vector<std::optional<std::vector<std::string>>> parts;
  for (std::size_t i = 0; i < names_.size(); ++i) {
    parts.push_back(elements(names_[i]));
    const std::vector<std::string> own = parts[i].value_or(std::vector{names_[i]});
    table.names_.insert(table.names_.end(), own.begin(), own.end());
    table.file_columns_.insert(table.file_columns_.end(), own.size(), file_columns_[i]);
  }
  table.values_.clear();
  for (std::size_t row = 0; row < times_.size(); ++row) {
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const std::size_t count = parts[i] ? parts[i]->size() : 1;
      if (!parts[i] || !std::isnan(value(row, i))) {
        table.values_.insert(table.values_.end(), count, value(row, i));
        continue;
      }
      const std::string cell = text(row, i);
      const std::vector<std::string_view> words = split(cell);
      for (const std::string_view word : words) table.values_.push_back(read_cell(word));
      if (words.size() == count) continue;
      throw InputError(
          source_, line(row), file_columns_[i],
          fmt::format("\"{}\" has {} elements, but {} are given", names_[i], count, words.size()));
    }
  }
  return table;
}

InputTable::Place InputTable::locate(double t, Side side) const {
  const auto after = side == Side::right ? std::upper_bound(times_.begin(), times_.end(), t)
                                         : std::lower_bound(times_.begin(), times_.end(), t);
  const auto upper = static_cast<std::size_t>(after - times_.begin());
  if (upper == 0) return {.lower = 0, .upper = 0, .weight = 0.0};
  if (upper == times_.size()) return {.lower = upper - 1, .upper = upper - 1, .weight = 0.0};
  const double begin = times_[upper - 1];
  return {.lower = upper - 1, .upper = upper, .weight = (t - begin) / (times_[upper] - begin)};
}

double InputTable::interpolated(const Place& place, std::size_t column) const {
  const double lower = value(place.lower, column);
  const double upper = value(place.upper, column);
  if (place.weight == 0.0 || lower == upper) return lower;
  if (place.weight == 1.0) return upper;
  return lower + place.weight * (upper - lower);
}

std::string InputTable::uncovered(double start, double stop) const {
  if (times_.front() == times_.back()) return {};
  std::string text;
  if (start < times_.front()) {
    text =
        fmt::format("its first row, at t = {}, holds from the start of the run on", times_.front());
  }
  if (stop > times_.back()) {
    text += fmt::format("{}its last row, at t = {}, holds until the end of the run",
                        text.empty() ? "" : ", and ", times_.back());
  }
  return text;
}

}  // namespace saltus::importer

// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/importer/recorded_run.hpp"

#include <cmath>
#include <ostream>

#include "number_text.hpp"

namespace saltus::importer {
namespace {

void append_cell(std::string& line, std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    line += text;
    return;
  }
  line += '"';
  for (const char c : text) {
    if (c == '"') line += '"';
    line += c;
  }
  line += '"';
}

void append_number(std::string& line, VariableType type, double number) {
  switch (type) {
    case VariableType::float64:
      importer::append_number(line, number);
      break;
    case VariableType::float32:
      importer::append_number(line, static_cast<float>(number));
      break;
    default:
      importer::append_number(line, static_cast<std::int64_t>(number));
  }
}

}  // namespace

bool needs_text(VariableType type) {
  return !is_numeric(type) || type == VariableType::int64 || type == VariableType::uint64;
}

void RecordedRun::begin(const std::vector<RecordedColumn>& columns) {
  columns_ = columns;
  is_told_.assign(columns.size(), 0);
  if (stream_ != nullptr) *stream_ << header();
}

void RecordedRun::row(double t, ConstVec numbers, std::span<const std::string> texts,
                      std::size_t surfaces) {
  if (surfaces > 0 && (!is_sliding_ || phases_.back().surfaces != surfaces)) {
    phases_.push_back({.begin = t, .end = t, .surfaces = surfaces});
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (std::isfinite(numbers[i]) || is_told_[i] != 0 || columns_[i].may_be_nan ||
        !is_numeric(columns_[i].type)) {
      continue;
    }
    is_told_[i] = 1;
    not_finite_.push_back({.column = columns_[i].name, .time = t});
  }
  is_sliding_ = surfaces > 0;
  if (is_sliding_) phases_.back().end = t;
  if (keep_) {
    times_.push_back(t);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      columns_[i].values.push_back(numbers[i]);
      if (needs_text(columns_[i].type)) columns_[i].texts.push_back(texts[i]);
    }
  }
  if (stream_ != nullptr) {
    append_row(t, numbers, texts, line_);
    *stream_ << line_;
  }
  ++rows_;
}

std::string RecordedRun::header() const {
  std::string line = "time";
  for (const RecordedColumn& column : columns_) {
    line += ',';
    append_cell(line, column.name);
  }
  return line + '\n';
}

void RecordedRun::append_row(double t, ConstVec numbers, std::span<const std::string> texts,
                             std::string& line) const {
  line.clear();
  importer::append_number(line, t);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    line += ',';
    if (needs_text(columns_[i].type)) {
      append_cell(line, texts[i]);
    } else {
      append_number(line, columns_[i].type, numbers[i]);
    }
  }
  line += '\n';
}

void RecordedRun::write(std::ostream& stream) const {
  stream << header();
  std::string line;
  std::vector<double> numbers(columns_.size());
  std::vector<std::string> texts(columns_.size());
  for (std::size_t row = 0; row < times_.size(); ++row) {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      numbers[i] = columns_[i].values[row];
      if (!columns_[i].texts.empty()) texts[i] = columns_[i].texts[row];
    }
    append_row(times_[row], numbers, texts, line);
    stream << line;
  }
}

}  // namespace saltus::importer

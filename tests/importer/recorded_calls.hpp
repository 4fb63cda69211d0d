// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "saltus/importer/call_log.hpp"

/// Keeps the calls into an FMU.
class RecordedCalls : public saltus::importer::CallLog {
 public:
  void call(std::string_view line) override { lines_.emplace_back(line); }
  void clear() { lines_.clear(); }

  const std::vector<std::string>& lines() const { return lines_; }
  /// The names of the functions alone.
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const std::string& line : lines_) names.push_back(line.substr(0, line.find('(')));
    return names;
  }
  std::size_t count(std::string_view function) const {
    std::size_t found = 0;
    for (const std::string& name : names()) found += name == function ? 1 : 0;
    return found;
  }

 private:
  std::vector<std::string> lines_;
};

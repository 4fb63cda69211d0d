// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/importer/fmu_error.hpp"

#include <fmt/format.h>

#include <utility>

namespace saltus::importer {
namespace {

std::string place(const std::string& path, const std::string& thing, std::size_t line) {
  std::string text = path;
  if (!thing.empty()) text += ": " + thing;
  if (line != 0) text += fmt::format(", line {}", line);
  return text;
}

}  // namespace

FmuError::FmuError(std::string path, std::string thing, std::size_t line, const std::string& reason)
    : Error(place(path, thing, line) + ": " + reason),
      path_(std::move(path)),
      thing_(std::move(thing)),
      line_(line),
      reason_(reason) {}

InputError::InputError(std::string path, std::size_t line, std::size_t column,
                       const std::string& reason)
    : Error(path + (line != 0 ? fmt::format(", line {}", line) : "") +
            (column != 0 ? fmt::format(", column {}", column) : "") + ": " + reason),
      path_(std::move(path)),
      line_(line),
      column_(column) {}

}  // namespace saltus::importer

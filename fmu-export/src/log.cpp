// SPDX-License-Identifier: BSD-2-Clause
#include "log.hpp"

#include <charconv>

#include "call_error.hpp"

namespace saltus::fmu_export {
namespace {

fmi3Status status_of(LogCategory category) {
  switch (category) {
    case LogCategory::warning:
      return fmi3Warning;
    case LogCategory::discard:
      return fmi3Discard;
    case LogCategory::error:
      return fmi3Error;
    case LogCategory::fatal:
      return fmi3Fatal;
    default:
      return fmi3OK;
  }
}

std::size_t index_of(std::string_view name) {
  for (std::size_t i = 0; i < kLogCategories.size(); ++i) {
    if (name == kLogCategories[i].name) {
      return i;
    }
  }
  throw CallError("there is no log category \"" + std::string(name) + "\"");
}

}  // namespace

Log::Log(fmi3InstanceEnvironment environment, fmi3LogMessageCallback callback, bool on)
    : environment_(environment), callback_(callback) {
  on_.fill(on);
}

void Log::switch_categories(bool on, std::span<const fmi3String> categories) {
  if (categories.empty()) {
    on_.fill(on);
    return;
  }
  auto changed = on_;
  for (const fmi3String category : categories) {
    if (category == nullptr) {
      throw CallError("a log category is NULL");
    }
    changed[index_of(category)] = on;
  }
  on_ = changed;
}

bool Log::wants(LogCategory category) const {
  const bool always = category != LogCategory::events && category != LogCategory::discard;
  return callback_ != nullptr && (always || on_[static_cast<std::size_t>(category)]);
}

void Log::write(LogCategory category, std::string_view message) const noexcept {
  if (!wants(category)) {
    return;
  }
  const char* name = kLogCategories[static_cast<std::size_t>(category)].name;
  try {
    std::string escaped;
    for (const char c : message) {
      escaped.append(c == '#' ? 2 : 1,
                     c);  // FMI 3.0, 2.3.1: a single # begins a reference to a variable
    }
    callback_(environment_, status_of(category), name, escaped.c_str());
  } catch (...) {  // NOLINT(bugprone-empty-catch): there is nobody left to tell
  }
}

std::string symbolic(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value).ptr;
  return {text, end};
}

}  // namespace saltus::fmu_export

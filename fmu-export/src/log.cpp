// SPDX-License-Identifier: BSD-2-Clause
#include "log.hpp"

#include <utility>

#include "call_error.hpp"
#include "saltus/core/number_text.hpp"

namespace saltus::fmu_export {
namespace {

std::size_t index_of(std::string_view name) {
  for (std::size_t i = 0; i < kLogCategories.size(); ++i) {
    if (name == kLogCategories[i].name) {
      return i;
    }
  }
  std::string text = "there is no log category \"" + std::string(name) + "\"; there are";
  for (const LogCategoryName& category : kLogCategories) {
    text += ' ';
    text += category.name;
  }
  throw CallError(text);
}

}  // namespace

Status status_of(LogCategory category) {
  switch (category) {
    case LogCategory::warning:
      return Status::warning;
    case LogCategory::discard:
      return Status::discard;
    case LogCategory::error:
      return Status::error;
    case LogCategory::fatal:
      return Status::fatal;
    default:
      return Status::ok;
  }
}

Log::Log(Listener listener, bool on) : listener_(std::move(listener)) {
  on_.fill(on);
  on_[static_cast<std::size_t>(LogCategory::warning)] = true;
}

void Log::switch_categories(bool on, std::span<const char* const> categories) {
  if (categories.empty()) {
    on_.fill(on);
    return;
  }
  auto changed = on_;
  for (const char* const category : categories) {
    if (category == nullptr) {
      throw CallError("a log category is NULL");
    }
    changed[index_of(category)] = on;
  }
  on_ = changed;
}

bool Log::wants(LogCategory category) const {
  const bool always = category == LogCategory::error || category == LogCategory::fatal;
  return listener_ != nullptr && (always || on_[static_cast<std::size_t>(category)]);
}

void Log::write(LogCategory category, std::string_view message) const noexcept {
  if (!wants(category)) {
    return;
  }
  const char* name = kLogCategories[static_cast<std::size_t>(category)].name;
  try {
    std::string escaped;
    for (const char c : message) {
      // FMI 3.0, 2.3.1 and 2.0, 2.1.5: a single # begins a reference to a variable.
      escaped.append(c == '#' ? 2 : 1, c);
    }
    listener_(category, name, escaped);
  } catch (...) {  // NOLINT(bugprone-empty-catch): there is nobody left to tell
  }
}

std::string symbolic(double value) { return number_text(value); }

}  // namespace saltus::fmu_export

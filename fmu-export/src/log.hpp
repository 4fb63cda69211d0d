// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "status.hpp"

namespace saltus::fmu_export {

/// The categories of messages, as the description declares them.
enum class LogCategory : unsigned char { events, warning, discard, error, fatal };
struct LogCategoryName {
  const char* name;
  const char* description;
};
inline constexpr std::array<LogCategoryName, 5> kLogCategories{{
    {"logEvents", "Events that the co-simulation handles by itself or reports"},
    {"logStatusWarning", "What a run leaves out of account"},
    {"logStatusDiscard", "Points at which the model cannot be evaluated"},
    {"logStatusError", "Calls that failed or were not allowed"},
    {"logStatusFatal", "Failures after which the FMU cannot be used"},
}};

/// The status that goes with a message.
Status status_of(LogCategory category);

/// The way of messages to the importer. Errors are always told when there is anybody to tell; the
/// rest only in the categories that are switched on (FMI 3.0, 2.3.1), so ask `wants` before a
/// message is put together. Warnings are on from the beginning: an importer that does without
/// debug messages is to know what a run leaves out of account, unless it says otherwise.
class Log {
 public:
  /// Hears a message, and knows how the importer wants to be told. All versions of FMI refer to
  /// variables by `#`; it is escaped already.
  using Listener = std::function<void(LogCategory, const char* category, const std::string& text)>;
  /// All categories are `on` or not, but for warnings.
  Log(Listener listener, bool on);

  /// No categories stand for all of them. Throws `CallError` on one that does not exist.
  void switch_categories(bool on, std::span<const char* const> categories);
  bool wants(LogCategory category) const;
  /// Never throws: a message that cannot be told is lost.
  void write(LogCategory category, std::string_view message) const noexcept;

 private:
  Listener listener_;
  std::array<bool, kLogCategories.size()> on_{};
};

/// A number for a message, short and independent of the locale.
std::string symbolic(double value);

}  // namespace saltus::fmu_export

// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <ostream>
#include <string_view>

#include "saltus/importer/call_log.hpp"

namespace saltus::cli {

/// Where calls into the FMU and its own messages go: a file, or the standard error if there is no
/// path. A line looks like
///
///     [FMI] fmi3SetTime(time=0.1) -> fmi3OK
///     [FMU] fmi3Warning, logStatusWarning: the tank is empty
///
/// After a million messages of the FMU the log says so, and takes no more of them.
class FmuLog : public importer::CallLog {
 public:
  /// Throws `UsageError` if the file cannot be written.
  explicit FmuLog(const std::filesystem::path& file);

  void call(std::string_view line) override;
  void message(const importer::LogMessage& message);
  /// May be called from another thread.
  void flush();

 private:
  void write(std::string_view kind, std::string_view line);

  std::size_t messages_ = 0;
  std::mutex mutex_;
  std::ofstream file_;
  std::ostream& stream_;
};

}  // namespace saltus::cli

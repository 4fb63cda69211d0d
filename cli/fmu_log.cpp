// SPDX-License-Identifier: BSD-2-Clause
#include "fmu_log.hpp"

#include <fmt/format.h>

#include <iostream>

#include "exit_code.hpp"
#include "terminal_text.hpp"

namespace saltus::cli {
namespace {

constexpr std::size_t kMostMessages = 1000000;

}  // namespace

FmuLog::FmuLog(const std::filesystem::path& file)
    : stream_(file.empty() ? std::cerr : static_cast<std::ostream&>(file_)) {
  if (file.empty()) return;
  file_.open(file, std::ios::binary);
  if (!file_) throw UsageError(fmt::format("--log-file: {} cannot be written", file.string()));
}

void FmuLog::write(std::string_view kind, std::string_view line) {
  const std::lock_guard lock(mutex_);
  stream_ << kind << printable(line) << '\n';
}

void FmuLog::call(std::string_view line) { write("[FMI] ", line); }

void FmuLog::message(const importer::LogMessage& message) {
  ++messages_;
  if (messages_ == kMostMessages + 1) {
    write("[FMU] ", fmt::format("... and more: {} messages are enough", kMostMessages));
  }
  if (messages_ > kMostMessages) return;
  write("[FMU] ", fmt::format("{}, {}: {}", message.status, message.category, message.text));
}

void FmuLog::flush() {
  const std::lock_guard lock(mutex_);
  stream_.flush();
}

}  // namespace saltus::cli

// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace saltus::cli {

struct BuildResult {
  int status = 0;  ///< zero where the command succeeded
  std::string output;
};

/// A temporary folder in which something is built, removed at the end. Signals that end the program
/// end the command that is under way first; then `BuildInterrupted` is thrown, so that nothing is
/// left behind.
class BuildFolder {
 public:
  BuildFolder();
  ~BuildFolder();
  BuildFolder(const BuildFolder&) = delete;
  BuildFolder& operator=(const BuildFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// Runs a command to its end; its standard output and error together are the output. Throws
  /// `UsageError` where there is no such program.
  BuildResult run(const std::vector<std::string>& words) const;

 private:
  std::filesystem::path path_;
};

/// A signal asked the program to end.
struct BuildInterrupted {
  int signal = 0;
};

}  // namespace saltus::cli

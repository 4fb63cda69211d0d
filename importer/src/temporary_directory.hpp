// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <sys/types.h>

#include <filesystem>

namespace saltus::importer {

/// A fresh folder that only this user can enter, in `TMPDIR` or the system's place for temporary
/// files. It goes with everything in it when the object goes; where a process has forked, the copy
/// of the child is not the owner.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory();

  const std::filesystem::path& path() const { return path_; }
  /// Empty in a process that is not the owner.
  std::filesystem::path own_path() const;

 private:
  std::filesystem::path path_;
  pid_t owner_;
};

}  // namespace saltus::importer

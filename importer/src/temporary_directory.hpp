// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>

namespace saltus::importer {

/// A fresh folder that only this user can enter, in `TMPDIR` or the system's place for temporary
/// files. It goes with everything in it when the object goes.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory();

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace saltus::importer

// SPDX-License-Identifier: BSD-2-Clause
#include "temporary_directory.hpp"

#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "saltus/importer/fmu_error.hpp"

namespace saltus::importer {

TemporaryDirectory::TemporaryDirectory() : owner_(::getpid()) {
  std::error_code error;
  const std::filesystem::path parent = std::filesystem::temp_directory_path(error);
  if (error) {
    throw FmuError("temporary folder", "", 0,
                   fmt::format("{}; set TMPDIR to a folder that exists", error.message()));
  }
  std::string pattern = std::filesystem::absolute(parent / "saltus-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) {
    throw FmuError(parent.string(), "", 0,
                   fmt::format("cannot make a temporary folder here: {}; set TMPDIR to a folder "
                               "that can be written",
                               std::strerror(errno)));
  }
  path_ = pattern;
}

TemporaryDirectory::~TemporaryDirectory() {
  if (::getpid() != owner_) return;
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::filesystem::path TemporaryDirectory::own_path() const {
  return ::getpid() == owner_ ? path_ : std::filesystem::path();
}

}  // namespace saltus::importer

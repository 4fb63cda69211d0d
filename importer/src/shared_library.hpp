// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <string>

#include "arithmetic.hpp"

namespace saltus::importer {

/// A shared library in memory, unloaded with the object.
class SharedLibrary {
 public:
  /// Throws `FmuError` in the name of `fmu` with the loader's own words.
  SharedLibrary(const std::string& fmu, const std::filesystem::path& file);
  SharedLibrary(const SharedLibrary&) = delete;
  SharedLibrary& operator=(const SharedLibrary&) = delete;
  ~SharedLibrary();

  /// nullptr if there is no such symbol.
  void* symbol(const char* name) const;

  /// Never unload: after a fatal error not even the destructors of the library may run.
  void keep_forever() { handle_ = nullptr; }

 private:
  Arithmetic arithmetic_;  // as it was before
  void* handle_;
};

}  // namespace saltus::importer

// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <string>

#include "arithmetic.hpp"

namespace saltus::importer {

/// Where its user may find out what a library needs that cannot be loaded.
struct LoadAdvice {
  std::string document;  ///< of the FMU; empty: it has none
  bool needs_tool = false;
  std::string tool;  ///< that made the FMU; may be empty
};

/// A shared library in memory, unloaded with the object.
class SharedLibrary {
 public:
  /// Throws `FmuError` in the name of `fmu` with the loader's own words and what to do.
  SharedLibrary(const std::string& fmu, const std::filesystem::path& file,
                const LoadAdvice& advice);
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

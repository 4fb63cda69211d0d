// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "fmu_files.hpp"
#include "functions.hpp"
#include "shared_library.hpp"

namespace saltus::importer {

/// What all instances of one binary share. Instances hold it, so an FMU may be closed before they
/// are; the unpacked files stay as long as anybody needs them (2.5.4).
struct LoadedFmu : FmuFiles {
  /// Loads `binaries/<platform>/<identifier>.so`. Throws `FmuError`.
  LoadedFmu(const FmuFiles& files, const Interface& interface);
  LoadedFmu(const LoadedFmu&) = delete;
  LoadedFmu& operator=(const LoadedFmu&) = delete;

  /// Throws `FmuError` with the names of all functions that `type` needs and that are not there.
  void require_functions(InterfaceType type) const;

  /// No instance of this binary may be called again, not even to free it (2.2.3).
  void declare_fatal() {
    is_fatal = true;
    library.keep_forever();
  }

  SharedLibrary library;
  std::vector<std::string> missing;
  Functions functions;
  std::atomic<bool> is_fatal = false;
  std::atomic<std::size_t> instantiations = 0;
};

}  // namespace saltus::importer

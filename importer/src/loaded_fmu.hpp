// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <string>

#include "function_table.hpp"
#include "saltus/importer/model_description.hpp"
#include "shared_library.hpp"
#include "temporary_directory.hpp"

namespace saltus::importer {

/// What all instances of one binary share. Instances hold it, so an FMU may be closed before they
/// are; the unpacked files stay as long as anybody needs them (2.5.4).
struct LoadedFmu {
  /// Loads `binaries/<platform>/<identifier>.so`. Throws `FmuError`.
  LoadedFmu(std::string path, std::shared_ptr<const TemporaryDirectory> directory,
            std::shared_ptr<const ModelDescription> description, const Interface& interface);
  LoadedFmu(const LoadedFmu&) = delete;
  LoadedFmu& operator=(const LoadedFmu&) = delete;

  /// Throws `FmuError` with the names of all functions that `type` needs and that are not there.
  void require_functions(InterfaceType type) const;

  /// With its trailing separator, or empty if the FMU has no resources.
  std::string resource_path() const;

  /// No instance of this binary may be called again, not even to free it (2.2.3).
  void declare_fatal() {
    is_fatal = true;
    library.keep_forever();
  }

  std::string path;
  std::shared_ptr<const TemporaryDirectory> directory;
  std::shared_ptr<const ModelDescription> description;
  SharedLibrary library;
  std::vector<std::string> missing;
  FunctionTable functions;
  bool is_fatal = false;
  std::size_t instantiations = 0;
};

}  // namespace saltus::importer

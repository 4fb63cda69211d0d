// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <string>

#include "functions.hpp"
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

  /// The folder `resources`, with its trailing separator; it is there even if it is empty.
  std::string resource_path() const;
  /// The same as a URI, for FMI 2.0.
  std::string resource_uri() const;
  /// The folder of the whole FMU as a URI, for FMI 1.0.
  std::string folder_uri() const;
  /// What the names of its functions and statuses begin with: "fmi3", in FMI 1.0 "fmi".
  std::string prefix() const;
  /// What proves that description and binary belong together: "instantiationToken", "guid".
  const char* token_name() const;

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
  Functions functions;
  bool is_fatal = false;
  std::size_t instantiations = 0;
};

}  // namespace saltus::importer

// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "saltus/importer/model_description.hpp"
#include "temporary_directory.hpp"

namespace saltus::importer {

enum class InterfaceType { model_exchange, co_simulation, scheduled_execution };

/// An FMU that is unpacked and described, whether its binary is loaded or not. The files stay as
/// long as anybody needs them (FMI 3.0, 2.5.4).
struct FmuFiles {
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

  const Interface& interface(InterfaceType type) const {
    if (type == InterfaceType::model_exchange) return *description->model_exchange;
    if (type == InterfaceType::co_simulation) return *description->co_simulation;
    return *description->scheduled_execution;
  }

  std::string path;
  std::shared_ptr<const TemporaryDirectory> directory;
  std::shared_ptr<const ModelDescription> description;
  /// `documentation/externalDependencies` in whatever format (FMI 3.0, 2.5.1); empty: there is
  /// none.
  std::string dependencies_document;
};

}  // namespace saltus::importer

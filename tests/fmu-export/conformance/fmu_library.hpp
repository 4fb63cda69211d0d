// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "saltus/fmi/fmi2.h"
#include "saltus/fmi/fmi3.h"
#include "saltus/importer/model_description.hpp"

/// FMUs as an importer meets them: binaries that are loaded, functions found by name, descriptions
/// read from the archives. Nothing of the exporter is linked with these tests.
namespace conformance {

using saltus::importer::ModelDescription;
using saltus::importer::Variable;

struct Fmi3Functions {
#define SALTUS_POINTER(Return, Name, Parameters) Name##TYPE* Name = nullptr;
  SALTUS_FMI3_FUNCTIONS(SALTUS_POINTER)
};
struct Fmi2Functions {
  SALTUS_FMI2_FUNCTIONS(SALTUS_POINTER)
#undef SALTUS_POINTER
};

/// The loaded binaries of one model's FMUs, and their descriptions.
class FmuLibrary {
 public:
  explicit FmuLibrary(const std::string& name);
  FmuLibrary(const FmuLibrary&) = delete;
  FmuLibrary& operator=(const FmuLibrary&) = delete;
  ~FmuLibrary();

  const std::string& name() const { return name_; }
  const Fmi3Functions& fmi3() const { return fmi3_; }
  const Fmi2Functions& fmi2() const { return fmi2_; }
  const ModelDescription& description(int version) const {
    return version == 3 ? description3_ : description2_;
  }

 private:
  std::string name_;
  void* handle3_ = nullptr;
  void* handle2_ = nullptr;
  Fmi3Functions fmi3_;
  Fmi2Functions fmi2_;
  ModelDescription description3_, description2_;
};

/// The names of the reference FMUs, and of the rig, which has one variable of each kind.
const std::vector<std::string>& all_fmus();
/// Loaded when it is first asked for, and kept. Not for several threads.
const FmuLibrary& fmu(const std::string& name);

}  // namespace conformance

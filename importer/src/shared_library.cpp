// SPDX-License-Identifier: BSD-2-Clause
#include "shared_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include "saltus/importer/call_under_way.hpp"
#include "saltus/importer/fmu_error.hpp"

namespace saltus::importer {

SharedLibrary::SharedLibrary(const std::string& fmu, const std::filesystem::path& file)
    // RTLD_NOW: a missing dependency is found here and not in the middle of a run. RTLD_LOCAL: two
    // FMUs must not see each other's symbols, which have the same names.
    : arithmetic_(Arithmetic::of_this_thread()),
      handle_((begin_call("dlopen"), ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL))) {
  end_call();
  // What is linked with -ffast-math changes it here.
  if (arithmetic_ != Arithmetic::of_this_thread()) arithmetic_.apply();
  if (handle_ == nullptr) {
    const char* reason = ::dlerror();
    throw FmuError(fmu, file.filename().string(), 0,
                   fmt::format("cannot be loaded: {}; a library it needs may be missing, see "
                               "documentation/externalDependencies in the FMU",
                               reason != nullptr ? reason : "no reason given"));
  }
}

SharedLibrary::~SharedLibrary() {
  if (handle_ == nullptr) return;
  begin_call("dlclose");
  ::dlclose(handle_);
  end_call();
}

void* SharedLibrary::symbol(const char* name) const { return ::dlsym(handle_, name); }

}  // namespace saltus::importer

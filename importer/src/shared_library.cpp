// SPDX-License-Identifier: BSD-2-Clause
#include "shared_library.hpp"

#include <dlfcn.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string_view>

#include "saltus/importer/call_under_way.hpp"
#include "saltus/importer/fmu_error.hpp"

namespace saltus::importer {
namespace {

/// For which machine a library was made, by the fields of ELF for machine and class (32 or 64
/// bits); 0 if it is none.
int machine_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::array<char, 20> header{};
  if (!stream.read(header.data(), header.size())) return 0;
  if (std::string_view(header.data(), 4) !=
      "\x7f"
      "ELF") {
    return 0;
  }
  std::uint16_t machine = 0;
  std::memcpy(&machine, header.data() + 18, sizeof machine);
  constexpr int kClass = 4;
  return machine + (header[kClass] << 16);
}

std::string remedy(const std::string& reason, const LoadAdvice& advice) {
  const std::string where =
      advice.document.empty() ? "" : ", see " + advice.document + " in the FMU";
  if (advice.needs_tool) {
    return "the FMU needs " + (advice.tool.empty() ? "the tool that made it" : advice.tool) +
           " on this machine (needsExecutionTool)" + where;
  }
  // The name of a library that is missing comes first, and it is not the FMU's.
  if (reason.find("cannot open shared object file") != std::string::npos) {
    return "install the library that is missing" + where;
  }
  if (reason.find("undefined symbol") != std::string::npos) {
    return "the library that has this symbol must be loaded first (LD_PRELOAD), or the FMU be "
           "linked with it" +
           where;
  }
  return where.empty() ? "ask whoever made the FMU what it needs" : "for what it needs" + where;
}

/// What the loader says, and what to do.
std::string explanation(const std::filesystem::path& file, const std::string& reason,
                        const LoadAdvice& advice) {
  const int machine = machine_of(file);
  // Of these the loader says that there is no such file, or less.
  if (machine != 0 && machine != machine_of("/proc/self/exe")) {
    return "it was made for another machine than its folder says; ask for an FMU for this one";
  }
  return reason + "; " +
         (machine == 0 ? "it is no library of this system" : remedy(reason, advice));
}

}  // namespace

SharedLibrary::SharedLibrary(const std::string& fmu, const std::filesystem::path& file,
                             const LoadAdvice& advice)
    // RTLD_NOW: a missing dependency is found here and not in the middle of a run. RTLD_LOCAL: two
    // FMUs must not see each other's symbols, which have the same names.
    : arithmetic_(Arithmetic::of_this_thread()),
      handle_((begin_call("dlopen"), ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL))) {
  end_call();
  // What is linked with -ffast-math changes it here.
  if (!arithmetic_.is_in_force()) arithmetic_.apply();
  if (handle_ == nullptr) {
    const char* reason = ::dlerror();
    const std::string text = reason != nullptr ? reason : "no reason given";
    throw FmuError(fmu, file.filename().string(), 0,
                   "cannot be loaded: " + explanation(file, text, advice));
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

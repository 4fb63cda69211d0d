// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace saltus::importer::validation {

/// What a shared library of Linux says of itself, read from its bytes: nothing is loaded and
/// nothing of it runs.
struct ElfLibrary {
  std::string problem;   ///< why nothing could be read; empty if all is well
  unsigned machine = 0;  ///< e_machine of the ELF header
  std::set<std::string, std::less<>> functions = {};  ///< those that it exports
};

ElfLibrary read_elf(std::string_view bytes);

/// e_machine of an architecture as FMI names it; 0 if it is not known.
unsigned elf_machine(std::string_view architecture);

}  // namespace saltus::importer::validation

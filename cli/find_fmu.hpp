// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace saltus::cli {

/// An FMU that came with the program, known by the name of its file without `.fmu`.
struct ShippedFmu {
  std::string name;
  std::filesystem::path path;
};

/// The FMUs in the folders of $SALTUS_FMU_PATH (separated by colons), in `../fmus` beside the
/// folder of the program (where a build puts them) and in `../share/saltus/fmus` (where an
/// installation does), sorted by name. Of two with one name, that of the earlier folder counts.
std::vector<ShippedFmu> shipped_fmus();

/// The file at `name` if there is one, else the shipped FMU of that name. Throws `UsageError` with
/// the names that might have been meant.
std::filesystem::path find_fmu(const std::string& name);

}  // namespace saltus::cli

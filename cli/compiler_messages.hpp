// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace saltus::cli {

/// What a compiler has against a model, as its author wants to read it: each error once, with its
/// place in the author's file and the line that stands there. A model is a template that is
/// compiled for several scalars, and an error in it comes once for each, with the names of types
/// that the author has never seen; `Real` stands for all of them.
///
/// Headers that are neither ours nor the system's are the author's too. Without an error at such a
/// place, the first lines of what the compiler said.
std::string compiler_messages(std::string_view output,
                              const std::vector<std::filesystem::path>& sources);

}  // namespace saltus::cli

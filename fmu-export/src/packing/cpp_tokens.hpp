// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

/// As much of C++ as is needed to put sources together in one translation unit.
namespace saltus::fmu_export {

/// A name, or one character of anything else that is not a space. Numbers, texts and characters
/// count as one token, too; comments as none. `#include` lines are left out.
struct CppToken {
  std::string_view text;  ///< a part of the source
  bool is_name = false;
};

std::vector<CppToken> tokens_of(std::string_view source);

/// What the unnamed namespaces of a source declare: names that another source may have as well.
std::set<std::string> names_in_unnamed_namespaces(std::string_view source);

/// The source with other names, where they are not those of members or behind `::`.
std::string renamed(std::string_view source, const std::map<std::string, std::string>& names);

/// What a source includes, in its order.
struct Include {
  std::string_view line;  ///< a part of the source
  std::string file;       ///< empty: what is included depends on a macro
  bool in_quotes = false;
};
std::vector<Include> includes_of(std::string_view source);

}  // namespace saltus::fmu_export

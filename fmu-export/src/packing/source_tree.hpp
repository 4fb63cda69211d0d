// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace saltus::fmu_export {

/// A folder that files are included from.
struct SourceRoot {
  std::filesystem::path folder;
  /// Where its files stand in the folder `sources` of an FMU; empty: directly in it.
  std::string name;
  /// Of those files that look here for what they include; what is public is found by all.
  enum class Of { everybody, solver, fmu_export, model } of = Of::everybody;
  /// Only what is included by a name that begins so; for folders that others use, too.
  std::string prefix = {};
};

/// Sources with all that they include, as far as it lies in one of the roots, each with its place
/// in the folder `sources` of an FMU. Includes are by places relative to the including file, so
/// that a compiler needs no include directories.
class SourceTree {
 public:
  explicit SourceTree(std::vector<SourceRoot> roots) : roots_(std::move(roots)) {}

  /// Adds a file and what it includes; answers its place. Throws `std::invalid_argument` where a
  /// file of the model includes what is neither found nor a header of the standard library.
  std::string add(const std::filesystem::path& file, SourceRoot::Of of);

  /// By their places.
  const std::map<std::string, std::string>& texts() const { return texts_; }
  std::map<std::string, std::string>& texts() { return texts_; }
  /// Headers of the standard library, without those that Eigen alone includes and that are of C++.
  const std::set<std::string>& system_headers() const { return system_headers_; }
  /// The places of what a file includes itself, in its order.
  const std::vector<std::string>& included_by(const std::string& place) const {
    return included_.at(place);
  }

 private:
  std::string place_of(const std::filesystem::path& file, SourceRoot::Of of);
  const SourceRoot* root_of(const std::filesystem::path& file, SourceRoot::Of of) const;
  /// An empty path where it is not found.
  std::filesystem::path found(const std::string& name, bool in_quotes,
                              const std::filesystem::path& from, SourceRoot::Of of) const;

  std::vector<SourceRoot> roots_;
  std::map<std::filesystem::path, std::string> places_;
  std::map<std::string, std::string> texts_;
  std::map<std::string, std::vector<std::string>> included_;
  std::set<std::string> system_headers_;
};

/// Whether every compiler of C++20 has it.
bool is_standard_header(const std::string& name);

}  // namespace saltus::fmu_export

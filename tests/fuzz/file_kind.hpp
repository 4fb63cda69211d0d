// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "mutation.hpp"

namespace saltus::fuzz {

/// A kind of input that comes from somebody else: files to begin with, how one is changed, and who
/// reads it.
struct FileKind {
  std::vector<std::string> seeds;
  std::function<std::string(const std::string& seed, Dice&)> mutate;
  /// Reads what was made of seed number `seed`; true if it was accepted. Lets exceptions through
  /// that its reader does not document.
  std::function<bool(std::size_t seed, const std::string& input)> feed;
};

/// Where inputs lie while they are read, and what the readers may not leave anything in: `TMPDIR`
/// is a folder in it, two others are beside that.
class Playground {
 public:
  Playground();
  Playground(const Playground&) = delete;
  Playground& operator=(const Playground&) = delete;
  ~Playground();
  std::filesystem::path write(const std::string& name, const std::string& bytes) const;
  /// What is there that should not be; empty: nothing.
  std::string litter() const;

 private:
  std::filesystem::path folder_;
};

/// Where the FMUs of the build are.
struct FmuFolders {
  std::filesystem::path shipped, tests, saltus;
};

/// By name, each made when it is asked for: most read FMUs to begin with.
using KindMakers = std::vector<std::pair<std::string, std::function<FileKind()>>>;
/// Archives, descriptions of the three versions, manifests, build descriptions, terminals,
/// libraries, input tables, start values. Both arguments must outlive what is made.
KindMakers file_kinds(const FmuFolders& folders, const Playground& playground);
/// FMUs with a changed description or manifest, and changed inputs of a right one, that are run;
/// and the program with changed options.
KindMakers run_kinds(const FmuFolders& folders, const Playground& playground);

/// A file of an FMU.
std::string content_of_fmu(const std::filesystem::path& fmu, const std::string& entry);

/// The most bytes that `new` has had in use since the last call of `forget_peak`.
std::size_t peak_bytes();
void forget_peak();

}  // namespace saltus::fuzz

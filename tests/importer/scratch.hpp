// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <string>

#include "saltus/importer/fmu.hpp"

/// A folder of one test. `TMPDIR` points into it while it lives, so a test can see what the
/// importer leaves behind, there and beside.
class Scratch {
 public:
  Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch();

  std::filesystem::path file(const std::string& name) const { return folder_ / "files" / name; }
  std::filesystem::path write(const std::string& name, const std::string& content) const;

  /// Whether the importer has removed all it made; the message of a failing test names what is
  /// left.
  bool is_clean() const;

 private:
  std::filesystem::path folder_;
  std::string old_tmpdir_;
};

/// The smallest description with one state, one output and both interfaces.
std::string small_description();

/// `text` with the first `from` replaced; fails the test if it is not there.
std::string with(std::string text, const std::string& from, const std::string& to);

/// Packs a description, and nothing else, as an FMU.
std::filesystem::path pack(const Scratch& scratch, const std::string& description);

/// An existing FMU with a changed description, or another file of it.
std::filesystem::path repack(const Scratch& scratch, const std::filesystem::path& fmu,
                             const std::string& from, const std::string& to,
                             const std::string& changed = "modelDescription.xml");

/// The error of opening, with path, thing, line and message in one text for comparisons. Fails the
/// test if there is none or if anything is left behind.
saltus::importer::FmuError open_error(const Scratch& scratch, const std::filesystem::path& fmu);

/// A built FMU of reference-fmus/plain_c.
std::filesystem::path plain_fmu(const std::string& name);

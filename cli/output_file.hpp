// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

namespace saltus::cli {

/// "results.csv cannot be written: No space left on device".
std::string explain(const std::filesystem::filesystem_error& error);

/// A file that a run writes. Until it is complete it is called NAME.part beside the place where it
/// will be, so that whoever reads NAME never finds half of it, and an older NAME stays until there
/// is a new one. Another run that writes the same NAME at the same time has another part: each file
/// is the whole of one run, and the last one to be complete stays. What is no regular file, such as
/// /dev/stdout, is written where it is.
///
///  1. `open`;
///  2. write to `stream`, and `flush` from time to time;
///  3. `finish`. Without it the destructor does what it can.
class OutputFile {
 public:
  OutputFile() = default;
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile();

  /// Throws `std::filesystem::filesystem_error`, and so do the others.
  void open(const std::filesystem::path& file);
  std::ostream& stream() { return stream_; }
  /// What was written is on its way to the disk.
  void flush();
  /// All is written, and the file has its name.
  void finish();

 private:
  [[noreturn]] void fail();
  void choose_part();

  std::filesystem::path file_;
  std::filesystem::path part_;  // empty: it is written where it is
  int lock_ = -1;               // on the part, so that no other run takes it
  std::ofstream stream_;
};

}  // namespace saltus::cli

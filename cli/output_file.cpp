// SPDX-License-Identifier: BSD-2-Clause
#include "output_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace saltus::cli {

namespace fs = std::filesystem;

std::string explain(const fs::filesystem_error& error) {
  return fmt::format("{} cannot be written: {}", error.path1().string(), error.code().message());
}

OutputFile::~OutputFile() {
  if (!stream_.is_open()) return;
  stream_.close();
  std::error_code ignored;
  if (!part_.empty()) fs::rename(part_, file_, ignored);
}

void OutputFile::fail() {
  if (errno == 0) {  // it failed earlier, and would again
    stream_.clear();
    stream_.flush();
  }
  const int reason = errno != 0 ? errno : EIO;
  throw fs::filesystem_error("cannot write", file_,
                             std::error_code(reason, std::generic_category()));
}

void OutputFile::open(const fs::path& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  file_ = file;
  if (!fs::exists(status) || fs::is_regular_file(status)) {
    // A link stays one.
    if (fs::is_symlink(fs::symlink_status(file, error))) {
      file_ = fs::weakly_canonical(fs::absolute(file), error);
    }
    const fs::path folder = file_.has_parent_path() ? file_.parent_path() : fs::path(".");
    if (::access(folder.c_str(), W_OK) == 0) {
      part_ = file_;
      part_ += ".part";
    }
  }
  errno = 0;
  stream_.open(part_.empty() ? file_ : part_, std::ios::binary | std::ios::trunc);
  if (!stream_) fail();
  if (!part_.empty() && fs::exists(status)) fs::permissions(part_, status.permissions(), error);
}

void OutputFile::flush() {
  errno = 0;
  if (stream_.is_open() && !stream_.flush()) fail();
}

void OutputFile::finish() {
  flush();
  errno = 0;
  stream_.close();
  if (!stream_) fail();
  if (!part_.empty()) fs::rename(part_, file_);
}

}  // namespace saltus::cli

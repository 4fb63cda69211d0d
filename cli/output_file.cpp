// SPDX-License-Identifier: BSD-2-Clause
#include "output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace saltus::cli {

namespace fs = std::filesystem;

namespace {

constexpr int kMostRunsAtOnce = 1000;

/// Opens the file, or makes it, if no other run writes it; else -1. It stays ours while it is open.
int take(const fs::path& file) {
  for (;;) {
    const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor < 0) return -1;
    // Where the file system knows no locks nobody has one.
    const bool is_free = ::flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
    struct stat opened = {}, named = {};
    const bool is_known = ::fstat(descriptor, &opened) == 0 && ::stat(file.c_str(), &named) == 0;
    const bool is_same = is_known && opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
    if (is_free && is_same) return descriptor;
    ::close(descriptor);
    // Between opening and locking another run may have finished, and given the file its name.
    if (!is_free) {
      errno = EWOULDBLOCK;
      return -1;
    }
  }
}

}  // namespace

std::string explain(const fs::filesystem_error& error) {
  return fmt::format("{} cannot be written: {}", error.path1().string(), error.code().message());
}

OutputFile::~OutputFile() {
  if (stream_.is_open()) {
    stream_.close();
    std::error_code ignored;
    if (!part_.empty()) fs::rename(part_, file_, ignored);
  }
  if (lock_ >= 0) ::close(lock_);
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
    if (::access(folder.c_str(), W_OK) == 0) choose_part();
  }
  errno = 0;
  stream_.open(part_.empty() ? file_ : part_, std::ios::binary | std::ios::trunc);
  if (!stream_) fail();
  if (!part_.empty() && fs::exists(status)) fs::permissions(part_, status.permissions(), error);
}

/// NAME.part, or NAME.2.part while another run writes that one, and so on.
void OutputFile::choose_part() {
  errno = 0;
  for (int number = 1; lock_ < 0 && number <= kMostRunsAtOnce; ++number) {
    part_ = file_;
    part_ += number == 1 ? std::string(".part") : fmt::format(".{}.part", number);
    lock_ = take(part_);
    if (lock_ < 0 && errno != EWOULDBLOCK) break;
  }
  if (lock_ < 0) fail();
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

// SPDX-License-Identifier: BSD-2-Clause
#include "archive.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zip.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>
#include <unordered_map>

#include "archive_content.hpp"
#include "archive_rules.hpp"
#include "saltus/importer/fmu_error.hpp"

namespace saltus::importer {
namespace {

constexpr const char* kDifferentTwins =
    "twice in the archive; which of them counts is anybody's guess";

/// Owns the file descriptor while an entry is written.
class OutputFile {
 public:
  OutputFile(const std::string& path, mode_t mode)
      // O_EXCL and O_NOFOLLOW: whatever is there already, we do not write through it.
      : descriptor_(
            ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)) {}
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  bool is_open() const { return descriptor_ >= 0; }
  bool write(const char* bytes, std::size_t count) const {
    while (count > 0) {
      const ssize_t written = ::write(descriptor_, bytes, count);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return false;
      bytes += written;
      count -= static_cast<std::size_t>(written);
    }
    return true;
  }

 private:
  int descriptor_;
};

std::string open_problem(const std::string& path, int code) {
  std::ifstream file(path, std::ios::binary);
  std::array<char, 4> magic{};
  file.read(magic.data(), magic.size());
  if (file.gcount() == 0) return "the file is empty";
  if (magic[0] == 'P' && magic[1] == 'K') {
    return "the archive is truncated or damaged; get a fresh copy of the FMU";
  }
  if (code == ZIP_ER_NOZIP || code == ZIP_ER_INCONS) {
    return "not a ZIP archive, so it cannot be an FMU";
  }
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  std::string text = zip_error_strerror(&error);
  zip_error_fini(&error);
  return text;
}

}  // namespace

Archive::Archive(const std::filesystem::path& path) : path_(path.string()) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) throw FmuError(path_, "", 0, "there is no such file");
  if (!std::filesystem::is_regular_file(status)) {
    throw FmuError(path_, "", 0, "not a file; an FMU is one ZIP file with the ending .fmu");
  }
  archive_size_ = std::filesystem::file_size(path, error);
  if (::access(path_.c_str(), R_OK) != 0) {
    throw FmuError(path_, "", 0, fmt::format("cannot be read: {}", std::strerror(errno)));
  }
  int code = 0;
  zip_ = zip_open(path_.c_str(), ZIP_RDONLY, &code);
  if (zip_ == nullptr) throw FmuError(path_, "", 0, open_problem(path_, code));
}

Archive::~Archive() { zip_discard(zip_); }

ArchiveEntry Archive::entry(std::uint64_t index) const {
  ArchiveEntry result;
  zip_stat_t status;
  zip_stat_init(&status);
  if (zip_stat_index(zip_, index, 0, &status) != 0) {
    throw FmuError(path_, fmt::format("entry {}", index), 0,
                   "cannot be read; the archive is damaged");
  }
  result.name = status.name != nullptr ? status.name : "";
  if (result.name == "./" || (result.name.starts_with("./") && result.name.size() > 2)) {
    result.warning = "\"./\" at the beginning of its name, which FMI 3.0 forbids (2.5)";
    result.name.erase(0, 2);
  }
  result.size = status.size;
  result.compressed_size = status.comp_size;
  const bool is_top = result.name.empty() && !result.warning.empty();
  result.is_directory = is_top || (!result.name.empty() && result.name.back() == '/');
  std::uint8_t system = 0;
  std::uint32_t attributes = 0;
  zip_file_get_external_attributes(zip_, index, 0, &system, &attributes);
  const std::uint32_t mode = attributes >> 16U;
  result.is_executable = (mode & S_IXUSR) != 0;
  for (const std::string& problem :
       {is_top ? std::string() : name_problem(result.name), kind_problem(mode),
        storage_problem(status.comp_method, status.encryption_method != ZIP_EM_NONE)}) {
    if (result.problem.empty()) result.problem = problem;
  }
  return result;
}

std::vector<ArchiveEntry> Archive::entries() const {
  const auto count = static_cast<std::uint64_t>(zip_get_num_entries(zip_, 0));
  if (count > kMaxArchiveEntries) {
    throw FmuError(
        path_, "", 0,
        fmt::format("{} entries, more than the {} that are allowed", count, kMaxArchiveEntries));
  }
  std::vector<ArchiveEntry> entries;
  struct Seen {
    bool is_file;
    std::size_t index;
  };
  std::unordered_map<std::string, Seen> seen;  // name without trailing slash -> its first entry
  for (std::uint64_t i = 0; i < count; ++i) {
    ArchiveEntry next = entry(i);
    std::string key = next.name;
    if (next.is_directory && !key.empty()) key.pop_back();
    const auto [known, inserted] = seen.emplace(key, Seen{!next.is_directory, i});
    if (!inserted && next.problem.empty() && !(next.is_directory && !known->second.is_file)) {
      const ArchiveEntry& first = entries[known->second.index];
      // What is said of sizes and checksums is a claim; `unpack` compares the bytes.
      next.is_repeated = !next.is_directory && known->second.is_file && first.size == next.size;
      if (next.is_repeated) {
        next.warning = "twice in the archive, with the same content";
      } else {
        next.problem = kDifferentTwins;
      }
    }
    entries.push_back(std::move(next));
  }
  for (ArchiveEntry& next : entries) {
    if (!next.problem.empty()) continue;  // its name may be as long as it likes
    for (std::size_t slash = next.name.find('/'); slash != std::string::npos;
         slash = next.name.find('/', slash + 1)) {
      const auto parent = seen.find(next.name.substr(0, slash));
      if (parent != seen.end() && parent->second.is_file && next.problem.empty()) {
        next.problem = fmt::format("below \"{}\", which is a file", parent->first);
      }
    }
  }
  return entries;
}

void Archive::check_sizes(const std::vector<ArchiveEntry>& entries) const {
  std::uint64_t total = 0;
  for (const ArchiveEntry& next : entries) {
    if (next.size > kMaxUnpackedBytes - total) {
      throw FmuError(path_, fmt::format("\"{}\"", next.name), 0,
                     fmt::format("the archive unpacks to more than {} bytes, which is not allowed",
                                 kMaxUnpackedBytes));
    }
    total += next.size;
  }
  if (total > kFreeUnpackedBytes && total / kMaxCompressionRatio > archive_size_) {
    throw FmuError(path_, "", 0,
                   fmt::format("{} bytes unpack to {}: a ratio beyond {}, as in a decompression "
                               "bomb",
                               archive_size_, total, kMaxCompressionRatio));
  }
}

std::vector<std::string> Archive::unpack(const std::filesystem::path& folder,
                                         const Wanted& wanted) const {
  const std::vector<ArchiveEntry> all = entries();
  for (const ArchiveEntry& next : all) {
    if (!next.problem.empty()) {
      throw FmuError(path_, fmt::format("entry \"{}\"", next.name), 0, next.problem);
    }
  }
  check_sizes(all);
  std::vector<std::string> warnings;
  for (std::uint64_t i = 0; i < all.size(); ++i) {
    const std::filesystem::path target = folder / all[i].name;
    if (!all[i].warning.empty()) {
      const char* const removed = all[i].is_repeated ? "" : "./";
      warnings.push_back(
          fmt::format("archive, entry \"{}{}\": {}", removed, all[i].name, all[i].warning));
    }
    if (!wanted(all[i].name)) continue;
    if (all[i].is_repeated) {
      std::ifstream first(target, std::ios::binary);
      const std::string bytes{std::istreambuf_iterator<char>(first), {}};
      if (content(i, all[i]) != bytes) {
        throw FmuError(path_, fmt::format("entry \"{}\"", all[i].name), 0, kDifferentTwins);
      }
      continue;
    }
    std::error_code error;
    std::filesystem::create_directories(all[i].is_directory ? target : target.parent_path(), error);
    if (error) {
      throw FmuError(path_, fmt::format("entry \"{}\"", all[i].name), 0,
                     fmt::format("cannot be unpacked to {}: {}", folder.string(), error.message()));
    }
    if (!all[i].is_directory) write(i, all[i], target);
  }
  return warnings;
}

void Archive::write(std::uint64_t index, const ArchiveEntry& entry,
                    const std::filesystem::path& target) const {
  const std::string thing = fmt::format("entry \"{}\"", entry.name);
  const OutputFile output(target.string(), entry.is_executable ? 0700 : 0600);
  if (!output.is_open()) {
    throw FmuError(
        path_, thing, 0,
        fmt::format("cannot be unpacked to {}: {}", target.string(), std::strerror(errno)));
  }
  read_content({zip_, index, entry, path_}, [&](std::string_view bytes) {
    if (output.write(bytes.data(), bytes.size())) return;
    throw FmuError(path_, thing, 0,
                   fmt::format("cannot be unpacked to {}: {}; set TMPDIR to a larger disk",
                               target.string(), std::strerror(errno)));
  });
}

std::string Archive::content(std::uint64_t index, const ArchiveEntry& entry) const {
  if (entry.size > kMaxContentBytes) {
    throw FmuError(path_, fmt::format("entry \"{}\"", entry.name), 0,
                   fmt::format("{} bytes are too many to be read at once", entry.size));
  }
  std::string bytes;
  read_content({zip_, index, entry, path_}, [&](std::string_view piece) { bytes += piece; });
  return bytes;
}

std::vector<ArchiveEntry> list_archive(const std::filesystem::path& path) {
  return Archive(path).entries();
}

}  // namespace saltus::importer

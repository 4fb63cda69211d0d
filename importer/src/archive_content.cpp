// SPDX-License-Identifier: BSD-2-Clause
#include "archive_content.hpp"

#include <fmt/format.h>
#include <libdeflate.h>
#include <zip.h>

#include <array>
#include <cstddef>
#include <memory>
#include <new>

#include "saltus/importer/fmu_error.hpp"

namespace saltus::importer {
namespace {

// What is packed by the method of nearly all FMUs and not larger than this is unpacked at once,
// three times as fast as piece by piece.
constexpr std::uint64_t kAtOnceBytes = std::uint64_t{64} << 20;

constexpr const char* kTooLong = "unpacks to more bytes than the archive says";
constexpr const char* kTooShort = "ends early; get a fresh copy of the FMU";

using Take = std::function<void(std::string_view)>;

[[noreturn]] void refuse_entry(const EntryOfArchive& entry, const std::string& why) {
  throw FmuError(entry.path, fmt::format("entry \"{}\"", entry.about.name), 0, why);
}

[[noreturn]] void refuse_damaged(const EntryOfArchive& entry, const char* how) {
  refuse_entry(entry, fmt::format("damaged: {}; get a fresh copy of the FMU", how));
}

class OpenEntry {
 public:
  OpenEntry(const EntryOfArchive& entry, zip_flags_t flags)
      : entry_(entry), file_(zip_fopen_index(entry.archive, entry.index, flags)) {
    if (!file_) {
      refuse_entry(entry, fmt::format("cannot be read: {}; get a fresh copy of the FMU",
                                      zip_strerror(entry.archive)));
    }
  }
  /// How many bytes there were, 0 at the end.
  std::uint64_t read(char* bytes, std::uint64_t room) {
    const zip_int64_t count = zip_fread(file_.get(), bytes, room);
    if (count < 0) refuse_damaged(entry_, zip_file_strerror(file_.get()));
    return static_cast<std::uint64_t>(count);
  }

 private:
  struct Close {
    void operator()(zip_file_t* file) const { zip_fclose(file); }
  };
  const EntryOfArchive& entry_;
  std::unique_ptr<zip_file_t, Close> file_;
};

void read_at_once(const EntryOfArchive& entry, std::uint32_t checksum, const Take& take) {
  const auto packed_size = static_cast<std::size_t>(entry.about.compressed_size);
  const auto size = static_cast<std::size_t>(entry.about.size);
  const std::unique_ptr<char[]> packed(new char[packed_size]);
  OpenEntry input(entry, ZIP_FL_COMPRESSED);
  std::size_t got = 0;
  while (got < packed_size) {
    const std::uint64_t count = input.read(packed.get() + got, packed_size - got);
    if (count == 0) refuse_entry(entry, kTooShort);
    got += count;
  }
  const std::unique_ptr<libdeflate_decompressor, decltype(&libdeflate_free_decompressor)> method(
      libdeflate_alloc_decompressor(), &libdeflate_free_decompressor);
  if (!method) throw std::bad_alloc();
  const std::unique_ptr<char[]> bytes(new char[size]);
  std::size_t unpacked = 0;
  switch (libdeflate_deflate_decompress(method.get(), packed.get(), packed_size, bytes.get(), size,
                                        &unpacked)) {
    case LIBDEFLATE_SUCCESS:
      break;
    case LIBDEFLATE_INSUFFICIENT_SPACE:
      refuse_entry(entry, kTooLong);
    default:
      refuse_damaged(entry, "what is packed there is not data of the method deflate");
  }
  if (unpacked != size) refuse_entry(entry, kTooShort);
  if (libdeflate_crc32(0, bytes.get(), size) != checksum) refuse_damaged(entry, "CRC error");
  take({bytes.get(), size});
}

void read_by_pieces(const EntryOfArchive& entry, const Take& take) {
  OpenEntry input(entry, 0);
  std::array<char, 1 << 16> buffer;
  std::uint64_t total = 0;
  while (const std::uint64_t count = input.read(buffer.data(), buffer.size())) {
    total += count;
    // The size in the directory of the archive is a claim; the data may go on.
    if (total > entry.about.size) refuse_entry(entry, kTooLong);
    take({buffer.data(), static_cast<std::size_t>(count)});
  }
  if (total != entry.about.size) refuse_entry(entry, kTooShort);
}

}  // namespace

void read_content(const EntryOfArchive& entry, const Take& take) {
  zip_stat_t status;
  zip_stat_init(&status);
  const bool known = zip_stat_index(entry.archive, entry.index, 0, &status) == 0;
  if (known && (status.valid & ZIP_STAT_CRC) != 0 && status.comp_method == ZIP_CM_DEFLATE &&
      status.encryption_method == ZIP_EM_NONE && entry.about.size <= kAtOnceBytes &&
      entry.about.compressed_size <= kAtOnceBytes) {
    read_at_once(entry, status.crc, take);
  } else {
    read_by_pieces(entry, take);
  }
}

}  // namespace saltus::importer

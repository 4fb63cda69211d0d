// SPDX-License-Identifier: BSD-2-Clause
#include "packing/archive.hpp"

#include <libdeflate.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <vector>

// PKWARE, "APPNOTE.TXT - .ZIP File Format Specification", 6.3.10: 4.3.7 is the header before each
// file, 4.3.12 that in the directory at the end, 4.3.16 the end of that. FMI 3.0, 2.5.1, asks for
// version 2.0, no encryption, and no more than the method "deflate".
namespace saltus::fmu_export {
namespace {

constexpr std::uint32_t kFile = 0x04034b50;
constexpr std::uint32_t kDirectoryEntry = 0x02014b50;
constexpr std::uint32_t kEnd = 0x06054b50;
constexpr std::size_t kFileHeader = 30;
constexpr std::size_t kEntryHeader = 46;
constexpr std::size_t kEndHeader = 22;
constexpr std::uint32_t kVersion = 20;
constexpr std::uint32_t kUnix = 3U << 8U;
constexpr std::uint32_t kUtf8 = 1U << 11U;
// The first of January 2000, as years since 1980, month and day.
constexpr std::uint32_t kDate = (20U << 9U) | (1U << 5U) | 1U;
constexpr std::uint32_t kRegularFile = 0100644;
constexpr std::uint32_t kLibrary = 0100755;
constexpr std::uint32_t kStored = 0;
constexpr std::uint32_t kDeflated = 8;
// The most that there is: a tenth of a second for an FMU, which is read many times.
constexpr int kLevel = 12;

struct Entry {
  std::string_view name;
  std::string_view bytes;  // compressed
  std::uint32_t method = 0;
  std::uint32_t checksum = 0;
  std::uint32_t size = 0;
  std::uint32_t place = 0;  // in the new archive
};

class Reader {
 public:
  explicit Reader(std::string_view archive) : archive_(archive) {}

  std::uint32_t number(std::size_t at, std::size_t bytes) const {
    const std::string_view part = text(at, bytes);
    std::uint32_t value = 0;
    for (std::size_t i = bytes; i-- > 0;) {
      value = (value << 8U) | static_cast<unsigned char>(part[i]);
    }
    return value;
  }
  std::string_view text(std::size_t at, std::size_t size) const {
    if (at > archive_.size() || size > archive_.size() - at) {
      throw std::invalid_argument("the archive of the FMU ends too early");
    }
    return archive_.substr(at, size);
  }
  void expect(std::size_t at, std::uint32_t signature) const {
    if (number(at, 4) != signature) throw std::invalid_argument("this is no archive of an FMU");
  }

  std::vector<Entry> entries() const {
    if (archive_.size() < kEndHeader) throw std::invalid_argument("this is no archive of an FMU");
    const std::size_t end = archive_.size() - kEndHeader;
    expect(end, kEnd);
    std::vector<Entry> entries(number(end + 10, 2));
    std::size_t at = number(end + 16, 4);
    for (Entry& entry : entries) {
      expect(at, kDirectoryEntry);
      const std::size_t name = number(at + 28, 2);
      entry = {.name = text(at + kEntryHeader, name),
               .bytes = {},
               .method = number(at + 10, 2),
               .checksum = number(at + 16, 4),
               .size = number(at + 24, 4)};
      const std::size_t file = number(at + 42, 4);
      expect(file, kFile);
      const std::size_t before = kFileHeader + number(file + 26, 2) + number(file + 28, 2);
      entry.bytes = text(file + before, number(at + 20, 4));
      at += kEntryHeader + name + number(at + 30, 2) + number(at + 32, 2);
    }
    return entries;
  }

 private:
  std::string_view archive_;
};

class Writer {
 public:
  void number(std::size_t value, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) {
      text_ += static_cast<char>(static_cast<unsigned char>(value >> (8U * i)));
    }
  }
  void write(std::string_view bytes) { text_ += bytes; }
  std::uint32_t place() const {
    if (text_.size() > 0xffffffffU) throw std::invalid_argument("the FMU is larger than 4 GB");
    return static_cast<std::uint32_t>(text_.size());
  }
  // What both headers of a file have.
  void describe(const Entry& entry) {
    const bool ascii = std::all_of(entry.name.begin(), entry.name.end(),
                                   [](char c) { return static_cast<unsigned char>(c) < 0x80; });
    number(kVersion, 2);
    number(ascii ? 0 : kUtf8, 2);
    number(entry.method, 2);
    number(0, 2);  // the time
    number(kDate, 2);
    number(entry.checksum, 4);
    number(entry.bytes.size(), 4);
    number(entry.size, 4);
    number(entry.name.size(), 2);
    number(0, 2);  // nothing else
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

// Compresses files anew, as small as the method "deflate" gets them.
class Packer {
 public:
  // `packed` holds what the entry refers to afterwards, if it became smaller.
  void make_small(Entry& entry, std::string& packed) const {
    if (entry.method != kStored && entry.method != kDeflated) return;
    const std::string content = unpacked(entry);
    packed.resize(libdeflate_deflate_compress_bound(packer_.get(), content.size()));
    packed.resize(libdeflate_deflate_compress(packer_.get(), content.data(), content.size(),
                                              packed.data(), packed.size()));
    if (packed.empty() || packed.size() >= entry.bytes.size()) return;
    entry.bytes = packed;
    entry.method = kDeflated;
  }

 private:
  template <auto release>
  struct Release {
    void operator()(auto* object) const { release(object); }
  };

  std::string unpacked(const Entry& entry) const {
    if (entry.method == kStored) return std::string(entry.bytes);
    std::string content(entry.size, '\0');
    if (libdeflate_deflate_decompress(unpacker_.get(), entry.bytes.data(), entry.bytes.size(),
                                      content.data(), content.size(),
                                      nullptr) != LIBDEFLATE_SUCCESS) {
      throw std::invalid_argument("a file in the archive of the FMU is damaged");
    }
    return content;
  }

  std::unique_ptr<libdeflate_compressor, Release<&libdeflate_free_compressor>> packer_{
      libdeflate_alloc_compressor(kLevel)};
  std::unique_ptr<libdeflate_decompressor, Release<&libdeflate_free_decompressor>> unpacker_{
      libdeflate_alloc_decompressor()};
};

}  // namespace

std::string repacked(const std::string& archive) {
  std::vector<Entry> entries = Reader(archive).entries();
  std::erase_if(entries, [](const Entry& entry) { return entry.name.ends_with('/'); });
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    const bool a_first = a.name == "modelDescription.xml",
               b_first = b.name == "modelDescription.xml";
    return a_first != b_first ? a_first : a.name < b.name;
  });
  const Packer packer;
  std::vector<std::string> packed(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) packer.make_small(entries[i], packed[i]);
  Writer writer;
  for (Entry& entry : entries) {
    entry.place = writer.place();
    writer.number(kFile, 4);
    writer.describe(entry);
    writer.write(entry.name);
    writer.write(entry.bytes);
  }
  const std::uint32_t directory = writer.place();
  for (const Entry& entry : entries) {
    writer.number(kDirectoryEntry, 4);
    writer.number(kVersion | kUnix, 2);
    writer.describe(entry);
    writer.number(0, 2);  // no comment
    writer.number(0, 2);  // on the first and only disk
    writer.number(0, 2);
    writer.number((entry.name.starts_with("binaries/") ? kLibrary : kRegularFile) << 16U, 4);
    writer.number(entry.place, 4);
    writer.write(entry.name);
  }
  const std::uint32_t size = writer.place() - directory;
  writer.number(kEnd, 4);
  writer.number(0, 4);
  writer.number(entries.size(), 2);
  writer.number(entries.size(), 2);
  writer.number(size, 4);
  writer.number(directory, 4);
  writer.number(0, 2);
  return writer.take();
}

}  // namespace saltus::fmu_export

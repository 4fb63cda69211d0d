// SPDX-License-Identifier: BSD-2-Clause
#include "zip_writer.hpp"

#include <fstream>

namespace {

std::uint32_t crc_of(const std::string& content) {
  std::uint32_t crc = 0xffffffffU;
  for (const char c : content) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ ((crc & 1U) != 0 ? 0xedb88320U : 0U);
  }
  return ~crc;
}

void put(std::string& bytes, std::uint64_t number, int width) {
  for (int i = 0; i < width; ++i)
    bytes += static_cast<char>((number >> (8U * unsigned(i))) & 0xffU);
}

}  // namespace

ZipWriter& ZipWriter::add(const std::string& name, const std::string& content,
                          const ZipEntry& entry) {
  const std::size_t offset = entries_.size();
  std::string common;  // what the local header and the directory share
  put(common, 20, 2);
  put(common, entry.flags, 2);
  put(common, entry.method, 2);
  put(common, 0x5a210000, 4);  // a time of day and a date
  put(common, entry.crc.value_or(crc_of(content)), 4);
  put(common, content.size(), 4);
  put(common, entry.size.value_or(static_cast<std::uint32_t>(content.size())), 4);
  put(common, name.size(), 2);
  put(common, 0, 2);  // no extra field
  entries_ += "PK\x03\x04" + common + name + content;
  directory_ += "PK\x01\x02";
  put(directory_, 0x0314, 2);  // made on Unix
  directory_ += common;
  put(directory_, 0, 2);  // no comment
  put(directory_, 0, 2);  // disk 0
  put(directory_, 0, 2);
  put(directory_, static_cast<std::uint64_t>(entry.mode) << 16U, 4);
  put(directory_, offset, 4);
  directory_ += name;
  ++count_;
  return *this;
}

std::string ZipWriter::bytes() const {
  std::string all = entries_ + directory_ + "PK\x05\x06";
  put(all, 0, 4);
  put(all, count_, 2);
  put(all, count_, 2);
  put(all, directory_.size(), 4);
  put(all, entries_.size(), 4);
  put(all, 0, 2);
  return all;
}

void ZipWriter::save(const std::filesystem::path& file) const {
  std::ofstream(file, std::ios::binary) << bytes();
}

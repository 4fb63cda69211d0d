// SPDX-License-Identifier: BSD-2-Clause
// The format: APPNOTE.TXT of PKWARE, 4.3: local headers, the directory, its end.
#include <array>
#include <vector>

#include "mutation.hpp"

namespace saltus::fuzz {
namespace {

struct Field {
  std::size_t offset, width;
};
constexpr std::array<Field, 11> kLocalFields = {{{0, 4},
                                                 {4, 2},
                                                 {6, 2},
                                                 {8, 2},
                                                 {10, 2},
                                                 {12, 2},
                                                 {14, 4},
                                                 {18, 4},
                                                 {22, 4},
                                                 {26, 2},
                                                 {28, 2}}};
constexpr std::array<Field, 17> kDirectoryFields = {{{0, 4},
                                                     {4, 2},
                                                     {6, 2},
                                                     {8, 2},
                                                     {10, 2},
                                                     {12, 2},
                                                     {14, 2},
                                                     {16, 4},
                                                     {20, 4},
                                                     {24, 4},
                                                     {28, 2},
                                                     {30, 2},
                                                     {32, 2},
                                                     {34, 2},
                                                     {36, 2},
                                                     {38, 4},
                                                     {42, 4}}};
constexpr std::array<Field, 8> kEndFields = {
    {{0, 4}, {4, 2}, {6, 2}, {8, 2}, {10, 2}, {12, 4}, {16, 4}, {20, 2}}};

std::vector<std::size_t> places(const std::string& archive, const char* signature) {
  std::vector<std::size_t> list;
  for (std::size_t at = archive.find(signature); at != std::string::npos;
       at = archive.find(signature, at + 4)) {
    list.push_back(at);
  }
  return list;
}

template <class Fields>
void change_field(std::string& archive, std::size_t header, const Fields& fields, Dice& dice) {
  const Field field = dice.pick(fields);
  const std::size_t at = header + field.offset;
  put_number(archive, at, odd_field(number_at(archive, at, field.width), dice), field.width);
}

/// Another name of the same length: in the directory, the local header, or both.
void change_name(std::string& archive, std::size_t entry, std::size_t local, Dice& dice) {
  const std::size_t length = number_at(archive, entry + 28, 2);
  std::string name = odd_path(dice);
  name.resize(length, dice.one_in(2) ? 'x' : '\0');
  if (entry + 46 + length > archive.size() || local + 30 + length > archive.size()) return;
  const bool in_both = !dice.one_in(4);
  if (in_both || dice.one_in(2)) archive.replace(entry + 46, length, name);
  if (in_both || dice.one_in(2)) archive.replace(local + 30, length, name);
}

/// The record of a field that needs 64 bits, as long as an extra field can be.
void add_zip64(std::string& archive, std::size_t entry, Dice& dice) {
  std::string extra(4 + 8 * (1 + dice.below(3)), '\xff');
  put_number(extra, 0, 1, 2);
  put_number(extra, 2, dice.one_in(3) ? dice.below(100) : extra.size() - 4, 2);
  for (std::size_t at = 4; at < extra.size(); at += 8) {
    put_number(extra, at, odd_field(number_at(archive, entry + 24, 4), dice), 8);
  }
  const std::size_t name = number_at(archive, entry + 28, 2);
  if (entry + 46 + name > archive.size()) return;
  archive.insert(entry + 46 + name, extra);
  put_number(archive, entry + 30, extra.size(), 2);
  for (const std::size_t size : {20U, 24U, 42U}) {
    if (dice.one_in(2)) put_number(archive, entry + size, 0xffffffff, 4);
  }
}

}  // namespace

std::string mutate_zip(const std::string& original, Dice& dice) {
  std::string archive = original;
  const std::vector<std::size_t> locals = places(archive, "PK\x03\x04");
  const std::vector<std::size_t> entries = places(archive, "PK\x01\x02");
  const std::vector<std::size_t> ends = places(archive, "PK\x05\x06");
  if (locals.empty() || entries.size() != locals.size() || ends.empty()) {
    return mutate_bytes(std::move(archive), dice);
  }
  for (std::uint64_t count = 1 + dice.below(3); count > 0; --count) {
    const std::size_t which = dice.below(entries.size());
    switch (dice.below(8)) {
      case 0:
        change_field(archive, locals[which], kLocalFields, dice);
        break;
      case 1:
      case 2:
        change_field(archive, entries[which], kDirectoryFields, dice);
        break;
      case 3:
        change_field(archive, ends.back(), kEndFields, dice);
        break;
      case 4:
      case 5:
        change_name(archive, entries[which], locals[which], dice);
        break;
      case 6:  // a kind of file: a link, a pipe, a folder, with or without rights
        put_number(archive, entries[which] + 38, dice.below(16) << 28U | dice.below(512) << 16U, 4);
        break;
      default:
        if (count == 1) add_zip64(archive, entries[which], dice);  // moves what is behind it
    }
  }
  return dice.one_in(3) ? mutate_bytes(std::move(archive), dice) : archive;
}

}  // namespace saltus::fuzz

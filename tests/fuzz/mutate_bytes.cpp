// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <array>
#include <string_view>

#include "mutation.hpp"

namespace saltus::fuzz {
namespace {

using std::string_view_literals::operator""sv;

constexpr std::size_t kLargest = std::size_t{200} << 10;

constexpr std::array kOddValues = {""sv,
                                   " "sv,
                                   "0"sv,
                                   "1"sv,
                                   "-1"sv,
                                   "2"sv,
                                   "3"sv,
                                   "7"sv,
                                   "127"sv,
                                   "128"sv,
                                   "255"sv,
                                   "256"sv,
                                   "32768"sv,
                                   "65536"sv,
                                   "2147483647"sv,
                                   "2147483648"sv,
                                   "-2147483648"sv,
                                   "4294967295"sv,
                                   "4294967296"sv,
                                   "9223372036854775807"sv,
                                   "-9223372036854775808"sv,
                                   "18446744073709551615"sv,
                                   "18446744073709551616"sv,
                                   "99999999999999999999999999"sv,
                                   "0.1"sv,
                                   "-0.0"sv,
                                   "1e-300"sv,
                                   "4.9e-324"sv,
                                   "1e-400"sv,
                                   "1e300"sv,
                                   "-1e308"sv,
                                   "1e400"sv,
                                   "NaN"sv,
                                   "nan"sv,
                                   "INF"sv,
                                   "-INF"sv,
                                   "inf"sv,
                                   "0x10"sv,
                                   "1e"sv,
                                   "1,5"sv,
                                   "+5"sv,
                                   "--5"sv,
                                   "1 2 3"sv,
                                   "1\t2\n3"sv,
                                   "true"sv,
                                   "false"sv,
                                   "TRUE"sv,
                                   "fixed"sv,
                                   "constant"sv,
                                   "continuous"sv,
                                   "independent"sv,
                                   "input"sv,
                                   "output"sv,
                                   "local"sv,
                                   "parameter"sv,
                                   "structuralParameter"sv,
                                   "exact"sv,
                                   "calculated"sv,
                                   "triggered"sv,
                                   "1.0"sv,
                                   "2.0"sv,
                                   "3.0"sv,
                                   "3.9"sv,
                                   "4.0"sv,
                                   "../x"sv,
                                   "a/b"sv,
                                   "x[1]"sv,
                                   "'"sv,
                                   "&lt;"sv,
                                   "&#0;"sv,
                                   "&#x110000;"sv,
                                   "&#xD800;"sv,
                                   "&nope;"sv,
                                   "<"sv,
                                   "\0"sv,
                                   "\xff\xfe"sv,
                                   "\xc0\x80"sv,
                                   "\xe2\x82"sv,
                                   "\xf0\x9f\x98\x80"sv,
                                   "%s%n"sv,
                                   "{}"sv,
                                   "{:99999999}"sv};

}  // namespace

std::string odd_value(Dice& dice) {
  if (dice.one_in(100)) return std::string(1 + dice.below(20'000), dice.one_in(2) ? '9' : 'a');
  if (dice.one_in(20)) return std::to_string(dice.below(40));
  return std::string(dice.pick(kOddValues));
}

std::string odd_path(Dice& dice) {
  constexpr std::array kPaths = {"../outside"sv,
                                 "a/../../outside"sv,
                                 "/tmp/outside"sv,
                                 "//outside"sv,
                                 "..\\outside"sv,
                                 "C:\\outside"sv,
                                 "C:outside"sv,
                                 "./modelDescription.xml"sv,
                                 "modelDescription.xml"sv,
                                 "./"sv,
                                 "."sv,
                                 ".."sv,
                                 ""sv,
                                 "/"sv,
                                 "a//b"sv,
                                 "a/./b"sv,
                                 ".hidden"sv,
                                 "a\0../outside"sv,
                                 "a\nb"sv,
                                 "binaries/"sv,
                                 "binaries"sv,
                                 "binaries/x86_64-linux/right.so"sv,
                                 "sources/right.c/below"sv,
                                 "modelDescription.xml/"sv,
                                 "modelDescription.xml/below"sv,
                                 "resources"sv,
                                 "\xff\xfe"sv,
                                 "\xe2\x82"sv,
                                 "terminalsAndIcons/terminalsAndIcons.xml"sv,
                                 "sources/buildDescription.xml"sv};
  if (dice.one_in(20)) return std::string(1 + dice.below(3000), dice.one_in(2) ? 'n' : '/');
  return std::string(dice.pick(kPaths));
}

void put_number(std::string& bytes, std::size_t offset, std::uint64_t number, std::size_t width) {
  for (std::size_t i = 0; i < width && offset + i < bytes.size(); ++i) {
    bytes[offset + i] = static_cast<char>((number >> (8U * i)) & 0xffU);
  }
}

std::uint64_t number_at(const std::string& bytes, std::size_t offset, std::size_t width) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < width && offset + i < bytes.size(); ++i) {
    number |= std::uint64_t{static_cast<unsigned char>(bytes[offset + i])} << (8U * i);
  }
  return number;
}

std::uint64_t odd_field(std::uint64_t was, Dice& dice) {
  constexpr std::array<std::uint64_t, 12> kEnds = {0,
                                                   1,
                                                   0x7fff,
                                                   0x8000,
                                                   0xffff,
                                                   0x10000,
                                                   0x7fffffff,
                                                   0x80000000,
                                                   0xfffffffe,
                                                   0xffffffff,
                                                   0x7fffffffffffffff,
                                                   0xffffffffffffffff};
  switch (dice.below(4)) {
    case 0:
      return was + 1 + dice.below(64);
    case 1:
      return was - 1 - dice.below(64);
    case 2:
      return dice.below(70'000);
    default:
      return dice.pick(kEnds);
  }
}

std::string mutate_bytes(std::string bytes, Dice& dice) {
  for (std::uint64_t count = 1 + dice.below(4); count > 0; --count) {
    const std::size_t place = dice.below(bytes.size() + 1);
    const std::size_t length =
        std::min<std::size_t>(1 + dice.below(dice.one_in(4) ? 4096 : 16), bytes.size() - place);
    switch (dice.below(7)) {
      case 0:
        if (length > 0) bytes[place] = static_cast<char>(dice.below(256));
        break;
      case 1:
        if (length > 0) {
          bytes[place] = static_cast<char>(bytes[place] ^ static_cast<char>(1U << dice.below(8)));
        }
        break;
      case 2:
        bytes.erase(place, length);
        break;
      case 3:
        bytes.insert(dice.below(bytes.size() + 1), bytes.substr(place, length));
        break;
      case 4:
        bytes.insert(place, odd_value(dice));
        break;
      case 5:
        if (dice.one_in(4)) bytes.resize(place);
        break;
      default:
        bytes.insert(place, 1 + dice.below(dice.one_in(10) ? 10'000 : 4),
                     static_cast<char>(dice.below(256)));
    }
  }
  if (bytes.size() > kLargest) bytes.resize(kLargest);
  return bytes;
}

std::string mutate_elf(std::string bytes, Dice& dice) {
  constexpr std::array<std::size_t, 4> kWidths = {1, 2, 4, 8};
  const std::size_t sections = number_at(bytes, 0x28, 8);
  const std::size_t section_size = number_at(bytes, 0x3a, 2), count = number_at(bytes, 0x3c, 2);
  for (std::uint64_t left = 1 + dice.below(3); left > 0; --left) {
    // A field of the header, of a section, or anything.
    std::size_t place = dice.below(64);
    if (!dice.one_in(3)) {
      place = sections + dice.below(count + 1) * section_size + 4 * dice.below(16);
    }
    if (dice.one_in(6) && !bytes.empty()) place = dice.below(bytes.size());
    const std::size_t width = dice.pick(kWidths);
    put_number(bytes, place, odd_field(number_at(bytes, place, width), dice), width);
  }
  if (dice.one_in(8)) bytes.resize(dice.below(bytes.size() + 1));
  return bytes;
}

std::string mutate_csv(std::string text, Dice& dice) {
  for (std::uint64_t count = 1 + dice.below(3); count > 0; --count) {
    // From here to the next border of a cell.
    const std::size_t begin = text.find_first_of(",\n", dice.below(text.size() + 1));
    if (begin == std::string::npos) continue;
    const std::size_t end = std::min(text.find_first_of(",\n", begin + 1), text.size());
    switch (dice.below(6)) {
      case 0:
        text.replace(begin + 1, end - begin - 1, odd_value(dice));
        break;
      case 1:
        text.erase(begin, end - begin);
        break;
      case 2:
        text.insert(end, text.substr(begin, end - begin));
        break;
      case 3:
        text.insert(begin + 1, dice.one_in(2) ? "\"" : "\"\"");
        break;
      case 4:
        text.insert(begin, dice.one_in(2) ? "\r\n" : ",,");
        break;
      default: {
        const std::size_t line = text.find('\n', begin);
        const std::size_t next = line == std::string::npos ? line : text.find('\n', line + 1);
        if (next != std::string::npos) text.insert(line, text.substr(line, next - line));
      }
    }
  }
  return dice.one_in(4) ? mutate_bytes(std::move(text), dice) : text;
}

}  // namespace saltus::fuzz

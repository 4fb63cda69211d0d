// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "dice.hpp"

namespace saltus::fuzz {

/// Each changes a file a little, as the dice fall. None lets it grow beyond some hundred kilobytes.

/// Knows nothing of what the bytes mean: flipped, taken out, doubled, cut off.
std::string mutate_bytes(std::string bytes, Dice& dice);
/// Attributes and elements: removed, doubled, moved, nested, renamed, with values that nobody
/// expects. Mostly well-formed still, so that the mistake gets as far as it can.
std::string mutate_xml(std::string text, Dice& dice);
/// Headers, directory and names of an archive; some of its content.
std::string mutate_zip(const std::string& archive, Dice& dice);
/// Cells, rows and columns.
std::string mutate_csv(std::string text, Dice& dice);
/// Fields of headers and tables of an ELF file.
std::string mutate_elf(std::string bytes, Dice& dice);

/// What a value is replaced by: numbers at the ends of their types and beyond, NaN, words, blanks,
/// bytes that are no UTF-8.
std::string odd_value(Dice& dice);
/// A path that leads outside, is absolute, empty, hidden, too long, or no text.
std::string odd_path(Dice& dice);

/// Little-endian numbers in a file; nothing is written beyond its end.
void put_number(std::string& bytes, std::size_t offset, std::uint64_t number, std::size_t width);
std::uint64_t number_at(const std::string& bytes, std::size_t offset, std::size_t width);
/// A number that a field of a header would not have: an end of a type, one more than it was.
std::uint64_t odd_field(std::uint64_t was, Dice& dice);

}  // namespace saltus::fuzz

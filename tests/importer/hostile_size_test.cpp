// SPDX-License-Identifier: BSD-2-Clause
// Small files that once took minutes or gigabytes to read: each costs no more than its size.
#include <catch2/catch.hpp>
#include <cstring>

#include "right_fmu.hpp"
#include "validate/elf_symbols.hpp"
#include "xml_file.hpp"

using Catch::Matchers::Contains;
using namespace saltus::importer;

namespace {

constexpr std::size_t kMany = 100'000;

std::string repeated(const std::string& text, std::size_t count) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += text;
  return all;
}

void put(std::string& bytes, std::uint64_t number, int width) {
  for (int i = 0; i < width; ++i) {
    bytes += static_cast<char>((number >> (8U * static_cast<unsigned>(i))) & 0xffU);
  }
}

/// A shared library of x86-64 with `symbols` names that all lie in one text of `length`
/// characters, each beginning one character later.
std::string overlapping_names(std::size_t symbols, std::size_t length) {
  const std::size_t table = 64, names = table + 24 * symbols, sections = names + length + 2;
  std::string elf(
      "\x7f"
      "ELF\x02\x01\x01\0\0\0\0\0\0\0\0\0",
      16);
  for (const auto& [number, width] :
       std::initializer_list<std::pair<std::uint64_t, int>>{{3, 2},
                                                            {62, 2},
                                                            {1, 4},
                                                            {0, 8},
                                                            {0, 8},
                                                            {sections, 8},
                                                            {0, 4},
                                                            {64, 2},
                                                            {0, 2},
                                                            {0, 2},
                                                            {64, 2},
                                                            {3, 2},
                                                            {0, 2}}) {
    put(elf, number, width);
  }
  for (std::size_t i = 0; i < symbols; ++i) {
    put(elf, 1 + i, 4);  // where the name begins
    put(elf, 0x12, 1);   // a global function
    put(elf, 0, 1);
    put(elf, 1, 2);
    put(elf, 0, 8);
    put(elf, 0, 8);
  }
  elf += '\0' + std::string(length, 'f') + '\0' + std::string(64, '\0');
  const auto section = [&](unsigned type, std::size_t offset, std::size_t size, unsigned link) {
    put(elf, 0, 4);
    put(elf, type, 4);
    put(elf, 0, 8);
    put(elf, 0, 8);
    put(elf, offset, 8);
    put(elf, size, 8);
    put(elf, link, 4);
    put(elf, 0, 4);
    put(elf, 8, 8);
    put(elf, 24, 8);
  };
  section(11, table, 24 * symbols, 2);
  section(3, names, length + 2, 0);
  return elf;
}

}  // namespace

TEST_CASE("an element with very many attributes is refused with its line", "[xml_file]") {
  std::string attributes;
  for (std::size_t i = 0; i < kMany; ++i) attributes += " a" + std::to_string(i) + "=\"\"";
  const Scratch scratch;
  const FmuError error = open_error(
      scratch, pack(scratch, with(small_description(), "name=\"p\"", "name=\"p\"" + attributes)));
  CHECK_THAT(error.what(), Contains("more than 1000 attributes"));
  CHECK_THAT(error.thing(), Contains("name=\"p\""));
  CHECK(error.line() > 1);
}

TEST_CASE("names of symbols that overlap are kept only as far as functions are named",
          "[validate]") {
  const auto library = validation::read_elf(overlapping_names(20'000, 500'000));
  CHECK(library.problem.empty());
  CHECK(library.functions.empty());
  const auto honest = validation::read_elf(overlapping_names(3, 5));
  CHECK(honest.functions == std::set<std::string, std::less<>>{"fff", "ffff", "fffff"});
}

TEST_CASE("long names of entries are refused without being followed into every folder",
          "[archive]") {
  const Scratch scratch;
  ZipWriter writer = right_archive(right_description());
  const std::string folders = repeated("a/", 30'000);
  for (int i = 0; i < 100; ++i) writer.add(folders + std::to_string(i), "");
  writer.save(scratch.file("long.fmu"));
  CHECK_THAT(open_error(scratch, scratch.file("long.fmu")).reason(), Contains("too long"));
  CHECK(validate(scratch.file("long.fmu")).findings.size() == 100);
}

TEST_CASE("what an archive claims to unpack to is not unpacked by a validation either",
          "[validate]") {
  const Scratch scratch;
  // Claims are enough: nothing of it is read.
  ZipWriter writer = right_archive(right_description());
  writer.add("resources/large", "", {.size = 0x7fffffff});
  writer.save(scratch.file("large.fmu"));
  const Validation validation = validate(scratch.file("large.fmu"));
  INFO(all_findings(validation));
  REQUIRE(validation.findings.size() == 1);
  CHECK(validation.findings[0].id == "archive.size");
  CHECK(validation.fmi_version.empty());
}

TEST_CASE("start values of large enumerations are looked up, not searched for", "[validate]") {
  std::string items, variables;
  for (std::size_t i = 3; i < 20'000; ++i) {
    const std::string number = std::to_string(i);
    items += "<Item name=\"i" + number + "\" value=\"" + number + "\"/>";
    variables += "<Enumeration name=\"e" + number + "\" valueReference=\"" +
                 std::to_string(100 + i) +
                 "\" causality=\"parameter\" declaredType=\"Color\" start=\"" + number + "\"/>";
  }
  const std::string large =
      with(with(right_description(), "</EnumerationType>", items + "</EnumerationType>"),
           "</ModelVariables>", variables + "</ModelVariables>");
  const Scratch scratch;
  right_archive(large).save(scratch.file("enumeration.fmu"));
  INFO(all_findings(validate(scratch.file("enumeration.fmu"))));
  CHECK(validate(scratch.file("enumeration.fmu")).findings.empty());
  right_archive(with(large, "start=\"19999\"", "start=\"20000\"")).save(scratch.file("beyond.fmu"));
  CHECK(has_finding(validate(scratch.file("beyond.fmu")), "variables.start.range",
                    "modelDescription.xml"));
}

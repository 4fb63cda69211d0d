// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/importer/input_table.hpp"

#include <catch2/catch.hpp>
#include <optional>
#include <string>
#include <vector>

#include "saltus/importer/fmu_error.hpp"
#include "scratch.hpp"

using Catch::Matchers::Contains;
using saltus::importer::InputError;
using saltus::importer::InputTable;
using Side = InputTable::Side;

TEST_CASE("a table is read from a file", "[input_table]") {
  const Scratch scratch;
  const InputTable table = InputTable::load(scratch.write(
      "in.csv", "\xef\xbb\xbftime, u ,\"a, \"\"b\"\"\",on\r\n0,1,2,true\r\n\r\n1,-1e3,+4,0\r\n"));
  CHECK(table.names() == std::vector<std::string>{"u", "a, \"b\"", "on"});
  REQUIRE(table.times().size() == 2);
  CHECK(table.value(0, 2) == 1.0);
  CHECK(table.value(1, 0) == -1000.0);
  CHECK(table.value(1, 1) == 4.0);
}

TEST_CASE("a table interpolates, jumps at equal times and holds outside", "[input_table]") {
  const InputTable table = InputTable::parse("time,u\n1,0\n2,10\n2,20\n2,30\n4,40\n", "memory");
  const auto at = [&](double t, Side side) { return table.interpolated(table.locate(t, side), 0); };
  const auto held = [&](double t, Side side) { return table.held(table.locate(t, side), 0); };
  CHECK(at(0.0, Side::left) == 0.0);
  CHECK(at(1.0, Side::left) == 0.0);
  CHECK(at(1.5, Side::left) == 5.0);
  CHECK(at(2.0, Side::left) == 10.0);
  CHECK(at(2.0, Side::right) == 30.0);
  CHECK(at(3.0, Side::right) == 35.0);
  CHECK(at(4.0, Side::right) == 40.0);
  CHECK(at(9.0, Side::left) == 40.0);
  CHECK(held(1.9, Side::right) == 0.0);
  CHECK(held(2.0, Side::left) == 0.0);
  CHECK(held(2.0, Side::right) == 30.0);
  CHECK(held(9.0, Side::right) == 40.0);
}

TEST_CASE("a bad table is refused with line and column", "[input_table]") {
  struct Case {
    std::string text;
    std::size_t line;
    std::size_t column;
    std::string message;
  };
  const auto sample = GENERATE(values<Case>({
      {"", 0, 0, "the file is empty"},
      {"\n\n", 0, 0, "the file is empty"},
      {"time,u\n", 0, 0, "no row of values"},
      {"t,u\n0,1\n", 1, 1, "the first column is \"t\""},
      {"time,,v\n0,1,2\n", 1, 2, "no name"},
      {"time,u,u\n0,1,2\n", 1, 3, "there twice"},
      {"time,\"u\n0,1\n", 1, 2, "not closed"},
      {"time,\"u\"x\n0,1\n", 1, 2, "text after"},
      {"time,u\n0,1,2\n", 2, 3, "more cells"},
      {"time,u,v\n0,1\n", 2, 0, "2 cells, but the header has 3"},
      {"time,u\n1,1\n0.5,1\n", 3, 1, "time goes back"},
      {"time,u\nNaN,1\n", 2, 1, "finite"},
  }));
  INFO(sample.text);
  try {
    InputTable::parse(sample.text, "some.csv");
    FAIL("accepted");
  } catch (const InputError& error) {
    CHECK(error.path() == "some.csv");
    CHECK(error.line() == sample.line);
    CHECK(error.column() == sample.column);
    CHECK_THAT(error.what(), Contains(sample.message) && Contains("some.csv"));
  }
}

TEST_CASE("a table tells where a run goes on beyond its rows", "[input_table]") {
  const InputTable table = InputTable::parse("time,u\n1,0\n2,1\n", "some.csv");
  CHECK(table.uncovered(1.0, 2.0).empty());
  CHECK_THAT(table.uncovered(1.0, 3.0), Contains("its last row, at t = 2, holds until the end"));
  CHECK_THAT(table.uncovered(0.0, 2.0), Contains("its first row, at t = 1, holds from the start"));
  CHECK(InputTable::parse("time,u\n0,3\n", "some.csv").uncovered(0.0, 5.0).empty());
}

TEST_CASE("a table that is not there is refused", "[input_table]") {
  const Scratch scratch;
  CHECK_THROWS_AS(InputTable::load(scratch.file("nowhere.csv")), InputError);
  CHECK_THROWS_AS(InputTable::load(scratch.file("")), InputError);
}

TEST_CASE("an array without elements has empty cells", "[input_table]") {
  const auto none = [](const std::string& name) {
    return name == "u" ? std::optional(std::vector<std::string>()) : std::nullopt;
  };
  const InputTable table =
      InputTable::parse("time,u,v\n0,,1\n1,,2\n", "in.csv").with_elements(none);
  CHECK(table.names() == std::vector<std::string>{"v"});
  CHECK(table.value(1, 0) == 2.0);
  CHECK(table.file_column(0) == 3);
  CHECK_THROWS_WITH(InputTable::parse("time,u\n0,1 2\n", "in.csv").with_elements(none),
                    Contains("line 2, column 2: \"u\" has 0 elements, but 2 are given"));
}

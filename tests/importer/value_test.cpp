// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/importer/value.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

using namespace saltus::importer;

TEST_CASE("every scalar survives the way to text and back", "[value]") {
  struct Case {
    VariableType type;
    Scalar scalar;
  };
  const auto sample = GENERATE(values<Case>({
      {VariableType::float64, 0.1},
      {VariableType::float64, -0.0},
      {VariableType::float64, std::numeric_limits<double>::denorm_min()},
      {VariableType::float64, std::numeric_limits<double>::max()},
      {VariableType::float64, std::numeric_limits<double>::infinity()},
      {VariableType::float32, 0.1F},
      {VariableType::float32, 16777217.0F},
      {VariableType::int8, std::int8_t{-128}},
      {VariableType::uint8, std::uint8_t{255}},
      {VariableType::int16, std::int16_t{-32768}},
      {VariableType::uint16, std::uint16_t{65535}},
      {VariableType::int32, std::numeric_limits<std::int32_t>::min()},
      {VariableType::uint32, std::numeric_limits<std::uint32_t>::max()},
      {VariableType::int64, std::numeric_limits<std::int64_t>::min()},
      {VariableType::uint64, std::numeric_limits<std::uint64_t>::max()},
      {VariableType::enumeration, std::int64_t{-3}},
      {VariableType::boolean, true},
      {VariableType::boolean, false},
      {VariableType::string, std::string("a b, \"c\"")},
      {VariableType::binary, Binary{{0x00, 0xff, 0x1a}}},
      {VariableType::binary, Binary{}},
  }));
  const std::string text = format_scalar(sample.scalar);
  INFO(to_string(sample.type) << " " << text);
  CHECK(parse_scalar(sample.type, text) == sample.scalar);
}

TEST_CASE("numbers are read as XML Schema writes them", "[value]") {
  CHECK(std::get<double>(parse_scalar(VariableType::float64, "+1.5")) == 1.5);
  CHECK(std::get<double>(parse_scalar(VariableType::float64, " 1e-400 ")) == 0.0);
  CHECK(std::get<double>(parse_scalar(VariableType::float64, "-INF")) == -INFINITY);
  CHECK(std::isnan(std::get<double>(parse_scalar(VariableType::float64, "NaN"))));
  CHECK(std::get<bool>(parse_scalar(VariableType::boolean, "1")));
}

TEST_CASE("text that does not fit the type is rejected", "[value]") {
  struct Case {
    VariableType type;
    std::string text;
  };
  const auto sample = GENERATE(values<Case>({
      {VariableType::float64, ""},
      {VariableType::float64, "1.0.0"},
      {VariableType::float64, "0x10"},
      {VariableType::float64, "1e999"},
      {VariableType::float64, "1,5"},
      {VariableType::float64, "+-1"},
      {VariableType::float32, "1e39"},
      {VariableType::int8, "128"},
      {VariableType::uint8, "-1"},
      {VariableType::int32, "1.5"},
      {VariableType::uint64, "18446744073709551616"},
      {VariableType::boolean, "TRUE"},
      {VariableType::binary, "abc"},
      {VariableType::binary, "zz"},
  }));
  INFO(to_string(sample.type) << " \"" << sample.text << '"');
  CHECK_THROWS_AS(parse_scalar(sample.type, sample.text), std::invalid_argument);
}

TEST_CASE("a list is split at any white space", "[value]") {
  const Value value = parse_value(VariableType::int32, " 1\t2\r\n3 ");
  CHECK(value == Value{std::int32_t{1}, std::int32_t{2}, std::int32_t{3}});
  CHECK(format_value(value) == "1 2 3");
  CHECK(parse_value(VariableType::string, "one text") == Value{std::string("one text")});
  CHECK(parse_value(VariableType::float64, "").empty());
}

TEST_CASE("a number is rounded into the range of an integer type", "[value]") {
  CHECK(from_number(VariableType::int8, 200.0) == Scalar(std::int8_t{127}));
  CHECK(from_number(VariableType::int8, -200.0) == Scalar(std::int8_t{-128}));
  CHECK(from_number(VariableType::uint8, -1.0) == Scalar(std::uint8_t{0}));
  CHECK(from_number(VariableType::int32, 2.7) == Scalar(std::int32_t{3}));
  CHECK(from_number(VariableType::int64, 1e30) == Scalar(std::numeric_limits<std::int64_t>::max()));
  CHECK(from_number(VariableType::uint64, 1e30) ==
        Scalar(std::numeric_limits<std::uint64_t>::max()));
  CHECK(from_number(VariableType::boolean, 0.5) == Scalar(true));
  CHECK_THROWS_AS(from_number(VariableType::string, 1.0), std::invalid_argument);
  CHECK(to_number(Scalar(true)) == 1.0);
  CHECK(std::isnan(to_number(Scalar(std::string("1")))));
}

// SPDX-License-Identifier: BSD-2-Clause
// Variables of every type in FMI 2.0, which has Real, Integer, Boolean, String and Enumeration.
#include <catch2/catch.hpp>
#include <limits>
#include <string>

#include "exported.hpp"
#include "fmi2/description.hpp"
#include "fmi2_rig.hpp"

using Catch::Matchers::Contains;
using rig2::Fmu;

TEST_CASE("integers of other types than 32 bits are Integers with limits", "[all_types]") {
  Fmu fmu = Fmu::co_simulation();
  REQUIRE(fmu.set_integer("UInt8_input", 255) == fmi2OK);
  REQUIRE(fmu.set_integer("Int64_input", -5) == fmi2OK);
  REQUIRE(fmu.set_integer("UInt64_input", 7) == fmi2OK);
  REQUIRE(fmu.set_integer("Mode_input", 2) == fmi2OK);
  REQUIRE(fmu.set("Float32_input", 0.1) == fmi2OK);
  REQUIRE(fmu.set_text("String_input", "text") == fmi2OK);
  fmu.initialize();
  fmu.step(0.0, 0.3);
  CHECK(fmu.integer("UInt8_output") == 255);
  CHECK(fmu.integer("Int64_output") == -5);
  CHECK(fmu.integer("UInt64_output") == 7);
  CHECK(fmu.integer("Mode_output") == 2);
  CHECK(fmu.number("Float32_output") == static_cast<double>(0.1F));
  CHECK(fmu.text("String_output") == "text");
  CHECK(fmu.text("last") == "tank <1> & \"more\", none 43");
  CHECK(fmu.integer("Int16_count") == 43);
}

TEST_CASE("a value that a variable cannot have is refused by its name in FMI 2.0", "[all_types]") {
  const auto refusal = [](const auto& set) {
    Fmu fmu = Fmu::model_exchange();
    CHECK(set(fmu) == fmi2Error);
    return fmu.messages();
  };
  CHECK_THAT(refusal([](Fmu& f) { return f.set_integer("Int8_input", 128); }),
             Contains("\"Int8_input\" cannot be 128: it has to be from -128 to 127"));
  CHECK_THAT(refusal([](Fmu& f) { return f.set_integer("UInt64_input", -1); }),
             Contains("\"UInt64_input\" cannot be -1"));
  CHECK_THAT(refusal([](Fmu& f) { return f.set_integer("UInt32_input", -1); }),
             Contains("\"UInt32_input\" cannot be -1"));
  CHECK_THAT(refusal([](Fmu& f) { return f.set_integer("Mode_input", 3); }),
             Contains("\"Mode_input\" cannot be 3"));
  CHECK_THAT(refusal([](Fmu& f) { return f.set("gain", 11.0); }),
             Contains("\"gain\" cannot be 11"));
  CHECK_THAT(refusal([](Fmu& f) { return f.set("Float32_input", 1e300); }),
             Contains("\"Float32_input\" cannot be"));
  CHECK_THAT(refusal([](Fmu& f) { return f.set("Int8_input", 1.0); }),
             Contains("\"Int8_input\" is of type Integer, not Real"));
}

TEST_CASE("a run with variables of every type goes on from a saved state in FMI 2.0",
          "[all_types]") {
  const Fmu fmu = Fmu::co_simulation();
  REQUIRE(fmu.set_text("label", "saved") == fmi2OK);
  fmu.initialize();
  fmu.step(0.0, 0.3);
  const rig2::Saved saved(fmu);
  const std::vector<double> once = fmu.run(0.3, 0.8, 0.1);
  saved.into(fmu);
  CHECK(fmu.run(0.3, 0.8, 0.1) == once);
  const Fmu other = Fmu::co_simulation();
  rig2::Saved(other, saved.bytes()).into(other);
  CHECK(other.run(0.3, 0.8, 0.1) == once);
  CHECK(other.text("last") == "saved, none 49");
}

TEST_CASE("the description of FMI 2.0 names items, limits and start values", "[all_types]") {
  using namespace saltus::fmu_export;
  const ExportedModel exported = exported_model(Interface::model_exchange);
  const std::string xml = fmi2::model_description(exported, {});
  CHECK_THAT(xml, Contains("<SimpleType name=\"Mode\">"));
  CHECK_THAT(xml, Contains("<Item name=\"cooling\" value=\"2\"/>"));
  CHECK_THAT(xml, Contains("<Integer min=\"-128\" max=\"127\" start=\"0\"/>"));
  CHECK_THAT(xml, Contains("<Integer min=\"0\" start=\"0\"/>"));  // of UInt32 and UInt64
  CHECK_THAT(xml, Contains("<Enumeration declaredType=\"Mode\" start=\"1\"/>"));
  CHECK_THAT(xml, Contains("<String start=\"none\"/>"));
  CHECK_THAT(xml, Contains("<Real unit=\"1/s\" min=\"0\" max=\"10\" start=\"0.5\"/>"));
}

// SPDX-License-Identifier: BSD-2-Clause
// Variables of every type through the functions of FMI 3.0: values, refusals, saved states.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "content_hash.hpp"
#include "exported.hpp"
#include "fmi2/description.hpp"
#include "fmi3/description.hpp"
#include "rig.hpp"
#include "saved.hpp"

using Catch::Matchers::Contains;
using rig::Fmu;
using rig::reference;
using rig::Saved;

namespace {

// Every integer type has an input that is passed on.
template <class T>
struct Functions {
  const char* type;
  fmi3Status (*get)(fmi3Instance, const fmi3ValueReference*, size_t, T*, size_t);
  fmi3Status (*set)(fmi3Instance, const fmi3ValueReference*, size_t, const T*, size_t);
};

template <class T>
void check_extremes(const Functions<T>& functions) {
  Fmu fmu = Fmu::co_simulation();
  fmu.initialize();
  INFO(functions.type);
  const fmi3ValueReference in = reference(std::string(functions.type) + "_input");
  const fmi3ValueReference out = reference(std::string(functions.type) + "_output");
  double t = 0.0;
  for (const T value : {std::numeric_limits<T>::min(), std::numeric_limits<T>::max(), T{0}}) {
    REQUIRE(functions.set(fmu.instance(), &in, 1, &value, 1) == fmi3OK);
    fmu.step(t, 0.01);
    t += 0.01;
    T got{};
    REQUIRE(functions.get(fmu.instance(), &out, 1, &got, 1) == fmi3OK);
    CHECK(got == value);
  }
  const fmi3ValueReference fixed = reference(std::string(functions.type) + "_fixed");
  const T two[] = {2, 2};
  CHECK(functions.set(fmu.instance(), &in, 1, two, 2) == fmi3Error);
  CHECK_THAT(fmu.messages(), Contains("these variables have 1 values, but nValues is 2"));
  REQUIRE(fmi3Reset(fmu.instance()) == fmi3OK);
  const T too_large = 101;
  CHECK(functions.set(fmu.instance(), &fixed, 1, &too_large, 1) == fmi3Error);
  CHECK_THAT(fmu.messages(), Contains("_fixed\" cannot be 101: it has to be from 1 to 100"));
}

}  // namespace

TEST_CASE("each integer type is passed on by its own functions", "[all_types]") {
  check_extremes<std::int8_t>({"Int8", fmi3GetInt8, fmi3SetInt8});
  check_extremes<std::uint8_t>({"UInt8", fmi3GetUInt8, fmi3SetUInt8});
  check_extremes<std::int16_t>({"Int16", fmi3GetInt16, fmi3SetInt16});
  check_extremes<std::uint16_t>({"UInt16", fmi3GetUInt16, fmi3SetUInt16});
  check_extremes<std::int32_t>({"Int32", fmi3GetInt32, fmi3SetInt32});
  check_extremes<std::uint32_t>({"UInt32", fmi3GetUInt32, fmi3SetUInt32});
  check_extremes<std::int64_t>({"Int64", fmi3GetInt64, fmi3SetInt64});
  check_extremes<std::uint64_t>({"UInt64", fmi3GetUInt64, fmi3SetUInt64});
}

TEST_CASE("a variable is served by the functions of its type alone", "[all_types]") {
  Fmu fmu = Fmu::model_exchange();
  const fmi3ValueReference int8 = reference("Int8_input"), mode = reference("first");
  std::int16_t narrow = 0;
  CHECK(fmi3GetInt16(fmu.instance(), &int8, 1, &narrow, 1) == fmi3Error);
  CHECK_THAT(fmu.messages(), Contains("\"Int8_input\" is of type Int8, not Int16"));
  REQUIRE(fmi3Reset(fmu.instance()) == fmi3OK);
  fmi3String text = nullptr;
  CHECK(fmi3GetString(fmu.instance(), &mode, 1, &text, 1) == fmi3Error);
  CHECK_THAT(fmu.messages(), Contains("\"first\" is of type Enumeration, not String"));
  REQUIRE(fmi3Reset(fmu.instance()) == fmi3OK);
  std::int64_t item = 0;
  CHECK(fmi3GetInt64(fmu.instance(), &mode, 1, &item, 1) == fmi3OK);
  CHECK(item == 1);
  item = 7;
  CHECK(fmi3SetInt64(fmu.instance(), &mode, 1, &item, 1) == fmi3Error);
  CHECK_THAT(fmu.messages(), Contains("\"first\" cannot be 7: it is one of 0 (off)"));
}

TEST_CASE("nothing is set where one value of several is refused", "[all_types]") {
  Fmu fmu = Fmu::model_exchange();
  const fmi3ValueReference both[] = {reference("Int8_input"), reference("Int8_fixed")};
  const std::int8_t values[] = {5, 0};
  CHECK(fmi3SetInt8(fmu.instance(), both, 2, values, 2) == fmi3Error);
  CHECK_THAT(fmu.messages(), Contains("\"Int8_fixed\" cannot be 0"));
  CHECK(fmu.whole("Int8_input") == 0);
}

TEST_CASE("strings, binaries and Float32 are passed on", "[all_types]") {
  Fmu fmu = Fmu::co_simulation();
  CHECK(fmu.text("label") == "tank <1> & \"more\"");
  CHECK(fmu.text("key") == std::string("\x01\x00\xff", 3));
  REQUIRE(fmu.set_text("label", "tank") == fmi3OK);
  REQUIRE(fmu.set_text("Binary_input", std::string("a\0b", 3)) == fmi3OK);
  fmu.initialize();
  CHECK(fmu.text("last") == "start");
  CHECK(fmu.text("Binary_output") == std::string("a\0b", 3));
  REQUIRE(fmu.set_text("String_input", "gr\xc3\xbc\xc3\x9f") == fmi3OK);
  REQUIRE(fmu.set_text("note", "tuned") == fmi3OK);
  const fmi3ValueReference in = reference("Float32_input"), out = reference("Float32_output");
  const float value = 0.1F;
  REQUIRE(fmi3SetFloat32(fmu.instance(), &in, 1, &value, 1) == fmi3OK);
  fmu.step(0.0, 0.3);
  CHECK(fmu.text("String_output") == "gr\xc3\xbc\xc3\x9f");
  CHECK(fmu.text("last") == "tank, tuned 43");
  float got = 0.0F;
  REQUIRE(fmi3GetFloat32(fmu.instance(), &out, 1, &got, 1) == fmi3OK);
  CHECK(got == value);
  CHECK(fmu.set_text("label", "late") == fmi3Error);
  CHECK_THAT(fmu.messages(), Contains("\"label\" (parameter, fixed) cannot be set in Step Mode"));
}

TEST_CASE("several texts of one call stay valid together", "[all_types]") {
  Fmu fmu = Fmu::model_exchange();
  const fmi3ValueReference all[] = {reference("label"), reference("note"), reference("last")};
  fmi3String texts[3] = {};
  REQUIRE(fmi3GetString(fmu.instance(), all, 3, texts, 3) == fmi3OK);
  CHECK(texts[0] == std::string("tank <1> & \"more\""));
  CHECK(texts[1] == std::string("none"));
  CHECK(texts[2] == std::string("start"));
  CHECK(fmi3GetString(fmu.instance(), all, 3, texts, 2) == fmi3Error);
  REQUIRE(fmi3Reset(fmu.instance()) == fmi3OK);
  const fmi3String none = nullptr;
  CHECK(fmi3SetString(fmu.instance(), all, 1, &none, 1) == fmi3Error);
  CHECK_THAT(fmu.messages(), Contains("a value is NULL"));
}

TEST_CASE("runs with variables of every type are saved and go on with the same bits",
          "[all_types]") {
  for (const rig::CoSimulation& way :
       {rig::CoSimulation{}, rig::CoSimulation{.event_mode = true, .early_return = true}}) {
    Fmu fmu = Fmu::co_simulation(way);
    REQUIRE(fmu.set_text("label", "saved") == fmi3OK);
    const Saved before(fmu);
    fmu.initialize();
    if (way.event_mode) {
      fmu.settle_and_leave();
    }
    double t = 0.0;
    for (const double size : {0.1, 0.15, 0.25, 0.125}) {
      INFO("saved at " << t);
      REQUIRE(fmu.set_text("note", "at " + std::to_string(t)) == fmi3OK);
      REQUIRE(fmu.set_text("Binary_input", std::string(3, static_cast<char>(8 * t))) == fmi3OK);
      const Saved saved(fmu);
      const std::vector<double> once = fmu.run(t, t + size, size / 4);
      saved.into(fmu);
      REQUIRE(rig::difference(fmu.run(t, t + size, size / 4), once) == "");
      const Fmu other = Fmu::co_simulation(way);
      saved.as_bytes_into(other);
      REQUIRE(rig::difference(other.run(t, t + size, size / 4), once) == "");
      t += size;
    }
    const Fmu other = Fmu::co_simulation(way);
    before.as_bytes_into(other);
    CHECK(other.text("label") == "saved");
    CHECK(other.text("last") == "start");
  }
}

TEST_CASE("a text that is set within an event is part of a state saved there", "[all_types]") {
  Fmu fmu = Fmu::model_exchange();
  fmu.initialize();
  REQUIRE(fmu.set_text("note", "within") == fmi3OK);
  REQUIRE(fmu.set_text("Binary_input", "xyz") == fmi3OK);
  const fmi3ValueReference count = reference("UInt16_input");
  const std::uint16_t value = 65535;
  REQUIRE(fmi3SetUInt16(fmu.instance(), &count, 1, &value, 1) == fmi3OK);
  fmu.update();
  const Saved saved(fmu);
  const Fmu other = Fmu::model_exchange();
  saved.as_bytes_into(other);
  CHECK(other.text("note") == "within");
  CHECK(other.text("Binary_output") == "xyz");
  CHECK(other.whole("UInt16_output") == 65535);
  other.settle_and_leave();
  fmu.settle_and_leave();
  CHECK(rig::difference(other.everything(), fmu.everything()) == "");
}

TEST_CASE("a saved state with a parameter outside of its limits is refused", "[all_types]") {
  for (const bool started : {false, true}) {
    Fmu fmu = Fmu::co_simulation();
    const fmi3ValueReference fixed = reference("Int32_fixed");
    const std::int32_t legal = 87;
    REQUIRE(fmi3SetInt32(fmu.instance(), &fixed, 1, &legal, 1) == fmi3OK);
    if (started) {
      fmu.initialize();
    }
    std::vector<fmi3Byte> bytes = Saved(fmu).bytes();
    const std::int64_t held = legal;
    const std::int64_t forged = 1 << 30;  // passes of a loop
    std::size_t found = 0;
    for (std::size_t i = 0; i + sizeof held < bytes.size(); ++i) {
      if (std::memcmp(&bytes[i], &held, sizeof held) != 0) continue;
      std::memcpy(&bytes[i], &forged, sizeof forged);
      ++found;
    }
    REQUIRE(found == 2);
    const std::size_t content = bytes.size() - sizeof(std::uint64_t);
    const std::uint64_t sum =
        saltus::fmu_export::content_hash(std::as_bytes(std::span(bytes).first(content)));
    std::memcpy(&bytes[content], &sum, sizeof sum);
    fmi3FMUState state = nullptr;
    REQUIRE(fmi3DeserializeFMUState(fmu.instance(), bytes.data(), bytes.size(), &state) == fmi3OK);
    CHECK(fmi3SetFMUState(fmu.instance(), state) == fmi3Error);
    CHECK_THAT(fmu.messages(), Contains("forged") && Contains("\"Int32_fixed\" cannot be"));
    CHECK(fmi3FreeFMUState(fmu.instance(), &state) == fmi3OK);
  }
}

TEST_CASE("the description names types, items, limits and start values", "[all_types]") {
  using namespace saltus::fmu_export;
  const ExportedModel exported = exported_model(Interface::model_exchange);
  const std::string xml = fmi3::model_description(exported, {});
  CHECK_THAT(xml, Contains("<EnumerationType name=\"Mode\">"));
  CHECK_THAT(xml, Contains("<DisplayUnit name=\"degC\" offset=\"-273.15\"/>"));
  CHECK_THAT(xml, Contains("unit=\"K\" displayUnit=\"degC\" start=\"293.15\""));
  CHECK_THAT(xml, Contains("<Item name=\"heating\" value=\"1\"/>"));
  CHECK_THAT(xml, Contains("<Int8 name=\"Int8_fixed\"") && Contains("min=\"1\" max=\"100\""));
  CHECK_THAT(xml, Contains("declaredType=\"Mode\" start=\"1\""));
  CHECK_THAT(xml, Contains("<Start value=\"0100ff\"/>"));
  CHECK_THAT(xml, Contains("mimeType=\"application/x-key\""));
  CHECK_THAT(xml, Contains("<Start value=\"tank &lt;1&gt; &amp; &quot;more&quot;\"/>"));
  CHECK_THAT(xml,
             Contains("<Float32 name=\"gain\"") && Contains("unit=\"1/s\" min=\"0\" max=\"10\""));
  CHECK_THROWS_WITH(fmi2::model_description(exported, {}),
                    Contains("\"key\" is a binary, which FMI 2.0 does not have"));
}

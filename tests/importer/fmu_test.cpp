// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/importer/fmu.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "saltus/core/error.hpp"
#include "saltus/importer/validate.hpp"
#include "scratch.hpp"
#include "zip_writer.hpp"

using Catch::Matchers::Contains;
using namespace saltus::importer;

namespace {

/// The bytes of a binary of the folder unloadable.
std::string unloadable(const std::string& name) {
  std::ifstream stream(std::filesystem::path(SALTUS_UNLOADABLE_DIR) / ("importer_" + name + ".so"),
                       std::ios::binary);
  REQUIRE(stream.good());
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

TEST_CASE("an interface that the FMU lacks is refused", "[fmu]") {
  Fmu cs_only = Fmu::open(plain_fmu("early_return"));
  CHECK_THROWS_WITH(cs_only.instantiate_model_exchange("a"), Contains("try Co-Simulation"));
  Fmu me_only = Fmu::open(plain_fmu("step_event"));
  CHECK_THROWS_WITH(me_only.instantiate_co_simulation("a"), Contains("try Model Exchange"));
}

TEST_CASE("an FMU for other machines can be looked at but not instantiated", "[fmu]") {
  const Scratch scratch;
  const auto file = scratch.file("foreign.fmu");
  ZipWriter()
      .add("modelDescription.xml", small_description())
      .add("binaries/riscv32-plan9/small.so", "x")
      .add("binaries/x86_64-windows/small.dll", "x")
      .save(file);
  {
    Fmu fmu = Fmu::open(file);
    CHECK(fmu.platforms() == std::vector<std::string>{"riscv32-plan9", "x86_64-windows"});
    try {
      fmu.instantiate_model_exchange("a");
      FAIL("instantiated");
    } catch (const FmuError& error) {
      CHECK(error.thing() == "binaries/" + host_platform() + "/small.so");
      CHECK_THAT(error.what(), Contains("which offers riscv32-plan9, x86_64-windows"));
    }
  }
  CHECK(scratch.is_clean());
}

TEST_CASE("a binary that cannot be loaded is refused in the loader's words", "[fmu]") {
  const Scratch scratch;
  const auto file = scratch.file("garbage.fmu");
  ZipWriter()
      .add("modelDescription.xml", small_description())
      .add("binaries/" + host_platform() + "/small.so", "this is not a library")
      .save(file);
  {
    Fmu fmu = Fmu::open(file);
    CHECK_THROWS_WITH(
        fmu.instantiate_model_exchange("a"),
        Contains("small.so: cannot be loaded") && Contains("no library of this system"));
  }
  CHECK(scratch.is_clean());
}

TEST_CASE("what a binary lacks is told with what helps", "[fmu]") {
  struct Case {
    std::string binary;
    std::string attributes;
    bool has_document;
    std::string advice;
  };
  const std::string needs_tool = " needsExecutionTool=\"true\"";
  const auto sample = GENERATE_COPY(values<Case>({
      {"needs_library", "", false, "install the library that is missing"},
      {"needs_library", "", true,
       "install the library that is missing, see documentation/externalDependencies.html"},
      {"needs_symbol", "", false, "the library that has this symbol must be loaded first"},
      {"needs_library", needs_tool, false, "the FMU needs Modeler 7 on this machine"},
  }));
  const Scratch scratch;
  const auto file = scratch.file("needy.fmu");
  ZipWriter writer;
  writer.add("modelDescription.xml", with(with(small_description(), "modelIdentifier=\"small\"",
                                               "modelIdentifier=\"small\"" + sample.attributes),
                                          "modelName=", "generationTool=\"Modeler 7\" modelName="));
  writer.add("binaries/" + host_platform() + "/small.so", unloadable(sample.binary));
  if (sample.has_document) writer.add("documentation/externalDependencies.html", "libx");
  writer.save(file);
  Fmu fmu = Fmu::open(file, Fmu::Unpacked::for_runs);
  try {
    fmu.instantiate_model_exchange("a");
    FAIL("instantiated");
  } catch (const FmuError& error) {
    CHECK_THAT(error.what(), Contains("cannot be loaded: ") && Contains(sample.advice));
    CHECK((std::string(error.what()).find("externalDependencies") != std::string::npos) ==
          sample.has_document);
  }
}

TEST_CASE("a binary whose functions are prefixed is recognised", "[fmu]") {
  const Scratch scratch;
  const auto file = scratch.file("prefixed.fmu");
  ZipWriter()
      .add("modelDescription.xml", small_description())
      .add("binaries/" + host_platform() + "/small.so", unloadable("prefixed"))
      .save(file);
  Fmu fmu = Fmu::open(file);
  CHECK_THROWS_WITH(fmu.instantiate_model_exchange("a"),
                    Contains("fmi3GetVersion") && Contains("which has small_fmi3GetVersion") &&
                        Contains("FMI3_FUNCTION_PREFIX"));
  const Validation validation = validate(file);
  const auto found =
      std::find_if(validation.findings.begin(), validation.findings.end(),
                   [](const Finding& finding) { return finding.id == "binaries.functions"; });
  REQUIRE(found != validation.findings.end());
  CHECK_THAT(found->remedy, Contains("FMI3_FUNCTION_PREFIX"));
}

TEST_CASE("functions are required only for the interface that is used", "[fmu]") {
  Fmu fmu = Fmu::open(plain_fmu("liar_missing_function"));
  CHECK(fmu.instantiate_model_exchange("a") != nullptr);
  CHECK_THAT(fmu.warnings().back(), Contains("fmi3DoStep"));
  CHECK_THROWS_WITH(fmu.instantiate_co_simulation("a"),
                    Contains("fmi3DoStep: this function is missing"));
}

TEST_CASE("a binary of another version is refused", "[fmu]") {
  Fmu fmu = Fmu::open(plain_fmu("liar_wrong_version"));
  CHECK_THROWS_WITH(fmu.instantiate_model_exchange("a"),
                    Contains("fmi3GetVersion") && Contains("says it is FMI 2.0"));
}

TEST_CASE("an FMU that refuses to be instantiated is quoted", "[fmu]") {
  Fmu fmu = Fmu::open(plain_fmu("liar_wrong_token"));
  std::vector<LogMessage> heard;
  InstanceOptions options;
  options.on_message = [&](const LogMessage& message) { heard.push_back(message); };
  CHECK_THROWS_WITH(fmu.instantiate_model_exchange("a", options),
                    Contains("the FMU says: the instantiation token"));
  REQUIRE(heard.size() == 1);
  CHECK(heard[0].instance == "a");
  CHECK(heard[0].status == "fmi3Error");
}

TEST_CASE("a start value that cannot be is refused before anything is loaded", "[start_values]") {
  Fmu fmu = Fmu::open(plain_fmu("liar"));
  const auto attempt = [&](const std::string& name, const std::string& text) {
    fmu.instantiate_model_exchange("a", {.start_values = {{name, text}}});
  };
  CHECK_THROWS_WITH(attempt("lies", "1"), Contains("did you mean \"lie\""));
  CHECK_THROWS_WITH(attempt("lie", "1.5"), Contains("\"1.5\" is not a value of type Int32"));
  CHECK_THROWS_WITH(attempt("lie", "1 2"), Contains("takes one"));
  CHECK_THROWS_WITH(attempt("ticks", "1"), Contains("cannot be given a start value"));
  CHECK_THROWS_WITH(attempt("time", "1"), Contains("cannot be given a start value"));
  CHECK_THROWS_AS(fmu.instantiate_model_exchange(" "), std::invalid_argument);
}

TEST_CASE("an FMU that allows one instance is instantiated once", "[fmu]") {
  const Scratch scratch;
  Fmu fmu = Fmu::open(repack(scratch, plain_fmu("liar"), "<ModelExchange ",
                             "<ModelExchange canBeInstantiatedOnlyOncePerProcess=\"true\" "));
  CHECK(fmu.instantiate_model_exchange("a") != nullptr);
  CHECK_THROWS_WITH(fmu.instantiate_model_exchange("b"), Contains("only once"));
}

TEST_CASE("the files of an FMU stay until its last instance is gone", "[fmu]") {
  const Scratch scratch;
  {
    std::unique_ptr<FmuModel> model;
    {
      Fmu fmu = Fmu::open(plain_fmu("liar"));
      model = fmu.instantiate_model_exchange("a");
    }
    CHECK_FALSE(scratch.is_clean());
    double x = 0.0;
    model->initialize({.stop = 1.0}, {&x, 1});
    CHECK(x == 1.0);
  }
  CHECK(scratch.is_clean());
}

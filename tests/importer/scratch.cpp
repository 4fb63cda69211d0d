// SPDX-License-Identifier: BSD-2-Clause
#include "scratch.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>

#include "zip_writer.hpp"

namespace fs = std::filesystem;
using saltus::importer::Fmu;
using saltus::importer::FmuError;

Scratch::Scratch() {
  const char* old = std::getenv("TMPDIR");
  old_tmpdir_ = old != nullptr ? old : "";
  std::string pattern = (fs::temp_directory_path() / "saltus-test-XXXXXX").string();
  folder_ = ::mkdtemp(pattern.data());
  fs::create_directories(folder_ / "files");
  fs::create_directories(folder_ / "tmp");
  ::setenv("TMPDIR", (folder_ / "tmp").c_str(), 1);
}

Scratch::~Scratch() {
  if (old_tmpdir_.empty()) {
    ::unsetenv("TMPDIR");
  } else {
    ::setenv("TMPDIR", old_tmpdir_.c_str(), 1);
  }
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

fs::path Scratch::write(const std::string& name, const std::string& content) const {
  std::ofstream(file(name), std::ios::binary) << content;
  return file(name);
}

bool Scratch::is_clean() const {
  std::string left;
  for (const auto& entry : fs::directory_iterator(folder_)) {
    const std::string name = entry.path().filename().string();
    if (name != "files" && name != "tmp") left += entry.path().string() + "\n";
  }
  for (const auto& entry : fs::recursive_directory_iterator(folder_ / "tmp")) {
    left += entry.path().string() + "\n";
  }
  if (!left.empty()) UNSCOPED_INFO("left behind:\n" << left);
  return left.empty();
}

std::string small_description() {
  return R"xml(<?xml version="1.0" encoding="UTF-8"?>
<fmiModelDescription fmiVersion="3.0" modelName="small" instantiationToken="{1}">
  <ModelExchange modelIdentifier="small"/>
  <CoSimulation modelIdentifier="small" hasEventMode="true"
      fixedInternalStepSize="0.1"/>
  <TypeDefinitions>
    <Float64Type name="Length" unit="m" nominal="10"/>
  </TypeDefinitions>
  <DefaultExperiment stopTime="2"/>
  <ModelVariables>
    <Float64 name="time" valueReference="0" causality="independent"/>
    <Float64 name="x" valueReference="1" causality="output" declaredType="Length"
        initial="exact"
        start="1"/>
    <Float64 name="der(x)" valueReference="2" derivative="1"/>
    <Float64 name="p" valueReference="3" causality="parameter" start="0.5"/>
    <Boolean name="on" valueReference="4" causality="input" start="false"/>
  </ModelVariables>
  <ModelStructure>
    <Output valueReference="1"/>
    <ContinuousStateDerivative valueReference="2" dependencies="1 3" dependenciesKind="constant dependent"/>
  </ModelStructure>
</fmiModelDescription>
)xml";
}

std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t place = text.find(from);
  INFO("looking for " << from);
  REQUIRE(place != std::string::npos);
  return text.replace(place, from.size(), to);
}

fs::path pack(const Scratch& scratch, const std::string& description) {
  const fs::path file = scratch.file("packed.fmu");
  ZipWriter().add("modelDescription.xml", description).save(file);
  return file;
}

fs::path repack(const Scratch& scratch, const fs::path& fmu, const std::string& from,
                const std::string& to, const std::string& changed) {
  const Fmu opened = Fmu::open(fmu);
  ZipWriter writer;
  for (const auto& entry : fs::recursive_directory_iterator(opened.folder())) {
    if (!entry.is_regular_file()) continue;
    std::ifstream stream(entry.path(), std::ios::binary);
    std::string content{std::istreambuf_iterator<char>(stream), {}};
    if (entry.path().filename() == changed) content = with(content, from, to);
    writer.add(fs::relative(entry.path(), opened.folder()).string(), content);
  }
  const fs::path file = scratch.file("repacked.fmu");
  writer.save(file);
  return file;
}

FmuError open_error(const Scratch& scratch, const fs::path& fmu) {
  std::optional<FmuError> error;
  try {
    const Fmu opened = Fmu::open(fmu);
  } catch (const FmuError& caught) {
    error = caught;
  }
  REQUIRE(error);
  CHECK(scratch.is_clean());
  CHECK(error->path() == fmu.string());
  return *error;
}

fs::path plain_fmu(const std::string& name) { return fs::path(SALTUS_FMU_DIR) / (name + ".fmu"); }

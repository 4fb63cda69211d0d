// SPDX-License-Identifier: BSD-2-Clause
// Rules 1 to 3, 5, 7 and 9: the archive, its binaries, its sources.
#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>

#include "right_fmu.hpp"

using Catch::Matchers::Contains;
using namespace saltus::importer;

namespace {

Validation validated(const Scratch& scratch, const ZipWriter& archive,
                     const std::string& name = "validated.fmu") {
  archive.save(scratch.file(name));
  Validation validation = validate(scratch.file(name));
  CHECK(scratch.is_clean());
  return validation;
}

/// A library that exports all functions of FMI 3.0, or all but one.
std::string library_of(const std::string& fmu) {
  const Fmu opened = Fmu::open(plain_fmu(fmu));
  std::ifstream stream(opened.folder() / "binaries" / host_platform() / "liar.so",
                       std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

ZipWriter with_binary(const std::string& name, const std::string& content) {
  ZipWriter writer;
  writer.add("modelDescription.xml", right_description()).add(name, content);
  return writer;
}

std::string findings_with_build(const Scratch& scratch, const std::string& from,
                                const std::string& to) {
  return all_findings(validated(
      scratch, right_archive(right_description(), with(right_build_description(), from, to))));
}

}  // namespace

TEST_CASE("entries that are not allowed are found", "[validate]") {
  const Scratch scratch;
  const auto findings = [&](const std::string& name, const ZipEntry& entry = {}) {
    ZipWriter writer = right_archive(right_description());
    writer.add(name, "x", entry);
    return validated(scratch, writer);
  };
  for (const char* name : {"../evil", "/evil", "a\\b", "./evil", "a/../../evil"}) {
    const Validation validation = findings(name);
    INFO(all_findings(validation));
    REQUIRE(validation.findings.size() == 1);
    CHECK(validation.findings[0].id == "archive.entry.name");
    CHECK(validation.findings[0].rule == 1);
    CHECK(validation.findings[0].file == name);
  }
  for (const ZipEntry& entry :
       {ZipEntry{.mode = 0120777}, ZipEntry{.flags = 1}, ZipEntry{.method = 12}}) {
    CHECK(has_finding(findings("resources/odd", entry), "archive.entry.kind", "resources/odd"));
  }
  CHECK(has_finding(findings("sources/right.c"), "archive.entry.kind", "sources/right.c"));
  ZipWriter twins = right_archive(right_description());
  twins.add("resources/twin", "x").add("resources/twin", "x");
  CHECK(has_finding(validated(scratch, twins), "archive.entry.repeated", "resources/twin"));
  const Validation hidden = findings(".DS_Store");
  CHECK(has_finding(hidden, "archive.entry.hidden", ".DS_Store"));
  CHECK(hidden.count(Severity::note) == hidden.findings.size());
}

TEST_CASE("a file with a backslash in its name is not said to be missing, too", "[validate]") {
  const Scratch scratch;
  for (const char* name : {"sources\\right.c", "./sources/right.c"}) {
    ZipWriter writer;
    writer.add("modelDescription.xml", right_description())
        .add("sources/buildDescription.xml", right_build_description())
        .add(name, "int right;\n");
    const Validation validation = validated(scratch, writer);
    INFO(all_findings(validation));
    REQUIRE(validation.findings.size() == 1);
    CHECK(validation.findings[0].id == "archive.entry.name");
  }
}

TEST_CASE("an archive that cannot be used is a finding and not an exception", "[validate]") {
  const Scratch scratch;
  const Validation text = validate(scratch.write("text.fmu", "no archive"));
  REQUIRE(text.findings.size() == 1);
  CHECK(text.findings[0].id == "archive.unreadable");
  CHECK(has_finding(validate(scratch.file("nowhere.fmu")), "archive.unreadable", ""));
  CHECK(has_finding(validated(scratch, ZipWriter().add("sub/modelDescription.xml", "")),
                    "archive.description.missing", ""));
  CHECK(has_finding(validated(scratch, ZipWriter().add("modelDescription.xml", "x", {.size = 5})),
                    "xml.malformed", "modelDescription.xml"));
  const Validation renamed = validated(scratch, right_archive(right_description()), "right.zip");
  CHECK(has_finding(renamed, "archive.extension", ""));
  CHECK_FALSE(renamed.has_errors());
  ZipWriter bomb = right_archive(right_description());
  bomb.add("resources/a", "x", {.size = 80U << 20U});
  CHECK(has_finding(validated(scratch, bomb), "archive.size", ""));
}

TEST_CASE("an FMU without an implementation is found once", "[validate]") {
  const Scratch scratch;
  const Validation validation =
      validated(scratch, ZipWriter().add("modelDescription.xml", right_description()));
  REQUIRE(validation.findings.size() == 1);
  CHECK(validation.findings[0].rule == 2);
  CHECK(validation.findings[0].id == "implementation.missing");
  CHECK(validation.findings[0].line == 4);
}

TEST_CASE("folders and files of binaries have the names of the standard", "[validate]") {
  const Scratch scratch;
  const auto findings = [&](const std::string& name) {
    return all_findings(validated(scratch, with_binary(name, "x")));
  };
  CHECK(findings("binaries/x86_64-windows/right.dll").empty());
  CHECK(findings("binaries/aarch64-darwin/right.dylib").empty());
  CHECK(findings("binaries/x86_64-windows-msvc140mt/right.lib").empty());
  CHECK_THAT(findings("binaries/win64/right.dll"),
             Contains("binaries/win64/: warning") && Contains("[3 binaries.platform]"));
  CHECK_THAT(findings("binaries/x86_64-linux-GNU/right.a"), Contains("[3 binaries.platform]"));
  CHECK_THAT(findings("binaries/x86_64-windows/wrong.dll"), Contains("[3 binaries.file.missing]"));
  CHECK_THAT(findings("binaries/x86_64-linux/right.so"), Contains("[3 binaries.format]"));
  CHECK_THAT(findings("binaries/x86_64-linux/"),
             Contains("binaries/x86_64-linux/: note") && Contains("[3 binaries.file.missing]"));
}

TEST_CASE("the functions of a library are read without loading it", "[validate]") {
  const Scratch scratch;
  const std::string file = "binaries/" + host_platform() + "/right.so";
  const std::string library = library_of("liar");
  CHECK(all_findings(validated(scratch, with_binary(file, library))).empty());
  const Validation lacking =
      validated(scratch, with_binary(file, library_of("liar_missing_function")));
  REQUIRE(lacking.findings.size() == 1);
  CHECK(lacking.findings[0].rule == 5);
  CHECK(lacking.findings[0].id == "binaries.functions");
  CHECK(lacking.findings[0].file == file);
  CHECK_THAT(lacking.findings[0].what, Contains("fmi3DoStep"));
  const Validation misplaced =
      validated(scratch, with_binary("binaries/riscv64-linux/right.so", library));
  CHECK(has_finding(misplaced, "binaries.machine", "binaries/riscv64-linux/right.so"));
}

TEST_CASE("a damaged library is survived", "[validate]") {
  const Scratch scratch;
  const std::string file = "binaries/" + host_platform() + "/right.so";
  const std::string library = library_of("liar");
  for (std::size_t size = 0; size < library.size(); size += library.size() / 50 + 1) {
    CHECK(validated(scratch, with_binary(file, library.substr(0, size))).has_errors());
  }
  // The offsets of the ELF header, one after the other, lead nowhere.
  for (std::size_t i = 16; i < 64; ++i) {
    std::string damaged = library;
    damaged[i] = '\xff';
    static_cast<void>(validated(scratch, with_binary(file, damaged)));
  }
}

TEST_CASE("a mistake in the build description is found with its line", "[validate]") {
  const Scratch scratch;
  CHECK_THAT(
      findings_with_build(scratch, "name=\"right.c\"", "name=\"left.c\""),
      Contains("sources/buildDescription.xml:5: error") && Contains("[9 build.file.missing]"));
  CHECK_THAT(findings_with_build(scratch, "modelIdentifier=\"right\"", "modelIdentifier=\"left\""),
             Contains("sources/buildDescription.xml:3: error") && Contains("[9 build.identifier]"));
  CHECK_THAT(findings_with_build(scratch, " platform=\"x86_64-linux\"", ""),
             Contains("sources/buildDescription.xml:12: error") &&
                 Contains("[9 build.configuration.repeated]"));
  CHECK_THAT(
      findings_with_build(scratch, "value=\"1\">", "value=\"3\">"),
      Contains("sources/buildDescription.xml:6: error") && Contains("[9 build.option.default]"));
  CHECK_THAT(findings_with_build(scratch, "fmiVersion=\"3.0\"", "fmiVersion=\"3.0.2\""),
             Contains("sources/buildDescription.xml:2: error") && Contains("[7 version.mismatch]"));
  CHECK_THAT(
      findings_with_build(scratch,
                          "<SourceFileSet>\n      <SourceFile name=\"right.c\"/>\n"
                          "    </SourceFileSet>",
                          ""),
      Contains("sources/buildDescription.xml:12: warning") && Contains("[9 build.set.missing]"));
  CHECK_THAT(findings_with_build(scratch, "</fmiBuildDescription>", ""),
             Contains("sources/buildDescription.xml:") && Contains("[6 xml.malformed]"));
  CHECK_THAT(findings_with_build(scratch, "language=", "langage="),
             Contains("[6 xml.attribute.unknown]"));
}

TEST_CASE("sources come with a description and without FMI's headers", "[validate]") {
  const Scratch scratch;
  CHECK(has_finding(validated(scratch, right_archive(right_description(), "")),
                    "build.description.missing", "sources/"));
  ZipWriter with_header = right_archive(right_description());
  with_header.add("sources/include/fmi3Functions.h", "");
  CHECK(has_finding(validated(scratch, with_header), "build.header.shipped",
                    "sources/include/fmi3Functions.h"));
}

TEST_CASE("terminals carry the version of the description", "[validate]") {
  const Scratch scratch;
  const std::string file = "terminalsAndIcons/terminalsAndIcons.xml";
  const auto findings = [&](const std::string& version) {
    ZipWriter writer = right_archive(right_description());
    writer.add(file, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiTerminalsAndIcons " +
                         version + "/>\n");
    return validated(scratch, writer);
  };
  CHECK(all_findings(findings("fmiVersion=\"3.0\"")).empty());
  CHECK(has_finding(findings("fmiVersion=\"3.0-rc.1\""), "version.mismatch", file));
  CHECK(has_finding(findings(""), "version.missing", file));
}

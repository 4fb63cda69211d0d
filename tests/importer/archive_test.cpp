// SPDX-License-Identifier: BSD-2-Clause
#include <zip.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "saltus/importer/fmu.hpp"
#include "scratch.hpp"
#include "zip_writer.hpp"

using Catch::Matchers::Contains;
using saltus::importer::ArchiveEntry;
using saltus::importer::Fmu;
using saltus::importer::FmuError;
using saltus::importer::list_archive;

namespace {

struct BadEntry {
  std::string name;
  ZipEntry entry;
  std::string message;
};

}  // namespace

TEST_CASE("runs unpack neither documentation nor sources", "[archive]") {
  const auto path = std::filesystem::path(SALTUS_SHIPPED_FMU_DIR) / "bouncing_ball.fmu";
  const Fmu all = Fmu::open(path);
  const Fmu for_runs = Fmu::open(path, Fmu::Unpacked::for_runs);
  for (const char* place : {"modelDescription.xml", "binaries", "resources", "extra/saltus"}) {
    CHECK(std::filesystem::exists(all.folder() / place));
    CHECK(std::filesystem::exists(for_runs.folder() / place));
  }
  for (const char* place : {"documentation", "extra/org.fmi-standard.fmi-ls-ref"}) {
    CHECK(std::filesystem::exists(all.folder() / place));
    CHECK_FALSE(std::filesystem::exists(for_runs.folder() / place));
  }
}

TEST_CASE("an archive with a bad entry is refused and leaves nothing behind", "[archive]") {
  const auto bad = GENERATE(values<BadEntry>({
      {"../outside.txt", {}, "\"..\" in its path"},
      {"resources/../../outside.txt", {}, "\"..\" in its path"},
      {"..", {}, "\"..\" in its path"},
      {"/nowhere/absolute.txt", {}, "an absolute path"},
      {"resources\\file.txt", {}, "a backslash in its name"},
      {"..\\outside.txt", {}, "a backslash in its name"},
      {"C:/windows.txt", {}, "a drive letter"},
      {"resources//file.txt", {}, "an empty or \".\" component"},
      {"resources/./file.txt", {}, "an empty or \".\" component"},
      {"././file.txt", {}, "an empty or \".\" component"},
      {"./../outside.txt", {}, "\"..\" in its path"},
      {".//nowhere/absolute.txt", {}, "an absolute path"},
      {"line\nend.txt", {}, "a control character"},
      {std::string(300, 'x'), {}, "its name is too long"},
      {"resources/link", {.mode = 0120777}, "a symbolic link"},
      {"resources/device", {.mode = 0020666}, "neither a file nor a folder"},
      {"resources/secret.txt", {.flags = 1}, "encrypted"},
      {"resources/odd.txt", {.method = 12}, "compressed with method 12"},
      {"modelDescription.xml", {}, "twice in the archive"},
      {"modelDescription.xml/file.txt", {}, "below \"modelDescription.xml\", which is a file"},
  }));
  const Scratch scratch;
  const auto file = scratch.file("bad.fmu");
  ZipWriter()
      .add("modelDescription.xml", small_description())
      .add(bad.name, "content", bad.entry)
      .save(file);
  const FmuError error = open_error(scratch, file);
  CHECK_THAT(error.what(), Contains(bad.message));
  const std::string name = bad.name.starts_with("./") ? bad.name.substr(2) : bad.name;
  CHECK(error.thing() == "entry \"" + name + "\"");
  CHECK_FALSE(std::filesystem::exists("/nowhere"));
  CHECK_FALSE(list_archive(file)[1].problem.empty());
}

TEST_CASE("what packers do against the rules and without harm is forgiven with a warning",
          "[archive]") {
  const Scratch scratch;
  const auto file = scratch.file("odd.fmu");
  ZipWriter()
      .add("./", "")
      .add("./modelDescription.xml", small_description())
      .add("modelDescription.xml", small_description())
      .add("resources/a.txt", "a")
      .save(file);
  {
    const Fmu fmu = Fmu::open(file);
    REQUIRE(fmu.warnings().size() >= 3);
    CHECK_THAT(fmu.warnings()[0], Contains("entry \"./\": \"./\" at the beginning"));
    CHECK_THAT(fmu.warnings()[1], Contains("entry \"./modelDescription.xml\": \"./\""));
    CHECK_THAT(
        fmu.warnings()[2],
        Contains("entry \"modelDescription.xml\": twice in the archive, with the same content"));
  }
  // The same length is not the same content.
  std::string other = small_description();
  other.back() = ' ';
  ZipWriter()
      .add("modelDescription.xml", small_description())
      .add("modelDescription.xml", other)
      .save(file);
  CHECK_THAT(open_error(scratch, file).what(), Contains("which of them counts"));
  CHECK(list_archive(file)[1].is_repeated);
}

TEST_CASE("an FMU without resources still has a folder for them", "[archive]") {
  const Scratch scratch;
  const Fmu fmu = Fmu::open(pack(scratch, small_description()));
  CHECK(std::filesystem::is_directory(fmu.folder() / "resources"));
}

TEST_CASE("a file that is no archive is refused", "[archive]") {
  const Scratch scratch;
  CHECK_THAT(open_error(scratch, scratch.file("nowhere.fmu")).what(), Contains("no such file"));
  CHECK_THAT(open_error(scratch, scratch.file("")).what(), Contains("not a file"));
  CHECK_THAT(open_error(scratch, scratch.write("empty.fmu", "")).what(), Contains("is empty"));
  CHECK_THAT(open_error(scratch, scratch.write("text.fmu", "no archive at all")).what(),
             Contains("not a ZIP archive"));
}

TEST_CASE("a damaged archive is refused wherever it is cut", "[archive]") {
  const Scratch scratch;
  const std::string whole =
      ZipWriter().add("modelDescription.xml", small_description()).add("a/b.txt", "b").bytes();
  for (std::size_t length = 4; length < whole.size(); length += 7) {
    const FmuError error = open_error(scratch, scratch.write("cut.fmu", whole.substr(0, length)));
    CHECK_THAT(error.what(), Contains("truncated or damaged"));
  }
}

TEST_CASE("an archive with flipped bytes is opened or refused, never worse", "[archive]") {
  const Scratch scratch;
  const std::string whole =
      ZipWriter().add("modelDescription.xml", small_description()).add("a/b.txt", "b").bytes();
  std::size_t refused = 0;
  for (std::size_t place = 0; place < whole.size(); place += 3) {
    std::string damaged = whole;
    damaged[place] = static_cast<char>(damaged[place] ^ 0x55);
    try {
      const Fmu fmu = Fmu::open(scratch.write("damaged.fmu", damaged));
    } catch (const FmuError&) {
      ++refused;
    }
    REQUIRE(scratch.is_clean());
  }
  CHECK(refused > whole.size() / 6);
}

TEST_CASE("packed data that are not what the archive says are refused", "[archive]") {
  const Scratch scratch;
  const std::string text = small_description();
  REQUIRE(text.size() < 65536);
  // The data of the method deflate, number 8, can hold a text as it is (RFC 1951, 3.2.4).
  const auto low = static_cast<char>(text.size() & 0xffU);
  const auto high = static_cast<char>(text.size() >> 8U);
  const std::string packed =
      std::string{'\1', low, high, static_cast<char>(~low), static_cast<char>(~high)} + text;
  const auto size = static_cast<std::uint32_t>(text.size());
  const auto problem = [&](const std::string& data, std::uint32_t claimed) {
    const auto file = scratch.file("packed.fmu");
    ZipWriter()
        .add("modelDescription.xml", data, {.method = 8, .size = claimed, .crc = 1})
        .save(file);
    return std::string(open_error(scratch, file).what());
  };
  CHECK_THAT(problem(packed, size), Contains("CRC error"));
  CHECK_THAT(problem(packed, size + 1), Contains("ends early"));
  CHECK_THAT(problem(packed, size - 1), Contains("more bytes than the archive says"));
  CHECK_THAT(problem("\7" + text, size), Contains("not data of the method deflate"));
  CHECK_THAT(problem(packed.substr(0, packed.size() / 2), size), Contains("not data of"));
}

TEST_CASE("an archive whose checksum is wrong is refused", "[archive]") {
  const Scratch scratch;
  const auto file = scratch.file("crc.fmu");
  ZipWriter().add("modelDescription.xml", small_description(), {.crc = 1}).save(file);
  CHECK_THAT(open_error(scratch, file).what(), Contains("get a fresh copy"));
}

TEST_CASE("an archive that claims a gigantic size is refused before anything is written",
          "[archive]") {
  const Scratch scratch;
  const auto file = scratch.file("bomb.fmu");
  ZipWriter()
      .add("modelDescription.xml", small_description())
      .add("resources/a", "x", {.size = 0xfffffff0})
      .add("resources/b", "x", {.size = 0xfffffff0})
      .save(file);
  CHECK_THAT(open_error(scratch, file).what(), Contains("unpacks to more than"));
  ZipWriter()
      .add("modelDescription.xml", small_description())
      .add("resources/a", "x", {.size = 80U << 20U})
      .save(file);
  CHECK_THAT(open_error(scratch, file).what(), Contains("decompression bomb"));
}

TEST_CASE("an entry that unpacks to more than it claims is refused", "[archive]") {
  const Scratch scratch;
  const auto file = scratch.file("liar.fmu");
  ZipWriter()
      .add("modelDescription.xml", small_description())
      .add("resources/a", std::string(1000, 'x'), {.size = 10})
      .save(file);
  const FmuError error = open_error(scratch, file);
  CHECK(error.thing() == "entry \"resources/a\"");
}

TEST_CASE("an archive compressed far beyond reason is refused", "[archive]") {
  const Scratch scratch;
  const auto file = scratch.file("zeros.fmu");
  const std::string zeros(100U << 20U, '\0');
  zip_t* archive = zip_open(file.c_str(), ZIP_CREATE, nullptr);
  zip_file_add(archive, "resources/zeros",
               zip_source_buffer(archive, zeros.data(), zeros.size(), 0), 0);
  REQUIRE(zip_close(archive) == 0);
  CHECK_THAT(open_error(scratch, file).what(), Contains("decompression bomb"));
}

TEST_CASE("an archive without a description is refused", "[archive]") {
  const Scratch scratch;
  const auto file = scratch.file("bare.fmu");
  ZipWriter().add("sub/modelDescription.xml", small_description()).save(file);
  const FmuError error = open_error(scratch, file);
  CHECK(error.thing() == "modelDescription.xml");
  CHECK_THAT(error.what(), Contains("not at its top"));
}

TEST_CASE("an archive is listed without being unpacked", "[archive]") {
  const Scratch scratch;
  const auto file = scratch.file("list.fmu");
  ZipWriter()
      .add("modelDescription.xml", "12345")
      .add("resources/", "")
      .add("resources/tool", "x", {.mode = 0100755})
      .save(file);
  const auto entries = list_archive(file);
  REQUIRE(entries.size() == 3);
  CHECK(entries[0].name == "modelDescription.xml");
  CHECK(entries[0].size == 5);
  CHECK(entries[1].is_directory);
  CHECK(entries[2].is_executable);
  for (const ArchiveEntry& entry : entries) CHECK(entry.problem.empty());
  CHECK(scratch.is_clean());
}

TEST_CASE("the folder of an FMU lives as long as the FMU", "[fmu]") {
  const Scratch scratch;
  std::filesystem::path folder;
  {
    const Fmu fmu = Fmu::open(pack(scratch, small_description()));
    folder = fmu.folder();
    CHECK(std::filesystem::exists(folder / "modelDescription.xml"));
    CHECK_FALSE(scratch.is_clean());
  }
  CHECK_FALSE(std::filesystem::exists(folder));
  CHECK(scratch.is_clean());
}

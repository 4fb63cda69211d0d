// SPDX-License-Identifier: BSD-2-Clause
// What is packed into an FMU: sources that compile alone, and an archive that is the same wherever
// it is made.
#include <libdeflate.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "packing/archive.hpp"
#include "packing/cpp_tokens.hpp"
#include "packing/linked_sources.hpp"
#include "packing/source_package.hpp"

namespace fs = std::filesystem;
using namespace saltus::fmu_export;
using Catch::Matchers::Contains;

namespace {

/// A folder that is removed at the end.
struct Folder {
  fs::path path = fs::temp_directory_path() / ("saltus-packing-" + std::to_string(::getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((path / name).parent_path());
    std::ofstream(path / name) << text;
  }
};

std::string bytes(std::initializer_list<int> numbers) {
  std::string text;
  for (const int number : numbers) text += static_cast<char>(number);
  return text;
}

std::string four(std::size_t number) {
  std::string result;
  for (int i = 0; i < 4; ++i) result += static_cast<char>(number >> (8 * i) & 0xff);
  return result;
}

// An archive of one stored file, made at a time by somebody.
std::string archive(const std::string& name, char time, const std::string& somebody,
                    const std::string& content = "x") {
  const auto size = static_cast<char>(name.size());
  const auto extra = static_cast<char>(somebody.size());
  const std::string about = bytes({20, 0, 0, 0, 0, 0}) + std::string{time, 1} + bytes({33, 40}) +
                            four(libdeflate_crc32(0, content.data(), content.size())) +
                            four(content.size()) + four(content.size()) +
                            std::string{size, 0, extra, 0};
  const std::string file = "PK\x03\x04" + about + name + somebody + content;
  const std::string entry = "PK\x01\x02" + bytes({20, 3}) + about +
                            bytes({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}) + name + somebody;
  return file + entry + "PK\x05\x06" + bytes({0, 0, 0, 0, 1, 0, 1, 0}) + four(entry.size()) +
         four(file.size()) + bytes({0, 0});
}

}  // namespace

TEST_CASE("names in unnamed namespaces are found whatever they name", "[packing]") {
  const std::string source = R"(
#include "not_a_name.hpp"
namespace outer {
int visible = 1;
namespace {
// comment(nothing)
constexpr double kOne = 1.0, kTwo = other(2.0, 3);
template <class T, class U = std::less<T>> struct Pair : Base<T> { int member; };
enum class Colour { red, green };
using Short = std::vector<double>;
using outer::taken;
[[nodiscard]] std::map<int, double> table(int a, int b) { int inside = a; return {}; }
std::array<double, 3> kThree{1.0, 2.0, 3.0};
class Later;
double Pair<int>::of_class(double x) { return x; }
bool operator<(const Colour& a, const Colour& b) { return true; }
const auto kLambda = [](int x) { return x; };
[[maybe_unused]] void last() {}
static_assert(kOne < 2.0);
}  // namespace
void also_visible() { const int local = 1'000; const char c = '"'; }
}
)";
  CHECK(names_in_unnamed_namespaces(source) ==
        std::set<std::string>{"kOne", "kTwo", "Pair", "Colour", "Short", "table", "kThree", "Later",
                              "kLambda", "last"});
}

TEST_CASE("a name is replaced where it stands for itself", "[packing]") {
  const std::map<std::string, std::string> names{{"size", "size_of_3"}};
  CHECK(renamed("size(a.size(), b->size, c::size, \"size\", /* size */ sizes, {.size = size});",
                names) ==
        "size_of_3(a.size(), b->size, c::size, \"size\", /* size */ sizes, {.size = size_of_3});");
  CHECK(renamed("// ends with a point.\nsize = R\"(size)\" + x > size;", names) ==
        "// ends with a point.\nsize_of_3 = R\"(size)\" + x > size_of_3;");
}

TEST_CASE("a source takes along what it includes, by paths relative to it", "[packing]") {
  const Folder folder;
  folder.write("library/saltus/a.hpp", "#include <vector>\n#include \"saltus/deep/b.hpp\"\n");
  folder.write("library/saltus/deep/b.hpp", "#include <cstdio>\n");
  folder.write("own/model.cpp",
               "#include <saltus/a.hpp>\n#include \"help.hpp\"\n#include <cmath>\n");
  folder.write("own/help.hpp", "int help();\n");
  SourceTree tree({{.folder = folder.path / "library",
                    .name = "",
                    .of = SourceRoot::Of::everybody,
                    .prefix = "saltus/"},
                   {.folder = folder.path / "own", .name = "model", .of = SourceRoot::Of::model}});
  CHECK(tree.add(folder.path / "own/model.cpp", SourceRoot::Of::model) == "model/model.cpp");
  CHECK(tree.texts().size() == 4);
  CHECK(tree.texts().at("model/model.cpp") ==
        "#include \"../saltus/a.hpp\"\n#include \"help.hpp\"\n#include <cmath>\n");
  CHECK(tree.texts().at("saltus/a.hpp") == "#include <vector>\n#include \"deep/b.hpp\"\n");
  CHECK(tree.system_headers() == std::set<std::string>{"cmath", "cstdio", "vector"});
}

TEST_CASE("a header that others do not have is no part of an FMU's sources", "[packing]") {
  const Folder folder;
  const auto added = [&](const std::string& text) {
    folder.write("model.cpp", text);
    SourceTree tree(
        {{.folder = folder.path, .name = "model", .of = SourceRoot::Of::model, .prefix = {}}});
    tree.add(folder.path / "model.cpp", SourceRoot::Of::model);
  };
  CHECK_THROWS_WITH(added("#include <boost/any.hpp>\n"),
                    Contains("model.cpp says #include <boost/any.hpp>") &&
                        Contains("Name the folder it stands in"));
  CHECK_THROWS_WITH(added("#include \"missing.hpp\"\n"), Contains("missing.hpp"));
  CHECK_THROWS_WITH(added("#include HEADER\n"), Contains("depends on a macro"));
  CHECK_NOTHROW(added("#include <optional>\n"));
}

TEST_CASE("the linker's map says which sources an FMU is made of", "[packing]") {
  const Folder folder;
  for (const char* file :
       {"solver/core/a.cpp", "solver/core/b.cpp", "solver/dae/index/c.cpp",
        "solver/dae/index/d.cpp", "fmu/fmi2/functions.cpp", "fmu/fmi3/functions.cpp"}) {
    folder.write(file, "");
  }
  const std::vector<SourceRoot> roots{
      {.folder = folder.path / "solver", .name = "solver", .of = SourceRoot::Of::solver},
      {.folder = folder.path / "fmu", .name = "fmu_export", .of = SourceRoot::Of::fmu_export}};
  std::string found;
  for (const LinkedSource& source :
       linked_sources("x/libsaltus_solver.a(a.cpp.o) (why)\nlibsaltus_solver.a(a.cpp.o)\n"
                      "libsaltus_solver.a(dae_index.cpp.o)\nlibm.a(z.o)\n"
                      "libsaltus_fmu_export.a(functions.cpp.o)",
                      "solver dae_index dae/index/c.cpp\nsolver dae_index_small dae/index/d.cpp\n",
                      "3", roots)) {
    found += source.file.lexically_relative(folder.path).generic_string() + " ";
  }
  CHECK(found == "fmu/fmi3/functions.cpp solver/core/a.cpp solver/dae/index/c.cpp ");
  CHECK_THROWS_WITH(linked_sources("libsaltus_solver.a(z.cpp.o)", "", "3", roots),
                    Contains("no source of z.cpp"));
  CHECK_THROWS_WITH(linked_sources("", "", "3", roots), Contains("names no part of Saltus"));
}

TEST_CASE("an archive keeps no trace of when and by whom it was made", "[packing]") {
  const std::string one = archive("a.txt", 1, "UT-by-me");
  const std::string other = archive("a.txt", 7, "");
  CHECK(one != other);
  CHECK(repacked(one) == repacked(other));
  CHECK(repacked(repacked(one)) == repacked(one));
  CHECK(repacked(one) != repacked(archive("b.txt", 1, "")));
  CHECK_THROWS_WITH(repacked(one.substr(0, one.size() - 1)), Contains("no archive"));
  CHECK_THROWS_WITH(repacked(""), Contains("no archive"));
  for (std::size_t cut = 1; cut < one.size() - 22; ++cut) {
    CHECK_THROWS(repacked(one.substr(cut)));
  }
}

TEST_CASE("an archive is packed anew, and holds what it held", "[packing]") {
  std::string content;
  for (int i = 0; i < 2000; ++i) content += std::to_string(i * i % 97) + " ";
  const std::string packed = repacked(archive("a.txt", 1, "", content));
  CHECK(packed.size() < content.size() / 4);
  CHECK(repacked(packed) == packed);
  const std::size_t header = 30 + std::string("a.txt").size();
  std::string found(content.size(), '?');
  auto* const unpacker = libdeflate_alloc_decompressor();
  std::size_t taken = 0;
  CHECK(libdeflate_deflate_decompress_ex(unpacker, packed.data() + header, packed.size() - header,
                                         found.data(), found.size(), &taken,
                                         nullptr) == LIBDEFLATE_SUCCESS);
  libdeflate_free_decompressor(unpacker);
  CHECK(found == content);
  std::string damaged = packed;
  damaged[header] = '\x07';  // a kind of block that there is not
  CHECK_THROWS_WITH(repacked(damaged), Contains("damaged"));
}

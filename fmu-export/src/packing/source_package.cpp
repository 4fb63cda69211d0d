// SPDX-License-Identifier: BSD-2-Clause
#include "packing/source_package.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <stdexcept>

#include "packing/cpp_tokens.hpp"
#include "packing/linked_sources.hpp"
#include "xml_writer.hpp"

// Saltus is compiled as one translation unit: what its sources have in unnamed namespaces is their
// own, and gets other names where two of them have the same. The sources of the model, which may
// say anything, are translation units of their own.
namespace saltus::fmu_export {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOptions =
    "-O2 -DNDEBUG -fPIC -ffp-contract=off -fvisibility=hidden -fvisibility-inlines-hidden";

// What saltus_add_fmu compiles a model with, and what is no matter elsewhere.
constexpr std::string_view kOwnOptions =
    "-O2 -fno-gnu-unique -ffp-contract=off -fno-tree-vectorize -ffunction-sections -fdata-sections "
    "-mtls-dialect=gnu2 ";

// FMI 2.0 cannot say which language it is.
constexpr const char* kLanguage =
    "#if __cplusplus < 202002L && (!defined(_MSVC_LANG) || _MSVC_LANG < 202002L)\n"
    "#error These are sources in C++20: compile them with -std=c++20\n"
    "#else\n";

constexpr const char* kInFmu = "#define SALTUS_SOURCES_OF_FMU\n";

// All but FMI's functions is kept from the symbols of the library, whatever the options are: the
// functions say themselves that they are visible.
constexpr const char* kHidden =
    "#if defined(__GNUC__)\n#pragma GCC visibility push(hidden)\n#endif\n";

// Not beside the files to compile, so that whoever compiles all of these compiles no other.
constexpr const char* kDescription = "fmu_export/description.cpp";

constexpr std::string_view kFlatten = "[[gnu::flatten]] ";

std::string definitions_of(const SourcePackage& package) {
  std::string text;
  for (const std::string& definition : package.definitions) {
    const std::size_t sign = definition.find('=');
    text += "#define " + definition.substr(0, sign) + " " +
            (sign == definition.npos ? "1" : definition.substr(sign + 1)) + "\n";
  }
  return text;
}

std::string system_includes(const SourceTree& tree) {
  std::string text;
  for (const std::string& header : tree.system_headers()) text += "#include <" + header + ">\n";
  return text;
}

// Names that another source has as well become those of this one.
void make_names_unique(SourceTree& tree, const std::vector<std::string>& places) {
  std::map<std::string, int> sources_with;
  for (const std::string& place : places) {
    std::set<std::string> names;
    for (const CppToken& token : tokens_of(tree.texts().at(place))) {
      if (token.is_name) names.emplace(token.text);
    }
    for (const std::string& name : names) ++sources_with[name];
  }
  int number = 0;
  for (const std::string& place : places) {
    ++number;
    std::string& text = tree.texts().at(place);
    std::map<std::string, std::string> names;
    for (const std::string& name : names_in_unnamed_namespaces(text)) {
      if (sources_with[name] > 1) names[name] = name + "_of_" + std::to_string(number);
    }
    if (!names.empty()) text = renamed(text, names);
    // Where all functions can be seen there is no end to what would be made part of this one.
    for (std::size_t at = 0; (at = text.find(kFlatten, at)) != text.npos;) {
      text.erase(at, kFlatten.size());
    }
  }
}

std::string saltus_unit(const SourceTree& tree, const std::vector<std::string>& places) {
  std::string text = "// The parts of Saltus that this FMU needs, as one translation unit.\n";
  text += kLanguage;
  text += "#ifndef NDEBUG\n#define NDEBUG\n#endif\n#define SALTUS_VERSION \"" SALTUS_VERSION
          "\"\n" +
          system_includes(tree) + kHidden;
  std::set<std::string> known;
  for (const std::string& place : places) {
    for (const std::string& header : tree.included_by(place)) {
      if (known.insert(header).second) text += "#include \"" + header + "\"\n";
    }
  }
  for (const std::string& place : places) text += "#include \"" + place + "\"\n";
  return text + "#include \"" + kDescription + "\"\n#endif\n";
}

std::string build_description(const SourcePackage& package,
                              const std::vector<std::string>& sources) {
  std::string options = kOptions;
  for (const std::string& option : package.options) options += " " + option;
  XmlWriter xml;
  xml.open("fmiBuildDescription").attribute("fmiVersion", "3.0");
  xml.open("BuildConfiguration").attribute("modelIdentifier", package.identifier);
  xml.open("SourceFileSet").attribute("language", "C++20").attribute("compilerOptions", options);
  for (const std::string& source : sources) {
    xml.open("SourceFile").attribute("name", source).close("SourceFile");
  }
  xml.close("SourceFileSet");
  xml.close("BuildConfiguration");
  xml.close("fmiBuildDescription");
  return xml.text();
}

void write_file(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  if (!stream.flush()) throw std::runtime_error("cannot write " + file.string());
}

SourceRoot::Of owner(const std::string& word) {
  if (word == "solver") return SourceRoot::Of::solver;
  if (word == "fmu_export") return SourceRoot::Of::fmu_export;
  return SourceRoot::Of::everybody;
}

// The folders of the model's sources, and those that it includes from; but for those of Saltus.
void add_model_root(SourcePackage& package, const fs::path& folder) {
  const fs::path whole = fs::absolute(folder).lexically_normal();
  int others = 0;
  for (const SourceRoot& root : package.roots) {
    if (root.folder == whole) return;
    if (root.of == SourceRoot::Of::model) ++others;
  }
  package.roots.push_back({.folder = whole,
                           .name = others == 0 ? "model" : "model/" + std::to_string(others),
                           .of = SourceRoot::Of::model});
}

std::string without_slash(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

}  // namespace

SourcePackage read_source_package(const fs::path& file) {
  SourcePackage package;
  std::vector<std::string> includes;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    const std::size_t space = line.find(' ');
    const std::string key = line.substr(0, space);
    const std::string value = space == line.npos ? "" : line.substr(space + 1);
    if (value.empty()) continue;  // a list without members
    if (key == "identifier") {
      package.identifier = value;
    } else if (key == "fmi") {
      package.fmi_version = value;
    } else if (key == "map" || key == "groups") {
      std::ifstream text(value, std::ios::binary);
      std::string& all = key == "map" ? package.map : package.groups;
      all.append(std::istreambuf_iterator<char>(text), {});
    } else if (key == "described") {
      package.described = value;
    } else if (key == "public" || key == "eigen") {
      package.roots.push_back({.folder = without_slash(value),
                               .name = "",
                               .of = SourceRoot::Of::everybody,
                               .prefix = key == "public" ? "saltus/" : "Eigen/"});
    } else if (key == "solver" || key == "fmu_export") {
      package.roots.push_back({.folder = without_slash(value), .name = key, .of = owner(key)});
    } else if (key == "source") {
      package.sources.emplace_back(value);
    } else if (key == "include") {
      includes.push_back(without_slash(value));
    } else if (key == "definition") {
      package.definitions.push_back(value);
    } else if (key == "option") {
      if (kOwnOptions.find(value + " ") == kOwnOptions.npos) package.options.push_back(value);
    } else {
      throw std::invalid_argument(file.string() + ": \"" + key + "\" has no meaning");
    }
  }
  if (package.sources.empty()) throw std::invalid_argument(file.string() + " names no source");
  for (const fs::path& source : package.sources) add_model_root(package, source.parent_path());
  for (const std::string& include : includes) add_model_root(package, include);
  return package;
}

std::vector<std::string> source_files(const std::string& identifier, std::size_t model_sources) {
  std::vector<std::string> files{identifier + ".cpp"};
  for (std::size_t i = 2; i <= model_sources; ++i) {
    files.push_back(identifier + "_" + std::to_string(i) + ".cpp");
  }
  files.push_back(identifier + "_saltus.cpp");
  return files;
}

void write_sources(const SourcePackage& package, const fs::path& folder) {
  SourceTree tree(package.roots);
  std::vector<std::string> places;
  for (const LinkedSource& source :
       linked_sources(package.map, package.groups, package.fmi_version, package.roots)) {
    places.push_back(tree.add(source.file, source.of));
  }
  // FMI's functions, which stand outside of all namespaces and use one, come last.
  std::stable_partition(places.begin(), places.end(),
                        [](const std::string& place) { return place.find("/fmi") == place.npos; });
  std::vector<std::string> model_places;
  for (const fs::path& source : package.sources) {
    model_places.push_back(tree.add(source, SourceRoot::Of::model));
  }
  make_names_unique(tree, places);

  fs::remove_all(folder);
  for (const auto& [place, text] : tree.texts()) write_file(folder / place, text);
  std::ifstream described(package.described, std::ios::binary);
  write_file(folder / kDescription, {std::istreambuf_iterator<char>(described), {}});
  const std::vector<std::string> files = source_files(package.identifier, model_places.size());
  for (std::size_t i = 0; i < model_places.size(); ++i) {
    write_file(folder / files[i], std::string(kLanguage) + kInFmu + definitions_of(package) +
                                      system_includes(tree) + kHidden + "#include \"" +
                                      model_places[i] + "\"\n#endif\n");
  }
  write_file(folder / files.back(), saltus_unit(tree, places));
  write_file(folder / "buildDescription.xml", build_description(package, files));
}

}  // namespace saltus::fmu_export

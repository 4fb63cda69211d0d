// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <CLI/Validators.hpp>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "build_command.hpp"
#include "commands.hpp"
#include "compiler_messages.hpp"
#include "exit_code.hpp"
#include "terminal_text.hpp"

// The command that makes an FMU from a source. What an FMU is made of, and how it is compiled, is
// said in one place, the CMake function saltus_add_fmu: a project of three lines is written around
// the source and built in a folder that is removed again.
namespace saltus::cli {
namespace {

namespace fs = std::filesystem;

struct ExportOptions {
  std::vector<std::string> sources;
  std::string output;
  int fmi = 3;
  std::vector<std::string> includes;
  std::vector<std::string> platforms;
  bool arrays = false;
  bool with_sources = false;
  std::string resources;
};

/// Where the package lies that find_package(Saltus) finds: beside the program, as installed or in
/// the folder of a build.
fs::path package_folder() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path root = program.parent_path().parent_path();
  for (const fs::path& folder : {root / SALTUS_PACKAGE_FOLDER, root / "package"}) {
    if (fs::exists(folder / "SaltusConfig.cmake", error)) return folder;
  }
  throw UsageError(
      fmt::format("there is no {} beside {}: `saltus export` needs the libraries and "
                  "headers of Saltus, as `cmake --install` puts them there",
                  SALTUS_PACKAGE_FOLDER, program.string()));
}

/// In quotes that CMake reads as they are.
std::string bracketed(const fs::path& path) {
  const std::string text = fs::absolute(path).lexically_normal().string();
  if (text.find("]==]") != std::string::npos) {
    throw UsageError(fmt::format("a path with ]==] cannot be used: {}", text));
  }
  return "[==[" + text + "]==]";
}

/// The name of the binary inside the FMU, from the name of its file.
std::string identifier(const fs::path& output) {
  std::string name = output.stem().string();
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name.empty() || std::isdigit(static_cast<unsigned char>(name.front())) != 0 ? "_" + name
                                                                                     : name;
}

void write_project(const fs::path& folder, const ExportOptions& options, const fs::path& output) {
  std::ofstream file(folder / "CMakeLists.txt");
  file << "cmake_minimum_required(VERSION 3.22)\nproject(exported CXX)\n"
       << "find_package(Saltus REQUIRED)\nsaltus_add_fmu(exported FMI_VERSIONS " << options.fmi
       << " MODEL_IDENTIFIER " << identifier(output);
  if (options.arrays) file << " ARRAYS";
  if (options.with_sources) file << " WITH_SOURCES";
  if (!options.resources.empty()) file << " RESOURCES " << bracketed(options.resources);
  if (!options.platforms.empty()) file << " PLATFORMS";
  for (const std::string& platform : options.platforms) file << " " << platform;
  file << " SOURCES";
  for (const std::string& source : options.sources) file << " " << bracketed(source);
  file << ")\n";
  for (const std::string& include : options.includes) {
    file << "target_include_directories(exported_model PRIVATE " << bracketed(include) << ")\n";
  }
}

/// What the model itself said while it was described, with the words of warnings.
std::string own_words(const std::string& output) {
  std::string text;
  for (const char* mark : {"warning: ", "this model cannot be exported: "}) {
    for (std::size_t at = 0; (at = output.find(mark, at)) != std::string::npos;) {
      const std::size_t end = std::min(output.find('\n', at), output.size());
      const bool begins_line = at == 0 || output[at - 1] == '\n';
      if (begins_line) text += printable(output.substr(at, end - at)) + "\n";
      at = end;
    }
  }
  return text;
}

int tell(const char* what, const std::string& reasons) {
  complain(what);
  std::fwrite(reasons.data(), 1, reasons.size(), stderr);
  return kFailed;
}

int build_failed(const std::string& output, const std::vector<fs::path>& sources) {
  constexpr const char* kWhat = "the model does not become an FMU";
  if (output.find("undefined reference to `saltus_exported_model'") != std::string::npos) {
    return tell(kWhat, "no source says SALTUS_EXPORT_FMU(Model), in which Model is the class\n");
  }
  if (output.find("multiple definition of `saltus_exported_model'") != std::string::npos) {
    return tell(kWhat, "SALTUS_EXPORT_FMU is said more than once: an FMU holds one model\n");
  }
  std::string reasons = own_words(output);
  if (reasons.find("cannot be exported") == std::string::npos) {
    reasons = compiler_messages(output, sources);
  }
  return tell(kWhat, reasons);
}

int export_model(const ExportOptions& options) {
  std::vector<fs::path> sources;
  for (const std::string& source : options.sources) {
    if (!fs::is_regular_file(source)) {
      throw UsageError(fmt::format("there is no file {}", source));
    }
    const std::string ending = fs::path(source).extension().string();
    if (ending == ".hpp" || ending == ".h" || ending == ".hh" || ending == ".hxx") {
      throw UsageError(fmt::format(
          "{} is a header, which compiles to nothing by itself: give a .cpp that says #include "
          "\"{}\" and SALTUS_EXPORT_FMU(Model), in which Model is the class",
          source, fs::path(source).filename().string()));
    }
    sources.push_back(fs::absolute(source).lexically_normal());
  }
  if (!options.resources.empty() && !fs::is_directory(options.resources)) {
    throw UsageError(fmt::format("there is no folder {}", options.resources));
  }
  const fs::path output = options.output.empty() ? fs::path(sources.front().stem()).concat(".fmu")
                                                 : fs::path(options.output);
  const fs::path place = fs::absolute(output).parent_path();
  if (!fs::is_directory(place)) {
    throw UsageError(fmt::format("there is no folder {}", place.string()));
  }
  if (options.arrays && options.fmi != 3) {
    throw UsageError("--arrays is for FMI 3.0: FMI 2.0 has no array variables");
  }
  const fs::path package = package_folder();
  if (::isatty(STDERR_FILENO) != 0) {
    std::fputs("compiling the model takes some seconds ...\n", stderr);
  }
  const BuildFolder folder;
  write_project(folder.path(), options, output);
  const auto run = [&](std::vector<std::string> words) { return folder.run(std::move(words)); };
  const std::string build = (folder.path() / "build").string();
  BuildResult result = run({"cmake", "-S", folder.path().string(), "-B", build,
                            "-DCMAKE_BUILD_TYPE=Release", "-DSaltus_DIR=" + package.string()});
  if (result.status != 0) {
    return tell("CMake does not find all that it needs", compiler_messages(result.output, sources));
  }
  result = run({"cmake", "--build", build});
  if (result.status != 0) return build_failed(result.output, sources);
  const fs::path made =
      fs::path(build) / "fmus" / (options.fmi == 2 ? "fmi2" : "") / "exported.fmu";
  const fs::path part = fs::path(output).concat(".part");
  fs::copy_file(made, part, fs::copy_options::overwrite_existing);
  fs::rename(part, output);
  print(own_words(result.output));
  const auto size = static_cast<double>(fs::file_size(output));
  print(fmt::format("Wrote {} (FMI {}.0, {:.0f} kB)\n", output.string(), options.fmi, size / 1e3));
  return kDone;
}

}  // namespace

void add_export(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("export", "Make an FMU from a model in C++");
  const auto options = std::make_shared<ExportOptions>();
  command->add_option("SOURCE", options->sources, "C++ files, one of them with SALTUS_EXPORT_FMU")
      ->required()
      ->type_name("");
  command
      ->add_option("-o,--output-file", options->output,
                   "The FMU; by default it is called like the first source")
      ->type_name("FILE");
  command->add_option("--fmi", options->fmi, "The version of FMI, 3 by default")
      ->check(CLI::IsMember({2, 3}))
      ->type_name("2|3");
  command->add_option("-I,--include", options->includes, "A folder with headers of the model")
      ->type_name("FOLDER")
      ->allow_extra_args(false);
  command
      ->add_option("--platform", options->platforms,
                   "A platform that the FMU is for, by default this one; repeatable. Others need "
                   "a Saltus that was configured with SALTUS_PLATFORMS")
      ->check(CLI::IsMember({"x86_64-linux", "aarch64-linux", "x86_64-windows"}))
      ->type_name("PLATFORM")
      ->allow_extra_args(false);
  command->add_flag("--arrays", options->arrays,
                    "Describe arrays of the model as array variables of FMI 3.0, not as scalars");
  command->add_flag(
      "--sources", options->with_sources,
      "Put all that is needed to compile the FMU elsewhere into it, beside its binary");
  command
      ->add_option("--resources", options->resources,
                   "A folder whose files become the resources of the FMU")
      ->type_name("FOLDER");
  command->callback([options, &action] { action = [options] { return export_model(*options); }; });
}

}  // namespace saltus::cli

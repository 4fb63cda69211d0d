// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/importer/fmu.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "archive.hpp"
#include "isolated_instance.hpp"
#include "loaded_fmu.hpp"
#include "loaded_instance.hpp"
#include "parse_dae_manifest.hpp"
#include "parse_description.hpp"
#include "platforms.hpp"
#include "start_values.hpp"
#include "temporary_directory.hpp"

namespace saltus::importer {
namespace {

constexpr std::array<std::string_view, 3> kNotForRuns = {"documentation/", "sources/",
                                                         "extra/org.fmi-standard.fmi-ls-ref/"};

constexpr std::string_view kDependencies = "documentation/externalDependencies.";

constexpr std::size_t kMostFunctionsNamed = 6;

std::string content_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

struct Fmu::State {
  std::shared_ptr<LoadedFmu> load(const Interface& interface);
  std::unique_ptr<Instance> instantiate(const std::string& name, InterfaceType type,
                                        const Interface& interface, const InstanceOptions& options);

  std::unique_ptr<Instance> make_instance(const std::string& name, InterfaceType type,
                                          const Interface& interface,
                                          const InstanceOptions& options);

  std::filesystem::path path;
  FmuFiles files;
  std::shared_ptr<const DaeManifest> dae_manifest;
  std::vector<std::string> platforms;
  std::vector<std::string> archive_warnings;
  /// Instances may be made by several threads.
  mutable std::mutex mutex;
  /// One for each model identifier: the interfaces of an FMU may share a binary or not.
  std::map<std::string, std::shared_ptr<LoadedFmu>> loaded;
  std::map<std::string, std::vector<std::string>> missing;  ///< functions, likewise
};

void Fmu::unload() { state_->loaded.clear(); }

std::shared_ptr<LoadedFmu> Fmu::State::load(const Interface& interface) {
  const std::lock_guard lock(mutex);
  std::shared_ptr<LoadedFmu>& fmu = loaded[interface.model_identifier];
  if (!fmu) fmu = std::make_shared<LoadedFmu>(files, interface);
  missing[interface.model_identifier] = fmu->missing;
  return fmu;
}

std::unique_ptr<Instance> Fmu::State::instantiate(const std::string& name, InterfaceType type,
                                                  const Interface& interface,
                                                  const InstanceOptions& options) {
  if (name.find_first_not_of(" \t\r\n") == std::string::npos) {
    throw std::invalid_argument("the name of an instance must not be empty");
  }
  const StartValues checked(*files.description, options.start_values);  // before anything is loaded
  for (const std::string& wanted : options.intermediate_variables) {
    if (!find_variable(*files.description, wanted).intermediate_update) {
      throw std::invalid_argument(
          fmt::format("\"{}\" cannot be read inside a step: it has no intermediateUpdate", wanted));
    }
  }
  try {
    return make_instance(name, type, interface, options);
  } catch (const FmuError& error) {
    const bool has_choice = type == InterfaceType::co_simulation && options.event_mode &&
                            files.description->co_simulation->has_event_mode;
    if (!has_choice || error.thing() != kInstantiation) throw;
    InstanceOptions without = options;
    without.event_mode = false;
    auto instance = make_instance(name, type, interface, without);
    if (options.on_message) {
      options.on_message({.instance = name,
                          .status = files.prefix() + "Warning",
                          .category = kImporterCategory,
                          .text = "event mode, which the description declares, was refused; the "
                                  "FMU runs without it and handles its events alone"});
    }
    return instance;
  }
}

std::unique_ptr<Instance> Fmu::State::make_instance(const std::string& name, InterfaceType type,
                                                    const Interface& interface,
                                                    const InstanceOptions& options) {
  if (!options.isolated) return LoadedInstance::make(load(interface), name, type, options);
  auto instance =
      std::make_unique<IsolatedInstance>(std::make_shared<FmuFiles>(files), name, type, options);
  const std::lock_guard lock(mutex);
  missing[interface.model_identifier] = instance->missing_functions();
  return instance;
}

Fmu::Fmu(std::unique_ptr<State> state) : state_(std::move(state)) {}
Fmu::Fmu(Fmu&&) noexcept = default;
Fmu& Fmu::operator=(Fmu&&) noexcept = default;
Fmu::~Fmu() = default;

Fmu Fmu::open(const std::filesystem::path& path, Unpacked unpacked) {
  auto state = std::make_unique<State>();
  state->path = path;
  const Archive archive(path);
  const auto directory = std::make_shared<TemporaryDirectory>();
  state->archive_warnings = archive.unpack(directory->path(), [&](const std::string& entry) {
    if (entry.starts_with(kDependencies)) state->files.dependencies_document = entry;
    return unpacked == Unpacked::all ||
           std::none_of(kNotForRuns.begin(), kNotForRuns.end(),
                        [&](std::string_view folder) { return entry.starts_with(folder); });
  });
  // FMUs use it without asking whether it is there.
  std::error_code error;
  std::filesystem::create_directory(directory->path() / "resources", error);
  const std::filesystem::path file = directory->path() / "modelDescription.xml";
  if (!std::filesystem::is_regular_file(file)) {
    throw FmuError(path.string(), "modelDescription.xml", 0,
                   "not in the archive, or not at its top; an FMU must have one");
  }
  state->files.path = path.string();
  state->files.description =
      std::make_shared<const ModelDescription>(parse_description(path.string(), content_of(file)));
  if (const auto manifest = directory->path() / kDaeManifest;
      state->files.description->major_version >= 3 && std::filesystem::is_regular_file(manifest)) {
    state->dae_manifest = std::make_shared<const DaeManifest>(
        parse_dae_manifest(path.string(), content_of(manifest), *state->files.description));
  }
  state->platforms = offered_platforms(directory->path());
  state->files.directory = directory;
  return Fmu(std::move(state));
}

const std::filesystem::path& Fmu::path() const { return state_->path; }
const ModelDescription& Fmu::description() const { return *state_->files.description; }
const DaeManifest* Fmu::dae_manifest() const { return state_->dae_manifest.get(); }
const std::vector<std::string>& Fmu::platforms() const { return state_->platforms; }
const std::filesystem::path& Fmu::folder() const { return state_->files.directory->path(); }

std::vector<std::string> Fmu::warnings() const {
  std::vector<std::string> warnings = state_->archive_warnings;
  const std::vector<std::string>& described = state_->files.description->warnings;
  warnings.insert(warnings.end(), described.begin(), described.end());
  const std::lock_guard lock(state_->mutex);
  for (const auto& [identifier, functions] : state_->missing) {
    if (functions.empty()) continue;
    const std::size_t shown = std::min(functions.size(), kMostFunctionsNamed);
    warnings.push_back(fmt::format(
        "the binary of {} lacks functions that every FMU must export: {}{}", identifier,
        fmt::join(functions.begin(), functions.begin() + static_cast<long>(shown), ", "),
        shown < functions.size()
            ? fmt::format(" and {} more; saltus validate names them", functions.size() - shown)
            : ""));
  }
  return warnings;
}

// In DAE mode nobody but the importer solves for the algebraics: the switch is not for the user.
void Fmu::check_switch(const InstanceOptions& options) const {
  if (!dae_manifest() || !dae_manifest()->enable) return;
  const Variable& enable = description().variables[*dae_manifest()->enable];
  const auto given = options.start_values.find(enable.name);
  if (given == options.start_values.end()) return;
  throw std::invalid_argument(
      fmt::format("\"{}\" turns the FMU into a DAE, which is what dae_mode is for (--dae of the "
                  "program)",
                  enable.name));
}

std::unique_ptr<FmuModel> Fmu::instantiate_model_exchange(const std::string& name,
                                                          const InstanceOptions& options) {
  const ModelDescription& model = description();
  if (!model.model_exchange) {
    throw FmuError(path().string(), "", 0,
                   fmt::format("the FMU has no Model Exchange interface{}",
                               model.co_simulation         ? "; try Co-Simulation"
                               : model.scheduled_execution ? "; try Scheduled Execution"
                                                           : ""));
  }
  check_switch(options);
  const auto instantiate = [&] {
    return state_->instantiate(name, InterfaceType::model_exchange, *model.model_exchange, options);
  };
  if (!options.dae_mode) return std::make_unique<FmuModel>(instantiate(), options);
  std::string why_not = "it has no manifest of FMI-LS-DAE";
  if (const auto& manifest = state_->dae_manifest) {
    why_not = manifest->why_unusable;
    if (why_not.empty()) {
      try {
        return std::make_unique<FmuModel>(instantiate(), options, manifest);
      } catch (const Error& error) {
        why_not = error.what();
      }
    }
  }
  auto ode = std::make_unique<FmuModel>(instantiate(), options);
  ode->warn_at_start("the FMU runs as an ODE: " + why_not);
  return ode;
}

std::unique_ptr<Instance> Fmu::instantiate_bare(InterfaceType type,
                                                const InstanceOptions& options) {
  return state_->make_instance("validate", type, state_->files.interface(type), options);
}

std::unique_ptr<CoSimulationFmu> Fmu::instantiate_co_simulation(const std::string& name,
                                                                const InstanceOptions& options) {
  const ModelDescription& model = description();
  if (!model.co_simulation) {
    throw FmuError(path().string(), "", 0,
                   fmt::format("the FMU has no Co-Simulation interface{}",
                               model.model_exchange        ? "; try Model Exchange"
                               : model.scheduled_execution ? "; try Scheduled Execution"
                                                           : ""));
  }
  return std::make_unique<CoSimulationFmu>(
      state_->instantiate(name, InterfaceType::co_simulation, *model.co_simulation, options),
      options);
}

std::unique_ptr<ScheduledExecutionFmu> Fmu::instantiate_scheduled_execution(
    const std::string& name, const InstanceOptions& options) {
  const ModelDescription& model = description();
  if (!model.scheduled_execution) {
    throw FmuError(path().string(), "", 0,
                   fmt::format("the FMU has no Scheduled Execution interface{}",
                               model.model_exchange  ? "; try Model Exchange"
                               : model.co_simulation ? "; try Co-Simulation"
                                                     : ""));
  }
  return std::make_unique<ScheduledExecutionFmu>(
      state_->instantiate(name, InterfaceType::scheduled_execution, *model.scheduled_execution,
                          options),
      options);
}

}  // namespace saltus::importer

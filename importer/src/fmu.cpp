// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/importer/fmu.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>

#include "archive.hpp"
#include "instance.hpp"
#include "loaded_fmu.hpp"
#include "parse_description.hpp"
#include "platforms.hpp"
#include "start_values.hpp"
#include "temporary_directory.hpp"

namespace saltus::importer {

struct Fmu::State {
  std::shared_ptr<LoadedFmu> load(const Interface& interface);
  std::unique_ptr<Instance> instantiate(const std::string& name, InterfaceType type,
                                        const Interface& interface, const InstanceOptions& options);

  std::filesystem::path path;
  std::shared_ptr<const TemporaryDirectory> directory;
  std::shared_ptr<const ModelDescription> description;
  std::vector<std::string> platforms;
  std::vector<std::string> archive_warnings;
  /// One for each model identifier: the interfaces of an FMU may share a binary or not.
  std::map<std::string, std::shared_ptr<LoadedFmu>> loaded;
};

std::shared_ptr<LoadedFmu> Fmu::State::load(const Interface& interface) {
  std::shared_ptr<LoadedFmu>& fmu = loaded[interface.model_identifier];
  if (!fmu) fmu = std::make_shared<LoadedFmu>(path.string(), directory, description, interface);
  return fmu;
}

std::unique_ptr<Instance> Fmu::State::instantiate(const std::string& name, InterfaceType type,
                                                  const Interface& interface,
                                                  const InstanceOptions& options) {
  if (name.find_first_not_of(" \t\r\n") == std::string::npos) {
    throw std::invalid_argument("the name of an instance must not be empty");
  }
  const StartValues checked(*description, options.start_values);  // before anything is loaded
  for (const std::string& wanted : options.intermediate_variables) {
    if (!find_variable(*description, wanted).intermediate_update) {
      throw std::invalid_argument(
          fmt::format("\"{}\" cannot be read inside a step: it has no intermediateUpdate", wanted));
    }
  }
  return Instance::make(load(interface), name, type, options);
}

Fmu::Fmu(std::unique_ptr<State> state) : state_(std::move(state)) {}
Fmu::Fmu(Fmu&&) noexcept = default;
Fmu& Fmu::operator=(Fmu&&) noexcept = default;
Fmu::~Fmu() = default;

Fmu Fmu::open(const std::filesystem::path& path) {
  auto state = std::make_unique<State>();
  state->path = path;
  const Archive archive(path);
  const auto directory = std::make_shared<TemporaryDirectory>();
  state->archive_warnings = archive.unpack(directory->path());
  // FMUs use it without asking whether it is there.
  std::error_code error;
  std::filesystem::create_directory(directory->path() / "resources", error);
  const std::filesystem::path file = directory->path() / "modelDescription.xml";
  if (!std::filesystem::is_regular_file(file)) {
    throw FmuError(path.string(), "modelDescription.xml", 0,
                   "not in the archive, or not at its top; an FMU must have one");
  }
  std::ifstream stream(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  state->description =
      std::make_shared<const ModelDescription>(parse_description(path.string(), std::move(text)));
  state->platforms = offered_platforms(directory->path());
  state->directory = directory;
  return Fmu(std::move(state));
}

const std::filesystem::path& Fmu::path() const { return state_->path; }
const ModelDescription& Fmu::description() const { return *state_->description; }
const std::vector<std::string>& Fmu::platforms() const { return state_->platforms; }
const std::filesystem::path& Fmu::folder() const { return state_->directory->path(); }

std::vector<std::string> Fmu::warnings() const {
  std::vector<std::string> warnings = state_->archive_warnings;
  const std::vector<std::string>& described = state_->description->warnings;
  warnings.insert(warnings.end(), described.begin(), described.end());
  for (const auto& [identifier, fmu] : state_->loaded) {
    if (!fmu || fmu->missing.empty()) continue;
    warnings.push_back(
        fmt::format("the binary of {} lacks functions that every FMU must export: {}", identifier,
                    fmt::join(fmu->missing, ", ")));
  }
  return warnings;
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
  return std::make_unique<FmuModel>(
      state_->instantiate(name, InterfaceType::model_exchange, *model.model_exchange, options),
      options);
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

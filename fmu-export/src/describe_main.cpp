// SPDX-License-Identifier: BSD-2-Clause
// The program that writes, while an FMU is built, what the FMU will say of itself:
// for each version of FMI that is asked for modelDescription.xml and the source of what the binary
// knows of it, the index analysis, and what the linker is to leave out. It is linked with the same
// model as the FMU.

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "check_dae_form.hpp"
#include "dae_manifest.hpp"
#include "description_source.hpp"
#include "exported.hpp"
#include "find_dae_form.hpp"
#include "fmi2/description.hpp"
#include "fmi3/description.hpp"
#include "index_description.hpp"
#include "saltus/control/prepared_model.hpp"
#include "saltus/core/warning.hpp"
#include "saltus/modeling/units.hpp"

namespace {

bool write(const char* path, const std::string& text) {
  std::FILE* file = std::fopen(path, "wb");
  const bool written =
      file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if (file != nullptr && std::fclose(file) == 0 && written) return true;
  std::fprintf(stderr, "cannot write %s\n", path);
  return false;
}

// A line of the analysis.
std::string dae_description(const saltus::fmu_export::FoundDaeForm& dae) {
  const saltus::fmu_export::DaeForm& form = dae.form;
  if (form.empty() && dae.why_not.empty()) return "";
  std::string text = "DAE mode of its FMU       ";
  if (form.empty()) return text + "none: " + dae.why_not + "\n";
  return text + "algebraic variables and residuals: " + std::to_string(form.algebraics.size()) +
         ", invariants: " + std::to_string(form.invariants.size()) + "\n";
}

struct Description {
  std::string xml;
  std::string source;
  std::string manifest;  // of FMI-LS-DAE
};

Description description(const std::string& version,
                        std::span<const saltus::VariableDependencies> dependencies,
                        const saltus::fmu_export::FoundDaeForm& dae) {
  using namespace saltus::fmu_export;
  ExportedModel exported = exported_ode(Interface::model_exchange);
  if (version == "3") {
    exported.model = with_dae_mode(std::move(exported.model), Interface::model_exchange, dae.form);
    const auto* const both = dynamic_cast<const DaeModel*>(exported.model.get());
    return {
        fmi3::model_description(exported, dependencies),
        description_source(fmi3::instantiation_token(exported), dependencies, dae.form),
        both == nullptr ? "" : dae_manifest(*both, dae.dependencies),
    };
  }
  if (version == "2") {
    return {fmi2::model_description(exported, dependencies),
            description_source(fmi2::guid(exported), dependencies, {}), ""};
  }
  throw std::invalid_argument("FMI " + version + " is not offered, FMI 2 and FMI 3 are");
}

// The manifest stands in a folder beside the description, and what is packed of that folder in a
// list.
bool write_extras(const std::string& description_path, const std::string& manifest) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(description_path).parent_path();
  const fs::path path = folder / saltus::fmu_export::kDaeManifest;
  std::error_code ignored;
  fs::remove(path, ignored);
  std::string extras = "extra/saltus/index.txt\n";
  if (!manifest.empty()) {
    fs::create_directories(path.parent_path());
    extras += std::string(saltus::fmu_export::kDaeManifest) + "\n";
    if (!write(path.string().c_str(), manifest)) return false;
  }
  return write((folder / "extras.txt").string().c_str(), extras);
}

// Options of the linker: an FMU does without what its equations do not need.
std::string parts() {
  saltus::fmu_export::ExportedModel exported;
  saltus_exported_model(exported);
  std::string options = "--undefined=saltus_written_description\n";
  if (exported.model->is_explicit()) {
    options += "--undefined=saltus_explicit_equations\n";
  }
  if (!saltus::modeling::decides_in_equations(*exported.model)) {
    options += "--undefined=saltus_unswitched_equations\n";
  }
  const auto variables = exported.model->variables();
  if (std::none_of(variables.begin(), variables.end(),
                   [](const saltus::modeling::Variable& v) { return v.is_text(); })) {
    options += "--undefined=saltus_no_text_values\n";
  }
  return options;
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 6 || count % 3 != 0) {
    std::fprintf(stderr,
                 "usage: %s INDEX_FILE PARTS_FILE {FMI_VERSION DESCRIPTION_FILE SOURCE_FILE}...\n",
                 arguments[0]);
    return 2;
  }
  try {
    using namespace saltus::fmu_export;
    const ExportedModel exported = exported_ode(Interface::model_exchange);
    saltus::Warnings warnings{[](const saltus::Warning& warning) {
      std::fprintf(stderr, "warning: %s\n", to_string(warning).c_str());
    }};
    for (const auto* variable : saltus::modeling::with_unknown_units(exported.model->variables())) {
      warnings.add({.time = saltus::kBeforeTheRun,
                    .subject = variable->name,
                    .message = unknown_unit_text(*variable)});
    }
    std::vector<saltus::Warning> of_equations;
    const std::string index = index_description(of_equations);
    for (const saltus::Warning& warning : of_equations) {
      warnings.add(warning);
    }
    FoundDaeForm dae = find_dae_form();
    check_dae_form(dae);
    bool done = write(arguments[1], index + dae_description(dae)) && write(arguments[2], parts());
    const auto dependencies = exported.model->dependencies();
    for (int i = 3; i < count && done; i += 3) {
      const auto [xml, source, manifest] = description(arguments[i], dependencies, dae);
      done = write(arguments[i + 1], xml) && write(arguments[i + 2], source) &&
             write_extras(arguments[i + 1], manifest);
    }
    return done ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "this model cannot be exported: %s\n", error.what());
    return 1;
  }
}

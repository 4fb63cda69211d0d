// SPDX-License-Identifier: BSD-2-Clause
// The program that writes, while an FMU is built, what the FMU will say of itself:
// for each version of FMI that is asked for modelDescription.xml and the source of what the binary
// knows of it, the index analysis, and what the linker is to leave out. It is linked with the same
// model as the FMU. Called again when the FMU is linked, it packs the sources and the archive.

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "aliases.hpp"
#include "check_dae_form.hpp"
#include "check_scheduled.hpp"
#include "dae_manifest.hpp"
#include "description_source.hpp"
#include "documentation/default_run.hpp"
#include "documentation/licences.hpp"
#include "documentation/page.hpp"
#include "documentation/reference_result.hpp"
#include "exported.hpp"
#include "find_dae_form.hpp"
#include "find_sizes.hpp"
#include "fmi2/description.hpp"
#include "fmi3/description.hpp"
#include "index_description.hpp"
#include "packing/pack.hpp"
#include "packing/source_package.hpp"
#include "resource_folder.hpp"
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
                        const saltus::fmu_export::FoundDaeForm& dae,
                        const saltus::fmu_export::DescribedArrays& arrays, int model_sources) {
  using namespace saltus::fmu_export;
  ExportedModel exported = exported_ode(Interface::model_exchange);
  if (version == "3") {
    exported.model = with_dae_mode(std::move(exported.model), Interface::model_exchange, dae.form);
    return {
        fmi3::model_description(exported, dependencies, arrays),
        description_source(fmi3::instantiation_token(exported, arrays), dependencies, dae.form,
                           arrays),
        dae_manifest(*exported.model, dae.dependencies),
    };
  }
  if (version == "2") {
    const auto sources = model_sources == 0 ? std::vector<std::string>{}
                                            : source_files(exported.identifier,
                                                           static_cast<std::size_t>(model_sources));
    return {fmi2::model_description(exported, dependencies, sources),
            description_source(fmi2::guid(exported), dependencies, {}, {}), ""};
  }
  throw std::invalid_argument("FMI " + version + " is not offered, FMI 2 and FMI 3 are");
}

// A file of the FMU, by its place in it.
struct Extra {
  std::string place;
  std::string text;  // empty: there is none
};

// Extras stand in the folder of the description, and what is packed of that folder in a list.
bool write_extras(const std::string& description_path, const std::vector<Extra>& extras) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(description_path).parent_path();
  std::string list = "extra/saltus/index.txt\n";
  for (const auto& [place, text] : extras) {
    const fs::path path = folder / place;
    std::error_code ignored;
    fs::remove(path, ignored);
    if (text.empty()) continue;
    fs::create_directories(path.parent_path());
    list += place + "\n";
    if (!write(path.string().c_str(), text)) return false;
  }
  return write((folder / "extras.txt").string().c_str(), list);
}

// Options of the linker: an FMU does without what its equations do not need.
std::string parts(const saltus::fmu_export::DescribedArrays& arrays) {
  saltus::fmu_export::ExportedModel exported;
  saltus_exported_model(exported);
  std::string options =
      "--undefined=saltus_written_description\n--undefined=saltus_without_variations\n";
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
  if (std::none_of(variables.begin(), variables.end(), [](const saltus::modeling::Variable& v) {
        return v.type == saltus::modeling::Variable::Type::clock;
      })) {
    options += "--undefined=saltus_no_clock_values\n";
  }
  if (!exported.model->info().scheduled) {
    options += "--undefined=saltus_no_scheduled_execution\n";
  }
  if (!arrays.sizes.empty()) {
    options += "--undefined=saltus_with_sized_arrays\n--undefined=saltus_with_sized_instances\n";
  } else if (!arrays.all.empty()) {
    options += "--undefined=saltus_with_arrays\n";
  }
  return options;
}

// The arrays that a description lists. Names that are left out are told.
saltus::fmu_export::DescribedArrays asked_arrays(saltus::modeling::DescribedModel& model,
                                                 saltus::Warnings& warnings) {
  saltus::fmu_export::DescribedArrays arrays = saltus::fmu_export::find_arrays(model);
  const auto warn = [&](const std::string& subject, const char* message) {
    warnings.add({.time = saltus::kBeforeTheRun, .subject = subject, .message = message});
  };
  for (const std::string& name : arrays.not_alike) {
    warn(name,
         "its elements stay scalars: they do not follow one another, or differ in more than their "
         "start values, or the name is taken");
  }
  if (arrays.all.empty()) {
    warn(model.name(),
         "arrays were asked for, and there are none: States, Inputs and so on make "
         "them, not single variables and Submodels");
  } else {
    saltus::fmu_export::find_sizes(arrays, model, warnings);
  }
  return arrays;
}

struct Asked {
  bool arrays = false;
  int model_sources = 0;  // in the FMU
};

// Writes what the arguments ask for.
bool describe(std::span<char*> arguments, const Asked& asked) {
  using namespace saltus::fmu_export;
  using namespace std::literals;
  check_scheduled(*exported_ode(Interface::scheduled_execution).model);
  const ExportedModel exported = exported_ode(Interface::model_exchange);
  saltus::Warnings warnings{[](const saltus::Warning& warning) {
    std::fprintf(stderr, "warning: %s\n", to_string(warning).c_str());
  }};
  for (const auto* variable : saltus::modeling::with_unknown_units(exported.model->variables())) {
    warnings.add({.time = saltus::kBeforeTheRun,
                  .subject = variable->name,
                  .message = unknown_unit_text(*variable)});
  }
  for (const auto& v : exported.model->variables()) {
    if (v.type == saltus::modeling::Variable::Type::clock &&
        v.causality != saltus::modeling::Variable::Causality::input && exported.may_slide) {
      warnings.add({.time = saltus::kBeforeTheRun,
                    .subject = v.name,
                    .message = "importers do not see it tick at events that begin while the motion "
                               "slides on a condition of the equations: let a Discrete that is an "
                               "output count its ticks"});
    }
  }
  std::vector<saltus::Warning> of_equations;
  const std::string index = index_description(of_equations);
  for (const saltus::Warning& warning : of_equations) {
    warnings.add(warning);
  }
  const DescribedArrays arrays =
      asked.arrays ? asked_arrays(*exported.model, warnings) : DescribedArrays{};
  FoundDaeForm dae = find_dae_form();
  if (!arrays.all.empty() && !dae.form.empty()) {
    dae = {.form = {}, .dependencies = {}, .why_not = "its variables are described as arrays"};
  }
  const DaeSelfTest self_test = check_dae_form(dae);
  const std::string analysis = index + dae_description(dae);
  bool done = write(arguments[0], analysis) && write(arguments[1], parts(arrays));
  const DefaultRun run = run_default_experiment();
  if (!run.failure.empty()) {
    warnings.add({.time = saltus::kBeforeTheRun,
                  .subject = exported.model->name(),
                  .message = "its default experiment does not come to its end, so that nobody can "
                             "run the FMU without other values or inputs: " +
                             run.failure});
  }
  const std::string page =
      documentation_page({.index = analysis, .dae = dae, .self_test = self_test, .run = run});
  const auto dependencies = exported.model->dependencies();
  for (std::size_t i = 2; i < arguments.size() && done; i += 3) {
    const auto [xml, source, manifest] =
        description(arguments[i], dependencies, dae, arrays, asked.model_sources);
    done = write(arguments[i + 1], xml) && write(arguments[i + 2], source) &&
           write_extras(
               arguments[i + 1],
               {{"documentation/index.html", page},
                {"documentation/licenses/license.txt", licence_text()},
                {kDaeManifest, manifest},
                {kTerminals, arguments[i] == "3"sv ? terminals_xml(*exported.model, arrays) : ""},
                {kReferenceManifest, run.complete ? reference_manifest() : ""},
                {kReferenceResult, run.complete ? csv(run) : ""}});
  }
  return done;
}

}  // namespace

int main(int count, char** given) {
  using namespace std::literals;
  std::span<char*> arguments(given + 1, given + count);
  try {
    if (arguments.size() == 3 && arguments[0] == "--sources"sv) {
      saltus::fmu_export::add_sources(arguments[1], arguments[2]);
      return 0;
    }
    if (arguments.size() == 2 && arguments[0] == "--archive"sv) {
      saltus::fmu_export::finish_archive(arguments[1]);
      return 0;
    }
    Asked asked;
    if (arguments.size() > 2 && arguments[0] == "--arrays"sv) {
      asked.arrays = true;
      arguments = arguments.subspan(1);
    }
    if (arguments.size() > 2 && arguments[0] == "--source-files"sv) {
      asked.model_sources = std::stoi(arguments[1]);
      arguments = arguments.subspan(2);
    }
    if (arguments.size() > 2 && arguments[0] == "--resources"sv) {
      saltus::fmu_export::note_resources(arguments[1]);
      arguments = arguments.subspan(2);
    }
    if (arguments.size() >= 5 && arguments.size() % 3 == 2) {
      return describe(arguments, asked) ? 0 : 1;
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "this model cannot be exported: %s\n", error.what());
    return 1;
  }
  std::fprintf(stderr,
               "usage: %s [--arrays] [--source-files COUNT] [--resources FOLDER] INDEX_FILE"
               " PARTS_FILE {FMI_VERSION DESCRIPTION_FILE SOURCE_FILE}...\n"
               "       %s --sources PACKAGE_FILE FMU_FOLDER\n"
               "       %s --archive FMU_FILE\n",
               given[0], given[0], given[0]);
  return 2;
}

// SPDX-License-Identifier: BSD-2-Clause
// The program that writes, while an FMU is built, what the FMU will say of itself:
// for each version of FMI that is asked for modelDescription.xml and the source of what the binary
// knows of it, the index analysis, and what the linker is to leave out. It is linked with the same
// model as the FMU.

#include <cstdio>
#include <exception>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "description_source.hpp"
#include "exported.hpp"
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

struct Description {
  std::string xml;
  std::string token;
};

Description description(const std::string& version,
                        const saltus::fmu_export::ExportedModel& exported,
                        std::span<const saltus::VariableDependencies> dependencies) {
  using namespace saltus::fmu_export;
  if (version == "3") {
    return {fmi3::model_description(exported, dependencies), fmi3::instantiation_token(exported)};
  }
  if (version == "2")
    return {fmi2::model_description(exported, dependencies), fmi2::guid(exported)};
  throw std::invalid_argument("FMI " + version + " is not offered, FMI 2 and FMI 3 are");
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
    const ExportedModel exported = exported_model(Interface::model_exchange);
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
    bool done = write(arguments[1], index) && write(arguments[2], parts());
    const auto dependencies = exported.model->dependencies();
    for (int i = 3; i < count && done; i += 3) {
      const auto [xml, token] = description(arguments[i], exported, dependencies);
      done = write(arguments[i + 1], xml) &&
             write(arguments[i + 2], description_source(token, dependencies));
    }
    return done ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "this model cannot be exported: %s\n", error.what());
    return 1;
  }
}

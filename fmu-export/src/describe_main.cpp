// SPDX-License-Identifier: BSD-2-Clause
// The program that writes modelDescription.xml and the index analysis while an FMU is built: linked
// with the same model as the FMU, it prints what the FMU will say of itself.

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "exported.hpp"
#include "fmi3/description.hpp"
#include "index_description.hpp"
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

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) {
    std::fprintf(stderr, "usage: %s DESCRIPTION_FILE INDEX_FILE\n", arguments[0]);
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
    const bool done =
        write(arguments[1], fmi3::model_description(exported)) && write(arguments[2], index);
    return done ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "this model cannot be exported: %s\n", error.what());
    return 1;
  }
}

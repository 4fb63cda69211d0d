// SPDX-License-Identifier: BSD-2-Clause
// The program that writes modelDescription.xml while an FMU is built: linked with the same model as
// the FMU, it prints what the FMU will say of itself.

#include <cstdio>
#include <exception>

#include "description.hpp"
#include "exported.hpp"

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "usage: %s FILE\n", arguments[0]);
    return 2;
  }
  try {
    using namespace saltus::fmu_export;
    const std::string text = model_description(exported_model(Interface::model_exchange));
    std::FILE* file = std::fopen(arguments[1], "wb");
    const bool written =
        file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size();
    if (file == nullptr || std::fclose(file) != 0 || !written) {
      std::fprintf(stderr, "cannot write %s\n", arguments[1]);
      return 1;
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "this model cannot be exported: %s\n", error.what());
    return 1;
  }
}

// SPDX-License-Identifier: BSD-2-Clause
#include "description_source.hpp"

#include "description_parts.hpp"

namespace saltus::fmu_export {

std::string description_source(const std::string& token,
                               std::span<const VariableDependencies> dependencies,
                               const DaeForm& form, const DescribedArrays& arrays) {
  std::string numbers = std::to_string(dependencies.size());
  for (const VariableDependencies& list : dependencies) {
    numbers += ",\n    " + std::to_string(reference_of(list.variable)) + ", " +
               std::to_string(list.dependencies.size());
    for (const VariableDependencies::Dependency& dependency : list.dependencies) {
      numbers += ", " + std::to_string(reference_of(dependency.on)) + ", " +
                 std::to_string(static_cast<unsigned>(dependency.kind));
    }
  }
  std::string dae;
  for (const unsigned number : numbers_of(form)) {
    dae += (dae.empty() ? "" : ", ") + std::to_string(number) + "U";
  }
  std::string of_arrays = std::to_string(arrays.all.size());
  for (const DescribedArray& array : arrays.all) {
    of_arrays += ", " + std::to_string(reference_of(array.first)) + ", " +
                 std::to_string(array.size) + ", " + std::to_string(array.stride);
  }
  std::string of_sizes = std::to_string(arrays.sizes.size()) + ", " +
                         std::to_string(arrays.last_reference) + ", " +
                         std::to_string(arrays.indicators);
  for (const DescribedSize& size : arrays.sizes) {
    of_sizes +=
        ", " + std::to_string(reference_of(size.position)) + ", " + std::to_string(size.standard);
  }
  for (const DescribedArray& array : arrays.all) {
    of_sizes += ", " + std::to_string(array.size_number);
  }
  return "// What modelDescription.xml says, for the binary that belongs to it.\n"
         "extern \"C\" {\n"
         "extern const char saltus_described_token[] = \"" +
         token +
         "\";\n"
         "extern const unsigned saltus_described_dependencies[] = {\n    " +
         numbers +
         "};\n"
         "extern const unsigned saltus_described_dae[] = {" +
         dae +
         "};\n"
         "extern const unsigned saltus_described_arrays[] = {" +
         of_arrays +
         "};\n"
         "extern const unsigned saltus_described_sizes[] = {" +
         of_sizes +
         "};\n"
         "}\n";
}

}  // namespace saltus::fmu_export

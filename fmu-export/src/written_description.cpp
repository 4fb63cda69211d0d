// SPDX-License-Identifier: BSD-2-Clause
// In FMUs, which a source of its own is compiled for when they are described.
#include "own_description.hpp"
#include "saltus/modeling/units.hpp"

extern "C" {
/// By this name `saltus_add_fmu` asks for this file.
extern const char saltus_written_description = 0;
/// What `description_source` wrote.
extern const char saltus_described_token[];
extern const unsigned saltus_described_dae[];
}

namespace saltus::fmu_export {
namespace {

// One binary is for one version of FMI.
const std::string& token() {
  static const std::string token = saltus_described_token;
  return token;
}

}  // namespace

const std::string& own_instantiation_token() { return token(); }
const std::string& own_guid() { return token(); }

DaeForm own_dae_form() { return dae_form_of(saltus_described_dae); }

}  // namespace saltus::fmu_export

// Who made the FMU was told.
void saltus::modeling::warn_of_units(const Experiment&, std::span<const Variable>) {}

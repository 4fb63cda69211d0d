// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "saltus/importer/model_description.hpp"

namespace saltus::cli {

/// How many there are, and their names while they are few: "2 (h, v)".
std::string continuous_states(const importer::ModelDescription& model);
std::string event_indicators(const importer::ModelDescription& model);

}  // namespace saltus::cli

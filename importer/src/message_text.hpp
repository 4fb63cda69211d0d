// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdarg>
#include <string>

#include "saltus/importer/model_description.hpp"

namespace saltus::importer {

/// What an FMU of FMI 1.0 or 2.0 says with a format of `printf` and arguments, with the names of
/// variables where it wrote references, and without line ends behind it.
std::string message_text(const ModelDescription& description, const char* format,
                         va_list arguments);

}  // namespace saltus::importer

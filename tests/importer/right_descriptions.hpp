// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "zip_writer.hpp"

/// Descriptions that use as much of FMI 3.0 and of FMI 2.0 as a validator has rules for, and break
/// none of them. They belong to FMUs with sources, so that no binary is needed.
std::string right_description();
std::string right_fmi2_description();
std::string right_build_description();

/// An FMU with sources around a description.
ZipWriter right_archive(const std::string& description,
                        const std::string& build_description = right_build_description());

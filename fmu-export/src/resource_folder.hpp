// SPDX-License-Identifier: BSD-2-Clause
#pragma once

namespace saltus::fmu_export {

/// What `resource_folder` answers from now on: a path (FMI 3.0, 2.3.1) or a URI with the scheme
/// file (FMI 2.0, 2.1.5). NULL says nothing.
void note_resources(const char* location);

}  // namespace saltus::fmu_export

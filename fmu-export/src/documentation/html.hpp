// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>
#include <string_view>

namespace saltus::fmu_export {

/// As text between tags, and between quotes. What is no UTF-8, or no character that HTML allows,
/// becomes U+FFFD.
std::string html(std::string_view text);

}  // namespace saltus::fmu_export

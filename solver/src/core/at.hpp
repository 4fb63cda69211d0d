// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>

namespace saltus {

/// An index that is kept as an `int`, for containers.
inline std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace saltus

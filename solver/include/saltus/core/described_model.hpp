// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "saltus/core/model.hpp"
#include "saltus/core/named_variables.hpp"

namespace saltus::modeling {

/// A model with named variables, to be owned as one: what `NativeModel` is, and what `prepared`
/// hands out.
class DescribedModel : public Model, public NamedVariables {};

}  // namespace saltus::modeling

// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <string>

#include "differentiated_fmu.hpp"
#include "saltus/core/error.hpp"

namespace saltus::importer {

/// Whatever happens to a neighbour, the run itself goes on.
template <class Call>
void DifferentiatedFmu::attempt(const Neighbour& n, const Call& call) {
  if (lost_) return;
  try {
    call();
  } catch (const Error& error) {
    lose(n.changed->name, std::string("changed a little makes the FMU fail: ") + error.what());
  }
}

}  // namespace saltus::importer

// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "mode.hpp"
#include "saltus/fmu_export/export_fmu.hpp"

namespace saltus::fmu_export {

/// The user's model as the FMU contains it: with sliding. In Co-Simulation our own integrator keeps
/// the motion on its surfaces; in Model Exchange anybody's integrator drives the model, so sliding
/// looks like any other configuration.
///
/// An implicit model does not slide. In Co-Simulation it keeps its implicit form; in Model Exchange
/// its states become those of an explicit one.
/// In FMI 3.0 its variables may be joined by those of FMI-LS-DAE.
ExportedModel exported_model(Interface interface);
/// Without these.
ExportedModel exported_ode(Interface interface);

}  // namespace saltus::fmu_export

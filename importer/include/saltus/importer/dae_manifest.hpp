// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "saltus/importer/model_description.hpp"

namespace saltus::importer {

/// A variable that the importer determines, so that the residuals vanish.
struct AlgebraicVariable {
  std::size_t variable = 0;  ///< index into `ModelDescription::variables`
  /// What a draft gives beside the attribute of the variable: a number, or a variable that holds
  /// it.
  std::optional<double> nominal;
  std::optional<std::size_t> nominal_variable;
};

/// One of the forms of an equation, in drafts that list several: the same constraint,
/// differentiated more or less often.
struct DaeFormulation {
  Unknown unknown;
  std::optional<int> index;  ///< 1: usable as it is
};

/// What the manifest of FMI-LS-DAE says, as plain data: how the FMU can be run as a system of
/// differential-algebraic equations. `Fmu` reads it from
/// extra/org.fmi-standard.fmi-ls-dae/fmi-ls-manifest.xml.
///
/// Drafts of the layered standard differ in root element, switch and residuals. All are read; who
/// uses them sees one form. Every index and every value reference in it exists.
struct DaeManifest {
  /// Which of them the file was taken for, in words.
  std::string variant;
  /// What it says of itself: fmi-ls-name and fmi-ls-version.
  std::string name, version;

  /// The Boolean structural parameter that turns the FMU into a DAE. None: it always is one.
  std::optional<std::size_t> enable;
  std::vector<AlgebraicVariable> algebraics;
  /// The equations that are solved, in the order of the file; of each group of formulations the one
  /// of index 1. Their dependencies may name algebraics and, in the implicit form, derivatives.
  std::vector<Unknown> residuals;
  /// The groups as they stand; none where residuals are written without formulations.
  std::vector<std::vector<DaeFormulation>> groups;
  /// The other formulations: they vanish along the exact solution.
  std::vector<Unknown> constraints;
  /// They do not change along the exact solution, between events.
  std::vector<Unknown> invariants;
  /// The lists of modelDescription.xml, those replaced which the manifest gives (`replaced`, by the
  /// names of their elements).
  ModelStructure structure;
  std::vector<std::string> replaced;

  enum class Form {
    none,            ///< cannot be run as a DAE, see `why_unusable`
    semi_explicit,   ///< x' = f(x, a, u, t), 0 = g(x, a, u, t)
    fully_implicit,  ///< 0 = F(x', x, a, u, t): the importer sets derivatives, too
  };
  Form form = Form::none;
  /// Empty, or why the FMU can only be run as an ODE.
  std::string why_unusable;
  /// What is wrong and could be forgiven, a sentence each.
  std::vector<std::string> warnings;
};

/// "semi-explicit", "fully implicit", "none".
const char* to_string(DaeManifest::Form form);

/// Whether the manifest has a list of its own of these elements, such as "EventIndicator".
bool replaces(const DaeManifest& manifest, const char* element);

}  // namespace saltus::importer

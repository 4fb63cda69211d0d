// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "saltus/dae/reduced_model.hpp"
#include "saltus/modeling/equation_texts.hpp"
#include "saltus/modeling/native_model.hpp"

/// From a model to an FMU: the one macro a model's source needs.
///
///     template <class Real> struct Decay {
///       State<Real> x{"x", {.start = 1.0}};
///       void equations(Equations<Real>&) { der(x) = -x; }
///     };
///     SALTUS_EXPORT_FMU(Decay)
///
/// A model with algebraic unknowns may say how it is reduced, as `ReductionOptions`:
///
///     SALTUS_EXPORT_FMU(Clutch, .after_event = saltus::ReductionOptions::Start::conserving)
///
/// together with `saltus_add_fmu(decay SOURCES decay.cpp)` in CMake. The FMU offers Model Exchange
/// and Co-Simulation and, in FMI 3.0 where `ModelInfo::scheduled` asks for it, Scheduled Execution;
/// its description is written from the members of the struct, by the same code that runs in the
/// FMU.
namespace saltus::fmu_export {

/// What an FMU is made of. Every instance of the FMU asks for a model of its own.
struct ExportedModel {
  std::unique_ptr<modeling::DescribedModel> model;
  /// The modelIdentifier: the name of the shared library without its ending.
  std::string identifier;
  /// Of an implicit model; `form` is chosen by the interface.
  ReductionOptions reduction = {};
  /// The equations have to be solved for the slopes; known when `model` is ready to be driven.
  bool is_implicit = false;
  /// Whether its equations contain conditions, on whose surfaces it may slide.
  bool may_slide = false;
};

/// The name of a possibly qualified type as the FMU shows it: what stands behind the last "::".
constexpr std::string_view unqualified(std::string_view name) {
  const std::size_t colons = name.rfind("::");
  const std::string_view last = colons == name.npos ? name : name.substr(colons + 2);
  const std::size_t first = last.find_first_not_of(' ');
  return first == last.npos ? std::string_view{}
                            : last.substr(first, last.find_last_not_of(' ') - first + 1);
}

}  // namespace saltus::fmu_export

/// Defined once per FMU, by `SALTUS_EXPORT_FMU`. It has C linkage so that the macro works in any
/// namespace: such a function is the same one wherever it is declared.
extern "C" void saltus_exported_model(saltus::fmu_export::ExportedModel& exported);

/// Its equations, for the documentation of the FMU; no part of the binary, which nobody asks.
extern "C" void saltus_exported_equations(saltus::modeling::EquationTexts& texts, double start);

// saltus_add_fmu says which; without it, the name of the model.
#ifndef SALTUS_FMU_MODEL_IDENTIFIER
#define SALTUS_FMU_MODEL_IDENTIFIER ""
#endif

// The sources inside an FMU are for its binary alone.
#ifdef SALTUS_SOURCES_OF_FMU
#define SALTUS_EXPORT_EQUATIONS(Model)
#else
#define SALTUS_EXPORT_EQUATIONS(Model)                                                \
  extern "C" void saltus_exported_equations(::saltus::modeling::EquationTexts& texts, \
                                            double start) {                           \
    texts = ::saltus::modeling::equation_texts<Model>(start);                         \
  }
#endif

/// Makes the class template `Model` (its name may be qualified) the content of the FMU that this
/// source becomes part of, with initialisers of `ReductionOptions` behind it if need be. At
/// namespace scope, once per FMU.
// NOLINTBEGIN(bugprone-macro-parentheses): a template argument has none
#define SALTUS_EXPORT_FMU(Model, ...)                                                              \
  extern "C" void saltus_exported_model(::saltus::fmu_export::ExportedModel& exported) {           \
    constexpr std::string_view kIdentifier = SALTUS_FMU_MODEL_IDENTIFIER;                          \
    constexpr std::string_view kName = ::saltus::fmu_export::unqualified(#Model);                  \
    exported.model = std::make_unique<::saltus::modeling::NativeModel<Model>>(std::string(kName)); \
    exported.identifier = kIdentifier.empty() ? kName : kIdentifier;                               \
    exported.reduction = ::saltus::ReductionOptions{__VA_ARGS__};                                  \
  }                                                                                                \
  SALTUS_EXPORT_EQUATIONS(Model)
// NOLINTEND(bugprone-macro-parentheses)

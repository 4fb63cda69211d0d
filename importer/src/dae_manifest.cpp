// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/importer/dae_manifest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "parse_dae_manifest.hpp"

namespace saltus::importer {
namespace {

/// Beyond this many rows the first Newton step has to show what is singular.
constexpr std::size_t kMostMatched = 2000;

/// A maximum matching of rows with what they may be solved for, by augmenting paths.
class Matching {
 public:
  Matching(std::vector<std::vector<std::size_t>> choices, std::size_t columns)
      : choices_(std::move(choices)), row_of_(columns, kNobody) {}
  /// A row that finds no partner; none: the matching is perfect.
  std::optional<std::size_t> lonely_row() {
    for (std::size_t row = 0; row < choices_.size(); ++row) {
      asked_.assign(row_of_.size(), false);
      if (!augment(row)) return row;
    }
    return std::nullopt;
  }

 private:
  bool augment(std::size_t row) {
    for (const std::size_t column : choices_[row]) {
      if (asked_[column]) continue;
      asked_[column] = true;
      if (row_of_[column] == kNobody || augment(row_of_[column])) {
        row_of_[column] = row;
        return true;
      }
    }
    return false;
  }

  static constexpr std::size_t kNobody = static_cast<std::size_t>(-1);
  std::vector<std::vector<std::size_t>> choices_;
  std::vector<std::size_t> row_of_;
  std::vector<bool> asked_;
};

class Classifier {
 public:
  Classifier(const ModelDescription& description, DaeManifest& manifest)
      : description_(description), manifest_(manifest) {}

  void classify() {
    if (!manifest_.why_unusable.empty()) return;
    choose_form();
    if (manifest_.why_unusable.empty()) check_variables();
    if (manifest_.why_unusable.empty()) check_lists();
    if (manifest_.why_unusable.empty()) check_structure();
    if (!manifest_.why_unusable.empty()) manifest_.form = DaeManifest::Form::none;
  }

 private:
  const Variable& variable(std::size_t index) const { return description_.variables[index]; }
  void refuse(std::string reason) { manifest_.why_unusable = std::move(reason); }
  void warn(std::string text) { manifest_.warnings.push_back(std::move(text)); }

  std::size_t count(const std::vector<Unknown>& list) const {
    std::size_t sum = 0;
    for (const Unknown& each : list) sum += description_.element_count(variable(each.variable));
    return sum;
  }

  void choose_form() {
    const std::size_t states = count(description_.structure.continuous_state_derivatives);
    const std::size_t residuals = count(manifest_.residuals);
    std::size_t algebraics = 0;
    for (const AlgebraicVariable& each : manifest_.algebraics) {
      algebraics += description_.element_count(variable(each.variable));
    }
    const bool lists_slopes = replaces(manifest_, "ContinuousStateDerivative");
    const std::size_t slopes = count(manifest_.structure.continuous_state_derivatives);
    if (manifest_.residuals.empty() && manifest_.algebraics.empty()) {
      refuse("the manifest names neither algebraic variables nor residuals");
    } else if (slopes != states) {
      refuse(fmt::format("the manifest lists {} derivatives for {} states", slopes, states));
    } else if (residuals == algebraics) {
      manifest_.form = DaeManifest::Form::semi_explicit;
      if (!lists_slopes && states > 0) {
        warn("the manifest lists no derivatives: those of modelDescription.xml are used");
      }
    } else if (!lists_slopes && residuals == states + algebraics) {
      manifest_.form = DaeManifest::Form::fully_implicit;
      if (manifest_.variant == "1.0.0-alpha.1") manifest_.variant += ", fully implicit";
    } else {
      refuse(fmt::format("{} residuals cannot determine {} algebraic variables and {} states",
                         residuals, algebraics, states));
    }
  }

  void check_variables() {
    std::map<std::size_t, const char*> roles;
    const auto enter = [&](std::size_t index, const char* role) {
      const Variable& each = variable(index);
      const auto [known, is_new] = roles.emplace(index, role);
      if (!is_new) {
        refuse(fmt::format("\"{}\" is {} and {}", each.name, known->second, role));
      } else if (each.type != VariableType::float64 ||
                 each.variability != Variability::continuous) {
        refuse(fmt::format("\"{}\", {}, is not a continuous Float64", each.name, role));
      }
    };
    for (const Unknown& each : description_.structure.continuous_state_derivatives) {
      const Variable& state = *description_.state_of(each);
      enter(description_.by_reference.at(state.reference), "a state");
    }
    for (const AlgebraicVariable& each : manifest_.algebraics) {
      enter(each.variable, "an algebraic variable");
    }
    for (const Unknown& each : manifest_.residuals) enter(each.variable, "a residual");
    for (std::vector<Unknown>* list : {&manifest_.constraints, &manifest_.invariants}) {
      std::erase_if(*list, [&](const Unknown& each) {
        const bool is_real = variable(each.variable).type == VariableType::float64;
        if (!is_real)
          warn(fmt::format("\"{}\" is no Float64 and cannot be kept constant",
                           variable(each.variable).name));
        return !is_real;
      });
    }
  }

  void check_lists() {
    const auto& core = description_.structure.continuous_state_derivatives;
    const auto& own = manifest_.structure.continuous_state_derivatives;
    std::set<std::size_t> slopes, listed;
    for (const Unknown& each : core) slopes.insert(each.variable);
    for (const Unknown& each : own) listed.insert(each.variable);
    if (slopes != listed) {
      refuse("the manifest lists other derivatives than modelDescription.xml");
      return;
    }
    if (!std::equal(core.begin(), core.end(), own.begin(), own.end(),
                    [](const Unknown& a, const Unknown& b) { return a.variable == b.variable; })) {
      warn(
          "the manifest lists the derivatives in another order than modelDescription.xml: states "
          "are exchanged one by one");
    }
    std::set<std::size_t> residuals;
    for (const Unknown& each : manifest_.residuals) residuals.insert(each.variable);
    std::vector<Unknown>& initial = manifest_.structure.initial_unknowns;
    if (replaces(manifest_, "InitialUnknown") && std::erase_if(initial, [&](const Unknown& each) {
                                                   return residuals.contains(each.variable);
                                                 }) > 0) {
      warn("the manifest lists residuals as initial unknowns, which they are not");
    }
    for (Unknown& each : initial) {
      if (!each.dependencies || !each.kinds.empty()) continue;
      std::erase(*each.dependencies, variable(each.variable).reference);
    }
  }

  /// Whether the pattern allows to solve each row for an unknown of its own.
  void check_structure() {
    std::map<ValueReference, std::size_t> columns;
    const auto enter = [&](std::size_t index) {
      columns.emplace(variable(index).reference, columns.size());
      return variable(index).dimensions.empty();
    };
    bool are_scalars = true;
    for (const AlgebraicVariable& each : manifest_.algebraics) {
      are_scalars = enter(each.variable) && are_scalars;
    }
    if (manifest_.form == DaeManifest::Form::fully_implicit) {
      for (const Unknown& each : description_.structure.continuous_state_derivatives) {
        are_scalars = enter(each.variable) && are_scalars;
      }
    }
    std::vector<std::vector<std::size_t>> choices;
    std::vector<bool> occurs(columns.size(), false);
    for (const Unknown& row : manifest_.residuals) {
      are_scalars = are_scalars && variable(row.variable).dimensions.empty();
      std::vector<std::size_t>& own = choices.emplace_back();
      if (!row.dependencies) {
        for (std::size_t i = 0; i < columns.size(); ++i) own.push_back(i);
      } else {
        for (const ValueReference reference : *row.dependencies) {
          const auto found = columns.find(reference);
          if (found != columns.end()) own.push_back(found->second);
        }
      }
      for (const std::size_t column : own) occurs[column] = true;
    }
    for (const AlgebraicVariable& each : manifest_.algebraics) {
      if (occurs[columns.at(variable(each.variable).reference)]) continue;
      warn(fmt::format("the algebraic variable \"{}\" occurs in no residual",
                       variable(each.variable).name));
    }
    if (!are_scalars || choices.size() > kMostMatched) return;
    if (const auto lonely = Matching(std::move(choices), columns.size()).lonely_row()) {
      warn(
          fmt::format("by their dependencies the residuals do not determine the unknowns: nothing "
                      "is left for \"{}\" to be solved for",
                      variable(manifest_.residuals[*lonely].variable).name));
    }
  }

  const ModelDescription& description_;
  DaeManifest& manifest_;
};

}  // namespace

const char* to_string(DaeManifest::Form form) {
  switch (form) {
    case DaeManifest::Form::none:
      return "none";
    case DaeManifest::Form::semi_explicit:
      return "semi-explicit";
    case DaeManifest::Form::fully_implicit:
      return "fully implicit";
  }
  return "?";
}

bool replaces(const DaeManifest& manifest, const char* element) {
  return std::find(manifest.replaced.begin(), manifest.replaced.end(), element) !=
         manifest.replaced.end();
}

void classify_dae_manifest(const ModelDescription& description, DaeManifest& manifest) {
  Classifier(description, manifest).classify();
}

}  // namespace saltus::importer

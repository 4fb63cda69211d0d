// SPDX-License-Identifier: BSD-2-Clause
// Rules 17 and 19: start values, ranges, the default experiment, and dimensions.
#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <string_view>
#include <variant>

#include "rules.hpp"

namespace saltus::importer::validation {
namespace {

constexpr Rule kForm{17, "variables.start.form"};
constexpr Rule kValue{17, "variables.start.value"};
constexpr Rule kCount{17, "variables.start.count"};
constexpr Rule kRange{17, "variables.start.range"};

/// Of two scalars of one type; false where there is no order, as with NaN.
bool is_less(const Scalar& a, const Scalar& b) {
  return std::visit(
      [&](const auto& held) {
        using Held = std::decay_t<decltype(held)>;
        if constexpr (std::is_arithmetic_v<Held>) {
          const Held* other = std::get_if<Held>(&b);
          return other != nullptr && held < *other;
        } else {
          return false;
        }
      },
      a);
}

/// A limit that the variable or its declared type gives; nothing if none does or it is no number.
std::optional<Scalar> limit(const LooseDescription& model, const LooseVariable& variable,
                            const char* attribute) {
  const Element* giver = model.giver(variable, attribute);
  if (giver == nullptr) return std::nullopt;
  try {
    return parse_scalar(*variable.type, giver->text(attribute));
  } catch (const std::invalid_argument&) {
    return std::nullopt;  // rule 6 says so
  }
}

class StartCheck {
 public:
  StartCheck(const LooseDescription& model, const LooseVariable& variable, Findings& findings)
      : model_(model),
        variable_(variable),
        findings_(findings),
        min_(limit(model, variable, "min")),
        max_(limit(model, variable, "max")) {}

  void check() {
    if (min_ && max_ && is_less(*max_, *min_)) {
      findings_.error({17, "variables.range"},
                      Place(variable_.typed, variable_.typed.has("min") ? "min" : "max"),
                      fmt::format("the min of \"{}\" is above its max", variable_.name),
                      "exchange them");
    }
    check_nominal();
    if (!variable_.has_start) return;
    const bool is_text = !is_numeric(*variable_.type);
    if (!model_.is_fmi3()) {
      check_value(Place(variable_.typed, "start"), variable_.typed.text("start"));
    } else if (is_text) {
      check_start_elements();
    } else {
      check_list();
    }
  }

 private:
  void check_nominal() {
    const Element* giver = model_.giver(variable_, "nominal");
    if (giver == nullptr) return;
    const auto nominal = number_of<double>(*giver, "nominal");
    if (!nominal || (*nominal > 0.0 && std::isfinite(*nominal))) return;
    findings_.warning(
        {17, "variables.nominal"}, Place(*giver, "nominal"),
        fmt::format("the nominal value {} of \"{}\" is not positive", *nominal, variable_.name),
        "tolerances are relative to it: give its magnitude");
  }

  void check_start_elements() {
    if (variable_.typed.has("start")) {
      findings_.error(kForm, Place(variable_.typed, "start"),
                      fmt::format("the start value of the {} \"{}\" is an attribute",
                                  variable_.typed.name(), variable_.name),
                      "write <Start value=\"...\"/> below it");
      return;
    }
    const std::vector<Element> entries = variable_.typed.children("Start");
    for (const Element& entry : entries) check_value(Place(entry, "value"), entry.text("value"));
    check_count(Place(entries.front()), entries.size());
  }

  void check_list() {
    const Place place(variable_.typed, "start");
    const std::string text = variable_.typed.text("start");
    const std::vector<std::string_view> words = split(text);
    for (const std::string_view word : words) {
      if (!check_value(place, word)) return;
    }
    check_count(place, words.size());
  }

  void check_count(const Place& place, std::size_t count) {
    if (!variable_.elements || count == *variable_.elements || count == 1) return;
    findings_.error(kCount, place,
                    fmt::format("\"{}\" has {} start values for {} elements", variable_.name, count,
                                *variable_.elements),
                    *variable_.elements == 1 ? "give one" : "give one for each, or one for all");
  }

  /// One finding for a list is enough: false ends it.
  bool check_value(const Place& place, std::string_view text) {
    Scalar value;
    try {
      value = parse_scalar(*variable_.type, text);
    } catch (const std::invalid_argument& error) {
      findings_.error(kValue, place,
                      fmt::format("the start value of \"{}\": {}", variable_.name, error.what()));
      return false;
    }
    if ((min_ && is_less(value, *min_)) || (max_ && is_less(*max_, value))) {
      findings_.warning(kRange, place,
                        fmt::format("the start value {} of \"{}\" is not between its min and max",
                                    text, variable_.name),
                        "change one of them");
      return false;
    }
    return check_item(place, value);
  }

  bool check_item(const Place& place, const Scalar& value) {
    if (variable_.type != VariableType::enumeration || !variable_.declared_type) return true;
    const std::set<std::int64_t>& items = model_.types[*variable_.declared_type].item_values;
    if (items.contains(std::get<std::int64_t>(value))) return true;
    if (items.empty()) return true;  // rule 6 says so
    findings_.error(kRange, place,
                    fmt::format("no item of the enumeration of \"{}\" has the start value {}",
                                variable_.name, format_scalar(value)),
                    "use the value of an item");
    return false;
  }

  const LooseDescription& model_;
  const LooseVariable& variable_;
  Findings& findings_;
  std::optional<Scalar> min_;
  std::optional<Scalar> max_;
};

void check_size_variable(const LooseDescription& model, const Element& dimension,
                         ValueReference reference, Findings& findings) {
  const auto found = model.find(reference);
  const Place place(dimension, "valueReference");
  if (!found) {
    findings.error({19, "dimensions.reference"}, place,
                   fmt::format("there is no variable with value reference {}", reference));
    return;
  }
  const LooseVariable& size = model.variables[*found];
  const bool may_be = size.causality == Causality::structural_parameter ||
                      size.variability == Variability::constant;
  if (size.type != VariableType::uint64 || !may_be) {
    findings.error({19, "dimensions.reference"}, place,
                   fmt::format("\"{}\" cannot be the size of a Dimension", size.name),
                   "a UInt64 that is constant or a structural parameter can");
  } else if (number_of<std::uint64_t>(size.typed, "start").value_or(0) == 0) {
    findings.error(
        {19, "dimensions.size"}, place,
        fmt::format("\"{}\" is the size of a Dimension and has no start above 0", size.name),
        "give it a start of 1 or more");
  }
}

/// Its times are to be reached, and its step and tolerance to be used.
void check_experiment(const LooseDescription& model, Findings& findings) {
  const std::vector<Element> all = model.root.children("DefaultExperiment");
  if (all.empty()) return;
  const Element& element = all.front();  // if there are more, rule 6 says so
  constexpr Rule rule{17, "experiment.value"};
  for (const char* const attribute : {"startTime", "stopTime", "tolerance", "stepSize"}) {
    const auto number = number_of<double>(element, attribute);
    const bool is_time = std::string_view(attribute).ends_with("Time");
    if (!number || (std::isfinite(*number) && (is_time || *number > 0.0))) continue;
    findings.warning(rule, Place(element, attribute),
                     fmt::format("the {} of the default experiment is {}", attribute, *number),
                     is_time ? "give a finite time" : "give a positive number");
  }
  const auto start = number_of<double>(element, "startTime").value_or(0.0);
  const auto stop = number_of<double>(element, "stopTime");
  if (!stop || !(*stop < start)) return;
  findings.warning(rule, Place(element, "stopTime"),
                   fmt::format("the default experiment stops at {}, before it starts", *stop),
                   fmt::format("give a stopTime that is not before {}", start));
}

}  // namespace

void check_start_values(const LooseDescription& model, Findings& findings) {
  check_experiment(model, findings);
  for (const LooseVariable& variable : model.variables) {
    if (!variable.type || variable.is_clock()) continue;
    StartCheck(model, variable, findings).check();
  }
}

void check_dimensions(const LooseDescription& model, Findings& findings) {
  for (const LooseVariable& variable : model.variables) {
    const std::vector<Element> dimensions = variable.entry.children("Dimension");
    if (!dimensions.empty() && variable.causality == Causality::structural_parameter) {
      findings.error({19, "dimensions.structural"}, dimensions.front(),
                     fmt::format("the structural parameter \"{}\" has a Dimension", variable.name),
                     "structural parameters are scalars");
    }
    for (const Element& dimension : dimensions) {
      if (dimension.has("start") == dimension.has("valueReference")) {
        findings.error({19, "dimensions.form"}, dimension,
                       fmt::format("a Dimension of \"{}\" has {} start and valueReference",
                                   variable.name, dimension.has("start") ? "both" : "neither"),
                       "give one of them");
      } else if (const auto reference = number_of<ValueReference>(dimension, "valueReference")) {
        check_size_variable(model, dimension, *reference, findings);
      } else if (number_of<std::uint64_t>(dimension, "start") == 0U) {
        findings.error({19, "dimensions.size"}, Place(dimension, "start"),
                       fmt::format("a Dimension of \"{}\" is 0", variable.name),
                       "give it a start of 1 or more");
      }
    }
  }
}

}  // namespace saltus::importer::validation

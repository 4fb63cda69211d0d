// SPDX-License-Identifier: BSD-2-Clause
// Rules 25 and 26: clocks, and the variables that belong to them (FMI 3.0, 2.2.8 and 2.4.7).
#include <fmt/format.h>

#include <map>
#include <string_view>

#include "rules.hpp"

namespace saltus::importer::validation {
namespace {

void check_clocks_of(const LooseDescription& model, const LooseVariable& variable,
                     Findings& findings) {
  const Place place(variable.entry, "clocks");
  const std::string list = variable.entry.text("clocks");
  if (split(list).empty()) {
    findings.error({25, "clocked.empty"}, place,
                   fmt::format("\"{}\" has an empty list of clocks", variable.name),
                   "leave the attribute out");
  }
  for (const std::string_view word : split(list)) {
    ValueReference reference = 0;
    if (!read_number(word, reference)) return;  // rule 6 says so
    const auto clock = model.find(reference);
    if (!clock) {
      findings.error({25, "clocked.unknown"}, place,
                     fmt::format("\"{}\" belongs to a clock with value reference {}, which is not "
                                 "there",
                                 variable.name, reference));
    } else if (!model.variables[*clock].is_clock()) {
      findings.error({25, "clocked.kind"}, place,
                     fmt::format("\"{}\" belongs to \"{}\", which is not a clock", variable.name,
                                 model.variables[*clock].name));
    }
  }
  if (variable.variability && *variable.variability != Variability::discrete &&
      *variable.variability != Variability::tunable) {
    findings.error(
        {25, "clocked.variability"}, place,
        fmt::format("\"{}\" has clocks and is {}", variable.name, to_string(*variable.variability)),
        "a clocked variable is discrete or tunable");
  }
}

class PreviousCheck {
 public:
  PreviousCheck(const LooseDescription& model, Findings& findings)
      : model_(model), findings_(findings) {}

  void check(const LooseVariable& variable) {
    const auto reference = number_of<ValueReference>(variable.entry, "previous");
    if (!reference) return;
    const auto fail = [&](const char* id, const std::string& what, const char* remedy = "") {
      findings_.error({25, id}, Place(variable.entry, "previous"),
                      fmt::format("\"{}\" {}", variable.name, what), remedy);
    };
    if (!variable.is_clocked) fail("previous.clocks", "has previous and no clocks", "name them");
    if (variable.variability && *variable.variability != Variability::discrete) {
      fail("previous.variability", "has previous and is not discrete");
    }
    const auto found = model_.find(*reference);
    if (!found) {
      fail("previous.unknown",
           fmt::format("has a previous value with value reference {}, which is not there",
                       *reference));
      return;
    }
    const LooseVariable& earlier = model_.variables[*found];
    if (&earlier == &variable) {
      fail("previous.self", "is its own previous value");
      return;
    }
    if (earlier.type != variable.type) {
      fail("previous.type",
           fmt::format("and its previous value \"{}\" have different types", earlier.name));
    }
    if (earlier.causality == Causality::input) {
      fail("previous.input",
           fmt::format("has the input \"{}\" as its previous value", earlier.name));
    }
    const auto [first, inserted] = users_.emplace(*found, &variable);
    if (!inserted) {
      fail("previous.repeated", fmt::format("has the same previous value as \"{}\" in line {}",
                                            first->second->name, first->second->entry.line()));
    }
  }

 private:
  const LooseDescription& model_;
  Findings& findings_;
  std::map<std::size_t, const LooseVariable*> users_;
};

/// The attributes of one clock, its declared type included.
class ClockCheck {
 public:
  ClockCheck(const LooseDescription& model, const LooseVariable& clock, Findings& findings)
      : model_(model), clock_(clock), findings_(findings) {
    if (const Element* giver = model.giver(clock, "intervalVariability")) {
      kind_ = std::string(trim(giver->text("intervalVariability")));
    }
  }

  void check() {
    const bool is_own =
        clock_.causality == Causality::output || clock_.causality == Causality::local;
    if (clock_.causality && !is_own && clock_.causality != Causality::input) {
      fail("clock.causality", "causality", fmt::format("is {}", to_string(*clock_.causality)),
           "a clock is input, output or local");
    }
    if (clock_.variability && *clock_.variability != Variability::discrete) {
      fail("clock.variability", "variability", fmt::format("is {}", to_string(*clock_.variability)),
           "a clock is discrete");
    }
    if (kind_.empty()) return;  // rule 6 says so
    if (is_own && kind_ != "triggered") {
      fail("clock.triggered", "intervalVariability",
           fmt::format("is {} and {}", to_string(*clock_.causality), kind_),
           "only an input can be other than triggered");
    }
    check_interval();
    check_counters();
    if (has("priority") && is_own) {
      fail("clock.priority", "priority", "has a priority and is not an input", "take it away");
    }
    if (model_.has_interface("ScheduledExecution") && clock_.causality == Causality::input &&
        !has("priority")) {
      fail("clock.priority", nullptr, "has no priority, which Scheduled Execution demands",
           "give it one");
    }
  }

 private:
  bool has(const char* attribute) const { return model_.giver(clock_, attribute) != nullptr; }
  template <class Number>
  std::optional<Number> number(const char* attribute) const {
    const Element* giver = model_.giver(clock_, attribute);
    return giver == nullptr ? std::nullopt : number_of<Number>(*giver, attribute);
  }
  void fail(const char* id, const char* attribute, const std::string& what, const char* remedy) {
    const bool is_here = attribute != nullptr && clock_.entry.has(attribute);
    findings_.error({26, id}, Place(clock_.entry, is_here ? attribute : nullptr),
                    fmt::format("the clock \"{}\" {}", clock_.name, what), remedy);
  }

  bool is_periodic() const { return kind_ == "constant" || kind_ == "fixed" || kind_ == "tunable"; }

  void check_interval() {
    const auto interval = number<double>("intervalDecimal");
    if (kind_ == "constant" && !has("intervalDecimal")) {
      fail("clock.interval.missing", nullptr, "is constant and has no intervalDecimal",
           "give it one");
    }
    if (interval && !(*interval > 0.0)) {
      fail("clock.interval.value", "intervalDecimal", "has an intervalDecimal that is not above 0",
           "make it positive");
    }
    const auto shift = number<double>("shiftDecimal");
    if (shift && *shift < 0.0) {
      fail("clock.interval.value", "shiftDecimal", "has a negative shiftDecimal",
           "make it 0 or more");
    }
    if (is_periodic()) return;
    for (const char* attribute :
         {"intervalDecimal", "shiftDecimal", "resolution", "intervalCounter", "shiftCounter"}) {
      if (!has(attribute)) continue;
      fail("clock.interval.forbidden", attribute, fmt::format("is {} and has {}", kind_, attribute),
           "take it away; only periodic clocks have it");
    }
  }

  void check_counters() {
    if (!is_periodic()) return;
    const Element* fraction = model_.giver(clock_, "supportsFraction");
    const bool supports_fraction = fraction != nullptr && is_true(*fraction, "supportsFraction");
    if (has("intervalCounter") && (!supports_fraction || !has("resolution"))) {
      fail("clock.counter", "intervalCounter",
           "has an intervalCounter without supportsFraction=\"true\" and a resolution",
           "give both, or take it away");
    }
    if (number<std::uint64_t>("intervalCounter") == 0U) {
      fail("clock.counter", "intervalCounter", "has an intervalCounter of 0", "make it positive");
    }
    if (has("shiftCounter") && !has("intervalCounter")) {
      fail("clock.counter", "shiftCounter", "has a shiftCounter without an intervalCounter",
           "give both");
    }
  }

  const LooseDescription& model_;
  const LooseVariable& clock_;
  Findings& findings_;
  std::string kind_;
};

}  // namespace

void check_clocked_variables(const LooseDescription& model, Findings& findings) {
  PreviousCheck previous(model, findings);
  for (const LooseVariable& variable : model.variables) {
    if (variable.is_clocked) check_clocks_of(model, variable, findings);
    previous.check(variable);
  }
}

void check_clocks(const LooseDescription& model, Findings& findings) {
  for (const LooseVariable& variable : model.variables) {
    if (variable.is_clock()) ClockCheck(model, variable, findings).check();
  }
}

}  // namespace saltus::importer::validation

// SPDX-License-Identifier: BSD-2-Clause
#include "arguments.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace conformance {
namespace {

using saltus::importer::Causality;
using saltus::importer::Initial;
using saltus::importer::Variability;
using saltus::importer::VariableType;

bool is_unsigned(Type type) {
  return type == Type::uint8 || type == Type::uint16 || type == Type::uint32 ||
         type == Type::uint64;
}

// The states and the initial unknowns of a description, found once.
struct Structure {
  std::set<const Variable*> states, initial_unknowns;
};

const Structure& structure(const ModelDescription& description) {
  static std::map<const ModelDescription*, Structure> known;
  const auto [place, is_new] = known.try_emplace(&description);
  if (is_new) {
    for (const auto& unknown : description.structure.continuous_state_derivatives) {
      place->second.states.insert(description.state_of(unknown));
    }
    for (const auto& unknown : description.structure.initial_unknowns) {
      place->second.initial_unknowns.insert(&description.variables[unknown.variable]);
    }
  }
  return place->second;
}

template <class Fits>
std::vector<const Variable*> chosen(const Session& session, Type type, const Fits& fits) {
  std::vector<const Variable*> result;
  for (const Variable& variable : session.description().variables) {
    if (variable.type == VariableType::clock)
      continue;  // of which there are functions of their own
    if (type_of(variable) == type && fits(variable)) result.push_back(&variable);
  }
  return result;
}

double start_value(const Variable& variable, std::size_t element) {
  if (variable.start.empty()) return 0.0;
  return std::visit(
      [](const auto& value) -> double {
        if constexpr (std::is_arithmetic_v<std::decay_t<decltype(value)>>) {
          return static_cast<double>(value);
        } else {
          return 0.0;
        }
      },
      variable.start[std::min(element, variable.start.size() - 1)]);
}

double sane_value(Session& session, const Variable& variable, std::size_t element, Random& random) {
  const double start = start_value(variable, element);
  if (variable.causality == Causality::input) {
    switch (type_of(variable)) {
      case Type::float64:
      case Type::float32:
        return 0.5 * random.unit();
      case Type::boolean:
      case Type::enumeration:  // which has these two
        return random.chance(0.5) ? 1.0 : 0.0;
      default:
        return std::fmax(std::floor(5.0 * random.unit()),
                         is_unsigned(type_of(variable)) ? 0.0 : variable.min.value_or(-5.0));
    }
  }
  if (variable.type != VariableType::float64) return start;
  if (session.now.state == State::continuous_time) {  // a state: near to where it is
    std::vector<double> value;
    const std::uint32_t reference = variable.binary_reference;
    if (went_well(session.get(Type::float64, {&reference, 1}, value))) {
      return value[element] * (1.0 + 1e-6 * random.unit());
    }
  }
  const bool may_move = variable.causality == Causality::parameter || is_state(session, variable);
  return may_move ? start * (1.0 + 1e-3 * random.unit()) : start;
}

}  // namespace

Type type_of(const Variable& variable) {
  switch (variable.type) {
    case VariableType::float32:
      return Type::float32;
    case VariableType::int8:
      return Type::int8;
    case VariableType::uint8:
      return Type::uint8;
    case VariableType::int16:
      return Type::int16;
    case VariableType::uint16:
      return Type::uint16;
    case VariableType::int32:
      return Type::int32;
    case VariableType::uint32:
      return Type::uint32;
    case VariableType::int64:
      return Type::int64;
    case VariableType::uint64:
      return Type::uint64;
    case VariableType::boolean:
      return Type::boolean;
    case VariableType::enumeration:
      return Type::enumeration;
    case VariableType::string:
      return Type::string;
    case VariableType::binary:
      return Type::binary;
    default:
      return Type::float64;
  }
}

bool is_state(const Session& session, const Variable& variable) {
  return structure(session.description()).states.count(&variable) > 0;
}

// FMI 3.0: 2.3.2, 2.3.3, 2.3.5, 3.2.1, 4.2.1, 4.2.2. FMI 2.0: the conditions below the tables of
// 3.2.3 and 4.2.4.
Verdict may_set(const Session& session, const Variable& v) {
  const bool input = v.causality == Causality::input;
  const bool tunable = v.causality == Causality::parameter && v.variability == Variability::tunable;
  if (v.causality == Causality::independent || v.variability == Variability::constant) {
    return Verdict::illegal;
  }
  if (v.causality == Causality::structural_parameter) {  // in Configuration Mode alone
    return session.now.state == State::instantiated ? Verdict::open : Verdict::illegal;
  }
  const auto legal_if = [](bool yes) { return yes ? Verdict::legal : Verdict::illegal; };
  switch (session.now.state) {
    case State::instantiated:
      // Inputs have no attribute `initial` in FMI 2.0; most importers set their start values here.
      if (input && session.version() == 2) return Verdict::open;
      return legal_if(v.initial == Initial::exact || v.initial == Initial::approx);
    case State::initialization:
      return legal_if(input || v.initial == Initial::exact);
    case State::event:
      if (is_state(session, v) && !v.reinit) return Verdict::open;
      return legal_if(input || tunable);
    case State::continuous_time:
      return legal_if((input && v.variability == Variability::continuous) || is_state(session, v));
    case State::step:
      return legal_if(input || tunable);
    case State::intermediate_update:
      if (!session.now.inputs_wanted) return Verdict::open;
      return legal_if(input && v.variability == Variability::continuous && v.intermediate_update);
    default:
      return Verdict::illegal;
  }
}

Verdict may_get(const Session& session, const Variable& v) {
  if (session.now.state == State::intermediate_update) {
    return v.intermediate_update ? Verdict::legal : Verdict::illegal;
  }
  if (session.version() == 2 && session.now.state == State::initialization) {
    const bool named = v.causality == Causality::output ||
                       structure(session.description()).initial_unknowns.count(&v) > 0;
    return named ? Verdict::legal : Verdict::open;
  }
  return Verdict::legal;
}

Assignment sane_assignment(Session& session, Type type, Random& random) {
  Assignment result;
  for (const Variable* v : chosen(session, type, [&](const Variable& variable) {
         return may_set(session, variable) == Verdict::legal && random.chance(0.3);
       })) {
    result.references.push_back(v->binary_reference);
    const std::size_t count = session.number_of_values({&v->binary_reference, 1});
    for (std::size_t i = 0; i < count; ++i) {
      result.values.push_back(sane_value(session, *v, i, random));
    }
  }
  return result;
}

// FMI 2.0, 2.2.7: variables of one type with one value reference are one.
bool may_set_by_any_name(const Session& session, const Variable& variable) {
  const auto& all = session.description().variables;
  return std::any_of(all.begin(), all.end(), [&](const Variable& other) {
    return other.type == variable.type && other.binary_reference == variable.binary_reference &&
           may_set(session, other) != Verdict::illegal;
  });
}

Assignment wrong_assignment(Session& session, Type type, Random& random) {
  const bool has_many_values = type != Type::boolean && type != Type::enumeration;
  const auto wrong = chosen(session, type, [&](const Variable& variable) {
    // That an input is given the value it has already says nothing new.
    return !may_set_by_any_name(session, variable) &&
           (has_many_values || variable.causality != Causality::input);
  });
  if (wrong.empty()) return {};
  const Variable& v = *wrong[random.below(wrong.size())];
  const double value = has_many_values ? 110.0 + std::floor(10.0 * random.unit()) : 1.0;
  return {{v.binary_reference},
          std::vector<double>(session.number_of_values({&v.binary_reference, 1}), value)};
}

std::vector<std::uint32_t> readable(const Session& session, Type type, Random& random) {
  std::vector<std::uint32_t> result;
  const double share = random.chance(0.1) ? 1.0 : 0.2;
  for (const Variable* v : chosen(session, type, [&](const Variable& variable) {
         return may_get(session, variable) == Verdict::legal && random.chance(share);
       })) {
    result.push_back(v->binary_reference);
  }
  return result;
}

Derivative sane_derivative(const Session& session, Random& random) {
  const ModelDescription& description = session.description();
  const bool starts = session.now.state == State::initialization;
  Derivative result;
  for (const Variable& v : description.variables) {
    if (v.type != VariableType::float64 || v.variability != Variability::continuous) continue;
    const bool state = is_state(session, v);
    const bool known =
        v.causality == Causality::input || (state && (!starts || v.initial == Initial::exact));
    if (known && random.chance(0.4)) result.knowns.push_back(v.binary_reference);
  }
  const auto& unknowns = starts               ? description.structure.initial_unknowns
                         : random.chance(0.5) ? description.structure.outputs
                                              : description.structure.continuous_state_derivatives;
  for (const auto& unknown : unknowns) {
    const Variable& v = description.variables[unknown.variable];
    if (v.type == VariableType::float64 && v.variability == Variability::continuous &&
        random.chance(0.4)) {
      result.unknowns.push_back(v.binary_reference);
    }
  }
  return result;
}

std::vector<std::uint32_t> continuous_outputs(const Session& session, Random& random) {
  std::vector<std::uint32_t> result;
  for (const auto& output : session.description().structure.outputs) {
    const Variable& v = session.description().variables[output.variable];
    if (v.type == VariableType::float64 && v.variability == Variability::continuous &&
        may_get(session, v) == Verdict::legal && random.chance(0.6)) {
      result.push_back(v.binary_reference);
    }
  }
  return result;
}

std::uint32_t some_unknown(const Session& session, Random& random) {
  const auto& structure = session.description().structure;
  const auto& unknowns =
      session.now.state == State::instantiated || session.now.state == State::initialization
          ? structure.initial_unknowns
          : structure.continuous_state_derivatives;
  const auto& some = unknowns.empty() ? structure.outputs : unknowns;
  return session.description().variables[some[random.below(some.size())].variable].binary_reference;
}

double sane_time(const Session& session, Random& random) {
  const Knowledge& now = session.now;
  const double from = std::max({session.start(), now.last_event, now.second_last_completed});
  const double length = (session.stop() - session.start()) * 1e-3 * (1.0 + random.unit());
  const double to = std::min({now.time + length, session.stop(), now.next_event});
  if (now.state == State::event) return std::max(now.time, to);
  return random.chance(0.2) ? from + (to - from) * 0.5 * (1.0 + random.unit()) : to;
}

double sane_step(const Session& session, Random& random) {
  const double left = session.stop() - session.now.time;
  const double size = (session.stop() - session.start()) * std::pow(10.0, -3.0 + random.unit());
  return size < 0.999 * left ? size : 0.0;
}

}  // namespace conformance

// SPDX-License-Identifier: BSD-2-Clause
// In FMUs that describe arrays whose sizes are structural parameters, in place of
// `fixed_sizes.cpp`: how an instance gets other sizes.
#include <cstring>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>

#include "call_error.hpp"
#include "elements.hpp"
#include "fmi_words.hpp"
#include "instance.hpp"
#include "modeling/dependency_search.hpp"
#include "own_description.hpp"
#include "placed_arrays.hpp"
#include "watched_conditions.hpp"

/// By this name `saltus_add_fmu` asks for this file.
extern "C" const char saltus_with_sized_instances = 0;

namespace saltus::fmu_export {
namespace {

using modeling::Sizes;
using modeling::Variable;

std::uint64_t value_of_size(const Variable& v) {
  return static_cast<std::uint64_t>(v.start_integer);
}

// The model has the variables that the description promises. It was described for a few sizes, and
// may do something else for others.
void check_promised(const modeling::DescribedModel& model) {
  const auto variables = model.variables();
  const PlacedArrays arrays(model);
  const std::size_t indicators = number_of_indicators(model);
  bool is_kept = indicators == described::indicators() &&
                 variables.size() + indicators < std::numeric_limits<Reference>::max() &&
                 static_cast<std::int64_t>(variables.size() + indicators) ==
                     described::last_reference() + arrays.growth();
  for (const PlacedArray& array : arrays.all()) {
    const std::size_t last = array.first + (array.elements - 1) * array.distance;
    const auto has = [&](std::size_t reference, std::size_t element) {
      return variables[reference - 1].name.find("[" + std::to_string(element) + "]") !=
             std::string::npos;
    };
    is_kept = is_kept && last <= variables.size() && has(array.first, 0) &&
              has(last, array.elements - 1) &&
              variables[last - 1].role == variables[array.first - 1].role;
  }
  if (!is_kept) {
    std::string sizes;
    for (const auto& [name, value] : modeling::sizes_of(variables)) {
      sizes += (sizes.empty() ? "" : ", ") + name + " = " + std::to_string(value);
    }
    throw CallError("with " + sizes +
                    " the model has other variables or conditions than its description: an array "
                    "has to have as many elements as a Size, for all sizes that .min and .max "
                    "allow");
  }
}

// As they stand behind what a model has saved.
std::vector<std::uint64_t> saved_sizes(const Snapshot& snapshot) {
  std::vector<std::uint64_t> sizes(described::sizes());
  const std::size_t bytes = sizes.size() * sizeof sizes[0];
  if (snapshot.model.size() < bytes) {
    throw CallError("the serialized FMU state ends too early");
  }
  if (bytes > 0) {
    std::memcpy(sizes.data(), snapshot.model.data() + snapshot.model.size() - bytes, bytes);
  }
  return sizes;
}

void check_there(bool is_there) {
  if (!is_there) {
    throw CallError("the FMU state names a variable that does not exist");
  }
}

// With their names. Throws where one of them is none that the model can have.
Sizes named_sizes(const modeling::DescribedModel& model, std::span<const std::uint64_t> values) {
  Sizes sizes;
  std::size_t next = 0;
  for (const Variable& v : model.variables()) {
    if (!v.is_size || next == values.size()) continue;
    try {
      modeling::check_new_size(v, values[next]);
    } catch (const std::invalid_argument& error) {
      throw CallError(std::string("the serialized FMU state is forged: ") + error.what());
    }
    sizes[v.name] = values[next++];
  }
  return sizes;
}

}  // namespace

// Set when the FMU is loaded, before anybody asks.
[[maybe_unused]] const bool kSearches = [] {
  dependency_search = &modeling::search_dependencies;
  return true;
}();

bool sizes_are_structural() { return described::sizes() > 0; }

void check_given(const Variable& variable, std::int64_t value) {
  if (variable.is_size) {
    modeling::check_new_size(variable, static_cast<std::uint64_t>(value));
  } else {
    modeling::check_whole(variable, value);
  }
}

ExportedModel exported_like(const modeling::DescribedModel& model, Interface interface) {
  const Sizes sizes = modeling::sizes_of(model.variables());
  const modeling::SizeScope scope(sizes);
  return exported_model(interface);
}

// What a snapshot of any size may hold; `take_sizes` looks at it again.
SnapshotOrigin Instance::origin(std::uint64_t token_hash) const {
  const bool is_sized = sizes_are_structural();
  return {
      .token_hash = token_hash,
      .interface = interface_,
      .modes = static_cast<ModeSet>(running_modes() | bit(dialect_->after_error)),
      .states = is_sized ? 0 : y_.size(),
      .may_have_more = is_sized || !model_->is_explicit(),
      .variables = is_sized ? std::numeric_limits<Reference>::max() : model_->variables().size()};
}

void Instance::begin_with(const Sizes& sizes) {
  forget_run();
  try {
    const modeling::SizeScope scope(sizes);
    begin_anew();
    check_promised(*model_);
  } catch (...) {
    begin_anew();
    throw;
  }
}

namespace {

// A start value that the importer has set.
struct GivenStart {
  std::string name;
  Reference listed = 0;
  double number = 0.0;
  std::int64_t whole = 0;
  std::string text;
};

std::vector<GivenStart> given_starts(const modeling::DescribedModel& model, const Values& values) {
  std::vector<GivenStart> given;
  const PlacedArrays arrays(model);
  const auto variables = model.variables();
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const Variable& v = variables[i];
    if (v.is_size || v.type == Variable::Type::clock || (!has_start(v) && !has_guess(v))) continue;
    const GivenStart one{v.name, arrays.place_of(static_cast<Reference>(i + 1)).listed,
                         values.start_number(i), values.start_whole(i), model.start_text(i)};
    if (v.is_text() || (v.is_number() ? one.number != v.start : one.whole != v.start_integer)) {
      given.push_back(one);
    }
  }
  return given;
}

std::map<Reference, std::size_t> element_counts(const PlacedArrays& arrays) {
  std::map<Reference, std::size_t> all;
  for (const PlacedArray& array : arrays.all()) all[array.listed] = array.elements;
  return all;
}

}  // namespace

// FMI 3.0, 2.4.7.1: to change a dimension of a variable invalidates its values. Others that were
// set stay as they were.
void Instance::resize() {
  if (!sizes_are_structural()) return;
  Sizes sizes;
  const auto before = model_->variables();
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (before[i].is_size) {
      sizes[before[i].name] = static_cast<std::uint64_t>(values_->start_whole(i));
    }
  }
  if (sizes == modeling::sizes_of(before)) return;
  const std::vector<GivenStart> given = given_starts(*model_, *values_);
  auto elements_before = element_counts(PlacedArrays(*model_));
  begin_with(sizes);
  auto elements_now = element_counts(PlacedArrays(*model_));
  std::map<std::string, Reference> references;
  for (const Variable& v : model_->variables()) {
    references.emplace(v.name, static_cast<Reference>(references.size() + 1));
  }
  std::map<Reference, std::string> lost;
  for (const GivenStart& one : given) {
    if (elements_before[one.listed] != elements_now[one.listed]) {
      lost[one.listed] = one.name.substr(0, one.name.rfind('['));
      continue;
    }
    const Reference reference = references.at(one.name);
    const Variable& v = *variable(reference);
    using What = EventAction::What;
    std::span<const std::byte> text = std::as_bytes(std::span(one.text));
    repeat({.what = v.is_number()  ? What::set_number
                    : v.is_whole() ? What::set_whole
                                   : What::set_text,
            .reference = reference,
            .number = one.number,
            .whole = v.is_text() ? static_cast<std::int64_t>(text.size()) : one.whole},
           text);
  }
  for (const auto& [listed, name] : lost) {
    log_.write(LogCategory::warning,
               "the values that were set of \"" + name +
                   "\" are lost, since it has another number of elements now: set structural "
                   "parameters first");
  }
}

void Instance::add_sizes(std::vector<std::byte>& saved) const {
  if (!sizes_are_structural()) return;
  for (const Variable& v : model_->variables()) {
    if (!v.is_size) continue;
    const std::uint64_t size = value_of_size(v);
    const auto* const bytes = reinterpret_cast<const std::byte*>(&size);
    saved.insert(saved.end(), bytes, bytes + sizeof size);
  }
}

std::span<const std::byte> Instance::take_sizes(const Snapshot& snapshot) {
  if (!sizes_are_structural()) return snapshot.model;
  const std::vector<std::uint64_t> saved = saved_sizes(snapshot);
  const Sizes sizes = named_sizes(*model_, saved);
  if (sizes != modeling::sizes_of(model_->variables())) begin_with(sizes);
  if (snapshot.y.size() < y_.size() || (snapshot.y.size() > y_.size() && model_->is_explicit())) {
    throw CallError("the FMU state has " + std::to_string(snapshot.y.size()) +
                    " continuous states, the model " + std::to_string(y_.size()));
  }
  const std::size_t variables = model_->variables().size();
  for (const EventAction& action : snapshot.actions) check_there(action.reference <= variables);
  for (const Overwritten& one : snapshot.overwritten) check_there(one.variable < variables);
  return std::span(snapshot.model).first(snapshot.model.size() - saved.size() * sizeof saved[0]);
}

}  // namespace saltus::fmu_export

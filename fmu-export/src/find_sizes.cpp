// SPDX-License-Identifier: BSD-2-Clause
#include "find_sizes.hpp"

#include <algorithm>
#include <cstring>
#include <set>
#include <stdexcept>
#include <string>

#include "description_parts.hpp"
#include "exported.hpp"
#include "saltus/core/error.hpp"
#include "watched_conditions.hpp"

namespace saltus::fmu_export {
namespace {

using modeling::Variable;

// A variable as the description lists it.
struct ListedRow {
  std::size_t position = 0;
  const DescribedArray* array = nullptr;  // null: a scalar
};

class ListedModel {
 public:
  ListedModel(modeling::DescribedModel& model, DescribedArrays& arrays)
      : model_(model), arrays_(arrays) {
    for (std::size_t i = 0; i < model.variables().size(); ++i) {
      if (arrays.listed(i) == i) rows_.push_back({i, arrays.at(i)});
    }
  }
  const std::vector<ListedRow>& rows() const { return rows_; }
  const Variable& variable(const ListedRow& row) const { return model_.variables()[row.position]; }
  const std::string& name(const ListedRow& row) const {
    return row.array == nullptr ? variable(row).name : row.array->name;
  }
  std::size_t count(const ListedRow& row) const {
    return row.array == nullptr ? 1 : row.array->size;
  }
  const Variable& element(const ListedRow& row, std::size_t i) const {
    return row.array == nullptr ? variable(row)
                                : model_.variables()[row.position + i * row.array->stride];
  }
  modeling::DescribedModel& model() const { return model_; }
  DescribedArrays& arrays() const { return arrays_; }

 private:
  modeling::DescribedModel& model_;
  DescribedArrays& arrays_;
  std::vector<ListedRow> rows_;
};

// Start values apart.
bool described_alike(const Variable& a, const Variable& b) {
  return a.type == b.type && a.role == b.role && a.causality == b.causality &&
         a.tunable == b.tunable && a.continuous == b.continuous && a.unit == b.unit &&
         a.nominal == b.nominal && a.min == b.min && a.max == b.max && a.lowest == b.lowest &&
         a.highest == b.highest && std::strcmp(a.display_unit, b.display_unit) == 0 &&
         a.description == b.description && a.clocks.set == b.clocks.set;
}

// The model with one of its sizes changed, beside the model as it is described.
class SizeComparison {
 public:
  SizeComparison(const ListedModel& is, const Variable& size, std::uint64_t value)
      : is_(is), size_(size), value_(value) {}

  // Marks arrays that have the size, and adds what depends on what.
  void compare(std::size_t number, bool is_first, Warnings& warnings) {
    const modeling::Sizes sizes{{size_.name, value_}};
    const modeling::SizeScope scope(sizes);
    const ExportedModel exported = other_model();
    DescribedArrays arrays = find_arrays(*exported.model);
    const ListedModel other(*exported.model, arrays);
    check_names(other);
    for (std::size_t i = 0; i < is_.rows().size(); ++i) {
      compare_rows(is_.rows()[i], other, other.rows()[i], number, is_first);
    }
    check_conditions(other, warnings);
    add_dependencies(other);
  }

 private:
  std::string standard() const { return std::to_string(size_.start_integer); }
  std::string with(const std::string& value) const { return "with " + size_.name + " = " + value; }
  [[noreturn]] void refuse(const std::string& what) const {
    throw std::invalid_argument(
        what +
        ", and of what changes with a size FMI can describe arrays of as many elements "
        "alone: without ARRAYS (--arrays) the size \"" +
        size_.name + "\" is a constant of the FMU");
  }

  ExportedModel other_model() const {
    try {
      return exported_ode(Interface::model_exchange);
    } catch (const std::exception& error) {
      throw std::invalid_argument(
          with(std::to_string(value_)) +
          ", which its .min and .max allow, there is no model: " + error.what());
    }
  }

  void check_names(const ListedModel& other) const {
    const auto names = [](const ListedModel& one) {
      std::vector<std::string> all;
      for (const ListedRow& row : one.rows()) all.push_back(one.name(row));
      return all;
    };
    const std::vector<std::string> here = names(is_);
    const std::vector<std::string> there = names(other);
    if (here == there) return;
    const std::string now = std::to_string(value_);
    const auto missing = [](const std::vector<std::string>& in,
                            const std::vector<std::string>& of) -> std::string {
      const std::set<std::string> all(in.begin(), in.end());
      const auto found =
          std::find_if(of.begin(), of.end(), [&](const auto& name) { return !all.contains(name); });
      return found == of.end() ? "" : *found;
    };
    if (const std::string more = missing(here, there); !more.empty()) {
      refuse(with(now) + " there is a variable \"" + more + "\", which there is not " +
             with(standard()));
    }
    if (const std::string less = missing(there, here); !less.empty()) {
      refuse(with(now) + " there is no variable \"" + less + "\", which there is " +
             with(standard()));
    }
    refuse(with(now) + " the variables have another order");
  }

  void compare_rows(const ListedRow& row, const ListedModel& other, const ListedRow& there,
                    std::size_t number, bool is_first) const {
    const Variable& v = is_.variable(row);
    if (v.is_size) return;
    const std::string& name = is_.name(row);
    const std::size_t count = is_.count(row);
    const std::size_t count_there = other.count(there);
    const std::string now = std::to_string(value_);
    const bool has_size = row.array != nullptr && there.array != nullptr &&
                          count == static_cast<std::uint64_t>(size_.start_integer) &&
                          count_there == value_ && count != count_there;
    if (!has_size && count != count_there) {
      refuse("\"" + name + "\" has " + std::to_string(count) + " elements " + with(standard()) +
             " and " + std::to_string(count_there) + " " + with(now));
    }
    if (row.array != nullptr) {
      DescribedArray& array =
          *std::find_if(is_.arrays().all.begin(), is_.arrays().all.end(),
                        [&](const DescribedArray& one) { return one.first == row.position; });
      if (is_first && has_size) {
        array.size_number = number;
      } else if (has_size != (array.size_number == number)) {
        refuse("\"" + name + "\" has " + std::to_string(count) + " elements " + with(standard()) +
               " and " + std::to_string(count_there) + " " + with(now) +
               ", but with others not as many as " + size_.name + " says");
      }
    }
    if (!described_alike(v, other.variable(there))) {
      refuse("\"" + name + "\" is described by other words or limits " + with(now) + " than " +
             with(standard()));
    }
    for (std::size_t i = 0; !has_size && i < count; ++i) {
      const Variable& a = is_.element(row, i);
      const Variable& b = other.element(there, i);
      if (a.start != b.start || a.start_integer != b.start_integer ||
          is_.model().start_text(row.position) != other.model().start_text(there.position)) {
        refuse("\"" + a.name + "\" starts at another value " + with(now) + " than " +
               with(standard()));
      }
    }
  }

  void check_conditions(const ListedModel& other, Warnings& warnings) const {
    const std::vector<std::string> here = indicator_names(is_.model());
    const std::vector<std::string> there = indicator_names(other.model());
    const std::string now = std::to_string(value_);
    const auto first = std::mismatch(here.begin(), here.end(), there.begin(), there.end());
    if (here.size() != there.size()) {
      const std::string& one = first.second != there.end() ? *first.second : *first.first;
      refuse("there are " + std::to_string(here.size()) + " conditions " + with(standard()) +
             " and " + std::to_string(there.size()) + " " + with(now) + ", as \"" + one + "\"");
    }
    if (first.first != here.end()) {
      warnings.add({.time = kBeforeTheRun,
                    .subject = *first.first,
                    .message = "the event indicator has the name that it has " + with(standard()) +
                               ", although it is \"" + *first.second + "\" " + with(now)});
    }
  }

  void add_dependencies(const ListedModel& other) const {
    const auto position = [&](std::size_t there) {
      if (there == kTimePosition) return kTimePosition;
      const auto& rows = other.rows();
      const auto found = std::find_if(rows.begin(), rows.end(),
                                      [&](const ListedRow& row) { return row.position == there; });
      return is_.rows()[static_cast<std::size_t>(found - rows.begin())].position;
    };
    for (VariableDependencies list : other.arrays().listed(other.model().dependencies())) {
      list.variable = position(list.variable);
      for (auto& dependency : list.dependencies) dependency.on = position(dependency.on);
      is_.arrays().with_other_sizes.push_back(list);
    }
  }

  const ListedModel& is_;
  const Variable& size_;
  std::uint64_t value_;
};

}  // namespace

void find_sizes(DescribedArrays& arrays, modeling::DescribedModel& model, Warnings& warnings) {
  const auto variables = model.variables();
  const ListedModel described(model, arrays);
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const Variable& size = variables[i];
    if (!size.is_size) continue;
    if (model.info().scheduled) {
      throw std::invalid_argument(
          "the size \"" + size.name +
          "\" cannot be a structural parameter of a model that offers "
          "Scheduled Execution: without ARRAYS (--arrays) it is a constant");
    }
    const auto standard = static_cast<std::uint64_t>(size.start_integer);
    const auto lowest = static_cast<std::uint64_t>(size.lowest);
    const auto highest = static_cast<std::uint64_t>(size.highest);
    arrays.sizes.push_back({i, standard});
    if (lowest == highest) continue;
    const std::uint64_t next = standard < highest ? standard + 1 : standard - 1;
    const std::size_t number = arrays.sizes.size();
    SizeComparison(described, size, next).compare(number, true, warnings);
    if (lowest != standard && lowest != next) {
      SizeComparison(described, size, lowest).compare(number, false, warnings);
    }
  }
  arrays.indicators = number_of_indicators(model);
  arrays.last_reference = variables.size() + arrays.indicators;
}

}  // namespace saltus::fmu_export

// SPDX-License-Identifier: BSD-2-Clause
#include "find_arrays.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <string_view>

namespace saltus::fmu_export {
namespace {

using modeling::Variable;
using Role = Variable::Role;

bool is_slope(const std::string& name) { return name.starts_with("der(") && name.ends_with(")"); }

// The name without its index: "q" of "q[0]", "der(q)" of "der(q[0])". Empty: it has none.
std::string without_index(const std::string& name) {
  const std::size_t end = name.size() - (is_slope(name) ? 2 : 1);
  const std::size_t bracket = name.rfind('[');
  if (name.empty() || bracket == std::string::npos || bracket == 0 || name[end] != ']' ||
      bracket + 1 == end || name.find_first_not_of("0123456789", bracket + 1) != end) {
    return "";
  }
  return name.substr(0, bracket) + name.substr(end + 1);
}

std::string with_index(const std::string& name, std::size_t index) {
  const std::string brackets = "[" + std::to_string(index) + "]";
  return is_slope(name) ? name.substr(0, name.size() - 1) + brackets + ")" : name + brackets;
}

bool has_index_among_states(Role role) { return role == Role::state || role == Role::derivative; }

// Whether `b`, `distance` elements behind `a`, is described by the same words.
bool alike(const Variable& a, const Variable& b, std::size_t distance) {
  return a.type == b.type && a.role == b.role && a.causality == b.causality &&
         a.tunable == b.tunable && a.continuous == b.continuous && a.unit == b.unit &&
         (a.role == Role::derivative || a.description == b.description) && a.nominal == b.nominal &&
         a.min == b.min && a.max == b.max && std::strcmp(a.display_unit, b.display_unit) == 0 &&
         a.clocks.set == b.clocks.set &&
         (!has_index_among_states(a.role) || b.index == a.index + distance);
}

class Search {
 public:
  explicit Search(const modeling::DescribedModel& model) : variables_(model.variables()) {
    names_.insert("time");
    for (const Variable& v : variables_) {
      names_.insert(v.name);
      ++elements_[without_index(v.name)];
      if (v.enumeration != nullptr) {
        names_.insert(std::string(v.enumeration->name));  // types and variables share names
      }
    }
  }

  DescribedArrays arrays() {
    DescribedArrays found;
    for (std::size_t i = 0; i < variables_.size(); ++i) {
      const std::string name = without_index(variables_[i].name);
      if (name.empty() || !variables_[i].is_number() || variables_[i].name != with_index(name, 0)) {
        continue;
      }
      const DescribedArray array = from(name, i);
      // All elements, or none: a rest beside the array would be taken for a part of it.
      if (names_.contains(name) || elements_.at(name) != array.size) {
        found.not_alike.push_back(name);
      } else {
        found.all.push_back(array);
      }
    }
    const auto is_alone = [&, all = found.all](const DescribedArray& array) {
      return has_index_among_states(variables_[array.first].role) &&
             std::none_of(all.begin(), all.end(),
                          [&](const DescribedArray& other) { return are_partners(array, other); });
    };
    std::erase_if(found.all, [&](const DescribedArray& array) {
      if (!is_alone(array)) return false;
      found.not_alike.push_back(array.name);
      return true;
    });
    return found;
  }

 private:
  DescribedArray from(const std::string& name, std::size_t first) const {
    const Variable& v = variables_[first];
    DescribedArray array{.name = name,
                         .description = v.description,
                         .first = first,
                         .size = 1,
                         .stride = has_index_among_states(v.role) ? 2U : 1U};
    if (v.role == Role::derivative) {  // that of an element names the element
      array.description = "derivative of " + name.substr(4, name.size() - 5);
    }
    for (std::size_t next = first + array.stride;
         next < variables_.size() && variables_[next].name == with_index(name, array.size) &&
         alike(v, variables_[next], array.size);
         next += array.stride) {
      ++array.size;
    }
    return array;
  }

  bool are_partners(const DescribedArray& a, const DescribedArray& b) const {
    const Variable& v = variables_[a.first];
    const Variable& w = variables_[b.first];
    return has_index_among_states(w.role) && w.role != v.role && w.index == v.index &&
           a.size == b.size;
  }

  std::span<const Variable> variables_;
  std::set<std::string> names_;
  std::map<std::string, std::size_t> elements_;  // how many have the name, with an index
};

}  // namespace

const DescribedArray* DescribedArrays::at(std::size_t position) const {
  const auto found = std::find_if(
      all.begin(), all.end(), [&](const DescribedArray& array) { return array.first == position; });
  return found == all.end() ? nullptr : &*found;
}

std::size_t DescribedArrays::listed(std::size_t position) const {
  for (const DescribedArray& array : all) {
    if (position != kTimePosition && position >= array.first &&
        (position - array.first) % array.stride == 0 &&
        (position - array.first) / array.stride < array.size) {
      return array.first;
    }
  }
  return position;
}

std::vector<VariableDependencies> DescribedArrays::listed(
    std::span<const VariableDependencies> lists) const {
  struct Together {
    std::size_t elements = 0;
    std::map<std::size_t, DependencyKind> on;
  };
  std::map<std::size_t, Together> together;
  for (const VariableDependencies& list : lists) {
    Together& one = together[listed(list.variable)];
    ++one.elements;
    for (const VariableDependencies::Dependency& dependency : list.dependencies) {
      const auto place = one.on.emplace(listed(dependency.on), dependency.kind).first;
      place->second = std::max(place->second, dependency.kind);
    }
  }
  for (const VariableDependencies& list : with_other_sizes) {
    for (const VariableDependencies::Dependency& dependency : list.dependencies) {
      const auto place = together[list.variable].on.emplace(dependency.on, dependency.kind).first;
      place->second = std::max(place->second, dependency.kind);
    }
  }
  std::vector<VariableDependencies> merged;
  for (const auto& [position, one] : together) {
    const DescribedArray* const array = at(position);
    if (one.elements < (array == nullptr ? 1 : array->size)) {
      continue;  // an element that may depend on everything
    }
    merged.push_back({.variable = position, .dependencies = {}});
    for (const auto& [on, kind] : one.on) {
      merged.back().dependencies.push_back({on, kind});
    }
  }
  return merged;
}

DescribedArrays find_arrays(const modeling::DescribedModel& model) {
  return Search(model).arrays();
}

}  // namespace saltus::fmu_export

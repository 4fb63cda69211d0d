// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/modeling/sizes.hpp"

#include <stdexcept>
#include <utility>
#include <vector>

#include "saltus/core/nearest_names.hpp"
#include "saltus/core/whole_values.hpp"
#include "saltus/modeling/member_list.hpp"

namespace saltus::modeling {
namespace {

constinit thread_local const Sizes* sizes_in_force = nullptr;

std::uint64_t standard_of(const char* name, std::uint64_t standard) {
  const MemberList* const open = MemberList::open();
  return open == nullptr ? standard : open->decide_size(name, standard);
}

// As a value of a model that is there, it cannot be another one.
void check_size(const Variable& v, std::int64_t value) {
  if (value != v.start_integer) {
    throw std::invalid_argument("\"" + v.name + "\" cannot be " + whole_text(v, value) +
                                ": it is a size, which was decided as " +
                                whole_text(v, v.start_integer) +
                                " when the model was made; give it before, as in simulate<Model>("
                                "{.sizes = {{\"" +
                                v.name + "\", " + whole_text(v, value) + "}}})");
  }
}

}  // namespace

SizeScope::SizeScope(const Sizes& sizes) : before_(std::exchange(sizes_in_force, &sizes)) {}
SizeScope::~SizeScope() { sizes_in_force = before_; }

std::uint64_t MemberList::decide_size(const char* name, std::uint64_t standard) const {
  const std::string full = full_name(name);
  if (like_ != nullptr) {
    return sizes_of(like_->variables).at(full);
  }
  if (sizes_in_force != nullptr) {
    const auto given = sizes_in_force->find(full);
    return given == sizes_in_force->end() ? standard : given->second;
  }
  return standard;
}

Size::Size(const char* name, std::size_t standard, const AboutSize& about)
    : value_(standard_of(name, standard)), shown_(value_) {
  MemberList* const open = MemberList::open();
  if (open == nullptr) {
    return;
  }
  open->whole({.name = name,
               .unit = "",
               .description = about.description,
               .type = Variable::Type::uint64,
               .role = Variable::Role::parameter,
               .causality = Variable::Causality::parameter,
               .tunable = false,
               .start = static_cast<std::int64_t>(value_),
               .lowest = static_cast<std::int64_t>(about.min),
               .highest = static_cast<std::int64_t>(about.max),
               .min = {},
               .max = {},
               .enumeration = nullptr,
               .check = &check_size},
              {&shown_, Variable::Type::uint64});
  Variable& variable = open->variables.back();
  variable.is_size = true;
  if (about.min < 1 || about.min > about.max) {
    throw std::invalid_argument("the size \"" + variable.name + "\" has the limits " +
                                std::to_string(about.min) + " to " + std::to_string(about.max) +
                                ": .min is 1 or more, and not more than .max");
  }
  check_new_size(variable, standard);
  check_new_size(variable, value_);
}

Sizes sizes_of(std::span<const Variable> variables) {
  Sizes sizes;
  for (const Variable& v : variables) {
    if (v.is_size) {
      sizes[v.name] = static_cast<std::uint64_t>(v.start_integer);
    }
  }
  return sizes;
}

void check_sizes(std::span<const Variable> variables, const Sizes& sizes) {
  const Sizes known = sizes_of(variables);
  for (const auto& [name, value] : sizes) {
    if (known.contains(name)) {
      continue;
    }
    std::vector<std::string> names;
    for (const auto& one : known) {
      names.push_back(one.first);
    }
    throw std::invalid_argument(
        "there is no size \"" + name + "\"" +
        (names.empty() ? ": the model has none, which a member Size n{\"n\", 10} would be"
                       : did_you_mean(name, names)));
  }
}

void check_new_size(const Variable& size, std::uint64_t value) {
  if (value >= static_cast<std::uint64_t>(size.lowest) &&
      value <= static_cast<std::uint64_t>(size.highest)) {
    return;
  }
  throw std::invalid_argument("the size \"" + size.name + "\" cannot be " + std::to_string(value) +
                              ": its .min and .max say from " + whole_text(size, size.lowest) +
                              " to " + whole_text(size, size.highest));
}

}  // namespace saltus::modeling

// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "saltus/modeling/member_list.hpp"
#include "saltus/modeling/notes.hpp"

// Included by variables.hpp: strings and binaries.
namespace saltus::modeling {

template <class Real>
class Parameter;
template <class T>
class Discrete;

using Binary = std::vector<std::uint8_t>;

/// Strings have no limits; binaries may say what they hold.
template <>
struct AboutDiscrete<std::string> {
  std::string start = {};
  const char* description = "";
  Variable::Causality causality = Variable::Causality::local;
};
template <>
struct AboutParameter<std::string> {
  std::string start = {};
  const char* description = "";
  bool tunable = false;
};
template <>
struct AboutDiscrete<Binary> {
  Binary start = {};
  const char* description = "";
  Variable::Causality causality = Variable::Causality::local;
  const char* mime_type = "";
};
template <>
struct AboutParameter<Binary> {
  Binary start = {};
  const char* description = "";
  bool tunable = false;
  const char* mime_type = "";
};

template <class T>
concept TextType = std::same_as<T, std::string> || std::same_as<T, Binary>;

template <TextType T>
class HeldText {
 public:
  HeldText& operator=(const HeldText&) = delete;
  operator const T&() const { return value(); }  // NOLINT(google-explicit-constructor)
  const T& value() const {
    note_read(&value_);
    return value_;
  }
  friend bool operator==(const HeldText& a, const T& b) { return a.value() == b; }
  friend bool operator==(const HeldText& a, const HeldText& b) { return a.value() == b.value(); }
  friend bool operator==(const HeldText& a, const char* b) requires(std::same_as<T, std::string>) {
    return a.value() == b;
  }

 protected:
  explicit HeldText(const T& start) : value_(start) {}
  HeldText(const HeldText&) = default;
  template <class About>
  void list(const char* name, const About& about, Variable::Role role,
            Variable::Causality causality, bool tunable) {
    auto* open = MemberList::open();
    if (open == nullptr) {
      return;
    }
    AboutText text{.name = name,
                   .description = about.description,
                   .type = Variable::Type::string,
                   .role = role,
                   .causality = causality,
                   .tunable = tunable,
                   .mime_type = ""};
    if constexpr (std::same_as<T, Binary>) {
      text.type = Variable::Type::binary;
      text.mime_type = about.mime_type;
    }
    open->text(text, &value_);
  }
  const T& held() const { return value_; }
  void hold(T value) {
    note_write(&value_);
    value_ = std::move(value);
  }

 private:
  T value_;
};

/// A string or binary that is constant in a run; `.tunable = true` lets it change at events.
template <TextType T>
class Parameter<T> : public HeldText<T> {
 public:
  explicit Parameter(const char* name, const AboutParameter<T>& about = {})
      : HeldText<T>(about.start) {
    this->list(name, about, Variable::Role::parameter, Variable::Causality::parameter,
               about.tunable);
  }
  Parameter(const Parameter&) = default;
  Parameter& operator=(const Parameter&) = delete;  // parameters are given from outside
};

/// A string or binary that changes at events only.
template <TextType T>
class Discrete<T> : public HeldText<T> {
 public:
  explicit Discrete(const char* name, const AboutDiscrete<T>& about = {})
      : HeldText<T>(about.start) {
    this->list(name, about, Variable::Role::discrete, about.causality, false);
  }
  Discrete(const Discrete&) = default;
  Discrete& operator=(const Discrete& other) { return *this = other.held(); }
  Discrete& operator=(T value) {
    this->hold(std::move(value));
    return *this;
  }
};

}  // namespace saltus::modeling

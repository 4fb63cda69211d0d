// SPDX-License-Identifier: BSD-2-Clause
#include <utility>

#include "packing/cpp_tokens.hpp"

namespace saltus::fmu_export {
namespace {

/// Walks over the declarations of unnamed namespaces.
class Declarations {
 public:
  explicit Declarations(std::string_view source) : tokens_(tokens_of(source)) {}

  std::set<std::string> names() {
    while (at_ < tokens_.size()) {
      if (!is("namespace") || !is("{", 1)) {
        ++at_;
        continue;
      }
      at_ += 2;
      read_namespace();
    }
    return std::move(names_);
  }

 private:
  bool is(std::string_view text, std::size_t ahead = 0) const {
    return at_ + ahead < tokens_.size() && tokens_[at_ + ahead].text == text;
  }
  bool is_name(std::size_t ahead = 0) const {
    return at_ + ahead < tokens_.size() && tokens_[at_ + ahead].is_name;
  }
  bool is_one_of(std::string_view characters) const {
    return at_ < tokens_.size() && tokens_[at_].text.size() == 1 &&
           characters.find(tokens_[at_].text[0]) != std::string_view::npos;
  }
  void declare() { names_.emplace(tokens_[at_].text); }

  // To behind the bracket that closes the one at hand.
  void skip_brackets(char open, char closing) {
    int depth = 0;
    do {
      if (is_one_of({&open, 1})) ++depth;
      if (is_one_of({&closing, 1})) --depth;
      ++at_;
    } while (depth > 0 && at_ < tokens_.size());
  }

  void read_namespace() {
    while (at_ < tokens_.size() && !is("}")) read_declaration();
    ++at_;
  }

  void read_declaration() {
    if (is("template")) {
      ++at_;
      if (is("<")) skip_brackets('<', '>');
      return;
    }
    if (is("namespace")) {
      skip_to("{");
      ++at_;
      read_namespace();
      return;
    }
    if (is("struct") || is("class") || is("union") || is("enum")) return read_type();
    if (is("using")) return read_using();
    if (is("concept") && is_name(1)) {
      ++at_;
      declare();
      return skip_to_end();
    }
    if (is(";")) {
      ++at_;
      return;
    }
    read_function_or_variable();
  }

  void read_type() {
    ++at_;
    if (is("class") || is("struct")) ++at_;
    while (is("[")) skip_brackets('[', ']');
    if (is_name()) declare();
    skip_to_end();
  }

  // A name that is taken from another namespace means the same wherever it is taken.
  void read_using() {
    ++at_;
    if (is_name() && is("=", 1)) declare();
    skip_to_end();
  }

  // Behind types and attributes, the name stands before the first bracket or sign.
  void read_function_or_variable() {
    std::size_t last = tokens_.size();
    bool behind_colons = false;
    while (at_ < tokens_.size() && !is_one_of("(={;,")) {
      if (is("operator")) return skip_to_end();
      if (is("[") && is("[", 1)) {
        skip_brackets('[', ']');
      } else if (is("[")) {
        break;
      } else if (is("<")) {
        skip_brackets('<', '>');
      } else if (is("decltype") || is("alignas")) {
        ++at_;
        skip_brackets('(', ')');
      } else {
        if (is_name()) {
          behind_colons = last_sign_ == ":";
          last = at_;
        }
        last_sign_ = tokens_[at_].text;
        ++at_;
      }
    }
    if (last < tokens_.size() && !behind_colons && tokens_[last].text != "static_assert") {
      names_.emplace(tokens_[last].text);
    }
    last_sign_ = {};
    skip_to_end();
  }

  void skip_to(std::string_view signs) {
    while (at_ < tokens_.size() && !is_one_of(signs)) ++at_;
  }

  // To behind a semicolon, or the body of a function; a variable behind a comma is declared, too.
  void skip_to_end() {
    bool in_value = false;
    while (at_ < tokens_.size() && !is(";")) {
      if (is("(")) {
        skip_brackets('(', ')');
      } else if (is("[")) {
        skip_brackets('[', ']');
      } else if (is("{")) {
        skip_brackets('{', '}');
        if (!in_value && !is(";") && !is(",")) return;
      } else if (is(",")) {
        ++at_;
        if (is_name() && (is("=", 1) || is(",", 1) || is(";", 1) || is("{", 1))) declare();
      } else {
        in_value = in_value || is("=");
        ++at_;
      }
    }
    ++at_;
  }

  std::vector<CppToken> tokens_;
  std::size_t at_ = 0;
  std::string_view last_sign_;
  std::set<std::string> names_;
};

}  // namespace

std::set<std::string> names_in_unnamed_namespaces(std::string_view source) {
  return Declarations(source).names();
}

}  // namespace saltus::fmu_export

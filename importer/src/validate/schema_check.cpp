// SPDX-License-Identifier: BSD-2-Clause
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "saltus/core/nearest_names.hpp"
#include "schema.hpp"

namespace saltus::importer::validation {
namespace {

constexpr Rule kUnknownElement{6, "xml.element.unknown"};
constexpr Rule kElementOrder{6, "xml.element.order"};
constexpr Rule kMissingElement{6, "xml.element.missing"};
constexpr Rule kRepeatedElement{6, "xml.element.repeated"};
constexpr Rule kUnknownAttribute{6, "xml.attribute.unknown"};
constexpr Rule kMissingAttribute{6, "xml.attribute.missing"};
constexpr Rule kAttributeValue{6, "xml.attribute.value"};

/// Walks down the file along the schema. Elements that it does not know are not entered, so the
/// depth is that of the schema whatever the file looks like.
class SchemaCheck {
 public:
  SchemaCheck(const Schema& schema, bool is_newer, Findings& findings)
      : schema_(schema), is_newer_(is_newer), findings_(findings) {}

  void check(const Element& element, const ElementRule& rule) {
    check_attributes(element, rule);
    check_children(element, rule);
  }

 private:
  static const AttributeRule* find(const ElementRule& rule, std::string_view name) {
    for (const AttributeRule& known : rule.attributes) {
      if (name == known.name) return &known;
    }
    return nullptr;
  }

  void check_attributes(const Element& element, const ElementRule& rule) {
    for (const char* name : element.attributes()) {
      // Attributes of other namespaces are nobody's business here.
      if (std::string_view(name).find(':') != std::string_view::npos) continue;
      if (std::string_view(name) == "xmlns") continue;
      const AttributeRule* known = find(rule, name);
      if (known != nullptr) {
        check_value(element, *known);
      } else {
        report_unknown_attribute(element, name, rule);
      }
    }
    for (const AttributeRule& known : rule.attributes) {
      if (!known.is_required || element.has(known.name)) continue;
      findings_.error(kMissingAttribute, element,
                      fmt::format("<{}> has no attribute {}", element.name(), known.name),
                      "add it");
    }
  }

  void report_unknown_attribute(const Element& element, const char* name, const ElementRule& rule) {
    std::vector<std::string> names;
    for (const AttributeRule& known : rule.attributes) names.emplace_back(known.name);
    const Severity severity = is_newer_      ? Severity::note
                              : rule.is_open ? Severity::warning
                                             : Severity::error;
    findings_.add(kUnknownAttribute, severity, Place(element, name),
                  fmt::format("<{}> has an attribute {}, which the standard does not know{}",
                              element.name(), name, did_you_mean(name, names)),
                  "spell it as in the standard, or put it into an annotation");
  }

  void check_value(const Element& element, const AttributeRule& rule) {
    const std::string text = element.text(rule.name);
    const std::vector<std::string_view> values =
        rule.is_list ? split(text) : std::vector<std::string_view>{trim(text)};
    for (const std::string_view value : values) {
      if (rule.words != nullptr) {
        const std::vector<std::string_view> words = split(rule.words);
        if (std::find(words.begin(), words.end(), value) != words.end()) continue;
        const std::vector<std::string> names(words.begin(), words.end());
        findings_.error(kAttributeValue, Place(element, rule.name),
                        fmt::format("{}=\"{}\" is not a word of the standard{}", rule.name, value,
                                    did_you_mean(value, names)),
                        fmt::format("use one of: {}", rule.words));
        return;
      }
      try {
        static_cast<void>(parse_scalar(rule.type, value));
      } catch (const std::invalid_argument& error) {
        findings_.error(kAttributeValue, Place(element, rule.name),
                        fmt::format("{}: {}", rule.name, error.what()));
        return;
      }
    }
  }

  void check_children(const Element& element, const ElementRule& rule) {
    std::map<std::string_view, int> seen;
    const ChildRule* latest = nullptr;
    const std::vector<Element> children = element.children();
    for (const Element& child : children) {
      const auto known =
          std::find_if(rule.children.begin(), rule.children.end(),
                       [&](const ChildRule& one) { return one.name == child.name(); });
      if (known == rule.children.end()) {
        report_unknown_element(element, child, rule);
        continue;
      }
      if (++seen[known->name] > 1 && !known->may_repeat) {
        findings_.error(kRepeatedElement, child,
                        fmt::format("<{}> has a second <{}>", element.name(), child.name()),
                        "keep one");
      }
      if (latest != nullptr && known->rank < latest->rank) {
        findings_.error(kElementOrder, child,
                        fmt::format("<{}> stands behind <{}>", child.name(), latest->name),
                        fmt::format("move it in front of <{}>", latest->name));
      } else {
        latest = &*known;
      }
      if (!known->type.empty()) check(child, schema_.types.find(known->type)->second);
    }
    for (const ChildRule& known : rule.children) {
      if (!known.is_required || seen.contains(known.name)) continue;
      findings_.error(kMissingElement, element,
                      fmt::format("<{}> has no <{}>", element.name(), known.name), "add it");
    }
    if (rule.needs_child && children.empty()) {
      findings_.error(kMissingElement, element, fmt::format("<{}> is empty", element.name()),
                      "leave it out, or fill it");
    }
  }

  void report_unknown_element(const Element& element, const Element& child,
                              const ElementRule& rule) {
    std::vector<std::string> names;
    for (const ChildRule& known : rule.children) names.push_back(known.name);
    findings_.add(kUnknownElement, is_newer_ ? Severity::note : Severity::error, Place(child),
                  fmt::format("<{}> is not an element that <{}> can have{}", child.name(),
                              element.name(), did_you_mean(child.name(), names)));
  }

  const Schema& schema_;
  bool is_newer_;
  Findings& findings_;
};

}  // namespace

AttributeRule required(const char* name, VariableType type) {
  return {.name = name, .type = type, .is_required = true};
}

AttributeRule one_of(const char* name, const char* words, bool is_required) {
  return {.name = name, .is_required = is_required, .words = words};
}

AttributeRule list_of(const char* name, VariableType type) {
  return {.name = name, .type = type, .is_list = true};
}

AttributeRules joined(std::initializer_list<AttributeRules> groups) {
  AttributeRules all;
  for (const AttributeRules& group : groups) all.insert(all.end(), group.begin(), group.end());
  return all;
}

void check_schema(const Schema& schema, const Element& root, bool is_newer, Findings& findings) {
  if (root.name() != schema.root) {
    findings.error(
        kUnknownElement, root,
        fmt::format("the root element is <{}> instead of <{}>", root.name(), schema.root));
    return;
  }
  SchemaCheck(schema, is_newer, findings).check(root, schema.types.find(schema.root)->second);
}

}  // namespace saltus::importer::validation

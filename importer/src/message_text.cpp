// SPDX-License-Identifier: BSD-2-Clause
#include "message_text.hpp"

#include <algorithm>
#include <cstdio>
#include <string_view>

#include "number_text.hpp"

namespace saltus::importer {
namespace {

constexpr std::size_t kLongestText = 4096;

char letter_of(VariableType type) {
  return type == VariableType::float64   ? 'r'
         : type == VariableType::boolean ? 'b'
         : type == VariableType::string  ? 's'
                                         : 'i';
}

/// The variable that `r3` means; nullptr if there is none.
const std::string* referenced_name(const ModelDescription& description, std::string_view word) {
  std::uint32_t reference = 0;
  if (word.size() < 2 || !read_number(word.substr(1), reference)) return nullptr;
  const Variable* found = nullptr;
  for (const Variable& variable : description.variables) {
    if (variable.binary_reference == reference && letter_of(variable.type) == word.front() &&
        (found == nullptr || found->is_alias)) {
      found = &variable;
    }
  }
  return found != nullptr ? &found->name : nullptr;
}

/// FMI 2.0.4, 2.1.5, and FMI 1.0 in the same words: `#r3#` in a message stands for the Real with
/// value reference 3, `#i3#`, `#b3#` and `#s3#` for those of the other types, `##` for `#`.
std::string with_names(const ModelDescription& description, std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t end = text[i] == '#' ? text.find('#', i + 1) : std::string_view::npos;
    const std::string* name = end != std::string_view::npos
                                  ? referenced_name(description, text.substr(i + 1, end - i - 1))
                                  : nullptr;
    if (name != nullptr || end == i + 1) {
      result += name != nullptr ? *name : "#";
      i = end;
    } else {
      result += text[i];
    }
  }
  return result;
}

}  // namespace

std::string message_text(const ModelDescription& description, const char* format,
                         va_list arguments) {
  if (format == nullptr) return {};
  std::string text(kLongestText, '\0');
  const int length = std::vsnprintf(text.data(), text.size(), format, arguments);
  text.resize(length < 0 ? 0 : std::min(static_cast<std::size_t>(length), text.size() - 1));
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return with_names(description, text);
}

}  // namespace saltus::importer

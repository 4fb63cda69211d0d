// SPDX-License-Identifier: BSD-2-Clause
#include "terminal_text.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace saltus::cli {
namespace {

// UTF-8 continues a character with bytes of the form 10xxxxxx.
bool begins_character(char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }

std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_character));
}

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    // U+0080 to U+009F, written 0xc2 0x80 and so on, are control characters too.
    const bool is_c1 = c == 0xc2U && i + 1 < text.size() &&
                       static_cast<unsigned char>(text[i + 1]) >= 0x80U &&
                       static_cast<unsigned char>(text[i + 1]) < 0xa0U;
    if (c == '\n' || c == '\t' || c == '\r') {
      result += ' ';
    } else if (c < 0x20U || c == 0x7fU || is_c1) {
      result += '?';
      i += is_c1 ? 1 : 0;
    } else {
      result += text[i];
    }
  }
  return result;
}

std::string shortened(std::string_view text, std::size_t columns) {
  if (width(text) <= columns) return std::string(text);
  std::size_t end = 0;
  for (std::size_t seen = 0; end < text.size(); ++end) {
    if (begins_character(text[end]) && ++seen == columns) break;
  }
  return std::string(text.substr(0, end)) + "…";
}

std::string TextTable::text(bool rule) const {
  std::vector<std::size_t> widths;
  for (const std::vector<std::string>& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  }
  std::string result;
  const auto append = [&](const std::vector<std::string>& row) {
    std::string line(indent_, ' ');
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += row[i] + std::string(widths[i] - width(row[i]) + 2, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    result += line + '\n';
  };
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    append(rows_[i]);
    if (rule && i == 0) {
      std::vector<std::string> line;
      line.reserve(widths.size());
      for (const std::size_t w : widths) line.emplace_back(w, '-');
      append(line);
    }
  }
  return result;
}

void print(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

void complain(std::string_view message) {
  const std::string line = "saltus: " + printable(message) + "\n";
  std::string_view rest = line;
  while (!rest.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, rest.data(), rest.size());
    if (written <= 0) return;
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace saltus::cli

// SPDX-License-Identifier: BSD-2-Clause
#include "plot_encoding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>

namespace saltus::importer {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr std::size_t kDoubleBytes = 8;

// Three doubles are 24 bytes, and those are 32 characters without padding.
constexpr std::size_t kBlock = 3;

// Encodes one block of at most three doubles.
void append_block(std::string& out, std::span<const double> block) {
  std::array<std::uint8_t, kBlock * kDoubleBytes> bytes{};
  std::size_t used = 0;
  for (const double value : block) {
    const auto bits = std::bit_cast<std::uint64_t>(value);
    for (unsigned shift = 0; shift < 64; shift += 8) {
      bytes[used++] = static_cast<std::uint8_t>(bits >> shift);
    }
  }
  for (std::size_t k = 0; k < used; k += 3) {
    const std::uint32_t group = static_cast<std::uint32_t>(bytes[k] << 16) |
                                static_cast<std::uint32_t>(bytes[k + 1] << 8) | bytes[k + 2];
    out += kAlphabet[group >> 18];
    out += kAlphabet[(group >> 12) & 63U];
    out += k + 1 < used ? kAlphabet[(group >> 6) & 63U] : '=';
    out += k + 2 < used ? kAlphabet[group & 63U] : '=';
  }
}

}  // namespace

std::string html_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (std::size_t k = 0; k < text.size(); ++k) {
    const auto byte = static_cast<unsigned char>(text[k]);
    // U+2028 and U+2029 end a line in JavaScript; their last byte differs.
    const std::string_view three = text.substr(k, 3);
    if (three == "\xE2\x80\xA8" || three == "\xE2\x80\xA9") {
      out += three.back() == '\xA8' ? "\\u2028" : "\\u2029";
      k += 2;
    } else if (byte < 0x20 || byte == 0x7F || byte == '<' || byte == '>' || byte == '&') {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", byte);
    } else {
      if (byte == '"' || byte == '\\') out += '\\';
      out += text[k];
    }
  }
  return out += '"';
}

void append_base64(std::string& out, std::span<const double> values) {
  out.reserve(out.size() + (values.size() * kDoubleBytes + 2) / 3 * 4);
  while (!values.empty()) {
    const std::span<const double> block = values.first(std::min(kBlock, values.size()));
    append_block(out, block);
    values = values.subspan(block.size());
  }
}

}  // namespace saltus::importer

// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <span>
#include <string>
#include <string_view>

// Text and numbers in the forms that may stand inside an HTML page.
namespace saltus::importer {

// `text` as HTML text: what a browser would take for markup is escaped.
std::string html_text(std::string_view text);

// `text` as a JSON string with its quotes. It holds no '<', '>' or '&', so that no name can end the
// script element around it, and no line terminator of JavaScript.
std::string json_string(std::string_view text);

// Appends the IEEE 754 bytes of `values`, little-endian on every machine, in base64 (RFC 4648,
// section 4).
void append_base64(std::string& out, std::span<const double> values);

}  // namespace saltus::importer

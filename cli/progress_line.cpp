// SPDX-License-Identifier: BSD-2-Clause
#include "progress_line.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <string>

namespace saltus::cli {
namespace {

void put(const std::string& text) {
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace

bool ProgressLine::is_possible() { return ::isatty(STDERR_FILENO) == 1; }

void ProgressLine::draw(double t, std::size_t events) {
  const double length = experiment_.stop - experiment_.start;
  const double part = length > 0.0 ? (t - experiment_.start) / length : 1.0;
  put(fmt::format("\r{:5.1f} %   t = {:.6g} of {:.6g}   {} events\x1b[K",
                  100.0 * std::clamp(part, 0.0, 1.0), t, experiment_.stop, events));
  drawn_ = true;
}

void ProgressLine::erase() {
  if (drawn_) put("\r\x1b[K");
  drawn_ = false;
}

}  // namespace saltus::cli

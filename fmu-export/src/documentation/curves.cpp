// SPDX-License-Identifier: BSD-2-Clause
#include "documentation/curves.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "documentation/html.hpp"

// Coordinates are whole numbers, tenths of a pixel, and each point is given relative to the one
// before: that is short, and the same on every machine.
namespace saltus::fmu_export {
namespace {

using modeling::Variable;

constexpr std::size_t kMost = 8;
constexpr double kLeft = 900.0;
constexpr double kWidth = 6200.0;
constexpr double kHeight = 1000.0;
constexpr double kDistance = 1350.0;
constexpr double kTop = 250.0;

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}
std::string whole(double value) { return std::to_string(std::llround(value)); }

int rank(const Variable& v) {
  if (v.causality == Variable::Causality::output) return 0;
  switch (v.role) {
    case Variable::Role::state:
      return 1;
    case Variable::Role::algebraic:
      return 2;
    case Variable::Role::discrete:
    case Variable::Role::local:
      return 3;
    case Variable::Role::input:
      return 4;
    default:
      return 5;
  }
}

std::vector<const DefaultRun::Column*> chosen(const DefaultRun& run) {
  std::vector<const DefaultRun::Column*> columns;
  for (const DefaultRun::Column& column : run.columns) {
    if (rank(column.variable) < 5) columns.push_back(&column);
  }
  std::stable_sort(columns.begin(), columns.end(), [](const auto* a, const auto* b) {
    return rank(a->variable) < rank(b->variable);
  });
  columns.resize(std::min(columns.size(), kMost));
  return columns;
}

struct Range {
  double low = 0.0;
  double high = 0.0;
  // From 0 to 1; in the middle if there is no range.
  double place(double value) const {
    return high > low ? (value / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0) : 0.5;
  }
};

Range range_of(const std::vector<double>& values) {
  Range range{HUGE_VAL, -HUGE_VAL};
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    range.low = std::min(range.low, value);
    range.high = std::max(range.high, value);
  }
  if (range.low > range.high) return {};
  // What is left of a difference is shown as the zero it stands for.
  const double rounding = 1e-12 * (range.high - range.low);
  if (std::fabs(range.low) < rounding) range.low = 0.0;
  if (std::fabs(range.high) < rounding) range.high = 0.0;
  return range;
}

// Points that do not differ from the one before, and steps along a line, are left out.
std::string path(const std::vector<double>& time, const std::vector<double>& values,
                 const Range& times, const Range& range) {
  std::string text;
  long long x = 0, y = 0;
  bool pen_down = false;
  for (std::size_t i = 0; i < time.size(); ++i) {
    if (!std::isfinite(values[i])) {
      pen_down = false;
      continue;
    }
    const long long next_x = std::llround(kLeft + kWidth * times.place(time[i]));
    const long long next_y = std::llround(kHeight * (1.0 - range.place(values[i])));
    if (!pen_down) {
      text += (text.empty() ? "M" : "m") + std::to_string(next_x - (text.empty() ? 0 : x)) + " " +
              std::to_string(next_y - (text.empty() ? 0 : y)) + "l";
    } else if (next_x != x || next_y != y) {
      text += std::to_string(next_x - x) + " " + std::to_string(next_y - y) + " ";
    } else {
      continue;
    }
    pen_down = true;
    x = next_x;
    y = next_y;
  }
  return text;
}

std::string text_at(double x, double y, const char* anchor, const std::string& content) {
  return "<text x=\"" + whole(x) + "\" y=\"" + whole(y) + "\" text-anchor=\"" + anchor + "\">" +
         html(content) + "</text>";
}

}  // namespace

std::string curves(const DefaultRun& run) {
  const auto columns = chosen(run);
  if (columns.empty() || run.time.size() < 2) return "";
  const Range times = range_of(run.time);
  const double height = kTop + kDistance * static_cast<double>(columns.size()) + 50.0;
  std::string text = "<svg viewBox=\"0 0 7300 " + whole(height) +
                     "\" role=\"img\" aria-label=\"The default experiment\">\n";
  double top = kTop;
  for (const DefaultRun::Column* column : columns) {
    const Range range = range_of(column->values);
    const std::string& unit = column->variable.unit;
    text += "<g transform=\"translate(0 " + whole(top) + ")\">";
    text +=
        text_at(kLeft, -60.0, "start", column->variable.name + (unit.empty() ? "" : " in " + unit));
    text += "<rect x=\"" + whole(kLeft) + "\" y=\"0\" width=\"" + whole(kWidth) + "\" height=\"" +
            whole(kHeight) + "\"/>";
    if (range.high > range.low) {
      text += text_at(kLeft - 60.0, 60.0, "end", number(range.high));
      text += text_at(kLeft - 60.0, kHeight, "end", number(range.low));
    } else {
      text += text_at(kLeft - 60.0, kHeight / 2.0 + 40.0, "end", number(range.low));
    }
    text += "<path d=\"" + path(run.time, column->values, times, range) + "\"/></g>\n";
    top += kDistance;
  }
  text += text_at(kLeft, top, "start", number(times.low));
  text += text_at(kLeft + kWidth, top, "end", number(times.high));
  text += text_at(kLeft + kWidth / 2.0, top, "middle", "time in s");
  text += "</svg>\n";
  if (columns.size() == kMost) {
    text += "<p class=\"note\">The first " + std::to_string(kMost) + " variables are shown.</p>\n";
  }
  return text;
}

}  // namespace saltus::fmu_export

// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/modeling/tables.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <stdexcept>
#include <string>

#include "saltus/core/number_text.hpp"

namespace saltus::modeling {
namespace {

using Between = TableOptions::Between;
using Beyond = TableOptions::Beyond;

[[noreturn]] void refuse(const std::string& why) { throw std::invalid_argument("table: " + why); }

void check_count(std::size_t count, const char* of) {
  if (count < 2) refuse("two " + std::string(of) + " are needed at least");
}

void check_finite(double value, const char* axis, std::size_t i) {
  if (std::isfinite(value)) return;
  refuse(std::string(axis) + "[" + std::to_string(i) + "] is not finite");
}

void check_ascending(double before, double next, const char* axis, std::size_t i, bool may_jump) {
  if (next > before || (may_jump && next == before)) return;
  refuse(std::string(axis) + "[" + std::to_string(i) + "] = " + number_text(next) +
         " does not lie above " + number_text(before) + " before it");
}

// The slopes at the points of a curve that is monotone where these are: F. N. Fritsch, J. Butland:
// A method for constructing local monotone piecewise cubic interpolants, SIAM J. Sci. Stat. Comput.
// 5 (1984) 300-304, with one-sided parabolas at both ends.
class MonotoneSlopes {
 public:
  explicit MonotoneSlopes(const std::vector<Table::Point>& points) : points_(points) {}

  double at(std::size_t i) const {
    const std::size_t last = points_.size() - 1;
    if (last == 1) return secant(0);
    if (i == 0) return at_end(0, 1);
    if (i == last) return at_end(last - 1, last - 2);
    const double left = secant(i - 1);
    const double right = secant(i);
    if (left * right <= 0.0) return 0.0;
    const double a = (width(i - 1) + 2.0 * width(i)) / (3.0 * (width(i - 1) + width(i)));
    return left * right / (a * right + (1.0 - a) * left);
  }

 private:
  double width(std::size_t i) const { return points_[i + 1].first - points_[i].first; }
  double secant(std::size_t i) const {
    return (points_[i + 1].second - points_[i].second) / width(i);
  }
  double at_end(std::size_t nearest, std::size_t next) const {
    const double h = width(nearest), s = secant(nearest), s_next = secant(next);
    const double slope = ((2.0 * h + width(next)) * s - h * s_next) / (h + width(next));
    if (slope * s <= 0.0) return 0.0;
    return s * s_next <= 0.0 && std::fabs(slope) > 3.0 * std::fabs(s) ? 3.0 * s : slope;
  }

  const std::vector<Table::Point>& points_;
};

void check(const std::vector<Table::Point>& points, Between between) {
  check_count(points.size(), "points");
  for (std::size_t i = 0; i < points.size(); ++i) {
    check_finite(points[i].first, "x", i);
    check_finite(points[i].second, "y", i);
    if (i == 0) continue;
    check_ascending(points[i - 1].first, points[i].first, "x", i, between != Between::cubic);
    if (i > 1 && points[i].first == points[i - 2].first) {
      refuse("three points at x = " + number_text(points[i].first) + "; a jump has two");
    }
  }
  if (points.front().first == points.back().first) refuse("all points have the same x");
}

}  // namespace

Table::Cut Table::cut(const std::vector<Point>& points, const Options& options) {
  check(points, options.between);
  const MonotoneSlopes slopes(points);
  Cut result;
  const auto add = [&](const Piece& piece) {
    if (!result.pieces.empty()) result.knots.push_back(piece.x);
    result.pieces.push_back(piece);
  };
  const auto level = [](const Point& at) { return Piece{.x = at.first, .c = {at.second}}; };
  const bool holds = options.beyond == Beyond::hold || options.between == Between::constant;
  const bool is_cubic = options.between == Between::cubic;
  // Before a jump at the first point, and after one at the last, nothing tells a slope.
  const bool jumps_first = points[0].first == points[1].first;
  const bool jumps_last = points.back().first == points.end()[-2].first;
  if (jumps_first || (holds && options.between != Between::constant)) add(level(points.front()));
  if (!holds && is_cubic) {
    add({.x = points[0].first, .c = {points[0].second, slopes.at(0)}, .degree = 1});
  }
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const double h = points[i + 1].first - points[i].first;
    if (h == 0.0) continue;  // a jump: what follows begins with the second value
    const double rise = (points[i + 1].second - points[i].second) / h;
    Piece piece = level(points[i]);
    if (options.between == Between::linear) {
      piece.c[1] = rise;
      piece.degree = 1;
    } else if (is_cubic) {
      const double left = slopes.at(i), right = slopes.at(i + 1);
      piece.c[1] = left;
      piece.c[2] = (3.0 * rise - 2.0 * left - right) / h;
      piece.c[3] = (left + right - 2.0 * rise) / (h * h);
      piece.degree = 3;
    }
    add(piece);
  }
  if (holds || jumps_last) add(level(points.back()));
  if (!holds && is_cubic) {
    const std::size_t last = points.size() - 1;
    add({.x = points[last].first, .c = {points[last].second, slopes.at(last)}, .degree = 1});
  }
  return result;
}

Table::Table(const std::vector<Point>& points, const Options& options)
    : Table(cut(points, options)) {}

namespace {

// The numbers between which cells lie: all but the outermost, and these too where it is held.
std::vector<double> inner_knots(const Table2::Row& x, const char* axis, bool holds) {
  check_count(x.size(), axis);
  for (std::size_t i = 0; i < x.size(); ++i) {
    check_finite(x[i], axis, i);
    if (i > 0) check_ascending(x[i - 1], x[i], axis, i, false);
  }
  return holds ? x : Table2::Row(x.begin() + 1, x.end() - 1);
}

}  // namespace

Table2::Table2(const Row& x, const Row& y, const std::vector<Row>& z, Beyond beyond)
    : along_x_(inner_knots(x, "x", beyond == Beyond::hold)),
      along_y_(inner_knots(y, "y", beyond == Beyond::hold)) {
  if (z.size() != x.size()) {
    refuse(std::to_string(z.size()) + " rows z for " + std::to_string(x.size()) + " numbers x");
  }
  for (std::size_t i = 0; i < z.size(); ++i) {
    if (z[i].size() != y.size()) {
      refuse("row z[" + std::to_string(i) + "] has " + std::to_string(z[i].size()) +
             " numbers for " + std::to_string(y.size()) + " of y");
    }
    for (const double value : z[i]) check_finite(value, "z", i);
  }
  const std::size_t outside = beyond == Beyond::hold ? 1 : 0;
  // The points of a grid at both ends of a piece: outside the grid both are the outermost.
  const auto ends = [&](std::size_t piece, std::size_t count) {
    const auto at = [&](std::size_t place) {
      return place < outside ? 0 : std::min(place - outside, count - 1);
    };
    return std::pair(at(piece), at(piece + 1));
  };
  for (std::size_t i = 0; i < along_x_.pieces(); ++i) {
    const auto [i0, i1] = ends(i, x.size());
    for (std::size_t j = 0; j < along_y_.pieces(); ++j) {
      const auto [j0, j1] = ends(j, y.size());
      const double over_x = i0 == i1 ? 0.0 : 1.0 / (x[i1] - x[i0]);
      const double over_y = j0 == j1 ? 0.0 : 1.0 / (y[j1] - y[j0]);
      const double along_x = (z[i1][j0] - z[i0][j0]) * over_x;
      const double twist = ((z[i1][j1] - z[i0][j1]) * over_x - along_x) * over_y;
      cells_.push_back({.x = x[i0],
                        .y = y[j0],
                        .c = {z[i0][j0], along_x, (z[i0][j1] - z[i0][j0]) * over_y, twist}});
    }
  }
}

}  // namespace saltus::modeling

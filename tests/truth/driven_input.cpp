// SPDX-License-Identifier: BSD-2-Clause
#include "driven_input.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace saltus::truth {
namespace {

constexpr double kNear = 1e-9;

}  // namespace

DrivenInput DrivenInput::random(Random& random, double stop, double interval, double size) {
  std::vector<double> knots{0.0};
  const int count = random.integer(2, 7);
  for (int k = 0; k < count; ++k) {
    const double t = random.uniform(0.02 * stop, 0.98 * stop);
    knots.push_back(random.chance(0.5) ? interval * std::round(t / interval) : t);
  }
  knots.push_back(stop);
  std::sort(knots.begin(), knots.end());
  DrivenInput input;
  double value = random.uniform(-size, size);
  for (std::size_t k = 0; k + 1 < knots.size(); ++k) {
    if (knots[k + 1] - knots[k] < 0.01 * stop) {
      knots[k + 1] = knots[k];
      continue;
    }
    Piece piece{knots[k], knots[k + 1], value, value};
    if (random.chance(0.6)) piece.end = random.uniform(-size, size);
    value = random.chance(0.5) ? random.uniform(-size, size) : piece.end;
    input.pieces_.push_back(piece);
  }
  input.pieces_.back().to = stop;
  return input;
}

DrivenInput DrivenInput::held(double interval) const {
  const double stop = pieces_.back().to;
  std::vector<double> points;
  for (int k = 0; static_cast<double>(k) * interval < stop - kNear * interval; ++k) {
    points.push_back(static_cast<double>(k) * interval);
  }
  for (std::size_t k = 1; k < pieces_.size(); ++k) {
    if (pieces_[k].begin != pieces_[k - 1].end) points.push_back(pieces_[k].from);
  }
  points.push_back(stop);
  std::sort(points.begin(), points.end());
  DrivenInput input;
  std::size_t p = 0;
  for (std::size_t k = 0; k + 1 < points.size(); ++k) {
    if (points[k + 1] - points[k] < kNear * interval) {
      points[k + 1] = points[k];
      continue;
    }
    while (p + 1 < pieces_.size() && pieces_[p + 1].from <= points[k] + kNear * interval) ++p;
    const double value = pieces_[p].at(points[k]);
    input.pieces_.push_back({points[k], points[k + 1], value, value});
  }
  return input;
}

double DrivenInput::left_of(double t) const {
  std::size_t p = 0;
  while (p + 1 < pieces_.size() && pieces_[p + 1].from < t - kNear) ++p;
  return pieces_[p].at(std::min(t, pieces_[p].to));
}

bool DrivenInput::jumps_near(double t) const {
  for (std::size_t k = 1; k < pieces_.size(); ++k) {
    if (std::fabs(pieces_[k].from - t) < kNear && pieces_[k].begin != pieces_[k - 1].end) {
      return true;
    }
  }
  return false;
}

std::string DrivenInput::table(const std::string& name) const {
  std::string text = "time," + name + "\n";
  char row[80];
  for (std::size_t k = 0; k < pieces_.size(); ++k) {
    const Piece& piece = pieces_[k];
    if (k == 0 || piece.begin != pieces_[k - 1].end) {
      std::snprintf(row, sizeof row, "%.17g,%.17g\n", piece.from, piece.begin);
      text += row;
    }
    std::snprintf(row, sizeof row, "%.17g,%.17g\n", piece.to, piece.end);
    text += row;
  }
  return text;
}

}  // namespace saltus::truth

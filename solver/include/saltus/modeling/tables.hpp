// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "saltus/modeling/no_event.hpp"

/// Functions given by points: measured characteristics, driving cycles, maps of machines.
///
///     template <class Real> struct Motor {
///       State<Real> w{"w", {.unit = "rad/s"}};
///       Table torque{{{0.0, 20.0}, {100.0, 18.0}, {300.0, 0.0}}};
///       void equations(Equations<Real>&) { der(w) = torque(w) / 0.5; }
///     };
///
/// Where two pieces of a table meet is a condition like any other, `w >= 100`: an event, located
/// exactly, so that no integrator smears a kink or a jump over a step. Of time it is an announced
/// time event. `torque(no_event(w))` has none, see `no_event`.
///
/// A table is a constant of the model, no variable of it: it has no name and is not seen from
/// outside.
namespace saltus::modeling {

/// How a table goes on between its points, and beyond the first and the last one.
struct TableOptions {
  enum class Between {
    linear,    ///< straight lines
    constant,  ///< the value of the point before
    cubic      ///< smooth, and monotone where the points are (Fritsch, Butland 1984)
  } between = Between::linear;
  enum class Beyond {
    extend,  ///< as the first and the last piece do; a cubic one goes on straight
    hold     ///< at the value of the first and of the last point
  } beyond = Beyond::extend;
};

/// The pieces into which points cut a line, and which of them a number is in.
class TablePieces {
 public:
  /// Between pieces, ascending.
  explicit TablePieces(std::vector<double> knots) : knots_(std::move(knots)) {}
  std::size_t pieces() const { return knots_.size() + 1; }

  /// All conditions are met in each pass, whatever the others say, so that each stays what it is.
  template <class Real, class Key>
  std::size_t piece_of(const Key& x) const {
    std::optional<PlainDecisions> plain;
    if constexpr (std::is_same_v<Real, Symbolic>) {
      plain.emplace();
    }
    std::size_t piece = 0;
    for (std::size_t i = 0; i < knots_.size(); ++i) {
      if (x >= Real(knots_[i])) {
        piece = i + 1;
      }
    }
    return piece;
  }

 private:
  std::vector<double> knots_;
};

/// A function of one number. Two points with the same x are a jump there; from it on the second
/// one counts.
class Table {
 public:
  using Options = TableOptions;
  using Between = TableOptions::Between;
  using Beyond = TableOptions::Beyond;
  using Point = std::pair<double, double>;

  /// Throws `std::invalid_argument` if there are less than two points, if one is not finite or if
  /// x does not ascend.
  Table(std::initializer_list<Point> points, const Options& options = {})
      : Table(std::vector<Point>(points), options) {}
  explicit Table(const std::vector<Point>& points, const Options& options = {});

  template <class Truth>
  Number<Truth> operator()(const Number<Truth>& x) const {
    return value(x, x);
  }
  Tangent operator()(const Tangent& x) const { return value(x, x); }
  Recorded operator()(const Recorded& x) const { return value(x, x); }
  Symbolic operator()(const Symbolic& x) const { return value(x, x); }
  template <class Real>
  Real operator()(const Eventless<Real>& x) const {
    return value(x, Real(x));
  }
  /// By this name conditions on what it gives are called: "table(w) > 1".
  static constexpr const char* kName = "table";

 private:
  struct Piece {
    double x = 0.0;  // where it is counted from
    double c[4] = {0.0, 0.0, 0.0, 0.0};
    int degree = 0;
  };
  struct Cut {
    std::vector<Piece> pieces;
    std::vector<double> knots;
  };
  explicit Table(Cut cut) : pieces_(std::move(cut.pieces)), places_(std::move(cut.knots)) {}
  static Cut cut(const std::vector<Point>& points, const Options& options);

  template <class Real, class Key>
  Real value(const Key& key, const Real& x) const {
    const Piece& piece = pieces_[places_.piece_of<Real>(key)];
    if constexpr (std::is_same_v<Real, Symbolic>) {
      const double d = x.value() - piece.x;
      const double* c = piece.c;
      return Symbolic::call(c[0] + d * (c[1] + d * (c[2] + d * c[3])), kName, x);
    }
    if (piece.degree == 0) {
      return Real(piece.c[0]);
    }
    const Real d = x - Real(piece.x);
    Real sum = Real(piece.c[piece.degree]);
    for (int k = piece.degree - 1; k >= 0; --k) {
      sum = sum * d + Real(piece.c[k]);
    }
    return sum;
  }

  std::vector<Piece> pieces_;
  TablePieces places_;
};

/// A function of two numbers, linear in each of them between the points of a grid: `z[i][j]` is its
/// value at `x[i]`, `y[j]`.
///
///     Table2 map{{0.0, 100.0}, {0.0, 0.5, 1.0}, {{0.0, 2.0, 3.0}, {0.0, 1.0, 1.5}}};
///     const Real torque = map(speed, throttle);
class Table2 {
 public:
  using Row = std::vector<double>;

  /// Throws `std::invalid_argument` if there are less than two numbers x or y, if they do not
  /// ascend, or if z is not a row for each x with a number for each y.
  Table2(const Row& x, const Row& y, const std::vector<Row>& z,
         TableOptions::Beyond beyond = TableOptions::Beyond::extend);

  template <class X, class Y>
  auto operator()(const X& x, const Y& y) const {
    return value(key_of(x), key_of(y));
  }

 private:
  // c[0] + c[1] u + c[2] v + c[3] u v, u and v counted from the corner of the cell.
  struct Cell {
    double x = 0.0, y = 0.0;
    double c[4] = {0.0, 0.0, 0.0, 0.0};
  };
  // A parameter or a state beside its comparisons: the number that it is.
  template <class Truth>
  static const Number<Truth>& key_of(const Number<Truth>& x) {
    return x;
  }
  static const Tangent& key_of(const Tangent& x) { return x; }
  static const Recorded& key_of(const Recorded& x) { return x; }
  static const Symbolic& key_of(const Symbolic& x) { return x; }
  template <class Real>
  static const Eventless<Real>& key_of(const Eventless<Real>& x) {
    return x;
  }
  template <class Real>
  static const Real& number_of(const Real& x) {
    return x;
  }
  template <class Real>
  static Real number_of(const Eventless<Real>& x) {
    return x;
  }

  template <class KeyX, class KeyY>
  auto value(const KeyX& x, const KeyY& y) const {
    using Real = std::remove_cvref_t<decltype(number_of(x))>;
    const std::size_t i = along_x_.piece_of<Real>(x);
    const std::size_t j = along_y_.piece_of<Real>(y);
    const Cell& cell = cells_[i * along_y_.pieces() + j];
    if constexpr (std::is_same_v<Real, Symbolic>) {
      const double a = number_of(x).value() - cell.x, b = number_of(y).value() - cell.y;
      return Symbolic::call(cell.c[0] + cell.c[1] * a + (cell.c[2] + cell.c[3] * a) * b,
                            Table::kName, number_of(x), number_of(y));
    }
    const Real u = number_of(x) - Real(cell.x);
    const Real v = number_of(y) - Real(cell.y);
    return Real(Real(cell.c[0]) + Real(cell.c[1]) * u +
                (Real(cell.c[2]) + Real(cell.c[3]) * u) * v);
  }

  TablePieces along_x_;
  TablePieces along_y_;
  std::vector<Cell> cells_;
};

}  // namespace saltus::modeling

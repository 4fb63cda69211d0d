// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <random>

#include "session.hpp"

/// Arguments for calls: which variables may be set and read in a state by the standard's words, and
/// values that make sense.
namespace conformance {

/// Random numbers that are the same everywhere.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  std::size_t below(std::size_t n) { return n == 0 ? 0 : engine_() % n; }
  /// In [-1, 1).
  double unit() { return static_cast<double>(engine_() >> 11) * 0x1p-52 - 1.0; }
  bool chance(double probability) { return (unit() + 1.0) / 2.0 < probability; }

 private:
  std::mt19937_64 engine_;
};

/// `open`: the standard's text does not decide, or forbids what common importers do; an FMU may
/// answer either way, unharmed.
enum class Verdict { legal, open, illegal };

Type type_of(const Variable& variable);
bool is_state(const Session& session, const Variable& variable);
Verdict may_set(const Session& session, const Variable& variable);
Verdict may_get(const Session& session, const Variable& variable);

struct Assignment {
  std::vector<std::uint32_t> references;
  std::vector<double> values;
};
/// A few variables of the type that may be set, with values near to their start or present values.
Assignment sane_assignment(Session& session, Type type, Random& random);
/// One variable that may not be set, with a value it does not have; empty if there is none.
Assignment wrong_assignment(Session& session, Type type, Random& random);
/// A few variables of the type that may be read.
std::vector<std::uint32_t> readable(const Session& session, Type type, Random& random);

/// Unknowns and knowns of partial derivatives in the present state.
struct Derivative {
  std::vector<std::uint32_t> unknowns, knowns;
};
Derivative sane_derivative(const Session& session, Random& random);
/// A few continuous outputs that may be read.
std::vector<std::uint32_t> continuous_outputs(const Session& session, Random& random);
/// One whose dependencies can be asked for.
std::uint32_t some_unknown(const Session& session, Random& random);

/// A time that may be set: not before what was completed, not beyond the stop or the next event.
double sane_time(const Session& session, Random& random);
/// A communication step that does not lead beyond the stop time; 0 if there is none.
double sane_step(const Session& session, Random& random);

}  // namespace conformance

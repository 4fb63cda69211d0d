// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "saltus/core/capabilities.hpp"

/// How comparisons in a model become frozen decisions.
///
/// A *decision* is the moment a condition on model variables becomes a `bool`: in an `if`, a `?:`,
/// a `min`, `max` or `abs`. A fast pass knows it by its place, see also `DecisionPaths`. In event
/// mode decisions are taken from the values and remembered as locks; between events every pass
/// replays the locks, so that the equations stay smooth wherever the integrator looks. A condition
/// of several comparisons
/// (`h <= 0.0 && v < 0.0`) is one decision with one indicator: a comparison that changes without
/// changing the condition is no event. Such comparisons are its *parts*, and watched: a condition
/// that holds for a moment only shows it in the times at which its parts change.
namespace saltus::modeling {

/// An enumeration of its own, because a store through a character type could alias anything and
/// costs half the speed.
enum class Lock : std::uint8_t { no, yes };

/// The whole numbers that `floor`, `fmod` and the like hold between events, for one pass: each call
/// that the pass meets takes the next place. See `steps.hpp`.
struct StepPass {
  const std::uint32_t* next = nullptr;
  const std::uint32_t* end = nullptr;
  void* numbers = nullptr;    ///< of the scalar of the pass; `next` gives the position
  std::vector<double> taken;  ///< by a pass that decides
};

/// Where the pass that is under way reads its locks and writes its indicators. `live` passes (the
/// bodies of events) decide for the moment and record nothing.
struct Cursor {
  Lock* lock = nullptr;
  Lock* end = nullptr;
  double* z = nullptr;
  bool deciding = false;
  bool live = false;
  StepPass* steps = nullptr;  ///< null: the model has none
};

/// Empty outside of passes: a decision that nobody expects throws. `constinit` spares the wrapper
/// call of a dynamically initialised thread-local.
inline constinit thread_local Cursor cursor{};

/// Where a watching pass leaves the margins of parts, if anybody wants them.
inline constinit thread_local std::vector<double>* part_margins = nullptr;

class PartScope {
 public:
  explicit PartScope(std::vector<double>& margins) {
    margins.clear();
    part_margins = &margins;
  }
  ~PartScope() { part_margins = nullptr; }
  PartScope(const PartScope&) = delete;
  PartScope& operator=(const PartScope&) = delete;
};

/// What of these counts as something else than it is, in a watching pass over `events`.
inline constinit thread_local std::span<const HeldPart> held_parts{};

class HeldPartsScope {
 public:
  explicit HeldPartsScope(std::span<const HeldPart> held) { held_parts = held; }
  ~HeldPartsScope() { held_parts = {}; }
  HeldPartsScope(const HeldPartsScope&) = delete;
  HeldPartsScope& operator=(const HeldPartsScope&) = delete;
};

/// Lets decisions be taken for the moment, for one pass over `events`.
class LiveScope {
 public:
  LiveScope() { cursor.live = true; }
  ~LiveScope() { cursor.live = false; }
  LiveScope(const LiveScope&) = delete;
  LiveScope& operator=(const LiveScope&) = delete;
};

/// Sets the cursor for one pass over `equations`.
class CursorScope {
 public:
  explicit CursorScope(const Cursor& pass) { cursor = pass; }
  ~CursorScope() { cursor = {}; }
  CursorScope(const CursorScope&) = delete;
  CursorScope& operator=(const CursorScope&) = delete;
};

/// Throws: the pass met more decisions than the model had at its first pass.
[[noreturn]] void too_many_decisions();

/// The truth of a condition in the fast scalar: nothing is computed, the lock decides.
class LockedTruth {
 public:
  operator bool() const {
    if (cursor.lock == cursor.end) [[unlikely]] {
      too_many_decisions();
    }
    return *cursor.lock++ == Lock::yes;
  }
  template <class T>
  operator T() const = delete;  // a condition is not a number: write  c ? 1.0 : 0.0
  friend LockedTruth operator&&(LockedTruth, LockedTruth) { return {}; }
  friend LockedTruth operator||(LockedTruth, LockedTruth) { return {}; }
  friend LockedTruth operator!(LockedTruth) { return {}; }
  // With a condition on discrete variables, which is constant between events: one decision too.
  friend LockedTruth operator&&(bool, LockedTruth) { return {}; }
  friend LockedTruth operator&&(LockedTruth, bool) { return {}; }
  friend LockedTruth operator||(bool, LockedTruth) { return {}; }
  friend LockedTruth operator||(LockedTruth, bool) { return {}; }
};

/// The truth of a condition in the watching scalar: a margin that is positive where the condition
/// holds. `&&` is the smaller margin, `||` the larger, so that the margin of any condition is
/// continuous where its parts are.
class WatchedTruth {
 public:
  /// `at_zero` says whether a margin of exactly zero holds (`<=`, `>=`).
  WatchedTruth(double margin, bool at_zero) : margin_(margin), at_zero_(at_zero) {}

  /// A condition on discrete variables has no margin: it is far from changing until the next event.
  static WatchedTruth of(bool holds) { return {holds ? kFar : -kFar, false}; }
  /// Beyond any margin of numbers that mean something, and finite, since an indicator has to be.
  static constexpr double kFar = 1e100;

  bool holds() const { return margin_ > 0.0 || (margin_ == 0.0 && at_zero_); }
  /// Whether discrete variables decide alone.
  bool is_discrete() const { return margin_ == kFar || margin_ == -kFar; }
  /// Positive exactly where the condition holds and never zero: the smallest number stands in for
  /// it.
  double indicator() const;
  /// Whether joining it with another comparison makes it a part: unless its own parts are known.
  bool is_part() const { return is_part_; }

  operator bool() const {
    if (cursor.live) {
      return holds();
    }
    if (cursor.lock == cursor.end) [[unlikely]] {
      too_many_decisions();
    }
    *cursor.z++ = indicator();
    if (cursor.deciding) {
      *cursor.lock = holds() ? Lock::yes : Lock::no;
    }
    return *cursor.lock++ == Lock::yes;
  }
  template <class T>
  operator T() const = delete;  // a condition is not a number: write  c ? 1.0 : 0.0

  friend WatchedTruth operator&&(WatchedTruth a, WatchedTruth b) {
    note_parts(a, b);
    return joined(a.below(b) ? a : b);
  }
  friend WatchedTruth operator||(WatchedTruth a, WatchedTruth b) {
    note_parts(a, b);
    return joined(a.below(b) ? b : a);
  }
  friend WatchedTruth operator!(WatchedTruth a) {
    WatchedTruth opposite(-a.margin_, !a.at_zero_);
    opposite.is_part_ = a.is_part_;
    return opposite;
  }
  // A discrete condition does not change between events: the other one is all there is to watch.
  friend WatchedTruth operator&&(bool a, WatchedTruth b) {
    return of(a).below(b) ? b.replaced_by(of(a)) : b;
  }
  friend WatchedTruth operator&&(WatchedTruth a, bool b) { return b && a; }
  friend WatchedTruth operator||(bool a, WatchedTruth b) {
    return of(a).below(b) ? b : b.replaced_by(of(a));
  }
  friend WatchedTruth operator||(WatchedTruth a, bool b) { return b || a; }

  /// Order by margin, at zero the side that does not hold first. A margin that is not a number (y /
  /// x at x = 0) says nothing: the other one decides.
  bool below(const WatchedTruth& other) const {
    if (margin_ != other.margin_) {
      return margin_ < other.margin_ || other.margin_ != other.margin_;
    }
    return !at_zero_;
  }

 private:
  static WatchedTruth joined(WatchedTruth both) {
    both.is_part_ = false;
    return both;
  }
  static void note_parts(WatchedTruth& a, WatchedTruth& b) {
    if (part_margins != nullptr) {
      a.note_part();
      b.note_part();
    }
  }
  WatchedTruth replaced_by(WatchedTruth other) const {
    other.is_part_ = is_part_;
    return other;
  }
  void note_part() {
    if (is_part_) {
      if (!held_parts.empty()) [[unlikely]] {
        hold(part_margins->size());
      }
      part_margins->push_back(indicator());
    }
  }
  void hold(std::size_t part);

  double margin_;
  bool at_zero_;
  bool is_part_ = true;
};

inline double WatchedTruth::indicator() const {
  // The smallest normal number: nearest to zero of all that keep their digits.
  constexpr double kSmallest = 2.2250738585072014e-308;
  return margin_ != 0.0 ? margin_ : (at_zero_ ? kSmallest : -kSmallest);
}

}  // namespace saltus::modeling

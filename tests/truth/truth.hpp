// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace saltus::truth {

/// What a run of a random model whose solution is known turned out to be. `refused`: Saltus ended
/// it with a reason, or a warning says what is doubtful; `wrong`: numbers that are off, without a
/// word.
struct Verdict {
  enum class Kind { right, refused, wrong };
  Kind kind = Kind::right;
  std::string why = {};  ///< the reason of a refusal; what was wrong
};
inline Verdict right() { return {}; }
inline Verdict refused(std::string why) { return {Verdict::Kind::refused, std::move(why)}; }
inline Verdict wrong(std::string why) { return {Verdict::Kind::wrong, std::move(why)}; }

/// A family of random models: one seed, one model, one run (on a road that the seed chooses, or on
/// all of them) and one verdict. What it throws counts too: a `saltus::Error` as a refusal, so a
/// family that knows a better answer to an error catches it; anything else as wrong.
using Run = Verdict (*)(std::uint64_t seed);

/// Enters a family into the list of the program `truth`. One object at namespace scope in the
/// family's file, and one line `saltus_truth_family(...)` in CMakeLists.txt:
///
///     const Family kFamily{"linear_daes", "linear DAEs of index 1 to 5 behind random mixes", run};
class Family {
 public:
  Family(const char* name, const char* about, Run run);
  const char* name() const { return name_; }
  const char* about() const { return about_; }
  /// Never throws; a run that does not end or crashes ends the program, which names the seed.
  Verdict verdict(std::uint64_t seed) const;

 private:
  const char* name_;
  const char* about_;
  Run run_;
};

/// In the order of their names.
std::span<const Family* const> families();

/// Numbers that are the same on every machine for the same seed (SplitMix64: Steele, Lea, Flood,
/// Fast splittable pseudorandom number generators, OOPSLA 2014).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15U + 0x2545f4914f6cdd1dU) {}

  std::uint64_t bits();
  /// In [0, 1).
  double uniform() { return static_cast<double>(bits() >> 11U) * 0x1p-53; }
  double uniform(double low, double high) { return low + (high - low) * uniform(); }
  /// In [low, high], all decades alike; both positive.
  double log_uniform(double low, double high);
  double normal();
  /// One of low, ..., high.
  int integer(int low, int high);
  bool chance(double probability) { return uniform() < probability; }

 private:
  std::uint64_t state_;
};

}  // namespace saltus::truth

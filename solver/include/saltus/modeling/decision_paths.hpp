// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "saltus/autodiff/decisions.hpp"

/// Conditions that stand behind other conditions: `else if`, a `?:` within another one, `abs` in a
/// branch, a loop that ends early, a `switch` over a discrete variable.
///
/// What fast passes know of a decision is its place in the pass, and where the decisions before it
/// change, another one comes to stand there. So the model remembers its decisions by the
/// *conditions* that they are, each known by its text and by how many of the same text were met
/// before it, and before a configuration is run the locks are put in the order in which a pass
/// meets them: its *path*. The text of a declared variable is its name, whatever was assigned to
/// it; so a condition is the same one on all paths.
///
/// All conditions have to be known before the first run, as their number is that of the indicators.
/// They are found by passes that answer questions otherwise than the start values do, until each
/// condition has been answered both ways.
namespace saltus::modeling {

/// One way through `equations`.
struct DecisionPath {
  std::vector<Lock> locks;              ///< in the order in which a pass meets the decisions
  std::vector<std::size_t> conditions;  ///< beside them: which condition of the model each is
  std::vector<std::size_t> parts;       ///< the comparisons that `&&` and `||` have joined
  std::vector<std::uint32_t> steps;     ///< the whole numbers of `steps.hpp`, as they are met
  /// Whole-number variables that a pass reads, by index, and what they are on this path.
  std::vector<std::pair<std::size_t, std::int64_t>> wholes;
};

/// What one pass over the equations with the symbolic scalar has met.
struct SymbolicPass {
  std::vector<std::string> conditions;
  std::vector<std::string> slopes;  ///< beside them, see `Symbolic::slope`
  std::vector<bool> plain;          ///< beside them, see `PlainDecisions`
  std::vector<bool> steps;          ///< beside them, see `Spelling::steps`
  std::vector<std::string> parts;
  std::vector<std::string> equations;
  std::vector<Lock> answers;             ///< beside `conditions`
  std::vector<std::size_t> wholes_read;  ///< indices
  bool compares_time = false;
  std::exception_ptr failure;  ///< what has ended it, if anything
};

/// Answers a condition; `holds` is what the values say.
using Answer = std::function<bool(const std::string& text, bool holds)>;
/// Runs a pass with these values of the whole-number variables.
using SymbolicRun = std::function<SymbolicPass(std::span<const std::int64_t>, const Answer&)>;

/// The texts of what a model has, each with a number. A text that a pass meets again is another
/// one.
class NumberedTexts {
 public:
  std::size_t size() const { return names_.size(); }
  const std::vector<std::string>& names() const { return names_; }
  /// The numbers of these, in a pass; what is new is added.
  std::vector<std::size_t> add(std::span<const std::string> texts);
  /// Throws `ModelMistake` where one is not known.
  std::vector<std::size_t> find(std::span<const std::string> texts) const;

  /// While a pass goes on: the number of the next text, or `size()` where it is new.
  class Counter {
   public:
    explicit Counter(const NumberedTexts& texts) : texts_(texts) {}
    std::size_t next(const std::string& text);

   private:
    const NumberedTexts& texts_;
    std::map<std::string, std::size_t> met_;
  };

 private:
  std::map<std::pair<std::string, std::size_t>, std::size_t> numbers_;
  std::vector<std::string> names_;
};

/// All conditions in the equations of a model, and the paths that its configurations take.
class DecisionPaths {
 public:
  /// Looks for conditions, from the start values and with these values of whole-number variables.
  /// To be called as often as there are such values to try.
  void explore(std::span<const std::int64_t> wholes, const SymbolicRun& run);

  /// Whether places are all there is to know: all passes meet the same conditions, or so many that
  /// not all were tried, and the same number of them.
  bool is_straight() const { return uniform_ || (same_number_ && exhausted_); }
  /// Whether all passes meet the same conditions.
  bool is_uniform() const { return uniform_; }
  const NumberedTexts& conditions() const { return conditions_; }
  const NumberedTexts& parts() const { return parts_; }
  bool compares_time() const { return compares_time_; }
  /// How many whole numbers `steps.hpp` holds.
  std::size_t steps() const { return is_straight() ? steps_in_first_ : steps_; }
  /// That of a condition of a function that jumps, or `kNoStep`.
  static constexpr std::uint32_t kNoStep = 0xffffffffU;
  std::uint32_t step_of(std::size_t condition) const {
    return condition < step_of_.size() ? step_of_[condition] : kNoStep;
  }
  /// Whether any pass has read whole-number variables.
  bool reads_wholes() const { return reads_wholes_; }
  /// Beside `conditions`: a derivative that it needs and that nothing had assigned.
  const std::vector<std::string>& slopes() const { return slopes_; }

  using Path = std::shared_ptr<DecisionPath>;
  /// Where paths are found, and for models that have one alone not even looked for.
  struct Finder {
    static Path taken(DecisionPaths& paths, std::span<const std::int64_t> wholes,
                      std::span<const Lock> decisions, const SymbolicRun& run);
    static Path along(DecisionPaths& paths, std::span<const std::int64_t> wholes,
                      std::span<const Lock> locks, const SymbolicRun& run);
  };
  /// The path on which a pass has taken these decisions, in this order.
  Path taken(std::span<const std::int64_t> wholes, std::span<const Lock> decisions,
             const SymbolicRun& run);
  /// The path of a configuration: `locks` has an entry for each condition.
  Path along(std::span<const std::int64_t> wholes, std::span<const Lock> locks,
             const SymbolicRun& run);

 private:
  struct Reached {
    std::vector<Lock> before;  // the answers on the way to it
    bool answered[2] = {false, false};
    bool plain = false;
  };
  SymbolicPass try_answers(std::span<const std::int64_t> wholes, const SymbolicRun& run,
                           const std::vector<Lock>& first);
  bool learn(const SymbolicPass& pass);
  Path known(const std::map<std::vector<Lock>, std::vector<Path>>& paths,
             const std::vector<Lock>& key, std::span<const std::int64_t> wholes) const;
  Path add(std::map<std::vector<Lock>, std::vector<Path>>& paths, const std::vector<Lock>& key,
           std::span<const std::int64_t> wholes, const SymbolicPass& pass);

  NumberedTexts conditions_;
  NumberedTexts parts_;
  std::vector<std::string> slopes_;
  std::vector<Reached> reached_;
  std::vector<std::uint32_t> step_of_;  // beside the conditions
  std::uint32_t steps_ = 0;
  std::size_t steps_in_first_ = 0;
  bool same_number_ = true;
  bool uniform_ = true;
  bool exhausted_ = false;
  std::size_t met_ = 0;  // conditions and parts in the first pass
  bool explored_ = false;
  bool reads_wholes_ = false;
  bool compares_time_ = false;
  std::map<std::vector<Lock>, std::vector<Path>> by_decisions_;
  std::map<std::vector<Lock>, std::vector<Path>> by_conditions_;
};

}  // namespace saltus::modeling

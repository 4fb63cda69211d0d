// SPDX-License-Identifier: BSD-2-Clause
#include "switch_influence.hpp"

#include <algorithm>
#include <exception>
#include <map>
#include <random>
#include <utility>

namespace saltus::modeling {
namespace {

// Passes for one purpose: a model of a thousand switches has a thousand of them turned at two
// combinations, one of a hundred at twenty.
constexpr std::size_t kPasses = 2000;
// An expression under more switches than this is not looked at under all combinations.
constexpr std::size_t kMostSwitches = 8;
// With as many switches in all, no combination is left out.
constexpr std::size_t kAllCombinations = 10;
constexpr std::size_t kTests = 64;

using Combination = std::vector<bool>;
using Variants = std::vector<std::vector<Tape::Node>>;

class Influence {
 public:
  explicit Influence(const DependencyQuestion& question)
      : question_(question), switches_(question.decisions + question.flags) {}

  std::vector<SwitchedExpression> find() {
    try {
      if (switches_ <= kAllCombinations) {
        look_at_all();
      } else {
        turn_each();
        combine();
        test();
      }
    } catch (const std::exception&) {
      return {};  // some combination is none that the model was written for
    }
    return trusted_ ? std::move(expressions_) : std::vector<SwitchedExpression>{};
  }

 private:
  // The expressions under one combination.
  Variants look(const Combination& on) {
    std::vector<Lock> decisions(question_.decisions);
    for (std::size_t i = 0; i < decisions.size(); ++i) {
      decisions[i] = on[i] ? Lock::yes : Lock::no;
    }
    RecordedPass pass = question_.run(
        decisions, {on.begin() + static_cast<std::ptrdiff_t>(decisions.size()), on.end()});
    trusted_ = trusted_ && pass.holds_everywhere && !pass.reads_integers &&
               pass.conditions.size() == question_.decisions;
    Variants found;
    for (const Tape::Node node : pass.computed) {
      found.push_back({node});
    }
    for (std::vector<Tape::Node>& condition : pass.conditions) {
      found.push_back(std::move(condition));
    }
    if (expressions_.empty()) {
      expressions_.resize(found.size());
    }
    trusted_ = trusted_ && found.size() == expressions_.size();
    return found;
  }

  void look_at_all() {
    std::vector<Variants> found;
    for (std::size_t bits = 0; bits < std::size_t{1} << switches_ && trusted_; ++bits) {
      Combination on(switches_);
      for (std::size_t i = 0; i < switches_; ++i) {
        on[i] = (bits >> i & 1U) != 0;
      }
      found.push_back(look(on));
    }
    for (std::size_t bits = 0; trusted_ && bits < found.size(); ++bits) {
      for (std::size_t e = 0; e < expressions_.size(); ++e) {
        expressions_[e].variants.insert(found[bits][e]);
        for (std::size_t i = 0; i < switches_; ++i) {
          if (found[bits][e] != found[bits ^ (std::size_t{1} << i)][e]) {
            expressions_[e].switches.insert(i);
          }
        }
      }
    }
  }

  void turn_each() {
    const std::size_t random = std::clamp<std::size_t>(kPasses / (switches_ + 1), 2, 18) - 2;
    for (std::size_t base = 0; base < 2 + random && trusted_; ++base) {
      Combination on(switches_, base == 1);
      if (base > 1) {
        std::generate(on.begin(), on.end(), [this] { return toss(); });
      }
      const Variants before = look(on);
      for (std::size_t i = 0; i < switches_ && trusted_; ++i) {
        on[i] = !on[i];
        const Variants after = look(on);
        on[i] = !on[i];
        for (std::size_t e = 0; trusted_ && e < expressions_.size(); ++e) {
          if (after[e] != before[e]) {
            expressions_[e].switches.insert(i);
          }
        }
      }
    }
  }

  void combine() {
    std::map<std::set<std::size_t>, std::vector<std::size_t>> together;
    for (std::size_t e = 0; e < expressions_.size(); ++e) {
      expressions_[e].known = expressions_[e].switches.size() <= kMostSwitches;
      if (expressions_[e].known) {
        together[expressions_[e].switches].push_back(e);
      }
    }
    for (const auto& [set, members] : together) {
      const std::vector<std::size_t> turned(set.begin(), set.end());
      Combination on(switches_, false);
      for (std::size_t bits = 0; bits < (std::size_t{1} << turned.size()) && trusted_; ++bits) {
        for (std::size_t i = 0; i < turned.size(); ++i) {
          on[turned[i]] = (bits >> i & 1U) != 0;
        }
        const Variants found = look(on);
        for (const std::size_t e : members) {
          expressions_[e].variants.insert(found[e]);
        }
      }
    }
  }

  void test() {
    for (std::size_t i = 0; i < kTests && switches_ > 0 && trusted_; ++i) {
      Combination on(switches_);
      std::generate(on.begin(), on.end(), [this] { return toss(); });
      const Variants found = look(on);
      for (std::size_t e = 0; e < expressions_.size(); ++e) {
        expressions_[e].known =
            expressions_[e].known && expressions_[e].variants.count(found[e]) > 0;
      }
    }
  }

  bool toss() { return (random_() >> 40 & 1U) != 0; }

  const DependencyQuestion& question_;
  std::size_t switches_;
  std::vector<SwitchedExpression> expressions_;
  bool trusted_ = true;
  std::mt19937_64 random_{1};  // NOLINT(cert-msc51-cpp): two runs are to find the same
};

}  // namespace

std::vector<SwitchedExpression> switch_influence(const DependencyQuestion& question) {
  return Influence(question).find();
}

}  // namespace saltus::modeling

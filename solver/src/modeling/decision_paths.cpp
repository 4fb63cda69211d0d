// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/modeling/decision_paths.hpp"

#include <algorithm>
#include <array>

#include "repeated_conditions.hpp"
#include "saltus/core/mistakes.hpp"
#include "saltus/modeling/passes.hpp"

namespace saltus::modeling {
namespace {

// Conditions whose number depends on the answers to others, as comparisons of a sum that branches
// have built, double with each of them.
constexpr std::size_t kMostConditions = 10000;
// Values of a counter that the equations read are met once each.
constexpr std::size_t kMostAlike = 64;

bool agrees(const DecisionPath& path, std::span<const std::int64_t> wholes) {
  return std::all_of(path.wholes.begin(), path.wholes.end(),
                     [&](const auto& read) { return wholes[read.first] == read.second; });
}

// How conditions were answered, each after the answers to so many conditions before it.
class AnswersInContext {
 public:
  explicit AnswersInContext(std::size_t depth) : depth_(depth) {}

  void note(const SymbolicPass& pass) {
    for (std::size_t place = 0; place < pass.answers.size(); ++place) {
      answered_[context(pass, place)][pass.answers[place] == Lock::yes ? 1 : 0] = true;
    }
  }
  /// Whether the answer that this pass did not give was given by none, and may be: the same
  /// question gets the same answer in a pass.
  bool is_one_left(const SymbolicPass& pass, std::size_t place) const {
    if (pass.plain[place]) return false;
    const auto end = pass.conditions.begin() + static_cast<std::ptrdiff_t>(place);
    const auto& answered = answered_.at(context(pass, place));
    return !(answered[0] && answered[1]) && std::find(pass.conditions.begin(), end, *end) == end;
  }

 private:
  std::string context(const SymbolicPass& pass, std::size_t place) const {
    std::string text;
    for (std::size_t i = place - std::min(place, depth_); i < place; ++i) {
      text += pass.conditions[i] + (pass.answers[i] == Lock::yes ? "\n+" : "\n-");
    }
    return text + pass.conditions[place];
  }

  std::size_t depth_;
  std::map<std::string, std::array<bool, 2>> answered_;
};

}  // namespace

std::size_t NumberedTexts::Counter::next(const std::string& text) {
  const auto found = texts_.numbers_.find({text, met_[text]++});
  return found == texts_.numbers_.end() ? texts_.size() : found->second;
}

std::vector<std::size_t> NumberedTexts::add(std::span<const std::string> texts) {
  std::map<std::string, std::size_t> met;
  std::vector<std::size_t> numbers;
  for (const std::string& text : texts) {
    const auto [entry, is_new] = numbers_.try_emplace({text, met[text]++}, names_.size());
    if (is_new) {
      names_.push_back(text);
    }
    numbers.push_back(entry->second);
  }
  return numbers;
}

std::vector<std::size_t> NumberedTexts::find(std::span<const std::string> texts) const {
  Counter counter(*this);
  std::vector<std::size_t> numbers;
  for (const std::string& text : texts) {
    numbers.push_back(counter.next(text));
    if (numbers.back() == size()) {
      throw ModelMistake(
          "equations() meets '" + text +
          "', which it did not meet on any of the ways that were tried when the model was made: "
          "how many conditions a model has must be known before it runs. If several conditions "
          "lead there, join them with && into one; if a sum or another number that branches "
          "compute is compared, assign it to a declared Local first; if a Discrete<int> leads "
          "there, compute the condition before it is asked for");
    }
  }
  return numbers;
}

// A condition that has an answer left is given that one. Where the same text is met again it gets
// the same answer, so that what a branch has prepared is there when it is used.
SymbolicPass DecisionPaths::try_answers(std::span<const std::int64_t> wholes,
                                        const SymbolicRun& run, const std::vector<Lock>& first) {
  NumberedTexts::Counter counter(conditions_);
  std::map<std::string, bool> given;
  std::size_t place = 0;
  return run(wholes, [&](const std::string& text, bool holds) {
    const std::size_t condition = counter.next(text);
    bool answer = holds;
    if (place < first.size()) {
      answer = first[place] == Lock::yes;
    } else if (const auto before = given.find(text); before != given.end()) {
      answer = before->second;
    } else if (condition < reached_.size() && !reached_[condition].plain &&
               reached_[condition].answered[holds ? 1 : 0]) {
      answer = reached_[condition].answered[holds ? 0 : 1] ? holds : !holds;
    }
    ++place;
    given[text] = answer;
    return answer;
  });
}

// Returns whether there was anything new.
bool DecisionPaths::learn(const SymbolicPass& pass) {
  const std::size_t before = conditions_.size();
  const std::vector<std::size_t> numbers = conditions_.add(pass.conditions);
  const std::vector<std::size_t> parts = parts_.add(pass.parts);
  if (conditions_.size() > kMostConditions && !same_number_) {
    throw ModelMistake("equations() has more than " + std::to_string(kMostConditions) +
                       " conditions, as '" + conditions_.names().back() +
                       "': assign what branches compute to a declared Local before it is compared");
  }
  reached_.resize(conditions_.size());
  step_of_.resize(conditions_.size(), kNoStep);
  const auto steps =
      static_cast<std::size_t>(std::count(pass.steps.begin(), pass.steps.end(), true));
  steps_in_first_ = explored_ ? steps_in_first_ : steps;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (pass.steps[i] && step_of_[numbers[i]] == kNoStep) {
      step_of_[numbers[i]] = steps_++;
    }
    if (pass.steps[i] && i + 1 < numbers.size()) {  // up, and behind it down
      step_of_[numbers[i + 1]] = step_of_[numbers[i]];
    }
  }
  slopes_.resize(conditions_.size());
  bool news = conditions_.size() != before;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    Reached& reached = reached_[numbers[i]];
    if (numbers[i] >= before) {
      reached.before.assign(pass.answers.begin(),
                            pass.answers.begin() + static_cast<std::ptrdiff_t>(i));
    }
    reached.plain = pass.plain[i];
    if (slopes_[numbers[i]].empty()) {
      slopes_[numbers[i]] = pass.slopes[i];
    }
    bool& answered = reached.answered[pass.answers[i] == Lock::yes ? 1 : 0];
    news = news || !answered;
    answered = true;
  }
  const std::size_t met = numbers.size() + parts.size();
  same_number_ = same_number_ && (!explored_ || met == met_ || pass.failure);
  uniform_ = uniform_ && same_number_ && (!explored_ || conditions_.size() == before) &&
             std::is_sorted(numbers.begin(), numbers.end());
  met_ = explored_ ? met_ : met;
  explored_ = true;
  compares_time_ = compares_time_ || pass.compares_time;
  reads_wholes_ = reads_wholes_ || !pass.wholes_read.empty();
  return news;
}

// A text that stands in several branches is one condition, and what stands behind it depends on the
// branch. So it is answered both ways after each answer to the condition before it, then after each
// pair of answers to the two before it, and so on, until two such rounds have found nothing new.
void DecisionPaths::explore(std::span<const std::int64_t> wholes, const SymbolicRun& run) {
  // Where texts differ and numbers do not, there can be very many.
  constexpr std::size_t kMostOfSameNumber = 100;
  // Of those whose numbers differ, beyond the ones that each condition needs: with the start
  // values, and with each of the others, of which there can be many.
  constexpr std::size_t kMostPasses = 1000, kMostOfOthers = 50;
  const bool is_first = !explored_;
  // One more finds conditions that three others hide, at as many passes as there are triples.
  constexpr int kFruitless = 2;
  std::vector<SymbolicPass> passes;
  const auto goes_on = [&] {
    exhausted_ = exhausted_ || (same_number_ && passes.size() >= kMostOfSameNumber);
    return !same_number_ || !exhausted_;
  };
  const auto go = [&](const std::vector<Lock>& first) {
    passes.push_back(try_answers(wholes, run, first));
    return learn(passes.back());
  };
  // Those that are left with one answer stand where these values do not lead.
  for (bool news = go({}); news && goes_on();) {
    news = go({});
    for (std::size_t i = 0; i < reached_.size() && goes_on(); ++i) {
      if (!reached_[i].plain && reached_[i].answered[0] != reached_[i].answered[1]) {
        std::vector<Lock> first = reached_[i].before;
        first.push_back(reached_[i].answered[0] ? Lock::yes : Lock::no);
        news = go(first) || news;
      }
    }
  }
  const auto meet_repeated = [&] {
    if (same_number_) return;
    const std::vector<SymbolicPass> known = passes;
    meet_most_often(
        known,
        [&](const AnswersByText& given, const AnswersByText& others) {
          AnswersByText asked = given;
          SymbolicPass pass = run(wholes, [&](const std::string& text, bool holds) {
            const auto other = others.find(text);
            return asked.emplace(text, other != others.end() ? other->second : holds).first->second;
          });
          learn(pass);
          return pass;
        },
        is_first ? kMostPasses : kMostOfOthers);
  };
  const std::size_t most = passes.size() + (is_first ? kMostPasses : kMostOfOthers);
  int fruitless = 0;
  for (std::size_t depth = 1; fruitless < kFruitless; ++depth) {
    bool news = false;
    AnswersInContext answers(depth);
    for (const SymbolicPass& pass : passes) {
      answers.note(pass);
    }
    for (std::size_t p = 0; p < passes.size(); ++p) {
      for (std::size_t place = 0; place < passes[p].answers.size(); ++place) {
        if (!answers.is_one_left(passes[p], place)) continue;
        if (passes.size() >= most || !goes_on()) {
          meet_repeated();
          return;
        }
        std::vector<Lock> first(passes[p].answers.begin(),
                                passes[p].answers.begin() + static_cast<std::ptrdiff_t>(place));
        first.push_back(passes[p].answers[place] == Lock::yes ? Lock::no : Lock::yes);
        news = go(first) || news;
        answers.note(passes.back());
      }
    }
    fruitless = news ? 0 : fruitless + 1;
  }
  meet_repeated();
}

DecisionPaths::Path DecisionPaths::known(
    const std::map<std::vector<Lock>, std::vector<Path>>& paths, const std::vector<Lock>& key,
    std::span<const std::int64_t> wholes) const {
  if (const auto alike = paths.find(key); alike != paths.end()) {
    for (const Path& path : alike->second) {
      if (agrees(*path, wholes)) {
        return path;
      }
    }
  }
  return nullptr;
}

DecisionPaths::Path DecisionPaths::add(std::map<std::vector<Lock>, std::vector<Path>>& paths,
                                       const std::vector<Lock>& key,
                                       std::span<const std::int64_t> wholes,
                                       const SymbolicPass& pass) {
  if (pass.failure) {
    std::rethrow_exception(pass.failure);
  }
  auto path = std::make_shared<DecisionPath>();
  path->locks = pass.answers;
  path->conditions = conditions_.find(pass.conditions);
  path->parts = parts_.find(pass.parts);
  for (std::size_t i = 0; i < pass.steps.size(); ++i) {
    if (pass.steps[i]) path->steps.push_back(step_of_[path->conditions[i]]);
  }
  for (const std::size_t read : pass.wholes_read) {
    path->wholes.emplace_back(read, wholes[read]);
  }
  std::vector<Path>& alike = paths[key];
  if (alike.size() == kMostAlike) {
    alike.erase(alike.begin());
  }
  alike.push_back(path);
  return path;
}

DecisionPaths::Path DecisionPaths::Finder::taken(DecisionPaths& paths,
                                                 std::span<const std::int64_t> wholes,
                                                 std::span<const Lock> decisions,
                                                 const SymbolicRun& run) {
  const std::vector<Lock> key(decisions.begin(), decisions.end());
  if (Path path = paths.known(paths.by_decisions_, key, wholes)) {
    return path;
  }
  std::size_t place = 0;
  const SymbolicPass pass = run(wholes, [&](const std::string&, bool) {
    if (place == key.size()) {
      too_many_decisions();
    }
    return key[place++] == Lock::yes;
  });
  if (!pass.failure) {
    check_count(place, key.size(), "decisions");
  }
  return paths.add(paths.by_decisions_, key, wholes, pass);
}

DecisionPaths::Path DecisionPaths::Finder::along(DecisionPaths& paths,
                                                 std::span<const std::int64_t> wholes,
                                                 std::span<const Lock> locks,
                                                 const SymbolicRun& run) {
  const std::vector<Lock> key(locks.begin(), locks.end());
  if (Path path = paths.known(paths.by_conditions_, key, wholes)) {
    return path;
  }
  NumberedTexts::Counter counter(paths.conditions_);
  return paths.add(paths.by_conditions_, key, wholes,
                   run(wholes, [&](const std::string& text, bool holds) {
                     const std::size_t condition = counter.next(text);
                     return condition < key.size() ? key[condition] == Lock::yes : holds;
                   }));
}

}  // namespace saltus::modeling

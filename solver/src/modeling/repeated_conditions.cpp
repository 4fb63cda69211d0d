// SPDX-License-Identifier: BSD-2-Clause
#include "repeated_conditions.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace saltus::modeling {
namespace {

std::size_t count_of(const SymbolicPass& pass, const std::string& text) {
  return static_cast<std::size_t>(std::count(pass.conditions.begin(), pass.conditions.end(), text));
}

AnswersByText answers_of(const SymbolicPass& pass) {
  AnswersByText answers;
  for (std::size_t i = 0; i < pass.conditions.size(); ++i) {
    answers.emplace(pass.conditions[i], pass.answers[i] == Lock::yes);
  }
  return answers;
}

// Texts that stand behind different answers.
std::set<std::string> in_several_branches(const std::vector<SymbolicPass>& passes) {
  std::map<std::string, std::string> before;
  std::set<std::string> found;
  for (const SymbolicPass& pass : passes) {
    std::string last;
    for (std::size_t i = 0; i < pass.conditions.size(); ++i) {
      const auto [known, is_new] = before.emplace(pass.conditions[i], last);
      if (!is_new && known->second != last) found.insert(pass.conditions[i]);
      last = pass.conditions[i] + (pass.answers[i] == Lock::yes ? "\n+" : "\n-");
    }
  }
  return found;
}

// In passes that meet a text: the answers that have led there.
AnswersByText leading_to(const std::vector<SymbolicPass>& passes, const std::string& text) {
  AnswersByText answers;
  for (const SymbolicPass& pass : passes) {
    const auto last = std::find(pass.conditions.rbegin(), pass.conditions.rend(), text);
    for (auto i = static_cast<std::size_t>(pass.conditions.rend() - last); i-- > 1;) {
      answers.emplace(pass.conditions[i - 1], pass.answers[i - 1] == Lock::yes);
    }
  }
  return answers;
}

}  // namespace

void meet_most_often(const std::vector<SymbolicPass>& passes, const AnsweredPass& run,
                     std::size_t budget) {
  for (const std::string& text : in_several_branches(passes)) {
    const AnswersByText others = leading_to(passes, text);
    SymbolicPass best = *std::max_element(passes.begin(), passes.end(),
                                          [&](const SymbolicPass& a, const SymbolicPass& b) {
                                            return count_of(a, text) < count_of(b, text);
                                          });
    for (bool higher = true; higher;) {
      higher = false;
      for (std::size_t place = 0; place < best.conditions.size(); ++place) {
        const auto here = best.conditions.begin() + static_cast<std::ptrdiff_t>(place);
        if (std::find(best.conditions.begin(), here, *here) != here) continue;
        if (budget-- == 0) return;
        AnswersByText given = answers_of(best);
        given[*here] = !given[*here];
        SymbolicPass tried = run(given, others);
        if (count_of(tried, text) > count_of(best, text)) {
          best = std::move(tried);
          higher = true;
        }
      }
    }
  }
}

}  // namespace saltus::modeling

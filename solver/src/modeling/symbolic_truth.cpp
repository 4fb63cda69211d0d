// SPDX-License-Identifier: BSD-2-Clause
// Conditions in a pass with the spelling scalar.
#include "saltus/core/mistakes.hpp"
#include "saltus/modeling/variables.hpp"
#include "symbolic_spelling.hpp"

namespace saltus::modeling {
namespace {

// What an `if` in `events` may ask in one pass that answers all alike: a loop would not end.
constexpr std::size_t kMostAsked = 10000;

thread_local bool decisions_are_plain = false;

std::string in_conjunction(const std::string& text, int rank) {
  return rank < kAnd ? "(" + text + ")" : text;
}

}  // namespace

PlainDecisions::PlainDecisions() { decisions_are_plain = true; }
PlainDecisions::~PlainDecisions() { decisions_are_plain = false; }

void SymbolicTruth::record(const std::string& before, bool open) const {
  if (spelling_now != nullptr) {
    tell_reads();
    spelling_now->conditions.push_back(before + text_);
    spelling_now->open.push_back(open_ && open);
    spelling_now->joined.push_back(!truth_.is_part());
    spelling_now->plain.push_back(decisions_are_plain);
    spelling_now->steps.push_back(decision_begins_step);
    spelling_now->slopes.push_back(slope_);
    if (jumps_ && !recording_decisions) {
      throw ModelMistake("in events(), the condition '" + text_ +
                         "' jumps by itself, and nothing would hold it still between events: "
                         "assign what jumps to a Local in equations(), and compare that");
    }
  }
}

SymbolicTruth& SymbolicTruth::computed_from(const std::string& slope) {
  if (slope_.empty()) {
    slope_ = slope;
  }
  return *this;
}

SymbolicTruth::operator bool() const {
  if (recording_decisions) {
    record();
    return spelling_now->decide ? spelling_now->decide(text_, holds(), truth_.is_discrete())
                                : holds();
  }
  if (spelling_now != nullptr) {
    if (spelling_now->asked.size() == kMostAsked) {
      throw EndlessQuestions();
    }
    spelling_now->asked.push_back(text_);
    return spelling_now->answer.value_or(holds());
  }
  return holds();
}

void SymbolicTruth::note_part() const {
  if (spelling_now != nullptr && truth_.is_part()) {
    spelling_now->parts.push_back(text_);
  }
}

SymbolicTruth operator&&(const SymbolicTruth& a, const SymbolicTruth& b) {
  a.note_part();
  b.note_part();
  const std::string text =
      in_conjunction(a.text_, a.rank_) + " && " + in_conjunction(b.text_, b.rank_);
  return SymbolicTruth{a.truth_ && b.truth_, shortened(text), kAnd}
      .computed_from(a.slope_)
      .computed_from(b.slope_)
      .jumping(a.jumps_ || b.jumps_);
}
SymbolicTruth operator||(const SymbolicTruth& a, const SymbolicTruth& b) {
  a.note_part();
  b.note_part();
  return SymbolicTruth{a.truth_ || b.truth_, shortened(a.text_ + " || " + b.text_), kOr}
      .computed_from(a.slope_)
      .computed_from(b.slope_)
      .jumping(a.jumps_ || b.jumps_);
}
SymbolicTruth operator!(const SymbolicTruth& a) {
  return SymbolicTruth{!a.truth_, "!(" + a.text_ + ")", 9}.computed_from(a.slope_).jumping(
      a.jumps_);
}
SymbolicTruth operator&&(bool a, const SymbolicTruth& b) { return b.both(a, ""); }
SymbolicTruth operator||(bool a, const SymbolicTruth& b) { return b.either(a, ""); }
SymbolicTruth SymbolicTruth::both(bool discrete, const std::string& text) const {
  SymbolicTruth both = *this;
  both.truth_ = discrete && truth_;
  both.text_ = shortened((text.empty() ? kDiscrete : text) + " && " + in_conjunction(text_, rank_));
  both.rank_ = kAnd;
  both.open_ = discrete && open_;
  return both;
}
SymbolicTruth SymbolicTruth::either(bool discrete, const std::string& text) const {
  SymbolicTruth either = *this;
  either.truth_ = discrete || truth_;
  either.text_ = shortened((text.empty() ? kDiscrete : text) + " || " + text_);
  either.rank_ = kOr;
  either.open_ = true;
  return either;
}

void Symbolic::record_condition(bool holds, const std::string& before, const void* flag) {
  if (spelling_now == nullptr) {
    return;
  }
  const std::string number =
      "condition " + std::to_string(spelling_now->conditions.size() + 1) + names_read();
  tell_reads();
  const auto owner = running_submodel(*spelling_now);
  const std::string nameless =
      (owner ? spelling_now->members.submodels->name(*owner) + ": " : std::string()) + number;
  spelling_now->conditions.push_back(before + name_at(flag, nameless));
  spelling_now->open.push_back(holds);
  spelling_now->joined.push_back(false);
  spelling_now->plain.push_back(false);
  spelling_now->steps.push_back(false);
  spelling_now->slopes.emplace_back();
}

void Symbolic::record_condition(const WholeTruth& condition, const std::string& before) {
  if (spelling_now == nullptr) {
    return;
  }
  record_condition(condition.value(), before);
  spelling_now->conditions.back() = before + text_of(condition);
}

}  // namespace saltus::modeling

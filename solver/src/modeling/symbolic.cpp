// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/modeling/symbolic.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string_view>

#include "equation_notes.hpp"
#include "saltus/core/mistakes.hpp"
#include "saltus/core/number_text.hpp"
#include "saltus/modeling/inspection.hpp"
#include "saltus/modeling/variables.hpp"

namespace saltus::modeling {
namespace {

// How strongly the parts of a text are bound: what binds less is put in parentheses.
constexpr int kRelation = 3;
constexpr int kAnd = 2;
constexpr int kOr = 1;
// Long expressions are cut: a name is for reading. It also tells conditions apart, so a number made
// from all of it stands at the end.
constexpr std::size_t kLongest = 160;
// A condition on discrete variables is plain C++ and has no text.
constexpr const char* kDiscrete = "(discrete)";
// What an `if` in `events` may ask in one pass that answers all alike: a loop would not end.
constexpr std::size_t kMostAsked = 10000;

thread_local Spelling* spelling = nullptr;
thread_local bool recording_decisions = false;
thread_local bool decisions_are_plain = false;
thread_local bool decision_begins_step = false;
thread_local EquationNotes* noted = nullptr;

bool chosen(const SymbolicTruth& truth) {
  return spelling != nullptr && !recording_decisions ? truth.holds() : bool(truth);
}

std::string in_conjunction(const std::string& text, int rank) {
  return rank < kAnd ? "(" + text + ")" : text;
}

/// FNV-1a: G. Fowler, L. C. Noll, K.-P. Vo, with the published constants for 32 bits.
std::uint32_t hash(std::string_view text) {
  std::uint32_t sum = 2166136261U;
  for (const char letter : text) {
    sum = (sum ^ static_cast<unsigned char>(letter)) * 16777619U;
  }
  return sum;
}

std::string shortened(std::string text) {
  const std::size_t longest = noted == nullptr ? kLongest : EquationNotes::kLongest;
  if (text.size() <= longest) return text;
  if (noted != nullptr) {
    noted->cut = true;
    text.resize(longest);
    return text + "...";
  }
  const std::string number = std::to_string(hash(text));
  text.resize(longest);
  return text + " #" + number + "...";
}

// Of a whole-number variable.
std::string name_at(const void* place, const std::string& otherwise) {
  if (spelling != nullptr && place != nullptr) {
    for (const Variable& variable : spelling->members.variables) {
      if (variable.is_whole() && spelling->members.wholes[variable.index].where == place) {
        return variable.name;
      }
    }
  }
  return otherwise;
}

// The variables that a condition without a text has read, since the condition before it.
std::string names_read() {
  std::string names;
  if (noted_reads == nullptr) return names;
  const auto begin = noted_reads->begin() + static_cast<std::ptrdiff_t>(std::min(
                                                spelling->reads_told, noted_reads->size()));
  for (auto read = begin; read != noted_reads->end(); ++read) {
    const std::string name = name_at(*read, "");
    if (!name.empty() && std::find(begin, read, *read) == read) {
      names += (names.empty() ? "" : ", ") + name;
    }
  }
  return names.empty() ? names : " (" + names + ")";
}
void tell_reads() { spelling->reads_told = noted_reads == nullptr ? 0 : noted_reads->size(); }

std::optional<std::size_t> running_submodel(const Spelling& now) {
  return now.running.empty() ? std::nullopt : std::optional(now.running.back());
}

// A variable that has no value yet: how to give it one.
std::string how_to_know(const std::string& variable, const Spelling& now) {
  std::string remedy;
  if (now.members.submodels != nullptr) {
    remedy = now.members.submodels->remedy(variable, now.equations_run);
  }
  return !remedy.empty() ? remedy
                         : "the value would be that of the evaluation before, wherever that was; "
                           "assign it first, or keep what is to be remembered in a Discrete or a "
                           "State";
}

}  // namespace

PlainDecisions::PlainDecisions() { decisions_are_plain = true; }
PlainDecisions::~PlainDecisions() { decisions_are_plain = false; }

void SymbolicTruth::record(const std::string& before, bool open) const {
  if (spelling != nullptr) {
    tell_reads();
    spelling->conditions.push_back(before + text_);
    spelling->open.push_back(open_ && open);
    spelling->plain.push_back(decisions_are_plain);
    spelling->steps.push_back(decision_begins_step);
    spelling->slopes.push_back(slope_);
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
    return spelling->decide ? spelling->decide(text_, holds(), truth_.is_discrete()) : holds();
  }
  if (spelling != nullptr) {
    if (spelling->asked.size() == kMostAsked) {
      throw EndlessQuestions();
    }
    spelling->asked.push_back(text_);
    return spelling->answer.value_or(holds());
  }
  return holds();
}

void SymbolicTruth::note_part() const {
  if (spelling != nullptr && truth_.is_part()) {
    spelling->parts.push_back(text_);
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
std::string SymbolicTruth::name_of(const void* flag) { return name_at(flag, ""); }
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

Symbolic::Symbolic(double value)
    : Symbolic(value, number_text(value), value < 0 ? kNegation : kLeaf) {}
Symbolic::Symbolic(double value, std::string text, int rank)
    : value_(value), text_(shortened(std::move(text))), rank_(rank) {}
Symbolic::Symbolic(const Symbolic& other)
    : value_(other.value_),
      text_(other.text_),
      rank_(other.rank_),
      moves_(other.moves_),
      timed_(other.timed_),
      jumps_(other.jumps_),
      slope_(other.slope_) {
  other.read();
}
Symbolic::~Symbolic() {
  if (auto* open = MemberList::open()) {
    open->destroyed(this);
  }
}

Symbolic& Symbolic::operator=(const Symbolic& other) {
  other.read();
  check_assignable();
  value_ = other.value_;
  timed_ = other.timed_;
  jumps_ = other.jumps_;
  assigned_ = true;
  moves_ = other.moves_;
  slope_ = other.slope_;
  if (!declared_) {
    text_ = other.text_;
    rank_ = other.rank_;
  } else if (noted != nullptr) {
    noted->lines.push_back(text_ + " = " + other.text_);
  }
  return *this;
}

Symbolic& Symbolic::computed_from(const Symbolic& a) {
  a.read();
  moves_ = moves_ || a.moves_;
  timed_ = timed_ || a.timed_;
  jumps_ = jumps_ || a.jumps_;
  if (slope_.empty()) {
    slope_ = a.slope_;
  }
  return *this;
}

void Symbolic::read() const {
  if (spelling != nullptr && !recording_decisions && !slope_.empty()) {
    spelling->slopes_in_events.push_back(slope_);
  }
  if (!declared_ || assigned_ || spelling == nullptr || !recording_decisions) {
    return;
  }
  if (role_ == Variable::Role::derivative) {
    spelling->derivatives_read_early.push_back(text_);
  } else if (role_ == Variable::Role::output || role_ == Variable::Role::local) {
    throw ModelMistake("equations() reads '" + text_ +
                       "' before it assigns it: " + how_to_know(text_, *spelling));
  }
}

// Where the source is, inputs are given from outside: a model assigns those of its submodels.
void Symbolic::check_assignable() const {
  if (!declared_ || role_ != Variable::Role::input || spelling == nullptr) {
    return;
  }
  const SubmodelList* const submodels = spelling->members.submodels.get();
  const auto owner = submodels == nullptr ? std::nullopt : submodels->owner(text_);
  if (!recording_decisions || !owner || owner == running_submodel(*spelling)) {
    throw InputAssigned(
        (recording_decisions ? "equations() assigns the input '" : "events() assigns the input '") +
        text_ + "': inputs are given from outside; what the model computes is a " +
        "Local or an Output, what events change is a Discrete, and only the " +
        "equations() around a submodel assign its inputs");
  }
}

void Symbolic::record_condition(bool holds, const std::string& before, const void* flag) {
  if (spelling == nullptr) {
    return;
  }
  const std::string number =
      "condition " + std::to_string(spelling->conditions.size() + 1) + names_read();
  tell_reads();
  const auto owner = running_submodel(*spelling);
  const std::string nameless =
      (owner ? spelling->members.submodels->name(*owner) + ": " : std::string()) + number;
  spelling->conditions.push_back(before + name_at(flag, nameless));
  spelling->open.push_back(holds);
  spelling->plain.push_back(false);
  spelling->steps.push_back(false);
  spelling->slopes.emplace_back();
}

void Symbolic::record_condition(const WholeTruth& condition, const std::string& before) {
  if (spelling == nullptr) {
    return;
  }
  record_condition(condition.value(), before);
  spelling->conditions.back() = before + text_of(condition);
}

void Symbolic::check_steady(const char* caller, const Symbolic& given) {
  if (given.moves_) {
    throw ModelMistake("in events(), " + std::string(caller) + " is given '" + given.text_ +
                       "', which moves between events: the clock would not follow it; give a "
                       "constant, a parameter or a Discrete, or write when(time >= ...)");
  }
}

void Symbolic::derivative_used() {
  if (spelling != nullptr && !recording_decisions) {
    spelling->events_use_derivatives = true;
  }
}

void Symbolic::refuse_derivative(const Symbolic& of) { throw_no_state(of.text_); }

void Symbolic::refuse(const std::string& text, const char* remedy) {
  throw ModelMistake(text + ": " + remedy);
}

bool Symbolic::decided_by_values(const Symbolic& a, const char* sign, const Symbolic& b,
                                 bool holds) {
  if (noted == nullptr) return holds;
  const bool turns = noted->turned == noted->by_values.size();
  noted->by_values.push_back(a.text_ + ' ' + sign + ' ' + b.text_);
  return holds != turns;
}

void Symbolic::record_equation(const Symbolic& lhs, const Symbolic& rhs) {
  if (spelling != nullptr) {
    spelling->equations.push_back(shortened(lhs.text_ + " = " + rhs.text_));
    if (noted != nullptr) noted->lines.push_back(spelling->equations.back());
  }
}

void Symbolic::declare(const Variable& variable) {
  text_ = variable.name;
  rank_ = kLeaf;
  declared_ = true;
  assigned_ = false;
  role_ = variable.role;
  moves_ = variable.continuous;
}
void Symbolic::begin(double value, const std::string& slope) {
  value_ = value;
  assigned_ = false;
  jumps_ = false;
  slope_ = slope;
}
Symbolic Symbolic::time(double now) {
  Symbolic time(now, "time");
  time.moves_ = time.timed_ = true;
  return time;
}

std::string Symbolic::wrapped(int outer_rank) const {
  return rank_ < outer_rank ? "(" + text_ + ")" : text_;
}

Symbolic Symbolic::binary(double value, const Symbolic& a, const char* sign, const Symbolic& b,
                          int rank, int right_rank) {
  return Symbolic{value, a.wrapped(rank) + sign + b.wrapped(right_rank), rank}
      .computed_from(a)
      .computed_from(b);
}
Symbolic Symbolic::call(double value, const char* function, const Symbolic& a) {
  return Symbolic{value, std::string(function) + "(" + a.text_ + ")"}.computed_from(a);
}
Symbolic Symbolic::call(double value, const char* function, const Symbolic& a, const Symbolic& b) {
  return Symbolic{value, std::string(function) + "(" + a.text_ + ", " + b.text_ + ")"}
      .computed_from(a)
      .computed_from(b);
}
Symbolic Symbolic::step(const Symbolic& value, bool holds) {
  Symbolic result(value);
  if (spelling == nullptr) {
    return result;
  }
  if (!recording_decisions) {
    result.jumps_ = true;
    return result;
  }
  spelling->compares_time = spelling->compares_time || value.timed_;
  const PlainDecisions plain;
  for (const char* what : {" jumps", " jumps back"}) {
    const SymbolicTruth truth =
        SymbolicTruth{{-1.0, false}, shortened(value.text_ + what), kRelation}.computed_from(
            value.slope_);
    decision_begins_step = what == std::string_view(" jumps");
    static_cast<void>(static_cast<bool>(truth));
    decision_begins_step = false;
  }
  result.moves_ = result.moves_ && !holds;
  result.timed_ = result.timed_ && !holds;
  return result;
}

Symbolic Symbolic::previous(const Symbolic& variable) {
  using enum Variable::Role;
  if (spelling != nullptr &&
      (!variable.declared_ ||
       (variable.role_ != state && variable.role_ != algebraic && variable.role_ != discrete))) {
    throw ModelMistake("previous(" + variable.text_ +
                       "): it takes a State, an Algebraic or a Discrete, which events assign, and "
                       "not what is computed");
  }
  check_previous(nullptr, &variable);
  return call(variable.value_, "previous", variable);
}

void check_previous(const void* now, const void* place) {
  const bool is_inspected =
      spelling != nullptr && !recording_decisions && !spelling->outside_bodies;
  if (is_inspected) {
    spelling->previous.push_back(place);
  } else if (spelling != nullptr || now == nullptr) {
    throw ModelMistake(
        std::string(recording_decisions ? "equations()" : "events()") +
        " asks for a previous() value outside of the body of a when(), every() or at(): there "
        "alone something was before; ask in the body, and keep it in a Discrete if equations() or "
        "conditions need it. A when() fires where its condition turns true, without being told "
        "what it was");
  }
}

SymbolicTruth Symbolic::relation(WatchedTruth truth, const Symbolic& a, const char* sign,
                                 const Symbolic& b) {
  a.read();
  b.read();
  if (spelling != nullptr) {
    spelling->compares_time = spelling->compares_time || a.timed_ || b.timed_;
  }
  return SymbolicTruth{truth, shortened(a.text_ + sign + b.text_), kRelation}
      .computed_from(a.slope_)
      .computed_from(b.slope_)
      .jumping(a.jumps_ || b.jumps_);
}

Symbolic abs(const Symbolic& a) {
  return Symbolic::call(chosen(a > Symbolic(0.0)) ? a.value_ : -a.value_, "abs", a);
}
Symbolic sign(const Symbolic& a) {
  return Symbolic::call(chosen(a > Symbolic(0.0)) ? 1.0 : -1.0, "sign", a);
}
Symbolic max(const Symbolic& a, const Symbolic& b) {
  return Symbolic::call(chosen(a > b) ? a.value_ : b.value_, "max", a, b);
}
Symbolic min(const Symbolic& a, const Symbolic& b) {
  return Symbolic::call(chosen(a > b) ? b.value_ : a.value_, "min", a, b);
}

std::string Symbolic::held_name(const void* place, double value) {
  return name_at(place, number_text(value));
}

std::string text_of(const WholeTruth& truth) {
  using Sign = WholeTruth::Sign;
  constexpr const char* kSigns[] = {" == ", " != ", " < ", " <= ", " > ", " >= "};
  constexpr Sign kOpposite[] = {Sign::unequal, Sign::equal,      Sign::greater_equal,
                                Sign::greater, Sign::less_equal, Sign::less};
  const auto text = [](const WholeTruth::Side& side) -> std::string {
    if (side.place != nullptr) return name_at(side.place, kDiscrete);
    if (side.is_flag) return side.value != 0 ? "true" : "false";
    if (side.items != nullptr) {
      for (const EnumerationItem& item : side.items->items) {
        if (item.value == side.value) {
          return std::string(side.items->name) + "::" + std::string(item.name);
        }
      }
    }
    return std::to_string(side.value);
  };
  if (truth.sign() == Sign::holds) {
    return (truth.is_opposite() ? "!" : "") + text(truth.left());
  }
  const auto sign = static_cast<std::size_t>(truth.sign());
  const auto written = truth.is_opposite() ? static_cast<std::size_t>(kOpposite[sign]) : sign;
  return text(truth.left()) + kSigns[written] + text(truth.right());
}

Spelling::Spelling(const MemberList& all)
    : members(all), outer_(spelling), outer_records_(recording_decisions) {
  spelling = this;
  recording_decisions = true;
}
Spelling::~Spelling() {
  spelling = outer_;
  recording_decisions = outer_records_;
}
Spelling* open_spelling() { return spelling; }
EquationNotes::EquationNotes() { noted = this; }
EquationNotes::~EquationNotes() { noted = nullptr; }
void Spelling::in_events() { recording_decisions = false; }
void Spelling::in_equations() { recording_decisions = true; }

}  // namespace saltus::modeling

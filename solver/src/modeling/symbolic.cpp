// SPDX-License-Identifier: BSD-2-Clause
#include "saltus/modeling/symbolic.hpp"

#include <string_view>

#include "saltus/core/mistakes.hpp"
#include "saltus/core/number_text.hpp"
#include "saltus/modeling/variables.hpp"
#include "symbolic_spelling.hpp"

namespace saltus::modeling {
namespace {

bool chosen(const SymbolicTruth& truth) {
  return spelling_now != nullptr && !recording_decisions ? truth.holds() : bool(truth);
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
  if (spelling_now != nullptr && !recording_decisions && !slope_.empty()) {
    spelling_now->slopes_in_events.push_back(slope_);
  }
  if (!declared_ || assigned_ || spelling_now == nullptr || !recording_decisions) {
    return;
  }
  if (role_ == Variable::Role::derivative) {
    spelling_now->derivatives_read_early.push_back(text_);
  } else if (role_ == Variable::Role::output || role_ == Variable::Role::local) {
    throw ModelMistake("equations() reads '" + text_ +
                       "' before it assigns it: " + how_to_know(text_, *spelling_now));
  }
}

// Where the source is, inputs are given from outside: a model assigns those of its submodels.
void Symbolic::check_assignable() const {
  if (!declared_ || role_ != Variable::Role::input || spelling_now == nullptr) {
    return;
  }
  const SubmodelList* const submodels = spelling_now->members.submodels.get();
  const auto owner = submodels == nullptr ? std::nullopt : submodels->owner(text_);
  if (!recording_decisions || !owner || owner == running_submodel(*spelling_now)) {
    throw InputAssigned(
        (recording_decisions ? "equations() assigns the input '" : "events() assigns the input '") +
        text_ + "': inputs are given from outside; what the model computes is a " +
        "Local or an Output, what events change is a Discrete, and only the " +
        "equations() around a submodel assign its inputs");
  }
}

void Symbolic::check_steady(const char* caller, const Symbolic& given) {
  if (given.moves_) {
    throw ModelMistake("in events(), " + std::string(caller) + " is given '" + given.text_ +
                       "', which moves between events: the clock would not follow it; give a "
                       "constant, a parameter or a Discrete, or write when(time >= ...)");
  }
}

void Symbolic::derivative_used() {
  if (spelling_now != nullptr && !recording_decisions) {
    spelling_now->events_use_derivatives = true;
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
  if (spelling_now != nullptr) {
    spelling_now->equations.push_back(shortened(lhs.text_ + " = " + rhs.text_));
    if (noted != nullptr) noted->lines.push_back(spelling_now->equations.back());
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
  if (spelling_now == nullptr) {
    return result;
  }
  if (!recording_decisions) {
    result.jumps_ = true;
    return result;
  }
  spelling_now->compares_time = spelling_now->compares_time || value.timed_;
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
  if (spelling_now != nullptr &&
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
      spelling_now != nullptr && !recording_decisions && !spelling_now->outside_bodies;
  if (is_inspected) {
    spelling_now->previous.push_back(place);
  } else if (spelling_now != nullptr || now == nullptr) {
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
  if (spelling_now != nullptr) {
    spelling_now->compares_time = spelling_now->compares_time || a.timed_ || b.timed_;
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

Spelling::Spelling(const MemberList& all)
    : members(all), outer_(spelling_now), outer_records_(recording_decisions) {
  spelling_now = this;
  recording_decisions = true;
}
Spelling::~Spelling() {
  spelling_now = outer_;
  recording_decisions = outer_records_;
}
Spelling* open_spelling() { return spelling_now; }
EquationNotes::EquationNotes() { noted = this; }
EquationNotes::~EquationNotes() { noted = nullptr; }
void Spelling::in_events() { recording_decisions = false; }
void Spelling::in_equations() { recording_decisions = true; }

}  // namespace saltus::modeling

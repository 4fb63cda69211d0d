// SPDX-License-Identifier: BSD-2-Clause
// Every function in every state, allowed or not, by the tables of the standard.
#include <catch2/catch.hpp>
#include <sstream>

#include "call_table.hpp"
#include "master.hpp"

using namespace conformance;

namespace {

/// The cells of one FMU, version and kind. What is wrong is collected in words.
class Cells {
 public:
  Cells(const FmuLibrary& fmu, int version, Kind kind)
      : fmu_(fmu), version_(version), kind_(kind), catalogue_(fmu.description(version)) {
    renew();
    lead_to(*session_, first_running());
    catalogue_.read_all(*session_, first_values_);
  }
  ~Cells() { forget_saved(); }

  std::string wrong() const { return wrong_.str(); }
  std::size_t count() const { return count_; }

  void check_all() {
    for (const State state : states_of(version_, kind_)) {
      if (kind_ == Kind::co_simulation && version_ == 3 && state == State::event) continue;
      for (const Row& row : table_of(version_)) {
        if (state == State::intermediate_update) {
          if (std::string_view(row.function) == "fmi3FreeInstance") continue;  // within a step
          check_within_step(row);
        } else if (begin(state)) {
          check(row);
          end(row);
        } else if (state == State::step_failed) {
          break;  // the model never ends its run
        } else {
          wrong_ << "no way to " << state_word(state, version_) << ": " << session_->messages();
          renew();
        }
      }
      check_wrong_variables(state);
    }
  }

 private:
  State first_running() const { return kind_ == Kind::co_simulation ? State::step : State::event; }

  void renew() {
    forget_saved();
    session_ = Session::make(fmu_, version_, kind_);
  }
  void forget_saved() {
    for (Saved& saved : saved_) session_->free_saved(saved);
    saved_.clear();
  }

  // Back to the beginning, by whatever happened last, and on to the state. Whatever it was must
  // have left no trace.
  bool begin(State state) {
    forget_saved();
    if (!went_well(session_->reset())) {
      wrong_ << "no reset: " << session_->messages();
      renew();
    }
    if (count_ % 7 == 0 && (state == State::terminated || state == State::error)) {
      std::vector<double> values;
      if (!lead_to(*session_, first_running()) ||
          !went_well(catalogue_.read_all(*session_, values)) || values != first_values_) {
        wrong_ << "a run after a reset does not begin as the first one does\n";
      }
      if (!went_well(session_->reset())) return false;
    }
    return lead_to(*session_, state);
  }

  void check(const Row& row) {
    ++count_;
    Random random(count_);
    Caller caller{*session_, random, saved_, bytes_};
    const State state = session_->now.state;
    if (state != State::intermediate_update) {
      Saved saved;
      if (went_well(session_->save(saved))) saved_.push_back(saved);
      calls::serialize(caller);
    }
    session_->messages();
    const Verdict expected = full_verdict(row, caller);
    const Status status = row.call(caller);
    const std::string messages = session_->messages();
    const std::string where = std::string(row.function) + " in " + state_word(state, version_) +
                              (state == State::error ? " after an error" : "") + " of " +
                              kind_word(kind_) + ": ";
    if (status == Status::fatal) wrong_ << where << "fatal\n";
    if (expected == Verdict::legal && status == Status::error) {
      wrong_ << where << "refused: " << messages;
    }
    if (expected != Verdict::illegal) return;
    if (status != Status::error) {
      wrong_ << where << "not refused\n";
    } else if (messages.find(row.function) == messages.npos ||
               (!is_never_allowed(row, *session_) &&
                messages.find(state_word(state, version_)) == messages.npos &&
                messages.find("Event Mode") == messages.npos)) {
      wrong_ << where << "the message does not say what was wrong: " << messages;
    }
    std::vector<double> values;
    const bool readable = version_ == 3 || state != State::instantiated;
    if (state != State::intermediate_update && readable &&
        catalogue_.read_all(*session_, values) == Status::error) {
      wrong_ << where << "nothing can be read afterwards: " << session_->messages();
    }
  }

  void end(const Row& row) {
    if (std::string_view(row.function).ends_with("FreeInstance")) renew();
  }

  void check_within_step(const Row& row) {
    if (!begin(State::step)) {
      wrong_ << "no way to Step Mode: " << session_->messages();
      renew();
      return;
    }
    bool called = false;
    bool failed = false;
    session_->in_intermediate_update = [&] {
      if (called) return;
      called = true;
      check(row);
      failed = session_->now.state == State::error;
    };
    Step step;
    Status status = Status::ok;
    for (int k = 0; k < 20 && !called && went_well(status) && !session_->now.ended; ++k) {
      status = session_->do_step((session_->stop() - session_->start()) / 100.0, step);
      if (session_->now.event_due) {
        Update update;
        session_->enter_event_mode();
        do session_->update(update);
        while (update.iterate);
        session_->enter_step_mode();
      }
    }
    session_->in_intermediate_update = nullptr;
    if (called && failed != (status == Status::error)) {
      wrong_ << row.function << " within a step: the step did not end as the call did\n";
    }
    if (!called && session_->number_of_states() > 0) {
      wrong_ << "no intermediate update: " << session_->messages();
    }
  }

  // Variables that may not be set, by functions that may be called.
  void check_wrong_variables(State state) {
    if (state == State::intermediate_update) return;
    for (const Type type : kAllTypes) {
      if (!begin(state)) return;
      Random random(count_);
      const Assignment wrong = wrong_assignment(*session_, type, random);
      if (wrong.references.empty()) continue;
      ++count_;
      session_->messages();
      if (session_->set(type, wrong.references, wrong.values) != Status::error ||
          session_->messages().find("Set") == std::string::npos) {
        wrong_ << "variable " << wrong.references[0] << " could be set in "
               << state_word(state, version_) << " of " << kind_word(kind_) << "\n";
      }
    }
  }

  const FmuLibrary& fmu_;
  int version_;
  Kind kind_;
  Catalogue catalogue_;
  std::unique_ptr<Session> session_;
  std::vector<Saved> saved_;
  std::vector<Bytes> bytes_;
  std::vector<double> first_values_;
  std::ostringstream wrong_;
  std::size_t count_ = 0;
};

void check_tables(const std::string& name) {
  CAPTURE(name);
  for (const auto& [version, kind] :
       {std::pair{3, Kind::model_exchange}, std::pair{3, Kind::co_simulation},
        std::pair{3, Kind::co_simulation_with_events}, std::pair{2, Kind::model_exchange},
        std::pair{2, Kind::co_simulation}}) {
    CAPTURE(version, kind_word(kind));
    Cells cells(fmu(name), version, kind);
    cells.check_all();
    CHECK(cells.wrong() == "");
    CHECK(cells.count() > 200);
  }
}

// It takes five times as long as all others together.
const std::string kLargest = "bowed_string";

}  // namespace

TEST_CASE("every function is allowed in the states of the standard, and refused in the others",
          "[conformance]") {
  const std::string name = GENERATE(from_range(all_fmus()));
  if (name != kLargest) check_tables(name);
}

TEST_CASE("every function of the largest FMU is allowed where it should be", "[.long]") {
  check_tables(kLargest);
}

// FMI 3.0, 2.3.5: it may only be called where providesEvaluateDiscreteStates is true, which is
// false by default; fmi3UpdateDiscreteStates evaluates them then.
TEST_CASE("discrete states are evaluated by an update alone, and FMUs say so", "[conformance]") {
  const std::string name = GENERATE(from_range(all_fmus()));
  CAPTURE(name);
  for (const Kind kind : {Kind::model_exchange, Kind::co_simulation_with_events}) {
    const auto session = Session::make(fmu(name), 3, kind);
    CHECK_FALSE(session->capabilities().provides_evaluate_discrete_states);
    REQUIRE(lead_to(*session, State::event));  // where it is allowed, if anywhere
    session->messages();
    for (const Row& row : table_of(3)) {
      if (std::string_view(row.function) != "fmi3EvaluateDiscreteStates") continue;
      Random random(1);
      std::vector<Saved> saved;
      std::vector<Bytes> bytes;
      Caller caller{*session, random, saved, bytes};
      CHECK(row.call(caller) == Status::error);
      CHECK_THAT(session->messages(),
                 Catch::Matchers::Contains("providesEvaluateDiscreteStates is false"));
    }
  }
}

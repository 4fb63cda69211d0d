// SPDX-License-Identifier: BSD-2-Clause
// Random sequences of calls that follow the tables of the standard, and some that do not.
//
// SALTUS_RANDOM_CALLS is the number of calls for the whole test, SALTUS_RANDOM_SEED where it
// begins: a million calls belong into a build with sanitizers.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <map>
#include <sstream>
#include <utility>

#include "call_table.hpp"

using namespace conformance;

namespace {

std::size_t from_environment(const char* name, std::size_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

/// Several instances of one FMU, version and kind, called in turn at random.
class Walk {
 public:
  Walk(const FmuLibrary& fmu, int version, Kind kind, std::uint64_t seed, double share_of_illegal)
      : fmu_(fmu), version_(version), kind_(kind), random_(seed), illegal_(share_of_illegal) {
    for (One& one : ones_) renew(one);
  }
  ~Walk() {
    for (One& one : ones_) forget_saved(one);
  }

  void make_calls(std::size_t count) {
    while (count_ < count && wrong_.str().empty()) call(ones_[random_.below(ones_.size())]);
  }
  std::string wrong() const { return wrong_.str(); }
  std::size_t count() const { return count_; }
  const std::map<std::string, std::size_t>& calls() const { return calls_; }

 private:
  struct One {
    std::unique_ptr<Session> session;
    std::vector<Saved> saved;
    std::vector<std::string> last;  // calls, for the report
  };

  void renew(One& one) {
    forget_saved(one);
    one.session = Session::make(fmu_, version_, kind_);
    one.last.clear();
    one.session->in_intermediate_update = [this, &one] {
      if (random_.chance(0.2)) call(one);
    };
  }
  void forget_saved(One& one) {
    for (Saved& saved : one.saved) one.session->free_saved(saved);
    one.saved.clear();
  }

  // What goes on with a run is called more often than what ends it.
  static std::size_t weight(std::string_view function) {
    for (const char* rare : {"Reset", "Terminate", "FreeInstance", "Instantiate", "SetFMU"}) {
      if (function.find(rare) != function.npos) return 1;
    }
    for (const char* often :
         {"InitializationMode", "SetupExperiment", "DoStep", "SetTime", "EnterEventMode",
          "DiscreteStates", "EnterContinuous", "EnterStep", "CompletedIntegratorStep"}) {
      if (function.find(often) != function.npos) return 40;
    }
    return 4;
  }

  const Row* draw(const Caller& caller, Verdict wanted) {
    std::vector<const Row*> rows;
    for (const Row& row : table_of(version_)) {
      const bool within_step = caller.session.now.state == State::intermediate_update;
      if (within_step && std::string_view(row.function).ends_with("FreeInstance")) continue;
      if (full_verdict(row, caller) == wanted) {
        rows.insert(rows.end(), wanted == Verdict::legal ? weight(row.function) : 1, &row);
      }
    }
    return rows.empty() ? nullptr : rows[random_.below(rows.size())];
  }

  void call(One& one) {
    if (!wrong_.str().empty()) return;
    ++count_;
    Session& session = *one.session;
    Caller caller{session, random_, one.saved, bytes_};
    const bool illegal = random_.chance(illegal_);
    const Row* row = draw(caller, illegal ? Verdict::illegal : Verdict::legal);
    if (row == nullptr) return;
    const State state = session.now.state;
    ++calls_[row->function];
    one.last.push_back(std::string(row->function) + " in " + state_word(state, version_));
    session.messages();
    const Status status = row->call(caller);
    // A step within which a call fails fails with it.
    const bool failed_within = state == State::step && std::exchange(failed_within_, false);
    if (status == Status::fatal || (status == Status::error) != (illegal || failed_within)) {
      report(one, illegal ? "not refused" : "refused");
    }
    failed_within_ = failed_within_ || (illegal && state == State::intermediate_update);
    if (std::string_view(row->function).ends_with("FreeInstance")) renew(one);
  }

  void report(One& one, const char* what) {
    wrong_ << what << " as call " << count_ << ": " << one.session->messages() << "after";
    const std::size_t many = one.last.size();
    for (std::size_t i = many > 30 ? many - 30 : 0; i < many; ++i) wrong_ << "\n  " << one.last[i];
  }

  const FmuLibrary& fmu_;
  int version_;
  Kind kind_;
  Random random_;
  double illegal_;
  std::array<One, 3> ones_;
  std::vector<Bytes> bytes_;
  std::ostringstream wrong_;
  bool failed_within_ = false;
  std::size_t count_ = 0;
  std::map<std::string, std::size_t> calls_;
};

void walk_all(std::size_t calls, double share_of_illegal) {
  const std::vector<std::pair<int, Kind>> kinds{{3, Kind::model_exchange},
                                                {3, Kind::co_simulation},
                                                {3, Kind::co_simulation_with_events},
                                                {2, Kind::model_exchange},
                                                {2, Kind::co_simulation}};
  const std::size_t each = calls / (kinds.size() * all_fmus().size()) + 1;
  std::uint64_t seed = from_environment("SALTUS_RANDOM_SEED", 1);
  std::size_t made = 0;
  std::map<std::string, std::size_t> functions;
  for (const std::string& name : all_fmus()) {
    for (const auto& [version, kind] : kinds) {
      Walk walk(fmu(name), version, kind, ++seed, share_of_illegal);
      walk.make_calls(each);
      INFO(name << ", FMI " << version << ", " << kind_word(kind) << ", seed " << seed);
      CHECK(walk.wrong() == "");
      made += walk.count();
      for (const auto& [function, count] : walk.calls()) functions[function] += count;
    }
  }
  CHECK(made >= calls);
  for (const int version : {3, 2}) {
    for (const Row& row : table_of(version)) {
      const std::string letters = std::string(row.model_exchange) + row.co_simulation;
      const bool is_ever_allowed = letters.find_first_of("xcd") != letters.npos;
      INFO(row.function);
      CHECK((functions[row.function] > 0 || (!is_ever_allowed && share_of_illegal == 0.0)));
    }
  }
}

}  // namespace

TEST_CASE("random sequences of allowed calls are never refused", "[conformance]") {
  walk_all(from_environment("SALTUS_RANDOM_CALLS", 20000), 0.0);
}

TEST_CASE("random sequences of calls that are allowed or not are answered as they should be",
          "[conformance]") {
  walk_all(from_environment("SALTUS_RANDOM_CALLS", 20000), 0.05);
}

// SPDX-License-Identifier: BSD-2-Clause
// Saved states with some of their bytes changed, and the checksum of what came out: they are
// refused or accepted, whatever follows ends with a status, and the instance goes on from the state
// as it was saved with the same bits as if nothing had happened.
//
// SALTUS_CHANGED_STATES is their number for the whole test, SALTUS_RANDOM_SEED where it begins: a
// hundred thousand belong into a build with sanitizers. SALTUS_ONLY_FMU leaves the others out, to
// run a failure again.
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "call_table.hpp"
#include "master.hpp"

using namespace conformance;

namespace {

constexpr std::size_t kChangesOfOne = 25;
constexpr std::size_t kMovesBetween = 3;
constexpr std::size_t kMostMoves = 60;  // then the run begins anew
constexpr unsigned kLongest = 60;       // seconds of the processor for one changed state

char under_way[256] = "";

void say_what_hangs(int /*signal*/) {
  (void)!::write(2, "HANGS: ", 7);
  (void)!::write(2, under_way, std::strlen(under_way));
  ::_exit(1);
}

void watch_for(unsigned seconds) {
  const itimerval time = {.it_interval = {}, .it_value = {.tv_sec = seconds, .tv_usec = 0}};
  ::setitimer(ITIMER_PROF, &time, nullptr);
}

std::size_t from_environment(const char* name, std::size_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double one, double other) {
    return std::bit_cast<std::uint64_t>(one) == std::bit_cast<std::uint64_t>(other);
  });
}

/// The last eight bytes are the 64-bit FNV-1a hash of all before.
void renew_checksum(std::vector<std::uint8_t>& bytes) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  if (bytes.size() < sizeof hash) return;
  const std::size_t content = bytes.size() - sizeof hash;
  for (std::size_t i = 0; i < content; ++i) hash = (hash ^ bytes[i]) * 0x100000001b3U;
  std::memcpy(&bytes[content], &hash, sizeof hash);
}

double odd_number(Random& random) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double odd[] = {0.0, -0.0,   1.0,       -1.0,  1e300, -1e300, 1e-300,
                        1e9, 5e-324, kInfinity, -1e-9, kNan,  2.5,    random.unit()};
  return odd[random.below(std::size(odd))];
}

std::vector<std::uint8_t> changed(std::vector<std::uint8_t> bytes, Random& random) {
  for (std::size_t k = 1 + random.below(4); k > 0; --k) {
    const std::size_t at = random.below(bytes.size());
    const std::size_t way = random.below(4);
    if (way == 0) bytes[at] = static_cast<std::uint8_t>(random.below(256));
    if (way == 1) bytes[at] ^= static_cast<std::uint8_t>(1U << random.below(8));
    if (way == 2) bytes[at] = static_cast<std::uint8_t>(random.below(4));
    if (way == 3 && at + sizeof(double) <= bytes.size()) {
      const double odd = odd_number(random);
      std::memcpy(&bytes[at], &odd, sizeof odd);
    }
  }
  if (random.chance(0.05)) bytes.resize(random.below(bytes.size() + 8));
  if (random.chance(0.95)) renew_checksum(bytes);
  return bytes;
}

/// A run from place to place; at each, changed copies of its state.
class ChangedStates {
 public:
  ChangedStates(const FmuLibrary& fmu, int version, Kind kind, std::uint64_t seed)
      : catalogue_(fmu.description(version)),
        session_(Session::make(fmu, version, kind)),
        master_(catalogue_, seed),
        random_(seed) {}
  ~ChangedStates() { session_->free_saved(place_); }

  void try_states(std::size_t count) {
    while (tried_ < count && wrong_.empty()) {
      go_on();
      for (std::size_t k = 0; k < kChangesOfOne && tried_ < count && wrong_.empty(); ++k) try_one();
    }
  }
  const std::string& wrong() const { return wrong_; }
  std::size_t tried() const { return tried_; }
  std::size_t accepted() const { return accepted_; }

 private:
  /// To another place of the run, and what the moves after it are.
  void go_on() {
    if (session_->now.state == State::error || session_->now.state == State::terminated ||
        session_->now.ended || moves_ > kMostMoves) {
      if (!went_well(session_->reset())) return complain("it cannot be reset");
      moves_ = 0;
    }
    const std::size_t moves = random_.below(kMovesBetween + 1);
    master_.run(*session_, moves);
    moves_ += moves;
    std::size_t size = 0;
    if (!went_well(session_->save(place_)) || !went_well(session_->serialized_size(place_, size))) {
      return complain("its state cannot be saved");
    }
    bytes_.resize(size);
    if (!went_well(session_->serialize(place_, bytes_))) return complain("nor serialized");
    Master after = master_;
    expected_ = after.run(*session_, 1);
    return_to_place();
  }

  void try_one() {
    ++tried_;
    watch_for(kLongest);
    Saved odd;
    const std::vector<std::uint8_t> bytes = changed(bytes_, random_);
    const Status status = session_->deserialize(bytes, place_.then, odd);
    if (went_well(status)) {
      ++accepted_;
      session_->restore(odd);
      std::vector<double> values;
      catalogue_.read_all(*session_, values);
      go_astray();
      if (random_.chance(0.3)) catalogue_.read_all(*session_, values);
      session_->free_saved(odd);
    } else if (odd.handle != nullptr) {
      complain("what was refused was made all the same");
    }
    return_to_place();
    Master again = master_;
    if (wrong_.empty() && !same_bits(again.run(*session_, 1), expected_)) {
      complain("a changed state has left something behind");
    }
    return_to_place();
    watch_for(0);
  }

  /// Short steps: a model of which a parameter has become nonsense may have very many events.
  void go_astray() {
    Master astray = master_;
    for (std::size_t k = 1 + random_.below(3); k > 0; --k) {
      Step step;
      if (session_->now.state == State::step) {
        session_->do_step(1e-4 * (session_->stop() - session_->start()), step);
      } else {
        astray.run(*session_, 1);
      }
    }
  }

  void return_to_place() {
    if (!went_well(session_->restore(place_))) complain("there is no way back");
  }
  void complain(const std::string& what) {
    if (!wrong_.empty()) return;
    wrong_ = what + " in " + state_word(place_.then.state, session_->version()) +
             " with changed state " + std::to_string(tried_) + ": " + session_->messages();
  }

  Catalogue catalogue_;
  std::unique_ptr<Session> session_;
  Master master_;
  Random random_;
  Saved place_;
  std::vector<std::uint8_t> bytes_;
  std::vector<double> expected_;
  std::size_t moves_ = 0, tried_ = 0, accepted_ = 0;
  std::string wrong_;
};

}  // namespace

TEST_CASE("saved states with changed bytes are refused or survived, and leave nothing behind",
          "[conformance]") {
  const std::vector<std::pair<int, Kind>> kinds{{3, Kind::model_exchange},
                                                {3, Kind::co_simulation},
                                                {3, Kind::co_simulation_with_events},
                                                {2, Kind::model_exchange},
                                                {2, Kind::co_simulation}};
  const std::size_t count = from_environment("SALTUS_CHANGED_STATES", 4000);
  const std::size_t each = count / (kinds.size() * all_fmus().size()) + 1;
  std::uint64_t seed = from_environment("SALTUS_RANDOM_SEED", 1);
  const char* only = std::getenv("SALTUS_ONLY_FMU");
  std::size_t tried = 0, accepted = 0;
  ::signal(SIGPROF, say_what_hangs);
  for (const std::string& name : all_fmus()) {
    for (const auto& [version, kind] : kinds) {
      ++seed;
      if (only != nullptr && name != only) continue;
      std::snprintf(under_way, sizeof under_way, "%s, FMI %d, %s, seed %llu\n", name.c_str(),
                    version, kind_word(kind).c_str(), static_cast<unsigned long long>(seed));
      ChangedStates states(fmu(name), version, kind, seed);
      states.try_states(each);
      INFO(under_way);
      CHECK(states.wrong() == "");
      tried += states.tried();
      accepted += states.accepted();
    }
  }
  ::signal(SIGPROF, SIG_DFL);
  if (only != nullptr) return;
  CHECK(tried >= count);
  // Both happen, or one of the two is not tested.
  CHECK(accepted > tried / 10);
  CHECK(accepted < tried / 10 * 9);
}

// The first went through a loop as often as a parameter beyond its limits said; the second solved
// with factors of a matrix that had turned out to be singular.
TEST_CASE("changed states that have led astray once are survived", "[conformance]") {
  struct Once {
    const char* name;
    Kind kind;
    std::uint64_t seed;
  };
  for (const Once& once : {Once{"all_types", Kind::co_simulation, 77003},
                           Once{"pendulum", Kind::model_exchange, 77047}}) {
    ChangedStates states(fmu(once.name), 3, once.kind, once.seed);
    states.try_states(1112);
    CAPTURE(once.name, once.seed);
    CHECK(states.wrong() == "");
  }
}

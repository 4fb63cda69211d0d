// SPDX-License-Identifier: BSD-2-Clause
// A run that was saved at any time, in any state, goes on with the same bits: in the instance
// itself, in a new one, and in one that has been somewhere else.
#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>

#include "call_table.hpp"
#include "master.hpp"

using namespace conformance;

namespace {

constexpr std::size_t kMoves = 50;
// Models of which an instance alone takes milliseconds run for a shorter while.
const std::vector<std::string> kLarge{"andrews_squeezer", "bowed_string", "transistor_amplifier"};
constexpr std::size_t kRepeated = 12;

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double one, double other) {
    return std::bit_cast<std::uint64_t>(one) == std::bit_cast<std::uint64_t>(other);
  });
}

/// A run that is saved at random, and in most of its events. Saving is part of the run: whoever
/// repeats it saves at the same places.
class SavedRun {
 public:
  SavedRun(const FmuLibrary& fmu, int version, Kind kind, std::uint64_t seed)
      : catalogue_(fmu.description(version)),
        session_(Session::make(fmu, version, kind)),
        other_(Session::make(fmu, version, kind)),
        seed_(seed) {
    Master master(catalogue_, seed);
    const bool large = std::count(kLarge.begin(), kLarge.end(), fmu.name()) > 0;
    for (std::size_t k = 0; k < (large ? kMoves / 2 : kMoves) && !over_; ++k) {
      if (is_saved_at(k, *session_)) keep(k, master);
      rows_.push_back(master.run(*session_, 1));
      over_ = session_->now.state == State::terminated || session_->now.state == State::error;
    }
    Master elsewhere(catalogue_, seed + 1);
    elsewhere.run(*other_, kMoves / 3);
  }
  ~SavedRun() {
    for (Point& point : points_) session_->free_saved(point.saved);
  }

  /// What is wrong, in words.
  std::string repeat_all() {
    if (session_->now.state == State::error) return "the run failed: " + session_->messages();
    if (!failed_.empty()) return failed_;
    std::string wrong;
    for (const Point& point : points_) {
      const std::string where = "saved at move " + std::to_string(point.move) + " in " +
                                state_word(point.saved.then.state, session_->version());
      if (!goes_on(*session_, point, point.saved)) wrong += where + ": not in itself\n";
      const auto fresh = Session::make(session_->fmu(), session_->version(), session_->kind());
      if (!goes_on_from_bytes(*fresh, point)) wrong += where + ": not in a new instance\n";
      if (!goes_on_from_bytes(*other_, point)) wrong += where + ": not in another instance\n";
    }
    return wrong;
  }
  std::size_t points_in(State state) const {
    return static_cast<std::size_t>(
        std::count_if(points_.begin(), points_.end(),
                      [&](const Point& point) { return point.saved.then.state == state; }));
  }
  const Session& session() const { return *session_; }

 private:
  struct Point {
    std::size_t move;
    Master master;
    Saved saved;
    Bytes bytes;
  };

  bool is_saved_at(std::size_t k, const Session& session) const {
    Random random(seed_ * 1000 + k);
    random.unit();
    return random.chance(session.now.state == State::event ? 0.6 : 0.3);
  }

  void keep(std::size_t k, const Master& master) {
    Point point{k, master, {}, {}};
    std::size_t size = 0;
    const bool good = went_well(session_->save(point.saved)) &&
                      went_well(session_->serialized_size(point.saved, size));
    point.bytes = {std::vector<std::uint8_t>(size), session_->now};
    if (!good || !went_well(session_->serialize(point.saved, point.bytes.bytes))) {
      failed_ += "not saved at move " + std::to_string(k) + ": " + session_->messages();
    }
    points_.push_back(point);
  }

  bool goes_on(Session& session, const Point& point, const Saved& saved) {
    if (!went_well(session.restore(saved))) return false;
    Master master = point.master;
    const std::size_t end = std::min(rows_.size(), point.move + kRepeated);
    for (std::size_t k = point.move; k < end; ++k) {
      Saved again;
      if (k != point.move && is_saved_at(k, session) &&
          (!went_well(session.save(again)) || !went_well(session.free_saved(again)))) {
        return false;
      }
      if (!same_bits(master.run(session, 1), rows_[k])) return false;
    }
    return true;
  }

  bool goes_on_from_bytes(Session& session, const Point& point) {
    Saved saved;
    if (!went_well(session.deserialize(point.bytes.bytes, point.bytes.then, saved))) return false;
    const bool good = goes_on(session, point, saved);
    return went_well(session.free_saved(saved)) && good;
  }

  Catalogue catalogue_;
  std::unique_ptr<Session> session_, other_;
  std::uint64_t seed_;
  bool over_ = false;
  std::string failed_;
  std::vector<std::vector<double>> rows_;
  std::vector<Point> points_;
};

}  // namespace

TEST_CASE("runs of every FMU that were saved at random go on with the same bits anywhere",
          "[conformance]") {
  const std::string name = GENERATE(from_range(all_fmus()));
  CAPTURE(name);
  for (const auto& [version, kind] :
       {std::pair{3, Kind::model_exchange}, std::pair{3, Kind::co_simulation},
        std::pair{3, Kind::co_simulation_with_events}, std::pair{2, Kind::model_exchange},
        std::pair{2, Kind::co_simulation}}) {
    std::size_t in_events = 0;
    std::size_t running = 0;
    for (std::uint64_t seed = 1; seed < 3; ++seed) {
      CAPTURE(version, kind_word(kind), seed);
      SavedRun run(fmu(name), version, kind, seed);
      CHECK(run.repeat_all() == "");
      in_events += run.points_in(State::event);
      running += run.points_in(State::continuous_time) + run.points_in(State::step);
    }
    CAPTURE(version, kind_word(kind));
    CHECK(running > 0);
    CHECK((in_events > 0 || kind == Kind::co_simulation));
  }
}

// SPDX-License-Identifier: BSD-2-Clause
// Many instances in many threads: each runs as it does alone.
#include <array>
#include <bit>
#include <catch2/catch.hpp>
#include <thread>

#include "master.hpp"

using namespace conformance;

namespace {

constexpr std::size_t kThreads = 8;
constexpr std::size_t kInstancesOfOne = 8;
constexpr std::size_t kMoves = 12;

using Rows = std::vector<double>;

bool same_bits(const Rows& a, const Rows& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double one, double other) {
    return std::bit_cast<std::uint64_t>(one) == std::bit_cast<std::uint64_t>(other);
  });
}

/// Instances of one thread, a move of each in turn; instance i runs with the seed `first + i`.
std::array<Rows, kInstancesOfOne> run_in_turn(const FmuLibrary& fmu, int version, Kind kind,
                                              const Catalogue& catalogue, std::uint64_t first) {
  std::array<Rows, kInstancesOfOne> rows;
  std::vector<std::unique_ptr<Session>> sessions;
  std::vector<Master> masters;
  for (std::uint64_t i = 0; i < kInstancesOfOne; ++i) {
    sessions.push_back(Session::make(fmu, version, kind));
    masters.emplace_back(catalogue, (first + i) % kInstancesOfOne);
  }
  for (std::size_t k = 0; k < kMoves; ++k) {
    for (std::size_t i = 0; i < kInstancesOfOne; ++i) {
      const Rows row = masters[i].run(*sessions[i], 1);
      rows[i].insert(rows[i].end(), row.begin(), row.end());
    }
  }
  return rows;
}

std::size_t count_different(const FmuLibrary& fmu, int version, Kind kind) {
  const Catalogue catalogue(fmu.description(version));
  std::array<Rows, kInstancesOfOne> alone;
  for (std::uint64_t seed = 0; seed < kInstancesOfOne; ++seed) {
    const auto session = Session::make(fmu, version, kind);
    Master master(catalogue, seed);
    for (std::size_t k = 0; k < kMoves; ++k) {
      const Rows row = master.run(*session, 1);
      alone[seed].insert(alone[seed].end(), row.begin(), row.end());
    }
    if (session->now.state == State::error) return kThreads * kInstancesOfOne;
  }
  std::array<std::array<Rows, kInstancesOfOne>, kThreads> together;
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] { together[t] = run_in_turn(fmu, version, kind, catalogue, t); });
  }
  for (std::thread& thread : threads) thread.join();
  std::size_t different = 0;
  for (std::size_t t = 0; t < kThreads; ++t) {
    for (std::size_t i = 0; i < kInstancesOfOne; ++i) {
      different += same_bits(together[t][i], alone[(t + i) % kInstancesOfOne]) ? 0 : 1;
    }
  }
  return different;
}

}  // namespace

TEST_CASE("64 instances of every FMU in 8 threads run with the bits of one that is alone",
          "[conformance]") {
  const std::string name = GENERATE(from_range(all_fmus()));
  CAPTURE(name);
  for (const auto& [version, kind] :
       {std::pair{3, Kind::model_exchange}, std::pair{3, Kind::co_simulation},
        std::pair{3, Kind::co_simulation_with_events}, std::pair{2, Kind::model_exchange},
        std::pair{2, Kind::co_simulation}}) {
    // It takes longer than all others together: Model Exchange and Co-Simulation are enough.
    if (name == "bowed_string" && (version == 2 || kind == Kind::co_simulation)) continue;
    CAPTURE(version, kind_word(kind));
    CHECK(count_different(fmu(name), version, kind) == 0);
  }
}

// SPDX-License-Identifier: BSD-2-Clause
// Runs of shipped FMUs with detours: saved, led astray with other inputs and to other times, saved
// and restored there, brought back; reset, and repeated. Where a run goes on it goes on to the last
// bit as a fresh one that was saved at the same places.
#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "saltus/importer/fmu.hpp"
#include "saltus/importer/fmu_simulation.hpp"
#include "truth.hpp"

namespace saltus::truth {
namespace {

using Interface = importer::FmuSimulationOptions::Interface;

constexpr const char* kShipped[] = {
    "belt_oscillator", "boost_converter", "bouncing_ball",   "charge_pump", "dahlquist",
    "feedthrough",     "pendulum",        "pounding",        "robertson",   "relay_feedback",
    "stair",           "stick_slip_pair", "van_der_pol",     "fmi2/stair",  "fmi2/bouncing_ball",
    "fmi2/pendulum",   "fmi2/pounding",   "fmi2/feedthrough"};

/// Where the run rests next, and what is done before.
struct Move {
  double time;
  double input;
  bool is_saved;
};

class Route {
 public:
  Route(const std::string& path, Random& random) : path_(path) {
    const importer::Fmu fmu = importer::Fmu::open(path);
    const importer::ModelDescription& model = fmu.description();
    stop_ = 0.3 * model.default_experiment.stop_time.value_or(1.0);
    options_.interface = random.chance(0.5) ? Interface::model_exchange : Interface::co_simulation;
    options_.instance.isolated = random.chance(0.2);
    Simulation probe = make();
    probe.start();
    for (const importer::Variable& v : model.variables) {
      if (v.type != importer::VariableType::float64) continue;
      const bool is_input = v.causality == importer::Causality::input &&
                            v.variability == importer::Variability::continuous;
      if (is_input) inputs_.push_back(v.name);
      try {  // those of indicators have no values here
        (void)probe.value(v.name);
        names_.push_back(v.name);
      } catch (const std::invalid_argument&) {
      }
    }
    const int count = random.integer(2, 7);
    double t = 0.0;
    for (int i = 0; i < count; ++i) {
      t += stop_ / count * random.uniform(0.2, 0.98);
      moves_.push_back({t, random.uniform(), random.chance(0.5)});
    }
  }

  Simulation make() const { return importer::simulation_of(path_, {.stop = stop_}, options_); }

  /// From move `first` on, at which the run was saved already.
  std::vector<double> follow(Simulation& run, std::size_t first) const {
    std::vector<double> rows;
    for (std::size_t i = first; i < moves_.size(); ++i) {
      if (moves_[i].is_saved && i != first) (void)run.save();
      make_move(run, moves_[i], rows);
    }
    return rows;
  }
  std::vector<double> fresh(Simulation& run) const {
    run.start();
    if (moves_.front().is_saved) (void)run.save();
    return follow(run, 0);
  }

  /// The whole route with detours; what is not as in `fresh`.
  std::string with_detours(Simulation& run, Random& random,
                           const std::vector<double>& fresh) const {
    std::vector<double> rows;
    std::vector<std::pair<Simulation::Saved, std::size_t>> saved;
    run.start();
    for (std::size_t i = 0; i < moves_.size(); ++i) {
      if (moves_[i].is_saved) {
        saved.emplace_back(run.save(), i);
        for (int k = random.integer(0, 3); k > 0; --k) go_astray(run, random);
        run.restore(saved.back().first);
      }
      make_move(run, moves_[i], rows);
    }
    if (!same(rows, fresh, 0)) return "a run with detours ends elsewhere";
    if (saved.empty()) return "";
    const auto& [point, at] =
        saved[static_cast<std::size_t>(random.integer(0, static_cast<int>(saved.size()) - 1))];
    run.restore(point);
    return same(follow(run, at), fresh, at) ? "" : "a run that was brought back ends elsewhere";
  }

  bool same(const std::vector<double>& rows, const std::vector<double>& fresh,
            std::size_t first) const {
    const auto begin = fresh.begin() + static_cast<std::ptrdiff_t>(first * (names_.size() + 1));
    return std::equal(rows.begin(), rows.end(), begin, fresh.end(), [](double a, double b) {
      return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
    });
  }
  const char* interface_word() const {
    return options_.interface == Interface::model_exchange ? " as ME: " : " as CS: ";
  }

 private:
  void make_move(Simulation& run, const Move& move, std::vector<double>& rows) const {
    for (const std::string& name : inputs_) run.set(name, move.input);
    run.advance_to(move.time);
    rows.push_back(run.time());
    for (const std::string& name : names_) rows.push_back(run.value(name));
  }
  void advance(Simulation& run, double share) const {
    run.advance_to(std::max(run.time(), std::min(0.98 * stop_, run.time() + share * stop_)));
  }
  void go_astray(Simulation& run, Random& random) const {
    for (const std::string& name : inputs_) run.set(name, 30.0 * random.uniform());
    advance(run, random.uniform(0.01, 0.4));
    if (!random.chance(0.3)) return;
    const Simulation::Saved there = run.save();
    advance(run, 0.05);
    run.restore(there);
  }

  std::string path_;
  double stop_ = 1.0;
  importer::FmuSimulationOptions options_;
  std::vector<std::string> names_, inputs_;
  std::vector<Move> moves_;
};

Verdict run(std::uint64_t seed) {
  Random random(seed);
  const int last = static_cast<int>(std::size(kShipped)) - 1;
  const std::string name = kShipped[random.integer(0, last)];
  const Route route(std::string(SALTUS_FMU_DIR "/") + name + ".fmu", random);
  Simulation alone = route.make();
  const std::vector<double> fresh = route.fresh(alone);
  Simulation simulation = route.make();
  if (random.chance(0.3)) {
    (void)route.fresh(simulation);
    simulation.reset();
  }
  const std::string what = name + route.interface_word();
  const std::string difference = route.with_detours(simulation, random, fresh);
  if (!difference.empty()) return wrong(what + difference);
  simulation.reset();
  if (!route.same(route.fresh(simulation), fresh, 0)) return wrong(what + "a reset run differs");
  return right();
}

const Family kFamily{"detours", "runs of shipped FMUs that are saved, led astray, restored, reset",
                     run};

}  // namespace
}  // namespace saltus::truth

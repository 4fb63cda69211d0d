// SPDX-License-Identifier: BSD-2-Clause
// The last point accepted, from which all others are solved for: what is found at a point depends
// on no other that was asked for before it.
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/same_bits.hpp"
#include "reduction_state.hpp"

namespace saltus {
namespace {

// The numbers before the lists in what is saved; the last is the unit of time.
constexpr std::size_t kHead = 7;

}  // namespace

// A point far from the anchor, as an integrator with a coarse step tries it, may be beyond the
// reach of Newton's method while points on the way to it are not. The way is straight; a stride
// that fails is halved, one that succeeds is followed by one twice as long. Where the coordinates
// of the anchor do not lead there, a search without coordinates may, if there is anything to move.
bool ReducedModel::State::move_in_strides(double t, ConstVec given) {
  // Ten halvings, and so many solutions: beyond, a step of half the length is cheaper.
  constexpr double kShortest = 1.0 / 1024.0;
  constexpr int kMost = 100;
  Reduction& r = *now;
  const PointSolver::Place from = r.anchor.place;
  if (from.z.empty()) {
    return false;
  }
  double reached = 0.0, stride = 0.5;
  std::vector<double> there = from.z;
  for (int k = 0; k < kMost && stride >= kShortest; ++k) {
    const double part = std::min(reached + stride, 1.0);
    r.z = there;
    for (std::size_t j = 0; j < given.size(); ++j) {
      r.z[j] = part == 1.0 ? given[j] : from.z[j] + part * (given[j] - from.z[j]);
    }
    if (!move_least(part == 1.0 ? t : from.time + part * (t - from.time))) {
      stride *= 0.5;
      continue;
    }
    if (part == 1.0) {
      return true;
    }
    reached = part;
    stride *= 2.0;
    there = r.z;
  }
  if (all_are_states()) {
    return false;
  }
  r.z = from.z;
  std::copy(given.begin(), given.end(), r.z.begin());
  by_search = true;
  return search(t, Mobility::reluctant, Mobility::free).end == SearchResult::End::found;
}

void ReducedModel::State::keep_what_is_consistent(ConstVec x) {
  constexpr double kRounding = 1e-10;  // as that of `PointSolver`, which leaves no more
  if (std::none_of(decided_at.begin(), decided_at.end(), [&](const std::vector<double>& point) {
        return std::equal(x.begin(), x.end(), point.begin(), same_bits);
      })) {
    return;
  }
  for (std::size_t j = 0; j < n; ++j) {
    if (!(std::fabs(now->z[j] - x[j]) <= kRounding * (nominal[j] + std::fabs(x[j])))) {
      return;
    }
  }
  std::copy(x.begin(), x.end(), now->z.begin());
}

void ReducedModel::State::accept(double t, ConstVec given) {
  if (!now->anchor.place.z.empty() && is_anchor(t, given) && now->z == now->anchor.place.z) {
    return;
  }
  accepted = {t, {now->z.begin(), now->z.begin() + static_cast<std::ptrdiff_t>(n)}};
  drop_anchor(t, given);
}

bool ReducedModel::State::is_anchor(double t, ConstVec given) const {
  const Reduction::Anchor& anchor = now->anchor;
  return t == anchor.place.time && now->system.revision() == anchor.revision &&
         std::equal(given.begin(), given.end(), anchor.given.begin(), anchor.given.end(),
                    same_bits);
}

// The anchor of a configuration that was not in force when the last point was accepted.
void ReducedModel::State::move_anchor() {
  Reduction& r = *now;
  if (r.anchor.place.time == accepted.time || accepted.z.empty()) {
    return;
  }
  r.z = r.anchor.place.z;
  r.solver.refer();
  const ReferenceScope scope(r.solver);
  for (std::size_t j = 0; j < n; ++j) {
    r.z[j] = r.differentiated[j] != 0 ? accepted.z[j] : r.z[j];
  }
  if (approached ? move_least(accepted.time)
                 : r.solver.solve(accepted.time, r.z, r.weight) == PointSolver::End::found) {
    drop_anchor(accepted.time, {});
  } else {
    r.anchor.place.time = accepted.time;
    r.anchor.given.clear();
  }
}

// Other states are taken where the unknowns move much faster with those at hand than they did.
void ReducedModel::State::drop_anchor(double t, ConstVec given) {
  Reduction& r = *now;
  const bool serves = r.solver.has_reference() && r.solver.reference_serves();
  r.solver.stop_referring();
  r.anchor = {{t, r.z}, {given.begin(), given.end()}, r.system.revision()};
  if (serves && all_are_states()) {
    return;
  }
  r.solver.forget_pivots();
  if (r.solver.factorize(t, r.z) == Eval::discard) {
    return;
  }
  if (!all_are_states() && r.sensitivity().exceeds(r.sensitivity_when_chosen, kMuchFaster)) {
    choose_states(t);
  }
  r.solver.set_reference();
}

std::vector<double> ReducedModel::State::saved_anchor() const {
  const Reduction* r = now;
  if (reselected) {
    DerivativeArray* const array = model.derivative_array();
    const auto variants = known.find(array);
    r = variants == known.end() ? nullptr : variants->second.find(array->slope_numbers());
  }
  if (r == nullptr || r->anchor.place.z.empty() || !r->solver.has_reference()) {
    return {};
  }
  const Reduction::Anchor& anchor = r->anchor;
  const PointSolver::Place& factors = r->solver.reference_place();
  const StateSelection& selection = r->solver.reference_selection();
  std::vector<double> saved{anchor.place.time,
                            factors.time,
                            r->sensitivity_when_chosen.to_states,
                            r->sensitivity_when_chosen.to_undetermined,
                            static_cast<double>(selection.states.size()),
                            static_cast<double>(selection.free.size()),
                            r->rank_scale()};
  const auto append = [&](const auto& numbers) {
    saved.insert(saved.end(), numbers.begin(), numbers.end());
  };
  append(selection.states);
  append(selection.free);
  append(anchor.place.z);
  append(factors.z);
  append(anchor.given);
  return saved;
}

// At another point the equations may suggest another unit, and then all is rounded otherwise.
double ReducedModel::State::saved_scale(ConstVec saved) {
  const double scale = saved.size() < kHead ? 0.0 : saved[kHead - 1];
  return std::isfinite(scale) && scale > 0.0 ? scale : 0.0;
}

// What does not fit says nothing: the caller goes on without.
bool ReducedModel::State::recall_anchor(ConstVec saved) {
  Reduction& r = *now;
  const std::size_t columns = r.z.size();
  const std::size_t states = r.freedoms(), free = r.system.rows().size();
  const std::size_t values = kHead + states + free;
  const std::size_t given_at = values + 2 * columns;
  if (saved.size() < given_at || saved.size() > given_at + n ||
      saved[4] != static_cast<double>(states) || saved[5] != static_cast<double>(free) ||
      saved_scale(saved) != r.rank_scale()) {
    return false;
  }
  std::vector<int> chosen;
  std::vector<char> taken(columns, 0);
  for (const double number : saved.subspan(kHead, states + free)) {
    if (!(number >= 0.0 && number < static_cast<double>(columns)) ||
        std::exchange(taken[static_cast<std::size_t>(number)], 1) != 0) {
      return false;
    }
    chosen.push_back(static_cast<int>(number));
  }
  const auto numbers = [&](std::size_t first, std::size_t count) {
    const ConstVec part = saved.subspan(first, count);
    return std::vector<double>(part.begin(), part.end());
  };
  const auto first_free = chosen.begin() + static_cast<std::ptrdiff_t>(states);
  r.solver.select({{chosen.begin(), first_free}, {first_free, chosen.end()}});
  if (r.solver.factorize(saved[1], numbers(values + columns, columns)) == Eval::discard) {
    return false;
  }
  std::sort(chosen.begin(), chosen.end());
  r.kept = chosen;
  r.sensitivity_when_chosen = {saved[2], saved[3]};
  r.most_astray = kAstray;
  begin_path();
  r.solver.take_news();
  r.solver.set_reference();
  r.anchor = {{saved[0], numbers(values, columns)},
              numbers(given_at, saved.size() - given_at),
              r.system.revision()};
  accepted = {saved[0], numbers(values, n)};
  return true;
}

}  // namespace saltus

// SPDX-License-Identifier: BSD-2-Clause
// Surfaces that follow from others where they meet, as the slips of contacts that make a closed
// loop: where all but one vanish, so does the last. Not all combinations of their sides exist near
// such a point, and how the switched terms share what holds the motion is not determined; the
// motion is.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "sliding_state.hpp"

namespace saltus {
namespace sliding {
namespace {

// How much of a vector has to be new for it to be independent of others, as a square.
constexpr double kNew = 1e-9;
// What is added to the push of each surface on itself makes the shares unique and is far above
// rounding; shares are off by about as much.
constexpr double kSoftness = 1e-8;
// So near to a side, in the soft problem, is at it.
constexpr double kArrived = 1e-6;
// Rates of what neither leaves nor stays, in the push towards the surface.
constexpr double kRoundingOfRates = 1e-10;
// Changes of sides a surface, when the exact rates are looked at: a bound that no example comes
// near.
constexpr std::size_t kMostRounds = 4;
constexpr double kDetermined = std::numeric_limits<double>::quiet_NaN();

// Shares that are well between their sides are determined, as many as can be. What follows from
// these surfaces stays on its own with them, wherever its share is.
Motion with_given_shares(const std::vector<Side>& sides, const std::vector<double>& shares,
                         std::span<const double> gram) {
  const std::size_t m = sides.size();
  std::vector<std::size_t> inside;
  for (std::size_t j = 0; j < m; ++j) {
    if (sides[j] == Side::on) inside.push_back(j);
  }
  std::stable_sort(inside.begin(), inside.end(), [&](std::size_t a, std::size_t b) {
    return std::fabs(shares[a] - 0.5) < std::fabs(shares[b] - 0.5);
  });
  const std::vector<std::size_t> chosen = independent(gram, m, inside);
  Motion motion;
  motion.sides = sides;
  motion.given.assign(m, kDetermined);
  for (std::size_t j = 0; j < m; ++j) {
    std::vector<std::size_t> with = chosen;
    with.push_back(j);
    if (std::find(chosen.begin(), chosen.end(), j) == chosen.end() &&
        independent(gram, m, with).size() == chosen.size()) {
      motion.sides[j] = Side::on;
      motion.given[j] = shares[j];
    }
  }
  return motion;
}

}  // namespace

// Cholesky's decomposition in the order given, skipping what has nothing new.
std::vector<std::size_t> independent(std::span<const double> gram, std::size_t count,
                                     std::span<const std::size_t> order) {
  std::vector<std::size_t> chosen;
  std::vector<std::vector<double>> rows;
  for (const std::size_t i : order) {
    std::vector<double> row;
    double rest = gram[i * count + i];
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      double part = gram[i * count + chosen[k]];
      for (std::size_t l = 0; l < k; ++l) {
        part -= row[l] * rows[k][l];
      }
      row.push_back(part / rows[k][k]);
      rest -= row.back() * row.back();
    }
    if (rest > kNew * gram[i * count + i]) {
      row.push_back(std::sqrt(rest));
      rows.push_back(std::move(row));
      chosen.push_back(i);
    }
  }
  return chosen;
}

std::vector<Motion> dependent_motion(const OwnTerms& terms, std::span<const double> gram,
                                     std::span<const Side> left) {
  const std::size_t m = terms.surfaces;
  OwnTerms soft = terms;
  std::vector<double> pushes(m);
  for (std::size_t i = 0; i < m; ++i) {
    pushes[i] = -terms.push(i, i);
    soft.base[i] += 0.5 * kSoftness * pushes[i];
    soft.pushes[i * m + i] -= kSoftness * pushes[i];
  }
  const std::vector<Motion> guess = own_terms_motion(soft);
  if (guess.empty()) {
    return {};
  }
  std::vector<Side> sides = guess.front().sides;
  std::vector<double> shares = guess.front().shares;
  const auto arrive = [&](std::size_t j, bool positive) {
    sides[j] = positive ? Side::positive : Side::negative;
    shares[j] = positive ? 1.0 : 0.0;
  };
  for (std::size_t j = 0; j < m; ++j) {
    const bool positive = left[j] == Side::positive;
    if (left[j] != Side::on && std::fabs(shares[j] - (positive ? 1.0 : 0.0)) < kArrived) {
      arrive(j, positive);
    }
  }
  // What is soft there is off by a little: the exact rates have the last word.
  for (std::size_t round = 0; round < kMostRounds * m; ++round) {
    Motion motion = with_given_shares(sides, shares, gram);
    const std::vector<double> given = motion.given;
    if (!weigh_own_terms(terms, std::vector<Side>(motion.sides), motion, given)) {
      return {};
    }
    motion.given = given;
    bool right = true;
    for (std::size_t j = 0; j < m && right; ++j) {
      if (motion.sides[j] != Side::on) {
        const double rate = terms.rate(motion.shares, j);
        right = (motion.sides[j] == Side::positive ? -rate : rate) <= kRoundingOfRates * pushes[j];
        sides[j] = right ? sides[j] : Side::on;
      } else if (std::isnan(given[j]) && !(motion.shares[j] > 0.0 && motion.shares[j] < 1.0)) {
        right = false;
        arrive(j, motion.shares[j] > 0.5);
      }
    }
    if (right) {
      return {motion};
    }
  }
  return {};
}

}  // namespace sliding

using sliding::Surface;

// Surfaces whose gradients depend on each other follow from each other, unless they move apart, as
// those of x > 0 and x > time do: these meet at this moment alone.
SlidingModel::State::Dependence SlidingModel::State::dependence(double t, ConstVec y) {
  const std::size_t m = meeting->size();
  std::vector<double> gradients, gram;
  if (m < 2 || meeting->gradients(t, y, gradients, gram) == Eval::discard) {
    return {};
  }
  std::vector<std::size_t> order(m);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (sliding::independent(gram, m, order).size() == m) {
    return {};
  }
  std::vector<double> rates, with_time = gram;
  double largest = 0.0, fastest = 0.0;
  for (std::size_t j = 0; j < m; ++j) {
    const Surface& surface = meeting->surfaces()[j];
    rates.push_back(surface.low_orientation *
                    own_rate_of(meeting->asked_slot(j), t, y, surface.indicator));
    largest = std::max(largest, gram[j * m + j]);
    fastest = std::max(fastest, rates.back() * rates.back());
  }
  for (std::size_t k = 0; k < m * m && fastest > 0.0; ++k) {
    with_time[k] += rates[k / m] * rates[k % m] * largest / fastest;
  }
  const bool part = sliding::independent(with_time, m, order).size() == m;
  return {.hides_sides = true, .gram = part ? std::vector<double>{} : gram};
}

// What vanishes with the surfaces that meet belongs to them, though it never changed its domain.
void SlidingModel::State::join_what_follows(double t, ConstVec y) {
  std::vector<double> z(indicators);
  if (meeting->size() < 2 || !takes_sides || meeting->size() == most_surfaces ||
      sides->indicators(meeting->slots().front(), t, y, z) == Eval::discard) {
    return;
  }
  for (std::size_t i = 0; i < indicators && meeting->size() < most_surfaces; ++i) {
    if (switches[i] == 0 || meeting->owns(i) || std::fabs(z[i]) > kVanishes ||
        std::find(left_out.begin(), left_out.end(), i) != left_out.end()) {
      continue;
    }
    const Configurations::Slot first = meeting->slots().front();
    Surface surface = surface_of(first, t, y, i);
    // What has no gradient is no surface: a comparison of times, or of a number with itself.
    const std::vector<double> normal = normal_of(first, t, y, i);
    if (std::fabs(z[i]) > kVanishes * surface.scale ||
        std::all_of(normal.begin(), normal.end(), [](double part) { return part == 0.0; })) {
      continue;
    }
    const std::vector<Surface> before = meeting->surfaces();
    const std::vector<Configurations::Slot> slots = meeting->slots();
    const sliding::Combinations known = meeting->combinations();
    std::vector<Surface> surfaces = before;
    surfaces.push_back(surface);
    meeting->become(surfaces, slots);
    if (dependence(t, y).gram.empty()) {
      meeting->become(before, slots, known);
      continue;
    }
    surround_with_one_more(slots, known);
    own_sides.push_back(0);
  }
}

// The last one of the surfaces that meet is new: forks will be put on its positive side.
void SlidingModel::State::surround_with_one_more(const std::vector<Configurations::Slot>& slots,
                                                 const sliding::Combinations& known) {
  sliding::Combinations combinations =
      meeting->is_grouped()
          ? sliding::Combinations::grouped(meeting->size(), known.groups(),
                                           sliding::Combinations::checks(meeting->size()))
          : meeting->combinations();
  std::vector<Configurations::Slot> all;
  for (std::size_t v = 0; v < combinations.count(); ++v) {
    sliding::Combination own = combinations.sides(v);
    const bool is_new = own.back() != 0;
    own.pop_back();
    std::size_t old = 0;
    while (old < known.count() && known.sides(old) != own) ++old;
    const bool is_known = old < known.count();
    all.push_back(slots[is_known ? old : 0]);
    if (is_new || !is_known) {
      sides->configurations().select(all.back());
      all.back() = sides->configurations().fork();
    }
  }
  // The others are needed no longer.
  for (const Configurations::Slot one : slots) {
    if (one != slot() && std::find(all.begin(), all.end(), one) == all.end()) {
      std::erase(kept, one);
      kept.push_back(one);
    }
  }
  meeting->surround(std::move(all), std::move(combinations));
}

// Puts a configuration on these sides of the surfaces that meet. False where the model does not let
// others do that.
bool SlidingModel::State::take_sides(Configurations::Slot slot, const sliding::Combination& own) {
  if (!takes_sides) return false;
  std::vector<Configurations::Imposed> sides_of(indicators, Configurations::Imposed::nothing);
  const auto put = [&](std::size_t indicator, bool positive) {
    sides_of[indicator] =
        positive ? Configurations::Imposed::positive : Configurations::Imposed::not_positive;
  };
  for (std::size_t j = 0; j < meeting->size(); ++j) {
    const Surface& surface = meeting->surfaces()[j];
    const bool positive = own[j] != 0;
    put(surface.indicator, positive);
    for (std::size_t c = 0; c < surface.coincident.size(); ++c) {
      put(surface.coincident[c], positive == (surface.coincident_signs[c] > 0.0));
    }
  }
  sides->forget_fields(slot);
  sides->configurations().select(slot);
  const bool taken = sides->configurations().impose(sides_of);
  sides->configurations().impose({});
  return taken;
}

// The same for all of them.
bool SlidingModel::State::take_sides() {
  for (std::size_t v = 0; v < meeting->slots().size(); ++v) {
    if (!take_sides(meeting->slots()[v], meeting->combinations().sides(v))) return false;
  }
  return true;
}

}  // namespace saltus

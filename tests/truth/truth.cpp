// SPDX-License-Identifier: BSD-2-Clause
#include "truth.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <exception>
#include <numbers>
#include <vector>

#include "saltus/core/error.hpp"

namespace saltus::truth {
namespace {

std::vector<const Family*>& list() {
  static std::vector<const Family*> all;
  return all;
}

}  // namespace

Family::Family(const char* name, const char* about, Run run)
    : name_(name), about_(about), run_(run) {
  const auto place = std::find_if(list().begin(), list().end(), [name](const Family* other) {
    return std::strcmp(other->name(), name) > 0;
  });
  list().insert(place, this);
}

Verdict Family::verdict(std::uint64_t seed) const {
  try {
    return run_(seed);
  } catch (const Error& error) {
    return refused(error.what());
  } catch (const std::exception& error) {
    return wrong(std::string("an exception that is no saltus::Error: ") + error.what());
  } catch (...) {
    return wrong("an exception of unknown type");
  }
}

std::span<const Family* const> families() { return list(); }

std::uint64_t Random::bits() {
  std::uint64_t z = (state_ += 0x9e3779b97f4a7c15U);
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31U);
}

double Random::log_uniform(double low, double high) {
  return low * std::pow(high / low, uniform());
}

// Box and Muller's.
double Random::normal() {
  const double radius = std::sqrt(-2.0 * std::log1p(-uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

int Random::integer(int low, int high) {
  return low + static_cast<int>(bits() % static_cast<std::uint64_t>(high - low + 1));
}

}  // namespace saltus::truth

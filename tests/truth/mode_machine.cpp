// SPDX-License-Identifier: BSD-2-Clause
#include "mode_machine.hpp"

#include <map>
#include <memory>

namespace saltus::truth {
namespace {

// Steele, Lea, Flood: SplitMix64. Of its own, since the FMU has nothing else of the suite.
class Digits {
 public:
  explicit Digits(int number) : state_(static_cast<std::uint64_t>(number) * 0x9e3779b97f4a7c15U) {}
  double uniform(double low, double high) {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return low + (high - low) * (static_cast<double>((z ^ (z >> 31U)) >> 11U) * 0x1p-53);
  }
  int below(std::size_t end) { return static_cast<int>(uniform(0.0, static_cast<double>(end))); }

 private:
  std::uint64_t state_;
};

Machine make(int number) {
  Digits random(number);
  Machine m;
  for (std::size_t mode = 0; mode < kModes; ++mode) {
    m.rates[mode] = {random.uniform(-2.0, 2.0), random.uniform(-2.0, 2.0)};
    m.loads[mode] = {random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0),
                     random.uniform(-1.0, 1.0)};
    m.next[mode] = random.below(kModes);
  }
  for (Machine::When& when : m.whens) {
    when.from = random.below(kModes);
    when.to = random.below(kModes);
    when.by_x = random.uniform(-1.0, 1.0);
    when.by_y = random.uniform(-1.0, 1.0);
    when.by_load = random.uniform(-1.0, 1.0);
    when.threshold = random.uniform(-0.5, 1.0);
    when.sets = random.below(3);
    when.value = random.uniform(-1.0, 1.0);
  }
  m.period = random.uniform(0.7, 2.0);
  return m;
}

}  // namespace

const Machine& machine(int number) {
  thread_local std::map<int, std::unique_ptr<const Machine>> known;
  auto& entry = known[number];
  if (!entry) {
    entry = std::make_unique<const Machine>(make(number));
  }
  return *entry;
}

}  // namespace saltus::truth

// SPDX-License-Identifier: BSD-2-Clause
#include <algorithm>
#include <exception>

#include "inspection_passes.hpp"
#include "saltus/core/whole_values.hpp"

// Which conditions stand behind others, see `DecisionPaths`.
namespace saltus::modeling {
namespace {

// Values of the whole-number variables, all taken together: a counter goes on for ever.
constexpr std::size_t kMostWholes = 64;

std::vector<std::int64_t> wholes_of(const MembersOf<Symbolic>& members) {
  std::vector<std::int64_t> wholes;
  for (const Whole& whole : members.wholes) {
    wholes.push_back(read_whole(whole));
  }
  return wholes;
}

// All values of a variable that has few: of a Boolean, of an enumeration, of an integer between
// narrow limits.
std::vector<std::int64_t> few_values(const Variable& v) {
  constexpr std::uint64_t kFew = 16;
  std::vector<std::int64_t> values;
  if (v.type == Variable::Type::boolean) {
    values = {0, 1};
  } else if (v.enumeration != nullptr) {
    for (const EnumerationItem& item : v.enumeration->items) {
      values.push_back(item.value);
    }
  } else if (v.is_whole() && v.type != Variable::Type::float32 && v.highest > v.lowest &&
             static_cast<std::uint64_t>(v.highest) - static_cast<std::uint64_t>(v.lowest) <= kFew) {
    for (std::int64_t value = v.lowest; value <= v.highest; ++value) {
      values.push_back(value);
    }
  }
  return values;
}

}  // namespace

void find_paths(Inspection& inspection) { inspection.find_paths(); }

// Conditions that the values at the start do not lead to. A pass that others decide may come to
// what the model was not written for: it tells what it has met until then.
void Inspection::find_paths() {
  if (first_.decisions == 0 && members_.wholes.empty()) {
    return;
  }
  const SymbolicRun run = [this](std::span<const std::int64_t> wholes, const Answer& answer) {
    begin(start_);
    return symbolic_pass(model_, info_.start, wholes, answer);
  };
  DecisionPaths& paths = first_.paths;
  begin(start_);
  const std::vector<std::int64_t> start = wholes_of(members_);
  paths.explore(start, run);
  if (paths.reads_wholes()) {
    for (const std::vector<std::int64_t>& wholes : other_wholes(start)) {
      paths.explore(wholes, run);
    }
  }
  if (paths.is_straight()) {
    return;
  }
  const std::vector<std::string> whens(
      first_.conditions.begin() + static_cast<std::ptrdiff_t>(first_.decisions),
      first_.conditions.end());
  const std::vector<std::string> slopes(
      slopes_.begin() + static_cast<std::ptrdiff_t>(first_.decisions), slopes_.end());
  const std::vector<std::string> parts(
      first_.parts.begin() + static_cast<std::ptrdiff_t>(equation_parts_), first_.parts.end());
  first_.conditions = paths.conditions().names();
  first_.decisions = first_.conditions.size();
  first_.conditions.insert(first_.conditions.end(), whens.begin(), whens.end());
  slopes_ = paths.slopes();
  slopes_.insert(slopes_.end(), slopes.begin(), slopes.end());
  first_.parts = paths.parts().names();
  first_.parts.insert(first_.parts.end(), parts.begin(), parts.end());
}

// What the bodies of events make of the whole-number variables, one after another, as far as
// discrete variables let them; and what else those can be that have few values.
std::vector<std::vector<std::int64_t>> Inspection::other_wholes(
    const std::vector<std::int64_t>& start) {
  std::vector<std::vector<std::int64_t>> found{start};
  const auto add = [&](std::vector<std::int64_t> wholes) {
    if (found.size() < kMostWholes &&
        std::find(found.begin(), found.end(), wholes) == found.end()) {
      found.push_back(std::move(wholes));
    }
  };
  for (const Variable& v : members_.variables) {
    for (const std::int64_t value : few_values(v)) {
      std::vector<std::int64_t> wholes = start;
      wholes[v.index] = value;
      add(std::move(wholes));
    }
  }
  for (std::size_t next = 0; model_.events && next < found.size(); ++next) {
    const std::vector<std::int64_t> from = found[next];
    for (const std::size_t call : open_calls(from)) {
      begin(once_);
      set_wholes(members_, from);
      EventPass pass{.way = EventPass::Way::act, .known = &first_.calls, .chosen = call};
      Events<Symbolic> events(pass, Symbolic::time(info_.start));
      try {
        model_.events(events);
      } catch (...) {
        continue;  // whoever comes here in a run will see it
      }
      add(wholes_of(members_));
    }
  }
  return {found.begin() + 1, found.end()};
}

// The calls in `events` that these values do not rule out.
std::vector<std::size_t> Inspection::open_calls(const std::vector<std::int64_t>& wholes) {
  begin(once_);
  set_wholes(members_, wholes);
  spelling_.in_events();
  spelling_.open.clear();
  std::vector<EventCall> calls;
  EventPass pass{.way = EventPass::Way::count, .known = &calls};
  Events<Symbolic> events(pass, Symbolic::time(info_.start));
  std::vector<std::size_t> open;
  try {
    model_.events(events);
  } catch (...) {
    return open;
  }
  for (std::size_t call = 0; call < std::min(calls.size(), kMostTried); ++call) {
    if (calls[call].kind != EventCall::Kind::when || spelling_.open.at(calls[call].index)) {
      open.push_back(call);
    }
  }
  return open;
}

}  // namespace saltus::modeling

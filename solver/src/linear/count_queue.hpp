// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace saltus {

/// Members 0, 1, ... sorted by a small whole number each, which changes often.
class CountQueue {
 public:
  CountQueue(std::size_t members, std::size_t largest_count)
      : first_(largest_count + 1, kNone), link_(members) {}

  void put(int member, int count) {
    remove(member);
    Link& link = link_[at(member)];
    link = {kNone, first_[at(count)], count};
    if (link.next != kNone) {
      link_[at(link.next)].previous = member;
    }
    first_[at(count)] = member;
    least_ = std::min(least_, count);
  }
  void remove(int member) {
    Link& link = link_[at(member)];
    if (link.count == kNone) {
      return;
    }
    (link.previous == kNone ? first_[at(link.count)] : link_[at(link.previous)].next) = link.next;
    if (link.next != kNone) {
      link_[at(link.next)].previous = link.previous;
    }
    link.count = kNone;
  }
  bool has(int member) const { return link_[at(member)].count != kNone; }
  /// Those with the smallest counts, `most` at most.
  void smallest(std::size_t most, std::vector<int>& members) {
    members.clear();
    for (int count = least_; count < static_cast<int>(first_.size()); ++count) {
      for (int i = first_[at(count)]; i != kNone; i = link_[at(i)].next) {
        members.push_back(i);
        if (members.size() == most) {
          return;
        }
      }
      least_ += members.empty() ? 1 : 0;
    }
  }

 private:
  static constexpr int kNone = -1;
  struct Link {
    int previous = kNone;
    int next = kNone;
    int count = kNone;
  };
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  std::vector<int> first_;
  std::vector<Link> link_;
  int least_ = 0;
};

}  // namespace saltus

// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "saltus/core/mistakes.hpp"
#include "saltus/modeling/inspection.hpp"
#include "saltus/modeling/model_values.hpp"
#include "saltus/modeling/variables.hpp"

namespace saltus::modeling {

using Role = Variable::Role;

inline bool is_computed(const Variable& variable) {
  return variable.role == Role::output || variable.role == Role::local;
}
inline const char* word(const Variable& variable) {
  switch (variable.role) {
    case Role::state:
      return "the state '";
    case Role::algebraic:
      return "the algebraic '";
    case Role::output:
      return "the output '";
    case Role::local:
      return "the local '";
    case Role::discrete:
      return "the discrete '";
    default:
      return "'";
  }
}
inline std::string quoted(const Variable& variable) { return word(variable) + variable.name + "'"; }

// While it lives, assignments to whole numbers are noted.
class WriteNotes {
 public:
  WriteNotes() { noted_writes = &places; }
  ~WriteNotes() { noted_writes = nullptr; }
  WriteNotes(const WriteNotes&) = delete;
  WriteNotes& operator=(const WriteNotes&) = delete;
  std::vector<const void*> places;
};

/// What is given may tell of texts behind whole numbers: these are left alone.
void set_wholes(MembersOf<Symbolic>& members, std::span<const std::int64_t> wholes);

/// The passes over a model that find out what it says, and whether it can mean that.
class Inspection {
 public:
  Inspection(const SymbolicModel& model, const ModelInfo& info)
      : model_(model),
        members_(model.members),
        info_(info),
        spelling_(model.members),
        start_((put_start_values(model.members), values())) {
    declare_names(members_);
  }

  FirstPasses run();
  void find_paths();

 private:
  struct Values {
    std::vector<std::uint64_t> bits;  // of the variables, in their order
    std::vector<std::string> slopes;  // see `Symbolic::slope`
  };

  Symbolic& number(const Variable& v) const;
  bool assigned(const Variable& v, const WriteNotes& notes) const;
  const void* place(const Variable& v) const;
  std::ptrdiff_t times(const WriteNotes& notes, const Variable& v) const {
    return std::count(notes.places.begin(), notes.places.end(), place(v));
  }
  bool is_by_equations(const Variable& v) const {
    return std::find(by_equations_.begin(), by_equations_.end(), place(v)) != by_equations_.end();
  }
  Values values() const;
  void begin(const Values& start);
  void nothing_is_assigned() { begin(values()); }

  void run_equations();

  void connect_inputs();

  bool is_explicit();
  void check_conditions() const;
  std::string remedy(const std::string& slope) const;

  void check_assigned_by_equations() const;

  std::string difference(const Values& one, const Values& other) const;
  void check_runs_alike();
  void check_nothing_remembers() const;

  // One run over `events` in which nothing is due.
  struct Outside {
    std::vector<EventCall> calls;
    std::vector<std::size_t> assigned;  // variables, by position
    Values left;
    bool terminate = false;
    std::map<const void*, std::ptrdiff_t> writes;
    bool operator==(const Outside& other) const {
      return calls == other.calls && assigned == other.assigned && left.bits == other.left.bits &&
             terminate == other.terminate;
    }
  };
  Outside outside_bodies(std::optional<bool> answer);
  void look_at_events();
  void check_assigned_outside(const Variable& v) const;
  void check_plain_ifs();

  void try_bodies();
  void try_body(std::size_t call);
  std::string body_of(std::size_t call) const;
  void check_assigned_in_body(std::size_t call, const Variable& v, bool outside_too) const;

  std::vector<std::vector<std::int64_t>> other_wholes(const std::vector<std::int64_t>& start);
  std::vector<std::size_t> open_calls(const std::vector<std::int64_t>& wholes);

  // One run over all of `events` for each: with many more, construction would take long. What the
  // others do is checked when they do it.
  static constexpr std::size_t kMostTried = 100;

  const SymbolicModel& model_;
  MembersOf<Symbolic>& members_;
  const ModelInfo& info_;
  Spelling spelling_;
  Values start_;
  Values once_;                          // after a run over the equations
  std::vector<std::string> unassigned_;  // derivatives
  std::size_t equation_parts_ = 0;       // of `first_.parts`
  FirstPasses first_;
  std::vector<bool> open_;                 // beside the conditions of `when`
  std::vector<std::string> slopes_;        // beside all conditions
  std::vector<const void*> by_equations_;  // what only events should assign
  // What events() assigns outside of the bodies, and how often in a pass.
  std::map<const void*, std::ptrdiff_t> by_outside_;
};

}  // namespace saltus::modeling

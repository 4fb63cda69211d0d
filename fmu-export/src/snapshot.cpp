// SPDX-License-Identifier: BSD-2-Clause
#include "snapshot.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "call_error.hpp"
#include "content_hash.hpp"
#include "saltus/events/integrated_model.hpp"

namespace saltus::fmu_export {
namespace {

// "SaltusFS" as a number: bytes from a machine of the other byte order do not begin with it.
constexpr std::uint64_t kMagic = 0x53464b5355544c53U;
constexpr std::uint32_t kFormatVersion = 16;

// One list of the parts, in their order, for measuring, writing and reading.
template <class Snapshot, class Visitor>
void visit_parts(Snapshot& s, Visitor&& part) {
  part(s.interface);
  part(s.mode);
  part(s.started);
  part(s.settled);
  part(s.ended);
  part(s.event_reported);
  part(s.has_experiment);
  part(s.experiment.start);
  part(s.experiment.stop);
  part(s.experiment.tolerance);
  part(s.time);
  part(s.last_event);
  part(s.slopes_before);
  part(s.anything_changed);
  part(s.next_event_time);
  part(s.steps);
  part(s.y);
  part(s.overwritten);
  part(s.model);
  part(s.actions);
  part(s.texts);
  part(s.reached);
  part(s.experiment.outside_ticks);
  part(s.told_intervals);
  part(s.activations);
}

class Measure {
 public:
  template <class T>
  void operator()(const T&) {
    size += sizeof(T);
  }
  template <class T>
  void operator()(const std::vector<T>& values) {
    size += sizeof(std::uint64_t) + values.size() * sizeof(T);
  }
  std::size_t size = 0;
};

class Writer {
 public:
  explicit Writer(std::span<std::byte> bytes) : rest_(bytes) {}
  template <class T>
  void operator()(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    append(&value, sizeof value);
  }
  template <class T>
  void operator()(const std::vector<T>& values) {
    (*this)(static_cast<std::uint64_t>(values.size()));
    append(values.data(), values.size() * sizeof(T));
  }

 private:
  void append(const void* from, std::size_t size) {
    if (size > 0) {
      std::memcpy(rest_.data(), from, size);
    }
    rest_ = rest_.subspan(size);
  }
  std::span<std::byte> rest_;
};

class Reader {
 public:
  explicit Reader(std::span<const std::byte> bytes) : rest_(bytes) {}
  template <class T>
  void operator()(T& value) {
    static_assert(std::is_trivially_copyable_v<T> && !std::is_same_v<T, bool>);
    take(&value, sizeof value);
  }
  void operator()(bool& value) {
    std::uint8_t byte = 0;
    (*this)(byte);
    value = byte != 0;
  }
  template <class T>
  void operator()(std::vector<T>& values) {
    std::uint64_t count = 0;
    (*this)(count);
    if (count > rest_.size() / sizeof(T)) {
      throw CallError("the serialized FMU state ends too early");
    }
    values.resize(count);
    take(values.data(), count * sizeof(T));
  }
  std::size_t left() const { return rest_.size(); }

 private:
  void take(void* to, std::size_t size) {
    if (rest_.size() < size) {
      throw CallError("the serialized FMU state ends too early");
    }
    if (size > 0) {
      std::memcpy(to, rest_.data(), size);
    }
    rest_ = rest_.subspan(size);
  }
  std::span<const std::byte> rest_;
};

constexpr std::size_t kHead = sizeof kMagic + sizeof kFormatVersion + sizeof(std::uint64_t);
constexpr std::size_t kTail = sizeof(std::uint64_t);

bool begins_event(const EventAction& action) {
  return action.what == EventAction::What::exit_initialization ||
         action.what == EventAction::What::enter_event_mode;
}
/// Whether it does so in this mode.
bool begins_event(const EventAction& action, Mode mode) {
  return action.what == EventAction::What::exit_initialization
             ? mode == Mode::initialization
             : action.what == EventAction::What::enter_event_mode &&
                   (mode == Mode::continuous_time || mode == Mode::step);
}

void check_sense(const Snapshot& s, const SnapshotOrigin& origin) {
  const ModeSet common = bit(Mode::instantiated) | bit(Mode::initialization) | bit(Mode::event) |
                         bit(Mode::terminated);
  if (s.interface != origin.interface) {
    throw CallError("the FMU state was saved from the other interface than " +
                    std::string(to_string(origin.interface)));
  }
  if (s.mode > Mode::broken || ((common | origin.modes) & bit(s.mode)) == 0) {
    throw CallError("the serialized FMU state names an impossible mode");
  }
  const bool may_be_started = s.mode != Mode::instantiated && s.mode != Mode::initialization;
  const bool is_over = s.mode == Mode::terminated || s.mode == Mode::failed;
  if (s.started ? !may_be_started : may_be_started && !is_over) {
    throw CallError("the serialized FMU state was started and not started");
  }
  if (s.y.size() < origin.states || (s.y.size() > origin.states && !origin.may_have_more)) {
    throw CallError("the serialized FMU state has " + std::to_string(s.y.size()) +
                    " continuous states, the model " + std::to_string(origin.states));
  }
  if (!std::isfinite(s.time) || !std::isfinite(s.experiment.start) ||
      std::isnan(s.experiment.stop) || !(s.experiment.tolerance > 0.0) ||
      std::isnan(s.next_event_time) || std::isnan(s.last_event)) {
    throw CallError("the serialized FMU state holds times or tolerances that are no such thing");
  }
  try {
    IntegratedModel::check_saved(s.experiment, s.time, s.steps);
  } catch (const std::invalid_argument& error) {
    throw CallError(std::string("the serialized FMU state is forged: ") + error.what());
  }
  const bool is_reached = s.reached == Mode::event || s.reached == Mode::terminated ||
                          (s.reached == Mode::failed && (origin.modes & bit(Mode::failed)) != 0);
  if (!s.actions.empty() && !is_reached) {
    throw CallError("the serialized FMU state names an impossible mode");
  }
  std::size_t texts = s.texts.size();
  for (const EventAction& action : s.actions) {
    const bool is_text = action.what == EventAction::What::set_text;
    const auto length = static_cast<std::uint64_t>(action.whole);
    // What an event begins with stands first, and only there.
    const bool is_first = &action == &s.actions.front();
    const bool is_in_place = is_first ? begins_event(action, s.mode) : !begins_event(action);
    if (action.what > EventAction::What::terminate || action.reference > origin.variables ||
        !is_in_place || (is_text && length > texts)) {
      throw CallError("the serialized FMU state names what cannot be done in an event");
    }
    texts -= is_text ? length : 0;
  }
  for (const Overwritten& one : s.overwritten) {
    if (one.variable >= origin.variables) {
      throw CallError("the serialized FMU state names a variable that does not exist");
    }
  }
}

}  // namespace

std::size_t serialized_size(const Snapshot& snapshot) {
  Measure measure;
  visit_parts(snapshot, measure);
  return kHead + measure.size + kTail;
}

void serialize(const Snapshot& snapshot, std::uint64_t token_hash, std::span<std::byte> bytes) {
  if (bytes.size() != serialized_size(snapshot)) {
    throw CallError("the buffer has " + std::to_string(bytes.size()) +
                    " bytes, the serialized FMU state " +
                    std::to_string(serialized_size(snapshot)));
  }
  Writer write(bytes);
  write(kMagic);
  write(kFormatVersion);
  write(token_hash);
  visit_parts(snapshot, write);
  write(content_hash(bytes.first(bytes.size() - kTail)));
}

Snapshot deserialize(std::span<const std::byte> bytes, const SnapshotOrigin& origin) {
  if (bytes.size() < kHead + kTail) {
    throw CallError("the serialized FMU state has only " + std::to_string(bytes.size()) + " bytes");
  }
  std::uint64_t magic = 0;
  std::uint64_t hash = 0;
  std::uint64_t sum = 0;
  std::uint32_t version = 0;
  Reader(bytes.last(kTail))(sum);
  Reader read(bytes.first(bytes.size() - kTail));
  read(magic);
  read(version);
  read(hash);
  if (magic != kMagic) {
    throw CallError("these bytes are no serialized FMU state of a Saltus FMU on this machine");
  }
  if (version != kFormatVersion) {
    throw CallError("the serialized FMU state has format version " + std::to_string(version) +
                    ", this FMU reads " + std::to_string(kFormatVersion));
  }
  if (hash != origin.token_hash) {
    throw CallError("the serialized FMU state belongs to another FMU or another version of it");
  }
  if (sum != content_hash(bytes.first(bytes.size() - kTail))) {
    throw CallError("the serialized FMU state is damaged: its checksum is wrong");
  }
  Snapshot snapshot;
  snapshot.is_foreign = true;
  visit_parts(snapshot, read);
  if (read.left() != 0) {
    throw CallError("the serialized FMU state has " + std::to_string(read.left()) +
                    " bytes too many");
  }
  check_sense(snapshot, origin);
  return snapshot;
}

}  // namespace saltus::fmu_export

// SPDX-License-Identifier: BSD-2-Clause
#include "instance_messages.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "saltus/core/error.hpp"
#include "saltus/importer/fmu_error.hpp"

namespace saltus::importer {
namespace {

enum : std::uint32_t { kHasTime = 1, kHasInputs = 2, kHasStates = 4 };

/// What an error says beside what its fields say.
template <class Kind, class... Fields>
std::string reason_of(const Kind& error, const Fields&... fields) {
  const std::string before = Kind(fields..., "").what();
  const std::string whole = error.what();
  return whole.substr(std::min(before.size(), whole.size()));
}

template <std::size_t kIndex = 0>
Scalar get_scalar(Mailbox& mailbox, std::size_t index) {
  if constexpr (kIndex < std::variant_size_v<Scalar>) {
    if (index != kIndex) return get_scalar<kIndex + 1>(mailbox, index);
    using Type = std::variant_alternative_t<kIndex, Scalar>;
    if constexpr (std::is_same_v<Type, std::string>) {
      return mailbox.get_text();
    } else if constexpr (std::is_same_v<Type, Binary>) {
      Binary binary;
      mailbox.get_all<std::uint8_t>(binary.bytes);
      return binary;
    } else {
      return mailbox.get<Type>();
    }
  } else {
    throw std::runtime_error("the process of the FMU sent a value of no known type");
  }
}

}  // namespace

void Placement::put(Mailbox& mailbox) const {
  mailbox.put((has_time ? kHasTime : 0U) | (has_inputs ? kHasInputs : 0U) |
              (has_states ? kHasStates : 0U));
  if (has_time) mailbox.put(time);
  if (has_inputs) {
    const auto is_due = [](const Inputs& group) { return group.is_due; };
    mailbox.put(static_cast<std::size_t>(std::count_if(inputs.begin(), inputs.end(), is_due)));
    for (const Inputs& group : inputs) {
      if (!group.is_due) continue;
      mailbox.put(group.type);
      mailbox.put_all(std::span<const ValueReference>(group.references));
      mailbox.put_all(std::span<const double>(group.values));
    }
  }
  if (has_states) mailbox.put_all(std::span<const double>(states));
}

void Placement::get(Mailbox& mailbox) {
  const auto flags = mailbox.get<std::uint32_t>();
  has_time = (flags & kHasTime) != 0;
  has_inputs = (flags & kHasInputs) != 0;
  has_states = (flags & kHasStates) != 0;
  if (has_time) time = mailbox.get<double>();
  if (has_inputs) {
    inputs.resize(mailbox.get<std::size_t>());
    for (Inputs& group : inputs) {
      group.type = mailbox.get<VariableType>();
      mailbox.get_all<ValueReference>(group.references);
      mailbox.get_all<double>(group.values);
    }
  }
  if (has_states) mailbox.get_all<double>(states);
}

void put_texts(Mailbox& mailbox, const std::vector<std::string>& texts) {
  mailbox.put(texts.size());
  for (const std::string& text : texts) mailbox.put_text(text);
}

std::vector<std::string> get_texts(Mailbox& mailbox) {
  std::vector<std::string> texts(mailbox.get_count<char>());
  for (std::string& text : texts) text = mailbox.get_text();
  return texts;
}

void put_value(Mailbox& mailbox, const Value& value) {
  mailbox.put(value.size());
  for (const Scalar& scalar : value) {
    mailbox.put(scalar.index());
    std::visit(
        [&](const auto& held) {
          using Type = std::decay_t<decltype(held)>;
          if constexpr (std::is_same_v<Type, std::string>) {
            mailbox.put_text(held);
          } else if constexpr (std::is_same_v<Type, Binary>) {
            mailbox.put_all(std::span<const std::uint8_t>(held.bytes));
          } else {
            mailbox.put(held);
          }
        },
        scalar);
  }
}

Value get_value(Mailbox& mailbox) {
  Value value;
  const std::size_t count = mailbox.get_count<char>();
  for (std::size_t i = 0; i < count; ++i) {
    value.push_back(get_scalar(mailbox, mailbox.get<std::size_t>()));
  }
  return value;
}

void put_failure(Mailbox& mailbox) {
  mailbox.clear();
  mailbox.put(Message::failure);
  try {
    throw;
  } catch (const ModelError& error) {
    mailbox.put(Failure::model_error);
    mailbox.put_text(error.function());
    mailbox.put(error.time());
    mailbox.put_text(reason_of(error, error.function(), error.time()));
  } catch (const FmuError& error) {
    mailbox.put(Failure::fmu_error);
    mailbox.put_text(error.path());
    mailbox.put_text(error.thing());
    mailbox.put(error.line());
    mailbox.put_text(reason_of(error, error.path(), error.thing(), error.line()));
  } catch (const std::invalid_argument& error) {
    mailbox.put(Failure::invalid_argument);
    mailbox.put_text(error.what());
  } catch (const std::exception& error) {
    mailbox.put(Failure::other);
    mailbox.put_text(error.what());
  } catch (...) {
    mailbox.put(Failure::other);
    mailbox.put_text("an exception of unknown type left the FMU");
  }
}

void throw_failure(Mailbox& mailbox) {
  switch (mailbox.get<Failure>()) {
    case Failure::model_error: {
      const std::string function = mailbox.get_text();
      const auto time = mailbox.get<double>();
      throw ModelError(function, time, mailbox.get_text());
    }
    case Failure::fmu_error: {
      const std::string path = mailbox.get_text();
      const std::string thing = mailbox.get_text();
      const auto line = mailbox.get<std::size_t>();
      throw FmuError(path, thing, line, mailbox.get_text());
    }
    case Failure::invalid_argument:
      throw std::invalid_argument(mailbox.get_text());
    default:
      throw std::runtime_error(mailbox.get_text());
  }
}

}  // namespace saltus::importer

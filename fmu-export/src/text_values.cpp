// SPDX-License-Identifier: BSD-2-Clause
// Strings and binaries of an instance. FMUs without such variables have `no_text_values.cpp`
// instead: both define the same functions of `Instance`.
#include <cstring>

#include "call_error.hpp"
#include "call_guard.hpp"
#include "instance.hpp"

namespace saltus::fmu_export {

using modeling::Variable;

Eval Values::get_text(const Situation& now, Variable::Type type, Reference reference,
                      std::string& text) {
  check_type(reference, type);
  check_intermediate(now, reference);
  bool is_start = false;
  if (come_to(now, *variable(reference), is_start) == Eval::discard) {
    return Eval::discard;
  }
  text = is_start ? model_->start_text(reference - 1) : model_->text(reference - 1);
  if (type == Variable::Type::string && text.find('\0') != std::string::npos) {
    throw CallError(described(reference) +
                    " holds a zero byte, where a String of FMI would end: declare it as a binary");
  }
  return Eval::ok;
}

Values::Change Values::set_texts(const Situation& now, Variable::Type type, References references,
                                 std::span<const std::string_view> texts) {
  check_count(references.size(), texts.size());
  const auto holds = [&](std::size_t i) {
    const std::size_t position = references[i] - 1;
    return texts[i] == (now.starting() ? model_->start_text(position) : model_->text(position));
  };
  for (std::size_t i = 0; i < references.size(); ++i) {
    check_type(references[i], type);
    check_target(now, references[i], holds(i));
  }
  Change change;
  for (std::size_t i = 0; i < references.size(); ++i) {
    if (!holds(i)) {
      model_->set_text(references[i] - 1, texts[i]);
      note(change, references[i] - 1);
    }
  }
  if (change.any) {
    outdate();
  }
  return change;
}

namespace {

References references_of(const TextArray& texts) {
  const References references = array(texts.references, texts.number_of_references, "references");
  Values::check_count(references.size(), texts.count);
  array(static_cast<const char*>(texts.values), texts.count, "values");
  if (texts.type == Variable::Type::binary) {
    array(texts.sizes, texts.count, "valueSizes");
  }
  return references;
}

}  // namespace

// FMI 3.0, 2.2.6.2, and FMI 2.0, 2.1.7: whoever gets them copies them before the next call.
Eval Instance::get_texts(const TextArray& texts) {
  const References references = elements(references_of(texts));
  const auto kept = std::make_shared<std::vector<std::string>>(references.size());
  const Situation now = situation();
  for (std::size_t i = 0; i < references.size(); ++i) {
    if (values_->get_text(now, texts.type, references[i], (*kept)[i]) == Eval::discard) {
      return Eval::discard;
    }
  }
  for (std::size_t i = 0; i < references.size(); ++i) {
    const char* const first = (*kept)[i].c_str();
    std::memcpy(static_cast<char*>(texts.values) + i * sizeof first, &first, sizeof first);
    if (texts.sizes != nullptr) {
      texts.sizes[i] = (*kept)[i].size();
    }
  }
  returned_ = kept;
  return Eval::ok;
}

void Instance::set_texts(const TextArray& texts) {
  const References references = elements(references_of(texts));
  std::vector<std::string_view> all;
  for (std::size_t i = 0; i < references.size(); ++i) {
    const char* first = nullptr;
    std::memcpy(&first, static_cast<const char*>(texts.values) + i * sizeof first, sizeof first);
    if (texts.sizes == nullptr) {
      all.emplace_back(&result(first, "a value"));
    } else {
      const auto bytes = array(first, texts.sizes[i], "a value");
      all.emplace_back(bytes.data(), bytes.size());
    }
  }
  set_texts(texts.type, references, all);
}

void Instance::set_texts(Variable::Type type, References references,
                         std::span<const std::string_view> texts) {
  const Values::Change change = values_->set_texts(situation(), type, references, texts);
  if (!change.any) {
    return;
  }
  changed(change);
  for (std::size_t i = 0; event_ && i < references.size(); ++i) {
    event_->actions.push_back({.what = EventAction::What::set_text,
                               .reference = references[i],
                               .whole = static_cast<std::int64_t>(texts[i].size())});
    const auto bytes = std::as_bytes(std::span(texts[i]));
    event_->texts.insert(event_->texts.end(), bytes.begin(), bytes.end());
  }
}

void Instance::set_text_again(const EventAction& action, std::span<const std::byte>& texts) {
  const auto size = static_cast<std::size_t>(action.whole);
  const Variable* v = variable(action.reference);
  if (v == nullptr || !v->is_text() || size > texts.size()) {
    throw CallError("the FMU state sets a text that it does not have");
  }
  const std::string_view text(reinterpret_cast<const char*>(texts.data()), size);
  texts = texts.subspan(size);
  set_texts(v->type, References(&action.reference, 1), std::span(&text, 1));
}

}  // namespace saltus::fmu_export

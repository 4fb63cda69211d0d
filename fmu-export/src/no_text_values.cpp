// SPDX-License-Identifier: BSD-2-Clause
// In FMUs whose models declare neither strings nor binaries, in place of `text_values.cpp`.
#include "call_error.hpp"
#include "instance.hpp"

namespace saltus::fmu_export {

Eval Instance::get_texts(const TextArray& texts) {
  set_texts(texts);
  return Eval::ok;
}

void Instance::set_texts(const TextArray& texts) {
  if (texts.number_of_references > 0) {
    throw CallError(std::string("the FMU has no variables of type ") +
                    dialect_->of(texts.type).word);
  }
}

void Instance::set_text_again(const EventAction&, std::span<const std::byte>&) {}

}  // namespace saltus::fmu_export

/// By this name `saltus_add_fmu` asks for this file.
extern "C" const char saltus_no_text_values = 0;

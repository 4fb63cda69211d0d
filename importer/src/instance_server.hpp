// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "guarded_numbers.hpp"
#include "instance_messages.hpp"

namespace saltus::importer {

/// The part of isolation that runs in the FMU's process: it loads the binary, makes the instance
/// and calls it as the importer asks through the mailbox.
class InstanceServer {
 public:
  explicit InstanceServer(Mailbox& mailbox) : mailbox_(mailbox) {}

  /// Returns when the instance is freed and the binary unloaded, or could not be made.
  void run(const FmuFiles& files, const std::string& name, InterfaceType type,
           const InstanceOptions& options);

 private:
  class ForwardedCalls;
  InstanceOptions forwarded(const InstanceOptions& options, CallLog& calls);
  void call_back();
  bool serve_one();
  void answer(Request request);
  void apply_placement(Request request);
  void begin_reply();
  Vec numbers(std::size_t count) { return numbers_.take<double>(count); }

  Mailbox& mailbox_;
  std::unique_ptr<Instance> instance_;
  Placement placement_;
  bool is_placed_ = true;
  std::vector<ValueReference> references_;
  std::vector<double> values_;
  GuardedNumbers numbers_;
};

}  // namespace saltus::importer

// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <cstdint>

#include "isolated_run.hpp"

namespace saltus::cli {

/// The first word of each message.
enum class Streamed : std::uint32_t { columns, row, event, warning, call, message, refused, end };

/// The half of an `IsolatedRun` that is in the FMU's process.
class StreamedRun {
 public:
  StreamedRun(RunStream& stream, const RunPorts& ports) : stream_(stream), ports_(ports) {}

  /// Returns when the instance is freed. The binary is never unloaded: that goes with the process.
  void run();

 private:
  importer::InstanceOptions instance_options(importer::CallLog& calls);

  RunStream& stream_;
  const RunPorts& ports_;
};

/// The messages `refused` and `end` at the other side.
[[noreturn]] void throw_refusal(RunStream& stream);
RunEnd get_end(RunStream& stream);

}  // namespace saltus::cli

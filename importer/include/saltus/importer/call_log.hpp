// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

namespace saltus::importer {

/// Sees every call into an FMU, one line each:
///
///     fmi3SetTime(time=0.1) -> fmi3OK
///     fmi3GetContinuousStates() -> fmi3OK, continuousStates=[1, 0]
///
/// The sequence of these lines is how the FMU was used; two importers can be compared by them.
/// Without a log a call costs one test of a pointer.
class CallLog {
 public:
  CallLog() = default;
  CallLog(const CallLog&) = delete;
  CallLog& operator=(const CallLog&) = delete;
  virtual ~CallLog() = default;

  /// `line` has no line end and is valid during the call.
  virtual void call(std::string_view line) = 0;
};

/// Writes the lines to a stream, which must outlive it.
class CallLogStream : public CallLog {
 public:
  explicit CallLogStream(std::ostream& stream) : stream_(stream) {}
  void call(std::string_view line) override;

 private:
  std::ostream& stream_;
};

/// The category of messages that are not the FMU's own.
inline constexpr const char* kImporterCategory = "importer";

/// What an FMU says through its logger.
struct LogMessage {
  std::string instance;
  std::string status;    ///< "fmi3OK", "fmi3Warning", ...
  std::string category;  ///< `kImporterCategory`: the importer says it
  std::string text;      ///< references to variables (`#3#`) are replaced by their names
};

}  // namespace saltus::importer

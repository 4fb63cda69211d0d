// SPDX-License-Identifier: BSD-2-Clause
#include "guarded_checks.hpp"

#include <stdlib.h>
#include <unistd.h>

#include <chrono>
#include <set>
#include <stdexcept>

#include "../mailbox.hpp"
#include "saltus/importer/call_under_way.hpp"
#include "saltus/importer/fmu_process.hpp"

namespace saltus::importer::validation {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

/// The process ended, or was ended, in a check.
struct Broken : std::runtime_error {
  enum class Way { crash, hang, slow };
  Broken(const std::string& how, Way which) : std::runtime_error(how), way(which) {}
  Way way;
};

void put_findings(Mailbox& mailbox, const std::vector<Finding>& list) {
  mailbox.clear();
  mailbox.put(list.size());
  for (const Finding& finding : list) {
    mailbox.put(finding.rule);
    mailbox.put(finding.severity);
    mailbox.put(finding.line);
    for (const std::string* text : {&finding.id, &finding.file, &finding.what, &finding.remedy}) {
      mailbox.put_text(*text);
    }
  }
}

void get_findings(Mailbox& mailbox, Findings& findings) {
  for (auto left = mailbox.get<std::size_t>(); left > 0; --left) {
    Finding finding;
    finding.rule = mailbox.get<int>();
    finding.severity = mailbox.get<Severity>();
    finding.line = mailbox.get<std::size_t>();
    for (std::string* text : {&finding.id, &finding.file, &finding.what, &finding.remedy}) {
      *text = mailbox.get_text();
    }
    findings.add(finding);
  }
}

/// The checks from `first` on, one message for each, in a process of their own.
class GuardedRun {
 public:
  GuardedRun(const std::vector<RunCheck>& checks, std::size_t first, Fmu& fmu,
             const ValidationOptions& options)
      : limit_(options.time_limit),
        process_([&] { work(checks, first, fmu, options); }, default_memory_limit(),
                 mailbox_.file()) {}

  /// Lets the next check begin and waits for its end. Throws `Broken`.
  void take(Findings& findings) {
    if (waits_) mailbox_.hand_over(Mailbox::Side::fmu);
    waits_ = false;
    const auto begin = Clock::now();
    auto call_begin = begin;
    std::uint64_t count = 0;
    mailbox_.await(Mailbox::Side::importer, [&] {
      if (process_.has_ended()) throw Broken(process_.how() + where(), Broken::Way::crash);
      const auto now = Clock::now();
      const CallUnderWay& call = mailbox_.call_under_way();
      if (call.count != count || call.function == nullptr) call_begin = now;
      count = call.count;
      if (limit_ <= Seconds(0) || now - begin <= limit_) return;
      const bool hangs = now - call_begin > 0.5 * limit_;
      const std::string where_it_was = where();
      process_.end();
      throw Broken(hangs ? fmt::format("did not return within {:.3g} s{}",
                                       Seconds(now - call_begin).count(), where_it_was)
                         : fmt::format("took longer than {:g} s", limit_.count()),
                   hangs ? Broken::Way::hang : Broken::Way::slow);
    });
    get_findings(mailbox_, findings);
    waits_ = true;
  }

 private:
  void work(const std::vector<RunCheck>& checks, std::size_t first, Fmu& fmu,
            const ValidationOptions& options) {
    call_under_way = &mailbox_.call_under_way();
    ::dup2(STDERR_FILENO, STDOUT_FILENO);  // what an FMU prints is no finding
    // A check that is ended may have unpacked the FMU once more: that goes with the first folder.
    ::setenv("TMPDIR", fmu.folder().c_str(), 1);
    Findings findings;
    RunFindings found(findings);
    RunContext context{.fmu = fmu, .options = options, .findings = found};
    for (std::size_t i = first; i < checks.size(); ++i) {
      found.be_about(fmu, checks[i].interface);
      checks[i].work(context);
      end_call();
      put_findings(mailbox_, findings.take_sorted());
      mailbox_.hand_over(Mailbox::Side::importer);
      mailbox_.await(Mailbox::Side::fmu, [] {});
    }
  }

  std::string where() const {
    const std::string call = call_name(mailbox_.call_under_way());
    return call.empty() ? "" : " in " + call;
  }

  Mailbox mailbox_;
  Seconds limit_;
  bool waits_ = false;  // the process, after a check: it can be ended there and leaves nothing
  FmuProcess process_;
};

void report_broken(const Fmu& fmu, const RunCheck& check, const Broken& broken,
                   Findings& findings) {
  RunFindings found(findings);
  found.be_about(fmu, check.interface);
  if (broken.way == Broken::Way::slow) {
    found.add({35, "run.skipped"}, Severity::note,
              fmt::format("{} was given up: it {}", check.about, broken.what()));
  } else if (check.is_illegal) {
    found.add({35, "run.illegal.crash"}, Severity::warning,
              fmt::format("{}: the FMU {}", check.about, broken.what()),
              "answer with an error to calls that are not allowed");
  } else if (broken.way == Broken::Way::hang) {
    // Without the run itself nothing of its interface is checked.
    found.add({35, "run.hangs"}, check.is_first ? Severity::error : Severity::warning,
              fmt::format("{}: the FMU {}", check.about, broken.what()),
              "let the call come to an end, or allow it more time");
  } else {
    found.add({35, "run.crashed"}, Severity::error,
              fmt::format("{}: the FMU {}", check.about, broken.what()),
              "run it in a debugger up to that call");
  }
}

}  // namespace

void run_guarded(const std::vector<RunCheck>& checks, Fmu& fmu, const ValidationOptions& options,
                 Findings& findings) {
  std::unique_ptr<GuardedRun> run;
  Seconds illegal(0);
  std::set<const Interface*> broken_interfaces;
  for (std::size_t i = 0; i < checks.size(); ++i) {
    const auto begin = Clock::now();
    if (broken_interfaces.contains(&checks[i].interface)) {
      run.reset();
      continue;
    }
    if (options.time_limit > 0.0 && illegal.count() > options.time_limit) {
      report_broken(fmu, checks[i],
                    Broken("was preceded by others for too long", Broken::Way::slow), findings);
      return;
    }
    if (!run) run = std::make_unique<GuardedRun>(checks, i, fmu, options);
    try {
      run->take(findings);
      // What a check has damaged is not to be blamed on the next.
      if (!checks[i].is_illegal || checks[i].interface.can_be_instantiated_only_once_per_process) {
        run.reset();
      }
    } catch (const Broken& broken) {
      run.reset();
      report_broken(fmu, checks[i], broken, findings);
      if (checks[i].is_first) broken_interfaces.insert(&checks[i].interface);
    } catch (const std::runtime_error&) {  // of the mailbox
      run.reset();
      report_broken(fmu, checks[i], Broken("damaged the memory of its process", Broken::Way::crash),
                    findings);
    }
    if (checks[i].is_illegal) illegal += Clock::now() - begin;
  }
}

}  // namespace saltus::importer::validation

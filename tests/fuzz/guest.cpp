// SPDX-License-Identifier: BSD-2-Clause
#include "guest.hpp"

#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <limits>
#include <stdexcept>

namespace saltus::fuzz {
namespace {

constexpr unsigned kLongestRun = 60;     // seconds of the processor
constexpr unsigned kLongestWait = 1200;  // seconds, where it does nothing
constexpr std::size_t kCalls = 16;

char run_text[512] = "no run";
const char* last_calls[kCalls] = {};
std::size_t call_count = 0;

void put(const char* text) { (void)!write(2, text, std::strlen(text)); }

void last_words(int signal) {
  put(signal == SIGALRM || signal == SIGPROF ? "\nHANGS: " : "\nCRASHES: ");
  put(run_text);
  put("; the last calls:");
  for (std::size_t i = call_count > kCalls ? call_count - kCalls : 0; i < call_count; ++i) {
    put(" ");
    put(last_calls[i % kCalls]);
  }
  put("\n");
  _exit(1);
}

}  // namespace

void note_run(const std::string& fmu, std::uint64_t seed) {
  std::snprintf(run_text, sizeof run_text, "%s --seeds %llu:%llu", fmu.c_str(),
                static_cast<unsigned long long>(seed), static_cast<unsigned long long>(seed + 1));
  call_count = 0;
  allow_another_minute();
}
void allow_another_minute() {
  const itimerval minute = {.it_interval = {}, .it_value = {.tv_sec = kLongestRun, .tv_usec = 0}};
  setitimer(ITIMER_PROF, &minute, nullptr);
  alarm(kLongestWait);
}
void note_call(const char* name) { last_calls[call_count++ % kCalls] = name; }

void watch_for_the_end() {
  for (const int s : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM, SIGPROF}) {
    signal(s, last_words);
  }
}

double Dice::number(double usual) {
  switch (below(24)) {
    case 0:
      return 0.0;
    case 1:
      return -usual;
    case 2:
      return 1e3 * (unit() - 0.5);
    case 3:
      return one_in(4) ? 1e300 : 1e-300;
    case 4:
      return one_in(4) ? std::numeric_limits<double>::quiet_NaN()
                       : std::numeric_limits<double>::infinity();
    case 5:
    case 6:
    case 7:
      return usual;
    default:
      return usual + (unit() - 0.5) * (std::fabs(usual) + 0.1);
  }
}

Guest::Guest(const std::string& file) : path(file), fmu_(importer::Fmu::open(file)) {
  const importer::ModelDescription& description = fmu_.description();
  token = description.instantiation_token;
  start = description.default_experiment.start_time.value_or(0.0);
  stop = description.default_experiment.stop_time.value_or(start + 1.0);
  for (const importer::Variable& v : description.variables) {
    Known known{.reference = v.reference,
                .start = v.start.empty() ? 0.0 : importer::to_number(v.start[0]),
                .settable_later = v.causality == importer::Causality::input ||
                                  v.variability == importer::Variability::tunable,
                .algebraic = v.initial == importer::Initial::approx,
                .intermediate = v.intermediate_update};
    (v.causality == importer::Causality::structural_parameter ? switches
     : v.type == importer::VariableType::float64              ? numbers
     : v.type == importer::VariableType::int32                ? int32s
     : v.type == importer::VariableType::int64                ? int64s
                                                              : booleans)
        .push_back(known);
  }
  const std::string& identifier = description.model_exchange->model_identifier;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(fmu_.folder())) {
    if (entry.path().filename() != identifier + ".so") continue;
    void* library = dlopen(entry.path().c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) throw std::runtime_error(dlerror());
#define X(Return, Name, Parameters) f.Name = reinterpret_cast<Name##TYPE*>(dlsym(library, #Name));
    SALTUS_FMI3_FUNCTIONS(X)
#undef X
  }
  if (f.fmi3GetVersion == nullptr) throw std::runtime_error(file + " has no binary");
}

}  // namespace saltus::fuzz

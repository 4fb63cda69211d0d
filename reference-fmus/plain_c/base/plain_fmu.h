// SPDX-License-Identifier: BSD-2-Clause
#pragma once

#include "saltus/fmi/fmi3_functions.h"

/// What the FMUs in plain C share: everything of FMI 3.0 that does not depend on the model.
///
/// An FMU is the sources of this folder plus one file that defines `the_model`: a table of
/// variables and a few functions. The base owns the state machine and is as strict as the standard
/// allows (a call out of sequence is answered with fmi3Error, FMI 3.0, 2.2, Status Returned by
/// Functions), so that an importer which works with these FMUs works because it is right.
///
/// Nothing here comes from the exporter of this project. The two must not share a misunderstanding.

/// The states of the state machine (FMI 3.0, 2.3, 3.2 and 4.2), as bits: a function names the set
/// of states in which it may be called. `mode_broken` is the state after fmi3Fatal, `mode_usable`
/// all others.
typedef enum {
  mode_instantiated = 1,
  mode_initialization = 2,
  mode_event = 4,
  mode_continuous_time = 8,
  mode_step = 16,
  mode_terminated = 32,
  mode_configuration = 64,  ///< entered from Event Mode it is called Reconfiguration Mode
  mode_broken = 128,
  mode_usable = mode_broken - 1
} Mode;

typedef enum { interface_model_exchange, interface_co_simulation } Interface;

typedef enum { type_float64, type_int32, type_boolean } VariableType;

/// Who gives a variable its value, which decides when `fmi3Set...` may.
typedef enum {
  role_time,          ///< the importer, by fmi3SetTime or fmi3DoStep
  role_parameter,     ///< the importer, until the end of initialization
  role_input,         ///< the importer, always; a continuous one
  role_state,         ///< the integrator; the importer also in Event Mode
  role_reinit_state,  ///< the integrator, and the FMU in Event Mode
  role_discrete,      ///< the FMU in Event Mode
  role_structural,    ///< the importer in Configuration Mode: the switch of FMI-LS-DAE
  role_algebraic,     ///< in DAE mode the importer, see `Model::sets_algebraics`; else `calculate`
  role_slope,         ///< a derivative that the importer sets in the implicit form of a DAE
  role_calculated     ///< `Model::calculate`, from all others, whenever somebody asks
} VariableRole;

/// A scalar variable. Its value reference is its place in the table, so the table and the
/// description count alike; place 0 is time.
typedef struct {
  VariableType type;
  VariableRole role;
  double start;
} Variable;

enum { vr_time = 0, max_variables = 20, max_memory = 8 };

/// All that changes while an instance lives, in one flat block: a snapshot (fmi3GetFMUState) is a
/// copy of it. Integers and booleans are kept as doubles, which hold every fmi3Int32 exactly.
typedef struct {
  Mode mode;
  Mode before_configuration;
  bool event_iteration_finished;
  bool stop_time_defined;
  double stop_time;
  double start_time;
  double last_event_time;
  double last_step_time;
  double second_last_step_time;
  double values[max_variables];  ///< by value reference
  double memory[max_memory];     ///< the model's own, seen by nobody
} Snapshot;

typedef struct {
  fmi3LogMessageCallback log;
  fmi3InstanceEnvironment environment;
  bool logging_on;
  Interface interface;
  bool event_mode_used;
  bool early_return_allowed;
  int snapshots;    ///< saved and not yet freed
  bool is_adjoint;  ///< while fmi3GetAdjointDerivative asks for partial derivatives
  Snapshot now;
} Instance;

/// The answers of `fmi3UpdateDiscreteStates` and `fmi3DoStep`, all no unless the model says yes.
typedef struct {
  bool need_update;
  bool terminate;
  bool nominals_changed;
  bool values_changed;
  bool next_event_defined;
  double next_event_time;
} Update;
typedef struct {
  bool event_needed;
  bool terminate;
  bool early_return;
} StepResult;

/// A model. Functions may be NULL where a model has nothing to say.
typedef struct {
  const char* version;  ///< what fmi3GetVersion answers
  const char* instantiation_token;
  bool offers_model_exchange;
  bool offers_co_simulation;
  bool has_event_mode;  ///< the flag hasEventMode of Co-Simulation

  const Variable* variables;
  size_t variable_count;

  /// The order of the vectors of Model Exchange, as ModelStructure gives it.
  const fmi3ValueReference* states;
  const fmi3ValueReference* derivatives;
  size_t state_count;
  const fmi3ValueReference* indicators;
  size_t indicator_count;

  /// Sets the calculated variables from the others. Changes nothing else. May answer fmi3Discard.
  fmi3Status (*calculate)(Instance* self);
  /// Says whether the states just set are acceptable: fmi3OK or fmi3Discard.
  fmi3Status (*check_states)(const Instance* self, const double states[]);
  /// The nominal value of a state, which is 1 if this is NULL.
  double (*nominal)(const Instance* self, size_t state);
  /// Start time and parameters are known: the end of initialization.
  void (*initialize)(Instance* self);
  /// Event Mode was entered. What changes at this event changes here, so that a getter shows the
  /// new values before the first update (FMI 3.0, 2.3.5: getters evaluate the event equations).
  void (*enter_event)(Instance* self);
  /// Closes a super-dense instant.
  void (*update)(Instance* self, Update* update);
  void (*completed_step)(Instance* self, bool* enter_event_mode, bool* terminate);
  /// Advances from `self->now.values[vr_time]` towards `target`, which it may not reach.
  fmi3Status (*do_step)(Instance* self, double target, StepResult* result);
  /// FMI-LS-DAE. Whether there is a switch, a structural parameter, and whether it may be changed
  /// in Event Mode, too.
  bool has_switch;
  bool is_switch_tunable;
  /// Where algebraics, and slopes, may be set: a set of modes.
  unsigned (*sets_algebraics)(const Instance* self);
  /// The derivative of one variable by another, for fmi3GetDirectionalDerivative and
  /// fmi3GetAdjointDerivative; NULL: not offered.
  double (*partial)(const Instance* self, fmi3ValueReference unknown, fmi3ValueReference known);
  /// The last word on the status of every function of the interface, by its name. For FMUs that
  /// lie.
  fmi3Status (*answer)(Instance* self, const char* function, fmi3Status honest);
  /// Whether calls that the standard forbids are let through. Likewise.
  bool (*forgives)(const Instance* self);
} Model;

extern const Model the_model;

static inline double time_of(const Instance* self) { return self->now.values[vr_time]; }

/// Sends a message to the importer: always for errors, else if logging is on (FMI 3.0, 2.2).
__attribute__((format(printf, 3, 4))) void report(const Instance* self, fmi3Status severity,
                                                  const char* format, ...);

/// Whether `function` may be called now, in one of `modes`; if not, says so to the importer, and
/// the caller answers fmi3Error.
bool is_allowed(Instance* self, const char* function, unsigned modes);

/// The end of every function: lets the model change the answer, and moves to the state that the
/// answer means. `return finish(self, __func__, status);`
fmi3Status finish(Instance* self, const char* function, fmi3Status status);

/// Enters Event Mode, from wherever the interface does.
void start_event(Instance* self);

/// Whether `time` is beyond the stop time of the experiment, where nothing may be computed. Leaves
/// room for the rounding of a sum of steps.
bool is_after_stop(const Instance* self, double time);

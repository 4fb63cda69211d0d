// SPDX-License-Identifier: BSD-2-Clause
// The complete state of an instance, saved and restored (FMI 3.0, 2.2, Getting and Setting the
// Complete FMU State). An instance changes in one flat block only, so a snapshot is a copy of that.

#include <stdlib.h>
#include <string.h>

#include "plain_fmu.h"

// An old snapshot is overwritten; a new one is made where there was none.
static bool make_room(Instance* self, const char* function, fmi3FMUState* snapshot) {
  if (*snapshot != NULL) return true;
  *snapshot = malloc(sizeof(Snapshot));
  if (*snapshot != NULL) {
    ++self->snapshots;
    return true;
  }
  report(self, fmi3Error, "%s: out of memory", function);
  return false;
}

fmi3Status fmi3GetFMUState(fmi3Instance instance, fmi3FMUState* FMUState) {
  Instance* self = instance;
  if (!is_allowed(self, __func__, mode_usable)) return fmi3Error;
  if (!make_room(self, __func__, FMUState)) return finish(self, __func__, fmi3Error);
  memcpy(*FMUState, &self->now, sizeof(Snapshot));
  return finish(self, __func__, fmi3OK);
}

fmi3Status fmi3SetFMUState(fmi3Instance instance, fmi3FMUState FMUState) {
  Instance* self = instance;
  if (!is_allowed(self, __func__, mode_usable)) return fmi3Error;
  if (FMUState == NULL) {
    report(self, fmi3Error, "%s: there is no state to restore", __func__);
    return finish(self, __func__, fmi3Error);
  }
  memcpy(&self->now, FMUState, sizeof(Snapshot));
  return finish(self, __func__, fmi3OK);
}

fmi3Status fmi3FreeFMUState(fmi3Instance instance, fmi3FMUState* FMUState) {
  Instance* self = instance;
  if (!is_allowed(self, __func__, mode_usable)) return fmi3Error;
  if (FMUState != NULL && *FMUState != NULL) {
    --self->snapshots;
    free(*FMUState);
    *FMUState = NULL;
  }
  return finish(self, __func__, fmi3OK);
}

fmi3Status fmi3SerializedFMUStateSize(fmi3Instance instance, fmi3FMUState FMUState, size_t* size) {
  (void)FMUState;  // All snapshots have the same size.
  Instance* self = instance;
  if (!is_allowed(self, __func__, mode_usable)) return fmi3Error;
  *size = sizeof(Snapshot);
  return finish(self, __func__, fmi3OK);
}

static bool is_snapshot_size(const Instance* self, const char* function, size_t size) {
  if (size == sizeof(Snapshot)) return true;
  report(self, fmi3Error, "%s: a state has %zu bytes, not %zu", function, sizeof(Snapshot), size);
  return false;
}

fmi3Status fmi3SerializeFMUState(fmi3Instance instance, fmi3FMUState FMUState,
                                 fmi3Byte serializedState[], size_t size) {
  Instance* self = instance;
  if (!is_allowed(self, __func__, mode_usable)) return fmi3Error;
  if (!is_snapshot_size(self, __func__, size)) return finish(self, __func__, fmi3Error);
  memcpy(serializedState, FMUState, size);
  return finish(self, __func__, fmi3OK);
}

fmi3Status fmi3DeserializeFMUState(fmi3Instance instance, const fmi3Byte serializedState[],
                                   size_t size, fmi3FMUState* FMUState) {
  Instance* self = instance;
  if (!is_allowed(self, __func__, mode_usable)) return fmi3Error;
  if (!is_snapshot_size(self, __func__, size)) return finish(self, __func__, fmi3Error);
  if (!make_room(self, __func__, FMUState)) return finish(self, __func__, fmi3Error);
  memcpy(*FMUState, serializedState, size);
  return finish(self, __func__, fmi3OK);
}

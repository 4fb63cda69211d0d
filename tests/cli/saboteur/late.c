// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include "late.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

static int* volatile nowhere = (int*)64;
static volatile int deep = 1;
static const char* deed = "";
static long pause_before = 0;
static volatile sig_atomic_t ticks = 0;

static bool is_deed(const char* name) { return strcmp(deed, name) == 0; }

static void do_deed(void) {
  if (is_deed("segv")) *nowhere = 1;
  if (is_deed("abort")) abort();
  if (is_deed("loop")) {
    while (deep != 0) {
    }
  }
  if (is_deed("sleep")) {
    for (;;) pause();
  }
  if (is_deed("print")) puts("the FMU says good bye");
  if (is_deed("exit3")) exit(3);
  if (is_deed("exit0")) exit(0);
  if (is_deed("_exit0")) _exit(0);
  if (is_deed("_exit7")) _exit(7);
}

static void do_deed_with_code(int code, void* unused) {
  (void)code;
  (void)unused;
  do_deed();
}

static void do_deed_of_thread(void* unused) {
  (void)unused;
  do_deed();
}

static void* do_deed_soon(void* unused) {
  usleep((useconds_t)pause_before);
  do_deed();
  return unused;
}

static void start_thread(long microseconds) {
  pthread_t thread;
  pause_before = microseconds;
  if (pthread_create(&thread, NULL, do_deed_soon, NULL) == 0) pthread_detach(thread);
}

// The deed in a way that begins like this.
static bool begins(const char* way, const char* prefix) {
  const size_t length = strlen(prefix);
  if (strncmp(way, prefix, length) != 0) return false;
  deed = way + length;
  return true;
}

static void tick(int signal) {
  (void)signal;
  ++ticks;
}

static void start_timer(void) {
  // Without SA_RESTART, so that whatever waits is disturbed.
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = tick;
  sigaction(SIGALRM, &action, NULL);
  const struct itimerval often = {{0, 500}, {0, 500}};
  setitimer(ITIMER_REAL, &often, NULL);
}

static void stay_loaded(void) {
  Dl_info self;
  if (dladdr((void*)&deep, &self) != 0) dlopen(self.dli_fname, RTLD_NOW | RTLD_NODELETE);
}

bool prepare_for_later(const char* way) {
  static bool done = false;
  static pthread_key_t key;
  if (done) return true;
  const bool meanwhile = strcmp(way, "crash_meanwhile") == 0 || strcmp(way, "exit_meanwhile") == 0;
  if (meanwhile || begins(way, "crash_after_") || begins(way, "exit_after_")) {
    const long pause = meanwhile ? 20000 : strtol(deed, NULL, 10);
    deed = way[0] == 'c' ? "segv" : "exit3";
    start_thread(pause);
    if (meanwhile) usleep(500000);
  } else if (begins(way, "kept_atexit_")) {
    stay_loaded();
    atexit(do_deed);
  } else if (begins(way, "atexit_")) {
    atexit(do_deed);
  } else if (begins(way, "on_exit_")) {
    on_exit(do_deed_with_code, NULL);
  } else if (begins(way, "exit_over_")) {
    atexit(do_deed);
    exit(3);
  } else if (begins(way, "key_")) {
    if (pthread_key_create(&key, do_deed_of_thread) == 0) pthread_setspecific(key, &key);
  } else if (strcmp(way, "timer") == 0) {
    start_timer();
  } else {
    return false;
  }
  done = true;
  return true;
}

# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# What ./saltus and ./test share: packages, one set-up at a time, and configuring and building with visible progress.
# Sourced with `root` set to the folder of the project. All of it speaks on standard error only; what the commands say
# goes to build/setup.log, whose end is shown where one fails.

root=$(CDPATH='' cd -P -- "$root" && pwd)
log=$root/build/setup.log
remedy=
export CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1 # so that clones in different places share what was compiled

say() { printf 'saltus: %s\n' "$*" >&2; }

die() {
  say "$@"
  [[ -z $remedy ]] || say "$remedy"
  exit 4
}

# One set-up at a time in this folder: a second one waits, and then finds the work done.
take_lock() {
  mkdir -p "$root/build" 2>/dev/null && [[ -w $root/build ]] ||
    die "cannot write to $root/build: make the folder writable, or copy the project to one that is"
  if command -v flock >/dev/null; then
    exec 9>"$root/build/.lock"
    if ! flock --nonblock 9; then
      say "another set-up is at work in this folder: waiting for it"
      flock 9
    fi
  fi
  : >"$log"
}

release_lock() { exec 9>&-; }

# run TITLE COMMAND... shows the title, and beside it how far the command is.
run() {
  local title=$1 begun=$SECONDS
  shift
  printf '\n# %s\n%s\n' "$title" "$*" >>"$log"
  [[ -t 2 ]] || say "$title"
  if "$@" </dev/null 2>&1 9>&- | follow "$title"; then
    [[ ! -t 2 ]] || printf '\r\033[Ksaltus: %s: %d s\n' "$title" $((SECONDS - begun)) >&2
  else
    [[ ! -t 2 ]] || printf '\n' >&2
    tail -n 40 "$log" >&2
    die "$title failed; the whole log is $log"
  fi
}

# Copies a command's output to the log, and reads its progress from the lines in which Ninja ([3/120] ...) and APT
# (dlstatus:3:45.1:...) tell it. On a terminal one line is kept up to date; elsewhere a line appears every 15 s.
follow() {
  local title=$1 line progress='' next=$((SECONDS + 15))
  [[ ! -t 2 ]] || printf '\r\033[Ksaltus: %s' "$title" >&2
  while IFS= read -r line || [[ -n $line ]]; do
    if [[ $line =~ ^(dl|pm)status:[^:]*:([0-9]+) ]]; then
      [[ ${BASH_REMATCH[1]} == dl ]] && progress=fetched || progress=unpacked
      progress="${BASH_REMATCH[2]} % $progress"
    else
      printf '%s\n' "$line"
      [[ ! $line =~ ^\[([0-9]+)/([0-9]+)\] ]] || progress="${BASH_REMATCH[1]} of ${BASH_REMATCH[2]}"
    fi
    if [[ -t 2 ]]; then
      printf '\r\033[Ksaltus: %s%s' "$title" "${progress:+: $progress}" >&2
    elif ((SECONDS >= next)); then
      say "$title${progress:+: $progress}"
      next=$((SECONDS + 15))
    fi
  done >>"$log"
}

# install_packages LIST... installs what is missing of the Debian packages in the lists.
install_packages() {
  local name missing=() installed wanted=()
  while read -r name _; do
    [[ -z $name || $name == '#'* ]] || wanted+=("$name")
  done < <(cat "$@")
  if command -v dpkg-query >/dev/null; then
    installed=$(dpkg-query --show --showformat='<${Package} ${db:Status-Status}>' "${wanted[@]}" 2>/dev/null) || true
    for name in "${wanted[@]}"; do
      [[ $installed == *"<$name installed>"* ]] || missing+=("$name")
    done
  else
    missing=("${wanted[@]}")
  fi
  ((${#missing[@]})) || return 0

  local as_root=()
  ((EUID == 0)) || as_root=(sudo)
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get --quiet -o DPkg::Lock::Timeout=300)
  if ! command -v apt-get >/dev/null; then
    remedy="This is not Debian. Install what these Debian packages hold, and start again: ${missing[*]}"
  elif ((EUID != 0)) && ! command -v sudo >/dev/null; then
    remedy="Have these packages installed (there is no sudo, and you are not root): apt-get install ${missing[*]}"
  else
    # A package index that cannot be renewed may still do; what cannot be installed ends the set-up.
    run "fetching the package index" bash -c '"$@" || echo "not renewed"' - "${apt[@]}" update
    remedy="Is there a network? By hand it is: apt-get update && apt-get install ${missing[*]}"
    run "installing ${#missing[@]} Debian packages" \
      "${apt[@]}" -o APT::Status-Fd=1 install --yes --no-install-recommends "${missing[@]}"
    remedy=
    return
  fi
  for name in cmake ninja g++; do
    command -v "$name" >/dev/null || die "the command $name is missing."
  done
  say "$remedy"
  say "Trying without."
}

# Whether build/FOLDER was configured for this very place (and not, say, copied with the project from another).
is_configured_here() {
  local home
  home=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$root/build/$1/CMakeCache.txt" 2>/dev/null) || return 1
  [[ $home == "$root" ]]
}

# configure PRESET FOLDER [OPTION...] configures build/FOLDER. Warnings are errors with the compiler that the project is
# developed with, Debian 12's; another one may find new things to warn of, which must keep nobody from building.
configure() {
  local preset=$1 folder=$2 options=()
  shift 2
  is_configured_here "$folder" || options+=(--fresh)
  [[ $(g++ -dumpversion) == 12 || $preset == tidy ]] || options+=(-DSALTUS_WERROR=OFF)
  # What was compiled before, in this folder or in another clone, is not compiled again.
  ! command -v ccache >/dev/null || options+=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  run "configuring" cmake -S "$root" --preset "$preset" "${options[@]}" "$@"
}

# build FOLDER STAMP [TARGET...] builds build/FOLDER. The stamp, a file in it, carries the time at which the build began, so that a file
# edited meanwhile counts as newer.
build() {
  local folder=$root/build/$1 stamp=$2
  shift 2
  : >"$folder/.building"
  run "building" cmake --build "$folder" --parallel "$(nproc)" ${1:+--target "$@"}
  mv "$folder/.building" "$folder/$stamp"
}

#!/usr/bin/env bash
# scripts_test.sh ROOT: the scripts answer as documented without changing the machine.
set -euo pipefail
root=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export TMPDIR=$work

# expect CODE PATTERN COMMAND...: exit code and a line of output.
expect() {
  local want=$1 pattern=$2 code=0 output
  shift 2
  output=$("$@" 2>&1 </dev/null) || code=$?
  if ((code != want)) || ! grep -qE -- "$pattern" <<<"$output"; then
    printf 'FAILED: %s\nexit code %s, expected %s; expected output like "%s", got:\n%s\n' \
      "$*" "$code" "$want" "$pattern" "$output" >&2
    exit 1
  fi
}

expect 0 '^install-deps: (nothing to install|would install )' "$root/scripts/install-deps" --dry-run
expect 0 '^usage: scripts/install-deps' "$root/scripts/install-deps" --help
expect 2 'unknown argument "--dryrun"' "$root/scripts/install-deps" --dryrun
expect 0 '^usage: scripts/test' "$root/scripts/test" --help
expect 2 'preset needs a name' "$root/scripts/test" --preset
expect 0 '^usage: scripts/demo' "$root/scripts/demo" --help
expect 2 'takes no arguments, got "now"' "$root/scripts/demo" now

# A machine where nothing is installed, and one without apt: stand-ins first on the search path.
mkdir bare alien
printf '#!/bin/sh\nexit 1\n' >bare/dpkg-query
printf '#!/bin/sh\necho changed >&2; exit 9\n' >bare/apt-get
chmod +x bare/*
expect 0 'would install g\+\+ cmake .*libsimgrid-dev .*qt6-base-dev' \
  env PATH="$work/bare:$PATH" "$root/scripts/install-deps" --dry-run
ln -s "$(command -v bash)" "$(command -v env)" "$(command -v cat)" alien/
expect 3 'no dpkg-query here; .* libsimgrid-dev' \
  env PATH="$work/alien" "$root/scripts/install-deps"
if ((EUID == 0)); then
  printf '#!/bin/sh\necho "E: Unable to locate package x"; exit 100\n' >bare/apt-get
  expect 100 'apt-get update failed: E: Unable to locate package x' \
    env PATH="$work/bare:$PATH" "$root/scripts/install-deps"
fi

# .ci/run calls scripts/test and nothing else.
mkdir -p copy/.ci copy/scripts
cp "$root/.ci/run" copy/.ci/
printf '#!/bin/sh\necho "test ran with $# arguments"; exit 7\n' >copy/scripts/test
chmod +x copy/scripts/test
expect 7 '^test ran with 0 arguments$' copy/.ci/run

# A stage is one line when it succeeds; when it fails, its whole output, the log and its exit code.
stages() { bash -c ". '$root/scripts/stages.sh'; begin_stages job; $1"; }
expect 0 '^job: quiet \.\.\. ok \([0-9]+ s\)$' stages 'stage quiet echo noise'
[[ $(stages 'stage quiet echo noise' | wc -l) == 1 ]]
expect 5 '^why it failed$' stages 'stage loud bash -c "echo why it failed; exit 5"'
expect 5 'job: loud failed; log: .*/build/logs/job-loud.log' stages 'stage loud bash -c "exit 5"'

# shellcheck shell=bash
# Sourced by the scripts: runs the stages of a job, one line each, with their output in a log.

# begin_stages NAME: logs go to build/logs/NAME-<stage>.log of the checkout, the current directory.
begin_stages() {
  stages_name=$1
  stages_logs=$PWD/build/logs
  mkdir -p "$stages_logs"
}

# stage NAME COMMAND...: silent when the command succeeds; otherwise its output, the path of the log
# and the exit code of the command.
stage() {
  local name=$1 code=0 begin=$SECONDS
  shift
  stage_log=$stages_logs/$stages_name-$name.log
  printf '%s: %s ... ' "$stages_name" "$name"
  "$@" >"$stage_log" 2>&1 </dev/null || code=$?
  if ((code != 0)); then
    echo "failed (exit code $code)"
    # Hundreds of tests that passed would hide the one that did not; they are in the log.
    grep -vE '^ *[0-9]+/[0-9]+ Test .* Passed |^ +Start +[0-9]+: ' "$stage_log" >&2 || true
    echo "$stages_name: $name failed; log: $stage_log" >&2
    exit "$code"
  fi
  echo "ok ($((SECONDS - begin)) s)"
}

# install_dependencies: as a stage, but with its line on the screen, for sudo may ask for a password.
install_dependencies() {
  scripts/install-deps || exit $?
}

# Functions for the checks that start processes. The ids of the processes are in $work/NAME.pid.

# wait_for SECONDS COMMAND… repeats the command until it succeeds, at most for this time.
wait_for() {
  local end=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    [ $SECONDS -lt $end ] || { echo "timeout while waiting for: $*"; return 1; }
    sleep 0.2
  done
}

# responds NAME OPTION… URL succeeds if the process runs and the URL responds to curl, with any status unless -f is an
# option.
responds() {
  local name=$1
  shift
  kill -0 "$(cat "$work/$name.pid")" && curl -sSk -m 20 -o "$work/health" "$@"
}

# stop_all stops all processes, and waits until they have ended, because the next check may use their ports.
stop_all() {
  local file
  for file in "$work"/*.pid; do
    [ ! -f "$file" ] || kill "$(cat "$file")" 2>/dev/null || true
  done
  wait
}

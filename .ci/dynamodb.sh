# Sourced by the checks of DynamoDB by other people's clients and tests.

work=$(mktemp -d)
trap 'kill $(cat "$work"/*.pid 2>/dev/null) 2>/dev/null || true; rm -rf "$work"' EXIT

# What every AWS SDK wants and the emulator does not check.
export AWS_ACCESS_KEY_ID=local AWS_SECRET_ACCESS_KEY=local AWS_REGION=us-east-1 AWS_DEFAULT_REGION=us-east-1 AWS_EC2_METADATA_DISABLED=true
unset AWS_PROFILE AWS_SESSION_TOKEN

# emulator_starts HOST:PORT FLAG… starts an emulator and waits until it answers.
emulator_starts() {
  local at=$1
  shift
  ./bin/tabletop emulator --quiet --dynamodb-addr "$at" --cosmos-addr '' "$@" >"$work/emulator.log" 2>&1 &
  echo $! >"$work/emulator.pid"
  for _ in $(seq 100); do curl -fsS -o "$work/health" "http://$at/" 2>/dev/null && return; sleep 0.1; done
  cat "$work/emulator.log"
  return 1
}

# failures_are_expected FILE FAILED PASSED compares the names of the tests that failed and passed, one a line, with FILE, which
# lists the tests that have to fail; its lines that begin with # say why. Fails for another failure and for a listed test
# that passed or did not run.
failures_are_expected() {
  local expected=$work/expected status=0
  grep -v '^#' "$1" | grep . | sort >"$expected" || true
  sort -u "$2" -o "$2"
  sort -u "$3" -o "$3"
  comm -13 "$expected" "$2" | sed 's/^/fails, but is not expected to: /' | grep . && status=1
  comm -12 "$expected" "$3" | sed "s,^,passes now; remove it from $1: ," | grep . && status=1
  comm -23 "$expected" <(sort -u "$2" "$3") | sed "s,^,did not run; correct $1: ," | grep . && status=1
  echo "$(wc -l <"$3") passed, $(wc -l <"$2") failed as expected of $(wc -l <"$expected") in $1"
  return $status
}

# What the checks fetch and build is kept here from one run to the next.
cache=${XDG_CACHE_HOME:-$HOME/.cache}/tabletop

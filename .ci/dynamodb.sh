# Functions for the checks that use DynamoDB with other projects' clients and tests.

work=$(mktemp -d)
. .ci/wait.sh
trap 'stop_all; rm -rf "$work"' EXIT

# AWS SDKs require credentials and a region; the emulator does not check them.
export AWS_ACCESS_KEY_ID=local AWS_SECRET_ACCESS_KEY=local AWS_REGION=us-east-1 AWS_DEFAULT_REGION=us-east-1
export AWS_EC2_METADATA_DISABLED=true
unset AWS_PROFILE AWS_SESSION_TOKEN

# start_emulator HOST:PORT FLAG… starts an emulator and waits until it responds.
start_emulator() {
  local at=$1
  shift
  ./bin/tabletop emulator --quiet --dynamodb-addr "$at" --cosmos-addr '' "$@" >"$work/emulator.log" 2>&1 &
  echo $! >"$work/emulator.pid"
  wait_for 60 responds emulator -f "http://$at/" || { cat "$work/emulator.log"; return 1; }
}

# check_failures FILE FAILED PASSED compares the names of failed and passed tests, one per line, with FILE, which lists
# the tests that are expected to fail; its comments give the reasons. Fails for any other failure, and for a listed test
# that passed or did not run.
check_failures() {
  local expected=$work/expected status=0
  grep -v '^#' "$1" | grep . | sort >"$expected" || true
  sort -u "$2" -o "$2"
  sort -u "$3" -o "$3"
  comm -13 "$expected" "$2" | sed 's/^/failed unexpectedly: /' | grep . && status=1
  comm -12 "$expected" "$3" | sed "s,^,passed; remove it from $1: ," | grep . && status=1
  comm -23 "$expected" <(sort -u "$2" "$3") | sed "s,^,did not run; correct its name in $1: ," | grep . && status=1
  echo "$(wc -l <"$3") passed, $(wc -l <"$2") failed as expected of $(wc -l <"$expected") in $1"
  return $status
}

# cache keeps downloads and builds between runs.
cache=${XDG_CACHE_HOME:-$HOME/.cache}/tabletop

# Functions for the checks that use Cosmos DB with SDKs and their tests.

work=$(mktemp -d)
. .ci/wait.sh
trap 'stop_all; rm -rf "$work"' EXIT

# start_emulator HOST:PORT FLAG… starts an emulator with Cosmos DB on this address, and writes its certificate to
# $work/cosmos.pem.
start_emulator() {
  local at=$1
  shift
  ./bin/tabletop emulator --quiet --dynamodb-addr 127.0.0.1:0 --cosmos-addr "$at" "$@" >"$work/emulator.log" 2>&1 &
  echo $! >"$work/emulator.pid"
  wait_for 60 responds emulator "https://$at/" || { cat "$work/emulator.log"; return 1; }
  ./bin/tabletop cosmos cert >"$work/cosmos.pem"
}

# cache keeps downloads and builds between runs.
cache=${XDG_CACHE_HOME:-$HOME/.cache}/tabletop

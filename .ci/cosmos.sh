# Sourced by the checks of Cosmos DB by other people's clients.

work=$(mktemp -d)
trap 'kill $(cat "$work"/*.pid 2>/dev/null) 2>/dev/null || true; rm -rf "$work"' EXIT

# emulator_starts HOST:PORT FLAG… starts an emulator whose Cosmos DB is there, and leaves its certificate in $work/cosmos.pem.
emulator_starts() {
  local at=$1
  shift
  ./bin/tabletop emulator --quiet --dynamodb-addr 127.0.0.1:0 --cosmos-addr "$at" "$@" >"$work/emulator.log" 2>&1 &
  echo $! >"$work/emulator.pid"
  for _ in $(seq 100); do curl -ksS -o "$work/account" "https://$at/" 2>/dev/null && break; sleep 0.1; done
  ./bin/tabletop cosmos cert >"$work/cosmos.pem"
}

# What the checks fetch and build is kept here from one run to the next.
cache=${XDG_CACHE_HOME:-$HOME/.cache}/tabletop

# Functions for the checks that need packages of other languages. $cache keeps them between runs.

# cache_for PROGRAM FILE… prints the cache folder of a check for the versions in these files, and creates it.
cache_for() {
  local name=$1 home
  shift
  home=$cache/$name-$(cat "$@" | sha256sum | cut -c1-12)
  mkdir -p "$home"
  echo "$home"
}

# python REQUIREMENTS prints the folder of executables of a virtual environment with these requirements.
python() {
  local home
  home=$(cache_for python "$1")
  [ -f "$home/complete" ] || { python3 -m venv "$home" && "$home/bin/pip" install --quiet -r "$1" && touch "$home/complete"; }
  echo "$home/bin"
}

# node_packages FOLDER prints a copy of a folder of programs with the packages that they need.
node_packages() {
  local home
  home=$(cache_for node "$1/package.json")
  cp "$1"/* "$home"
  [ -f "$home/complete" ] || { (cd "$home" && npm install --silent --no-audit --no-fund --no-package-lock) && touch "$home/complete"; }
  echo "$home"
}

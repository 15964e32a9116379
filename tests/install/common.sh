# SPDX-License-Identifier: MIT
# What the tests of an installed copy share. Each is called with the sources, the build folder and a
# folder to work in, where the copy is `moved`.
set -euo pipefail
source=$1 build=$2 work=$3 installed=$3/moved
export PATH=$installed/bin:$PATH
if command -v ccache >/dev/null; then
  export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache
fi
here=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; wait 2>/dev/null; rm -rf "$here"' EXIT

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

# build_example NAME: from the installed copy, into $work/NAME.
build_example() {
  cmake -S "$source/examples/$1" -B "$work/$1" -G Ninja -DCMAKE_PREFIX_PATH="$installed" \
    -DCMAKE_CXX_FLAGS="-Wall -Wextra -Werror" >"$here/log" 2>&1 || { cat "$here/log"; fail "$1 is not configured"; }
  cmake --build "$work/$1" >"$here/log" 2>&1 || { cat "$here/log"; fail "$1 is not built"; }
}

# eventually SECONDS COMMAND ...: until it succeeds.
eventually() {
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    [ $SECONDS -lt $end ] || fail "never: $*"
    sleep 0.05
  done
}

# has FILE TEXT
has() { grep -qF -- "$2" "$1"; }

# ports N: as many UDP ports that nobody uses now.
ports() {
  local out=() port
  while [ ${#out[@]} -lt "$1" ]; do
    port=$((20000 + RANDOM % 12000))
    ss -Huln "sport = :$port" | grep -q . || out+=("$port")
  done
  echo "${out[@]}"
}

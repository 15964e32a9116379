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

# eventually COMMAND ...: until it succeeds. Whoever has waited as long as this waits in vain.
eventually() {
  local end=$((SECONDS + 120))
  until "$@"; do
    [ $SECONDS -lt $end ] || fail "never: $*"
    sleep 0.05
  done
}

# has FILE TEXT
has() { grep -qF -- "$2" "$1"; }

# ports FIRST N: as many UDP ports that nobody uses now, from FIRST on. Each test has a FIRST of its own,
# below those that the kernel hands out by itself.
ports() {
  local out=() port=$1
  while [ ${#out[@]} -lt "$2" ]; do
    ss -Huln "sport = :$port" | grep -q . || out+=("$port")
    port=$((port + 1))
  done
  echo "${out[@]}"
}

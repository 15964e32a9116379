#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# `bellwether new` writes the example in other words, and nothing half.
. "$(dirname "$0")/common.sh"
cd "$here"
bellwether new my-election >/dev/null
for file in my-election/*; do
  diff <(grep -v SPDX-License-Identifier "$source/examples/$file") "$file" || fail "$file is not the example"
done
bellwether new ring-of-trust | grep -q 'build/ring-of-trust run' || fail "what to do next"
! grep -ri 'my.election' ring-of-trust || fail "words of the example are left"
cmake -S ring-of-trust -B build -G Ninja -DCMAKE_PREFIX_PATH="$installed" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >log 2>&1 ||
  { cat log; fail "configure"; }
flags=$(sed -n 's/.*"command": "\(.*\) -o .*/\1/p' build/compile_commands.json)
$flags -fsyntax-only ring-of-trust/ring_of_trust.cpp || fail "the project does not compile"

refused() {  # TEXT ARGUMENTS ...
  local text=$1 status=0
  shift
  bellwether new "$@" 2>error || status=$?
  [ $status = 2 ] && has error "$text" && [ "$(wc -l <error)" = 1 ] || { cat error; fail "new $*"; }
}
refused "exists already" ring-of-trust
refused "there is an algorithm cel-2 already" cel-2
refused "small letters" Ring
refused "small letters" ../up
refused "small letters" ""
mkdir closed && chmod 555 closed
if [ "$(id -u)" != 0 ]; then (cd closed && refused "cannot be made" other); fi

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installs into a folder, moves that, and looks at what is there.
. "$(dirname "$0")/common.sh"
rm -rf "$work"
mkdir -p "$work"
cmake --install "$build" --prefix "$work/first" >"$here/log" || { cat "$here/log"; fail "cmake --install"; }
mv "$work/first" "$installed"

for file in bin/bellwether bin/bellwether-node share/man/man1/bellwether.1.gz share/man/man1/bellwether-node.1.gz \
  share/bash-completion/completions/bellwether share/zsh/vendor-completions/_bellwether \
  share/fish/vendor_completions.d/bellwether.fish share/bellwether/scenarios/first-election.toml \
  share/bellwether/examples/my-election/my_election.cpp include/bellwether/core/protocol.hpp \
  include/bellwether/core/algorithm_of.hpp include/bellwether/catalogue/catalogue.hpp include/bellwether/client/client.h \
  etc/bellwether/node.toml lib/systemd/system/bellwether-node.service; do
  [ -e "$installed/$file" ] || fail "$file is not installed"
done
! find "$installed/include" -name '*_test.hpp' | grep . || fail "headers of tests are installed"
# Whatever is read by people or tools names neither the sources nor the first prefix.
! grep -rIlF -e "$source/" -e "$work/first" "$installed" || fail "these files name places of the build"

bellwether run first-election | grep -q 'agreement  *yes' || fail "bellwether does not run"
bellwether list scenarios | grep -q partition-heals || fail "no scenarios in the program"
bellwether doctor >"$here/doctor" || { cat "$here/doctor"; fail "bellwether doctor"; }
for words in "own elections" "library: $installed" "elections: " "small program: $installed/bin/bellwether-node"; do
  has "$here/doctor" "$words" || { cat "$here/doctor"; fail "doctor does not say: $words"; }
done
bellwether-node doctor --json | grep -q '"findings"' || fail "bellwether-node doctor"
# The manual has every command, and man finds nothing to complain of.
for command in $(bellwether completion bash | sed -n "s/.*'') words=\"\([^\"]*\)\".*/\1/p"); do
  zgrep -q "^.SS bellwether $command" "$installed/share/man/man1/bellwether.1.gz" || fail "the manual lacks $command"
done
if command -v groff >/dev/null; then
  for page in "$installed"/share/man/man1/bellwether{,-node}.1.gz; do
    zcat "$page" | groff -man -Tutf8 -ww 2>"$here/warnings" >/dev/null
    [ ! -s "$here/warnings" ] || { head "$here/warnings"; fail "$page"; }
  done
fi
# The shared library shows the calls of client.h, and nothing else.
library=$(ls "$installed"/lib*/libbellwether-client.so)
nm -D --defined-only "$library" | awk '$2 != "A" {print $3}' | sed 's/@.*//' | sort >"$here/shown"
grep -o 'bellwether_client_[a-z_]*(' "$installed/include/bellwether/client/client.h" | tr -d '(' | sort -u >"$here/said"
diff "$here/said" <(grep '^bellwether_client_' "$here/shown") || fail "client.h and the library differ"
! grep -v '^bellwether_client_' "$here/shown" || fail "the library shows what is its own"
echo "installed, moved, and as it should be"

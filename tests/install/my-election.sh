#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# One file, and run, compare, sweep, report, check, view and node for it.
. "$(dirname "$0")/common.sh"
build_example my-election
cp "$source"/examples/my-election/*.toml "$here"
cd "$here"
my=$work/my-election/my-election

$my run scenario.toml >out
grep -q 'agreement  *yes' out || { cat out; fail "run"; }
$my run scenario.toml --set stop.time=3s >out
[ "$(grep -cE '^ +[01] +12 +' out)" = 2 ] || { cat out; fail "two halves, two leaders"; }
$my describe my-election | grep -q "limit" || fail "describe"
# Its hints are about itself.
$my --help >out
grep -q '^  my-election run first-election' out || { cat out; fail "help speaks of another program"; }
! $my report none.sqlite 2>err || fail "a report of nothing"
grep -q 'my-election sweep EXPERIMENT makes one' err || { cat err; fail "a hint about another program"; }
$my compare scenario.toml >out
grep -q '^my-election' out && grep -q '^height' out || { cat out; fail "compare"; }
$my sweep experiment.toml >out
$my report my-election.sqlite >>out
[ -s my-election.html ] || { cat out; fail "sweep and report"; }
$my check my-election --all-graphs 3 --changes 2 --set limit=3 >out || { cat out; fail "check"; }

$my view scenario.toml --no-browser >view.out 2>&1 &
eventually has view.out "http://127.0.0.1"
kill $!

read -r a b < <(ports 18300 2)
$my node --algorithm my-election --id 1 --plain --port "$a" --peer "127.0.0.1:$b" --socket 1.sock --log-file 1.log &
$my node --algorithm my-election --id 2 --plain --port "$b" --peer "127.0.0.1:$a" --socket 2.sock --log-file 2.log &
last=$!
leads() { $my leader --socket "$1" 2>/dev/null | grep -qE "^(this node \\()?$2\\)? leads"; }
eventually leads 1.sock 2
kill -9 $last
eventually leads 1.sock 1

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Three applications with nodes inside; the one that leads is lost, and the next goes on counting.
. "$(dirname "$0")/common.sh"
build_example embed
cd "$here"
read -r a b c < <(ports 18200 3)
start() {  # ID PORT PEERS ...
  local id=$1 port=$2
  shift 2
  "$work/embed/embed" id="$id" plain=true port="$port" "$@" log_file="log$id" >"out$id" 2>&1 &
  eval "pid$id=$!"
}
start 1 "$a" peer="127.0.0.1:$b" peer="127.0.0.1:$c"
start 2 "$b" peer="127.0.0.1:$a" peer="127.0.0.1:$c"
start 3 "$c" peer="127.0.0.1:$a" peer="127.0.0.1:$b"
for id in 1 2 3; do eventually has out$id "3 leads"; done
eventually has out3 "I count: 8"
kill -9 $pid3
eventually has out1 "2 leads"
eventually has out2 "2 leads"
counted() { [ "$(grep 'I count' out2 | tail -n 1 | tr -dc 0-9)" -ge 9 ]; }
eventually counted
kill -TERM $pid1 $pid2
wait $pid1 && wait $pid2 || fail "they do not stop in peace"
"$work/embed/embed" id=x 2>error && fail "bad input passes" || [ $? = 2 ]
[ "$(wc -l <error)" = 1 ] || fail "one sentence"

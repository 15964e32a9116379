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
leader_of() { grep -o '[0-9]* leads' "out$1" | tail -n 1 | tr -dc 0-9; }
agree() {  # ID ...: on one of them
  first=$(leader_of "$1")
  for id in "$@"; do [ -n "$first" ] && [ "$(leader_of "$id")" = "$first" ] || return 1; done
  case " $* " in *" $first "*) ;; *) return 1 ;; esac
}
counted() { [ "$(cat out? | grep 'I count' | tr -dc '0-9\n' | sort -n | tail -n 1)" -ge "$1" ]; }
eventually agree 1 2 3
eventually counted 8
lost=$first
eval "kill -9 \$pid$lost"
rest=$(echo 1 2 3 | tr -d "$lost")
eventually agree $rest
count=$(cat out? | grep 'I count' | tr -dc '0-9\n' | sort -n | tail -n 1)
eventually counted $((count + 1))
for id in $rest; do eval "kill -TERM \$pid$id"; done
for id in $rest; do eval "wait \$pid$id" || fail "they do not stop in peace"; done
"$work/embed/embed" id=x 2>error && fail "bad input passes" || [ $? = 2 ]
[ "$(wc -l <error)" = 1 ] || fail "one sentence"

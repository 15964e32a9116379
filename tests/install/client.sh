#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# client-c and client-cpp follow a node until it ends.
. "$(dirname "$0")/common.sh"
build_example client-c
build_example client-cpp
cd "$here"
read -r port other < <(ports 18100 2)
bellwether-node node --id 5 --plain --port "$port" --peer "127.0.0.1:$other" --socket node.sock --log-file node.log &
node=$!
eventually test -S node.sock
for client in client-c client-cpp; do
  "$work/$client/$client" node.sock >$client.out 2>&1 &
  eval "${client/-/_}=$!"
done
for client in client-c client-cpp; do
  eventually has $client.out "5 leads with epoch"
  has $client.out "that is us" || fail "$client does not know itself"
done
kill -TERM $node
wait $client_c || { cat client-c.out; fail "client-c"; }
wait $client_cpp || { cat client-cpp.out; fail "client-cpp"; }
"$work/client-c/client-c" /nowhere.sock 2>error && fail "no node, and no error" || [ $? = 2 ]
[ "$(wc -l <error)" = 1 ] || fail "one sentence"

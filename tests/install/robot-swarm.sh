#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Robots in namespaces; their leader is lost, and all tasks are done all the same.
. "$(dirname "$0")/common.sh"
if ! unshare --user --map-root-user --net --mount --pid --fork true 2>/dev/null; then
  echo "no namespaces here: skipped"
  exit 0
fi
build_example robot-swarm
timeout 1200 "$source/examples/robot-swarm/swarm.sh" "$work/robot-swarm/robot" 20 >"$here/out" 2>&1 || { cat "$here/out"; fail "swarm.sh"; }
cat "$here/out"
has "$here/out" "which leads, is lost" || fail "nobody was lost"
[ "$(grep -c 'all done' "$here/out")" -ge 3 ] || fail "three robots are left, and all is done"
for task in $(seq 20); do has "$here/out" "task $task is done" || fail "task $task"; done

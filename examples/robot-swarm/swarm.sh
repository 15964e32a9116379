#!/bin/sh
# SPDX-License-Identifier: MIT
# Four robots in a line, each in a network of its own that reaches only the next ones: 1 - 2 - 3 - 4.
# They share 20 tasks; when some are done, the leader is lost, and the others go on.
#
#   swarm.sh ROBOT [TASKS]     ROBOT: the program `robot`; bellwether-node must be in $PATH
#
# Needs iproute2 and no root: it makes a world of its own with unshare.
set -eu
robot=$(readlink -f "${1:?write: swarm.sh ROBOT [TASKS]}")
tasks=${2:-20}
command -v bellwether-node >/dev/null || { echo "swarm.sh: bellwether-node is not in \$PATH" >&2; exit 2; }

if [ -z "${SWARM_WORLD:-}" ]; then
  SWARM_WORLD=yes exec unshare --user --map-root-user --net --mount --pid --fork --kill-child "$0" "$robot" "$tasks"
fi

mount -t tmpfs none /run
mount -t proc none /proc
cd /run
export BELLWETHER_SOCKET=  # each has its own

for i in 1 2 3 4; do
  ip netns add robot$i
  ip -n robot$i link set lo up
done
for i in 1 2 3; do
  next=$((i + 1))
  ip link add link$i-$next netns robot$i type veth peer name link$next-$i netns robot$next
  for end in "$i $next" "$next $i"; do
    set -- $end
    ip netns exec robot$1 sh -c "echo 0 > /proc/sys/net/ipv6/conf/link$1-$2/accept_dad" 2>/dev/null || true
    ip -n robot$1 link set link$1-$2 up
  done
done

for i in 1 2 3 4; do
  ip netns exec robot$i bellwether-node node --id $i --plain --socket node$i.sock --log-file node$i.log &
  eval node$i=$!
done
tries=0
until [ "$(bellwether-node members --socket node1.sock --json 2>/dev/null | grep -o '"hops"' | wc -l)" -eq 4 ]; do
  tries=$((tries + 1))
  [ $tries -lt 1200 ] || { echo "swarm.sh: the robots do not find each other" >&2; cat node*.log >&2; exit 1; }
  sleep 0.1
done
bellwether-node leader --socket node1.sock

for i in 1 2 3 4; do
  ip netns exec robot$i "$robot" node$i.sock "$tasks" >> robots.log 2>&1 &
  eval robot$i=$!
done
until [ "$(grep -c 'is done' robots.log)" -ge $((tasks / 3)) ]; do sleep 0.05; done

# Robot and node of the leader are lost, without a word.
lost=$(bellwether-node leader --socket node1.sock --json | sed 's/.*"leader": *\([0-9]*\).*/\1/')
eval kill -9 \$robot$lost \$node$lost
echo "robot $lost, which leads, is lost"
for i in 1 2 3 4; do
  [ $i = "$lost" ] || eval wait \$robot$i
done
cat robots.log
for i in 1 2 3 4; do
  [ $i = "$lost" ] || bellwether-node leader --socket node$i.sock
done

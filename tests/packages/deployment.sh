#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Three machines, each a fresh Debian with systemd, become a group as docs/tutorial/first-deployment.md
# says; then the leader dies, comes back, is isolated, upgraded and removed.
#   tests/packages/deployment.sh BUILD      BUILD: the folder in which `make deb` has made the packages
set -euo pipefail
build=$(readlink -f "${1:?write: deployment.sh BUILD}")
here=$(readlink -f "$(dirname "$0")")
. "$here/common.sh"
tutorial=$here/../../docs/tutorial/first-deployment.md
machines=(1 2 3)
air=bw-air-$$ # the network between them is in a namespace of its own
declare -A container init

cleanup() {
  for m in "${!container[@]}"; do
    kill -TERM "${container[$m]}" 2>/dev/null || true
    wait "${container[$m]}" 2>/dev/null || true
  done
  for m in "${machines[@]}"; do ip netns del "bw-$m-$$" 2>/dev/null || true; done
  ip netns del "$air" 2>/dev/null || true
  unmount_all
}
trap cleanup EXIT

# on MACHINE COMMAND...: as root of a machine that runs.
on() {
  local m=$1
  shift
  nsenter -t "${init[$m]}" --all --root --wd "${clean_env[@]}" "$@"
}
# as_written MACHINE COMMAND: the same, and the tutorial must have it in these words.
as_written() {
  grep -qF -- "$2" "$tutorial" || fail "the tutorial does not say: $2"
  on "$1" sh -c "cd /root && $2"
}
# within SECONDS COMMAND...: becomes true.
within() {
  local end=$(($(date +%s) + $1))
  shift
  until "$@"; do
    [ "$(date +%s)" -lt "$end" ] || return 1
    sleep 0.2
  done
}
leader_of() { on "$1" bellwether-node leader --json 2>/dev/null | grep -oE '"leader":[0-9]+' | cut -d: -f2; }
epoch_of() { on "$1" bellwether-node leader --json | grep -oE '"epoch":[0-9]+' | cut -d: -f2; }
# agreed LEADER MACHINE...: all of them name it.
agreed() {
  local wanted=$1 m
  shift
  for m in "$@"; do [ "$(leader_of "$m")" = "$wanted" ] || return 1; done
}
active() { [ "$(on "$1" systemctl is-active bellwether-node)" = active ]; }

step "three machines"
ip netns add "$air"
ip -n "$air" link add bridge type bridge mcast_snooping 0
ip -n "$air" link set bridge up
for m in "${machines[@]}"; do
  root=$work/machine-$m
  if [ "$m" = 1 ]; then
    fresh_debian "$root"
    with_kernel "$root"
    apt_in "$root" update
    cp "$build"/packages/bellwether-node_*.deb "$root/root/"
    # They have no way out once they run: what the package needs of Debian waits in apt's cache.
    apt_in "$root" install --download-only $(cd "$root/root" && printf '/root/%s ' bellwether-node_*.deb)
    unmount_all
  else
    rm -rf "$root" && cp -a "$work/machine-1" "$root"
  fi
  echo "boat-$m" >"$root/etc/hostname"
  : >"$root/etc/machine-id"
  ip netns add "bw-$m-$$"
  ip -n "$air" link add "to-$m" type veth peer name wlan0 netns "bw-$m-$$"
  ip -n "$air" link set "to-$m" master bridge up
  ip -n "bw-$m-$$" link set lo up
  ip -n "bw-$m-$$" link set wlan0 up
  systemd-nspawn --quiet --boot --register=no --keep-unit --directory "$root" --machine "boat-$m-$$" \
    --network-namespace-path "/run/netns/bw-$m-$$" </dev/null >"$work/boot-$m.log" 2>&1 &
  container[$m]=$!
done
for m in "${machines[@]}"; do
  within 60 pgrep -P "${container[$m]}" >/dev/null || { tail "$work/boot-$m.log"; fail "machine $m"; }
  init[$m]=$(pgrep -P "${container[$m]}" | head -n 1)
  within 60 on "$m" systemctl is-active multi-user.target >/dev/null 2>&1 ||
    { tail "$work/boot-$m.log"; fail "machine $m does not boot"; }
done
ok "$(on 1 cat /etc/os-release | sed -n 's/^PRETTY_NAME="\(.*\)"/\1/p'), booted three times"

step "install"
for m in "${machines[@]}"; do
  as_written "$m" 'apt-get install ./bellwether-node_*.deb' <<<y >"$work/install-$m.log" 2>&1 ||
    { tail "$work/install-$m.log"; fail "install on machine $m"; }
done
grep -q 'make or copy a key, then start' "$work/install-1.log" || fail "the package does not ask for a key"
! active 1 || fail "a node without a key runs"
ok "the service waits for a key"

step "a key, an id, a start"
as_written 1 'bellwether-node keygen /etc/bellwether/group.key'
for m in 2 3; do cp -p "$work/machine-1/etc/bellwether/group.key" "$work/machine-$m/etc/bellwether/"; done
for m in "${machines[@]}"; do
  sed -i "s/^# id = 1 .*/id = $m/; s/^group = .*/group = \"boats\"/; s/^# interface = .*/interface = [\"wlan0\"]/" \
    "$work/machine-$m/etc/bellwether/node.toml"
  as_written "$m" 'systemctl start bellwether-node' || { on "$m" journalctl -u bellwether-node --no-pager | tail; fail "machine $m"; }
  active "$m" || fail "machine $m does not run its node"
done
within 10 agreed 3 1 2 3 || { on 1 bellwether-node status; fail "no group of three"; }
as_written 1 'bellwether-node leader'
as_written 1 'bellwether-node members'
on 1 journalctl -u bellwether-node --no-pager | grep -q 'Started' || fail "nothing in the journal"
on 1 systemctl show bellwether-node -p NRestarts | grep -qx 'NRestarts=0' || fail "the unit was restarted"
ok "3 leads, and all three say so"

step "a mistake in the configuration is one sentence"
echo 'perid = "1 s"' >>"$work/machine-1/etc/bellwether/node.toml"
! on 1 systemctl restart bellwether-node 2>/dev/null || fail "a bad configuration was started"
on 1 journalctl -u bellwether-node --no-pager | grep -q 'perid' || fail "the journal does not name it"
sed -i '$d' "$work/machine-1/etc/bellwether/node.toml"
on 1 systemctl reset-failed bellwether-node
on 1 systemctl start bellwether-node
within 10 agreed 3 1 2 3 || fail "machine 1 is not back"
ok "$(on 1 journalctl -u bellwether-node --no-pager -o cat | grep perid | head -n 1)"

step "the leader dies; systemd brings it back"
before=$(epoch_of 1)
on 3 systemctl kill --kill-whom=main --signal KILL bellwether-node
within 10 agreed 2 1 2 || agreed 3 1 2 3 || fail "nobody follows"
within 15 agreed 3 1 2 3 || fail "it does not come back"
on 3 systemctl show bellwether-node -p NRestarts | grep -qx 'NRestarts=1' || fail "not restarted by systemd"
[ "$(epoch_of 1)" -gt "$before" ] || fail "the epoch has not grown"
ok "epoch $before, then $(epoch_of 1)"

step "the leader's cable is pulled"
ip -n "$air" link set to-3 down
within 10 agreed 2 1 2 || fail "the two do not go on"
within 10 agreed 3 3 || fail "the one that was cut off does not lead itself"
ip -n "$air" link set to-3 up
within 10 agreed 3 1 2 3 || fail "they do not come together"
ok "2 led while it was away"

step "a stop, and a reload"
on 3 systemctl stop bellwether-node
within 10 agreed 2 1 2 || fail "nobody follows who stops"
sed -i '$a priority = 150' "$work/machine-1/etc/bellwether/node.toml"
as_written 1 'systemctl reload bellwether-node' || { on 1 journalctl -u bellwether-node --no-pager | tail; fail "reload"; }
within 10 agreed 1 1 2 || fail "a reload does not take over the priority"
sed -i '$d' "$work/machine-1/etc/bellwether/node.toml"
on 1 systemctl reload bellwether-node
within 10 agreed 2 1 2 || fail "a second reload does not take it back"
on 3 systemctl start bellwether-node
within 10 agreed 3 1 2 3 || fail "it does not come back"
on 3 systemctl is-enabled bellwether-node | grep -q enabled || fail "it would not start with the machine"
ok "the group goes on"

step "reinstall while it runs, and purge"
on 1 sh -c 'cd /root && apt-get -qq -y reinstall ./bellwether-node_*.deb' >"$work/upgrade.log" 2>&1 || { tail "$work/upgrade.log"; fail "reinstall"; }
active 1 || fail "it does not run any more"
within 10 agreed 3 1 2 3 || fail "the group is broken"
on 1 apt-get -qq -y purge bellwether-node >"$work/purge.log" 2>&1 || { tail "$work/purge.log"; fail purge; }
! on 1 sh -c 'grep -qx bellwether-node /proc/[0-9]*/comm' || fail "it still runs"
within 10 agreed 3 2 3 || fail "the others do not go on"
! on 1 systemctl cat bellwether-node >/dev/null 2>&1 || fail "the unit is left"
ok "two go on"

printf '\n%s passed, 0 failed\n' "$passed"

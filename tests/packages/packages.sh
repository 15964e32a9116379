#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The Debian packages in a fresh Debian: they install, run, are upgraded, and purged without a trace.
#   tests/packages/packages.sh BUILD      BUILD: the folder in which `make deb` has made them
set -euo pipefail
build=$(readlink -f "${1:?write: packages.sh BUILD}")
. "$(dirname "$0")/common.sh"
root=$work/root
trap unmount_all EXIT

inside() { in_root "$root" "$@"; }
apt() { apt_in "$root" "$@"; }
# install PATTERN ...: our packages, by their names in the chroot.
install() { apt install "${options[@]}" $(cd "$root" && printf '/%s ' $(printf 'debs/%s ' "$@")); }
options=()
# Everything in the system that packages could leave behind.
inventory() { (cd "$root" && find . -xdev \( -path ./proc -o -path ./sys -o -path ./dev -o -path ./tmp -o -path ./debs -o -path ./var/cache -o -path ./var/log -o -path ./var/lib/dpkg -o -path ./var/lib/apt -o -path ./run \) -prune -o -print | sort); }

step "what lintian says"
# The project has no host for mail.
lintian --fail-on error --suppress-tags bogus-mail-host,bogus-mail-host-in-debian-changelog \
  "$build"/packages/*.deb || fail lintian
synopses=$(for deb in "$build"/packages/*.deb; do dpkg-deb -f "$deb" Description | sed -n 1p; done | sort -u | wc -l)
[ "$synopses" = "$(ls "$build"/packages/*.deb | wc -l)" ] || fail "packages share a synopsis"
ok "no errors; each package says what it is"

step "a second version, to upgrade to"
version=$(dpkg-deb -f "$(ls "$build"/packages/bellwether_*.deb)" Version)
next=$version.1
rm -rf "$work/next" && mkdir -p "$work/next"
(cd "$build" && cpack -R "$next" -B "$work/next" -D CPACK_OUTPUT_FILE_PREFIX="$work/next" >"$work/cpack.log") || { tail "$work/cpack.log"; fail "cpack"; }
ls "$work"/next/*"$next"*.deb >/dev/null || fail "no packages of version $next"

step "a fresh Debian"
fresh_debian "$root"
with_kernel "$root"
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d" && chmod +x "$root/usr/sbin/policy-rc.d"
apt update
mkdir "$root/debs" && cp "$build"/packages/*.deb "$root/debs/"
# What they need of Debian is there before, so that what is left afterwards is theirs.
apt install adduser init-system-helpers
inventory >"$work/before"
inside dpkg-query -W -f '${Package}\n' | sort >"$work/packages-before"
ok "$(wc -l <"$work/packages-before") packages"

step "install"
install 'bellwether_*.deb' 'bellwether-node_*.deb'
inside bellwether run first-election | grep -q 'agreement  *yes' || fail "bellwether run"
inside bellwether doctor >"$work/doctor" || { cat "$work/doctor"; fail "bellwether doctor"; }
grep -q 'bellwether-ns3 is not installed' "$work/doctor" || fail "doctor does not miss ns-3"
[ -e "$root/usr/share/man/man1/bellwether.1.gz" ] || [ -e "$root/usr/share/man/man1/bellwether.1" ] || fail "no manual"
inside sh -c 'cd /tmp && bellwether sweep /usr/share/bellwether/experiments/hierarchy.toml --dry-run' >/dev/null || fail "experiments"
ok "bellwether runs"

step "a node as the unit starts it"
[ "$(inside stat -c '%U:%G %a' /etc/bellwether)" = "root:bellwether 2750" ] || fail "rights of /etc/bellwether"
inside bellwether-node keygen /etc/bellwether/group.key
[ "$(inside stat -c '%U:%G %a' /etc/bellwether/group.key)" = "root:bellwether 640" ] || fail "the node cannot read its key"
inside grep -q '^ExecStart=/usr/bin/bellwether-node node --config /etc/bellwether/node.toml$' /usr/lib/systemd/system/bellwether-node.service || fail "the unit"
inside systemd-analyze --version >/dev/null 2>&1 && inside systemd-analyze verify --man=no /usr/lib/systemd/system/bellwether-node.service
inside install -d -o bellwether -g bellwether /run/bellwether /var/lib/bellwether
inside setpriv --reuid bellwether --regid bellwether --init-groups bellwether-node node --config /etc/bellwether/node.toml --check-config || fail "the configuration"
inside setpriv --reuid bellwether --regid bellwether --init-groups bellwether-node node --config /etc/bellwether/node.toml --log-file /tmp/node.log &
node=$!
for _ in $(seq 100); do inside bellwether leader 2>/dev/null | grep -q ' leads ' && break; sleep 0.1; done
inside bellwether leader || { cat "$root/tmp/node.log"; fail "nobody leads"; }
pkill -TERM -P $node -x bellwether-node 2>/dev/null || kill -TERM $node
wait $node || true
ok "it leads itself, and has kept its epoch: $(inside ls /var/lib/bellwether)"

step "the others"
install '*.deb'
inside bellwether run thesis-random-walk --set stop.time=2s --engine ns3 >/dev/null || fail "ns-3"
inside python3 -c 'import bellwether; assert bellwether.run("first-election")["agreed"]' || fail "python"
apt install g++ cmake make pkg-config libc6-dev
inside sh -ec 'cp -r /usr/share/bellwether/examples /tmp/ && cd /tmp/examples
  cc -std=c99 client-c/main.c $(pkg-config --cflags --libs bellwether-client-c) -o client && ! ./client /nowhere.sock
  cmake -S embed -B b >/dev/null && cmake --build b >/dev/null && ! b/embed id=x' 2>/dev/null || fail "the examples are not built"
ok "ns-3, Python, C and CMake find what they need"

step "upgrade"
echo '# mine' >>"$root/etc/bellwether/node.toml"
cp "$work"/next/*.deb "$root/debs/" && rm "$root"/debs/*_"${version}"_*.deb
options=(-o Dpkg::Options::=--force-confold)
install '*.deb'
[ "$(inside dpkg-query -W -f '${Version}' bellwether-node)" = "$next" ] || fail "not upgraded"
grep -q '^# mine' "$root/etc/bellwether/node.toml" || fail "the configuration was lost"
inside bellwether run first-election >/dev/null || fail "the upgraded program"
ok "to $next, with the configuration as it was"

step "purge"
rm -rf "$root/tmp"/* "$root/etc/bellwether/group.key"
inside apt-get -qq -y purge 'bellwether*' 'libbellwether*' python3-bellwether >"$work/apt.log" 2>&1 || { tail "$work/apt.log"; fail purge; }
grep -vxFf "$work/packages-before" <(inside dpkg-query -W -f '${Package}\n') | xargs -r env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive chroot "$root" dpkg --purge >"$work/apt.log" 2>&1 || { tail "$work/apt.log"; fail "purge of what they needed"; }
! inside dpkg -l | grep -i bellwether || fail "something is left in the list of packages"
! inside dpkg --audit | grep . || fail "dpkg finds a fault"
inventory >"$work/after"
! comm -13 "$work/before" "$work/after" | grep -i bellwether || fail "files are left"
ok "nothing is left"

printf '\n%s passed, 0 failed\n' "$passed"

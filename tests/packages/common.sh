# SPDX-License-Identifier: MIT
# What the tests of the packages share: words for what went well, and fresh Debians to try them in.
# Sourced; needs `build`, the folder in which `make deb` has made the packages.
[ "$(id -u)" = 0 ] || { echo "$(basename "$0"): a fresh Debian needs root" >&2; exit 2; }
work=$build/chroot
mkdir -p "$work"
mounted=()
unmount_all() {
  for ((i = ${#mounted[@]} - 1; i >= 0; i--)); do umount -R -l "${mounted[i]}" || true; done
  mounted=()
}

passed=0
step() { printf '\n== %s\n' "$*"; }
ok() { passed=$((passed + 1)); echo "ok: $*"; }
fail() { echo "FAILED: $*" >&2; exit 1; }

clean_env=(env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive)
# in_root ROOT COMMAND...
in_root() { "${clean_env[@]}" chroot "$@"; }
# apt_in ROOT WORD...
apt_in() {
  local root=$1
  shift
  in_root "$root" apt-get -qq -y --no-install-recommends "$@" >"$work/apt.log" 2>&1 ||
    { tail -40 "$work/apt.log"; fail "apt-get $*"; }
}

# fresh_debian ROOT: a Debian that has just been installed, with systemd, from where this machine has
# its packages.
fresh_debian() {
  local root=$1 site file
  site=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | head -n 1)
  if [ ! -e "$work/base.tar" ]; then
    rm -rf "$work/base"
    debootstrap --variant=minbase --include=systemd,systemd-sysv,dbus,iproute2 bookworm "$work/base" \
      "$site" >"$work/debootstrap.log" 2>&1 || { tail "$work/debootstrap.log"; fail debootstrap; }
    tar -C "$work/base" -cf "$work/base.tar" . && rm -rf "$work/base"
  fi
  rm -rf "$root" && mkdir -p "$root" && tar -C "$root" -xf "$work/base.tar"
  for file in /etc/apt/sources.list /etc/apt/sources.list.d /etc/apt/apt.conf.d /etc/apt/keyrings /etc/resolv.conf /etc/hosts; do
    [ ! -e "$file" ] || cp -rL "$file" "$root$(dirname "$file")/"
  done
}

# with_kernel ROOT: what programs in it ask the kernel by.
with_kernel() {
  local place
  for place in proc sys dev; do
    mount --rbind "/$place" "$1/$place" && mount --make-rslave "$1/$place" && mounted+=("$1/$place")
  done
}

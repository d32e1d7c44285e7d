#!/bin/sh
# Writes into the root of a system what makes it the system of a box: services, network, wear, watchdog. POSIX sh.
set -eu
if [ "${1:-}" = --help ]; then
	echo 'usage: settings.sh FOLDER [--dry-run]        the root of the system; called by image.sh'
	exit 0
fi
root=${1:?name the root of a system}
if [ "${2:-}" = --dry-run ]; then
	echo "would: write the settings of a box into $root"
	exit 0
fi
switch_on() { ln -sf "/usr/lib/systemd/system/$2" "$root/etc/systemd/system/$1.wants/$2"; }
mask() { ln -sf /dev/null "$root/etc/systemd/system/$1"; }
mkdir -p "$root"/etc/systemd/system/multi-user.target.wants "$root"/etc/systemd/system/sysinit.target.wants \
	"$root"/etc/systemd/system/network-online.target.wants "$root"/etc/systemd/system/systemd-networkd-wait-online.service.d \
	"$root"/etc/systemd/system.conf.d "$root"/etc/systemd/journald.conf.d "$root"/etc/systemd/network

switch_on sysinit.target gatehouse-first-boot.service
for unit in gatehouse-health gatehouse-console gatehouse-ssh systemd-networkd systemd-resolved avahi-daemon; do
	switch_on multi-user.target "$unit.service"
done
switch_on network-online.target systemd-networkd-wait-online.service
switch_on sysinit.target systemd-timesyncd.service
# SSH waits for a key of the first-boot file; nothing else of Debian's own timers writes at night, or asks at the console.
for unit in ssh.service ssh.socket apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer \
	e2scrub_reap.service fstrim.timer getty@tty1.service serial-getty@ttyS0.service systemd-firstboot.service; do
	mask "$unit"
done

cat >"$root/etc/fstab" <<'END_OF_FSTAB'
PARTLABEL=gh-boot /boot/efi vfat ro,nodev,nosuid,noexec,umask=0077 0 0
tmpfs /tmp tmpfs nodev,nosuid,size=25%,mode=1777 0 0
tmpfs /var/tmp tmpfs nodev,nosuid,size=10%,mode=1777 0 0
END_OF_FSTAB
cat >"$root/etc/systemd/network/80-gatehouse.network" <<'END_OF_NETWORK'
[Match]
Name=en* eth*
[Network]
DHCP=yes
LinkLocalAddressing=yes
MulticastDNS=no
END_OF_NETWORK
# Without a cable the box starts all the same.
printf '[Service]\nExecStart=\nExecStart=/lib/systemd/systemd-networkd-wait-online --any --timeout=20\n' \
	>"$root/etc/systemd/system/systemd-networkd-wait-online.service.d/gatehouse.conf"
printf '[Manager]\nRuntimeWatchdogSec=30s\nRebootWatchdogSec=2min\n' >"$root/etc/systemd/system.conf.d/gatehouse.conf"
# On the disk, for what stands in it after a fall-back says why; small, and synced seldom, for flash wears out.
printf '[Journal]\nStorage=persistent\nSystemMaxUse=64M\nRuntimeMaxUse=16M\nSyncIntervalSec=5m\nRateLimitBurst=2000\n' \
	>"$root/etc/systemd/journald.conf.d/gatehouse.conf"

#!/bin/sh
# The two systems of an image, in slots a and b: writes a signed bundle into the one that does not run, starts it on
# trial, and keeps it only where it is well; else the other one is back, with the database as it was. POSIX sh.
set -eu

usage() {
	cat <<'END_OF_USAGE'
usage: ab.sh COMMAND [options]        as root

  status           which slot runs, what is in both, what is on trial
  install BUNDLE   check gatehouse-image-*.tar, write it into the other slot, and try it at the next start
  back             start the other slot from now on
  good             the slot that runs is well: keep it
  bad              it is not: start the other one
  begin, health    what the services do at each start: copy or bring back the database; watch the first minutes

  --older          install a bundle that is older than what runs
  --again          install one that did not start well here before
  --reboot         start it at once
  --dry-run        check and say what would be done; change nothing
  --help           this
  --boot FOLDER, --data FOLDER, --slot a|b, --key FILE, --device FILE, --image FILE, --watch SECONDS,
  --told FOLDER    where things are, and how long health watches, where that is not as on a box

exit codes: 0 done, 1 a check or a step failed, 2 wrong use
END_OF_USAGE
}

me=ab.sh
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

command='' bundle='' dry='' older='' again='' restart=''
boot=/boot/efi data=/data slot='' key=/usr/lib/gatehouse/release.pub device='' own=/usr/lib/gatehouse/image watch=120 told=/var/lib/gatehouse-update
while [ $# -gt 0 ]; do
	case $1 in
	--boot) need "$@" && boot=$2 && shift ;;
	--data) need "$@" && data=$2 && shift ;;
	--slot) need "$@" && slot=$2 && shift ;;
	--key) need "$@" && key=$2 && shift ;;
	--device) need "$@" && device=$2 && shift ;;
	--image) need "$@" && own=$2 && shift ;;
	--watch) need "$@" && watch=$2 && shift ;;
	--told) need "$@" && told=$2 && shift ;;
	--older) older=yes ;;
	--again) again=yes ;;
	--reboot) restart=yes ;;
	--dry-run) dry=yes ;;
	--help | -h) usage && exit 0 ;;
	-*) wrong "$1 is not known" ;;
	*)
		if [ -z "$command" ]; then
			command=$1
		elif [ "$command" = install ] && [ -z "$bundle" ]; then
			bundle=$1
		else
			wrong "$1 is one word too many"
		fi
		;;
	esac
	shift
done
case $watch in '' | *[!0-9]*) wrong '--watch is a number of seconds' ;; esac

[ -n "$slot" ] || slot=$(sed -n 's/.*\bgatehouse\.slot=\([ab]\)\b.*/\1/p' /proc/cmdline)
case $slot in
a) other=b ;;
b) other=a ;;
*) die 'this system was not started from a slot of an image: use the install.sh of a release' ;;
esac
entries=$boot/loader/entries
# Raspberry Pi: its loader knows two boot partitions and tries one of them once.
pi=''
if [ -e "$boot/autoboot.txt" ]; then pi=yes; fi
work=''
trap '[ -z "$work" ] || rm -rf "$work"; lock' EXIT

unlocked=''
# Only written while it has to be; where it is an ordinary folder there is nothing to do.
unlock() {
	if [ -n "$dry" ] || [ -n "$unlocked" ] || [ "$boot" != /boot/efi ]; then return 0; fi
	mount -o remount,rw "$boot"
	unlocked=yes
}
lock() {
	[ -n "$unlocked" ] || return 0
	sync
	mount -o remount,ro "$boot" || true
	unlocked=''
}
tell() {
	say "$*"
	[ -z "$dry" ] || return 0
	unlock
	printf '%s: %s\r\n' "$(date -u '+%F %T UTC')" "$*" >>"$boot/gatehouse-report.txt" || true
}

# What became of a trial: said like that, and left for the engine, which tells people.
over() {
	tell "$2"
	act mkdir -p "$told" || true
	printf '{"id":"%s","outcome":"%s","image":"%s","runs":"%s"}\n' "$(cat /proc/sys/kernel/random/uuid)" "$1" \
		"$(trial image)" "$(value_of "$own" image)" | put "$told/image.json" || complain 'the page will not say it'
}

# --- what the loader starts -----------------------------------------------------------------------------------------

# The loader's entry of a slot, with its count of tries in its name; nothing where it cannot start.
entry_of() {
	for file in "$entries/gatehouse-$1.conf" "$entries/gatehouse-$1"+*.conf; do
		if [ -f "$file" ]; then
			printf '%s\n' "$file"
			return 0
		fi
	done
	return 1
}
drop_entries() { for file in "$entries/gatehouse-$1.conf" "$entries/gatehouse-$1"+*.conf; do
	if [ -f "$file" ]; then act rm -f "$file"; fi
done; }
on_trial() {
	if [ -n "$pi" ]; then
		[ "$(pi_default)" != "$slot" ]
	else
		case $(entry_of "$slot") in *+*.conf) ;; *) return 1 ;; esac
	fi
}
# The highest version that any entry has: a higher one goes before it.
highest() { cat "$entries"/gatehouse-*.conf 2>/dev/null | sed -n 's/^version //p' | sort -n | tail -n 1; }
write_entry() {
	put "$entries/gatehouse-$1$2.conf" <<-END_OF_ENTRY
		title Gatehouse $3 (slot $1)
		sort-key gatehouse
		version $(($(highest) + 1))
		linux /gatehouse/$1/vmlinuz
		initrd /gatehouse/$1/initrd
		options root=PARTLABEL=gh-root-$1 rootfstype=squashfs ro gatehouse.slot=$1 $(value_of "$manifest" options)
	END_OF_ENTRY
}
pi_default() { if sed -n '/^\[all\]/,/^\[tryboot\]/p' "$boot/autoboot.txt" | grep -qx 'boot_partition=3'; then echo b; else echo a; fi; }
pi_start() {
	if [ "$1" = a ]; then first=2 second=3; else first=3 second=2; fi
	printf '[all]\ntryboot_a_b=1\nboot_partition=%s\n[tryboot]\nboot_partition=%s\n' "$first" "$second" |
		put "$boot/autoboot.txt"
}
# From now on this slot starts, and the other only where this one cannot.
prefer() {
	unlock
	if [ -n "$pi" ]; then
		pi_start "$1"
		return
	fi
	entry=$(entry_of "$1") || die "slot $1 has no system that can start: install a bundle first"
	next=$(($(highest) + 1))
	sed "s/^version .*/version $next/" "$entry" | put "$entries/gatehouse-$1.conf"
	[ "$entry" = "$entries/gatehouse-$1.conf" ] || act rm -f "$entry"
}

# --- a bundle -------------------------------------------------------------------------------------------------------

pieces='root.squashfs boot.tar'
piece() { tar -xOf "$bundle" "$1"; }

# Nothing of a bundle is believed before its manifest is signed and its pieces are what the manifest says.
check_bundle() {
	[ -n "$bundle" ] || wrong 'name the bundle to install'
	if [ ! -f "$bundle" ] || [ ! -r "$bundle" ]; then die "$bundle cannot be read: name a gatehouse-image-*.tar"; fi
	[ -s "$key" ] || die "$key is not there: this image was made without a key, so nothing can be installed into it"
	work=$(mktemp -d)
	listed=$(tar -tf "$bundle" 2>/dev/null | head -n 9 | tr '\n' ' ') || true
	[ "$listed" = 'MANIFEST MANIFEST.minisig root.squashfs boot.tar ' ] ||
		die "$bundle is no bundle of an image, or was not copied whole: copy it again"
	for name in MANIFEST MANIFEST.minisig; do piece "$name" | head -c 65536 >"$work/$name"; done
	minisign -V -q -p "$key" -m "$work/MANIFEST" -x "$work/MANIFEST.minisig" >/dev/null 2>&1 ||
		die "$bundle is not signed by whoever made this box's image: get the bundle from them"
	manifest=$work/MANIFEST
	new=$(value_of "$manifest" image)
	case $new in '' | .* | *[!0-9A-Za-z._-]*) die "$bundle does not say which image it is: get it anew" ;; esac
	[ "$(value_of "$manifest" format)" = 1 ] || die "$bundle is of a newer kind: install one in between first"
	[ "$(value_of "$manifest" target)" = "$(value_of "$own" target)" ] ||
		die "$bundle is for $(value_of "$manifest" target), this box is $(value_of "$own" target)"
	if [ "$(value_of "$manifest" date)" -lt "$(value_of "$own" date)" ] && [ -z "$older" ]; then
		die "$new is older than what runs here, $(value_of "$own" image): to go back all the same say --older"
	fi
	[ -n "$again" ] || [ ! -e "$data/failed/$new" ] ||
		die "$new was tried on this box and did not start well: to try it once more say --again"
	for name in $pieces; do
		[ "$(piece "$name" | sha256sum | cut -d ' ' -f 1)" = "$(value_of "$manifest" "$name")" ] ||
			die "$name in $bundle is not as it was made: copy the bundle again"
	done
	size=$(value_of "$manifest" root.size)
	boot_size=$(value_of "$manifest" boot.size)
}

device_of_other() {
	[ -z "$device" ] || return 0
	part=$(sed -n 's|^\([^ ]*\) / squashfs .*|\1|p' /proc/mounts)
	[ "$part" != /dev/root ] || part=/dev/$(basename "$(readlink -f "/dev/disk/by-partlabel/gh-root-$slot")")
	device=$(part_of "$(disk_of "$part")" "gh-root-$other") || die "there is no slot $other: flash the image again"
}
bytes_of() { if [ -b "$1" ]; then blockdev --getsize64 "$1"; else wc -c <"$1"; fi; }

install_bundle() {
	check_bundle
	if [ "$new" = "$(value_of "$own" image)" ]; then
		say "$new is what runs here: nothing is to be done."
		return
	fi
	if [ "$(trial image || true)" = "$new" ] && entry_of "$other" >/dev/null; then
		say "$new is in slot $other already, and is tried at the next start."
		restart_where_asked
		return
	fi
	device_of_other
	[ "$(bytes_of "$device")" -ge "$size" ] || die "slot $other is too small for $new: flash the box with the newer image"
	free=$(df -Pk "$boot" | awk 'NR == 2 { print $4 }')
	# What the other slot had there is replaced.
	had=$(du -sk "$boot/gatehouse/$other" 2>/dev/null | cut -f 1)
	if [ -z "$pi" ] && [ $((free + ${had:-0})) -lt $((boot_size / 1024 + 1024)) ]; then
		die "the boot partition has no room for $new: remove what you laid there"
	fi
	if [ -n "$dry" ]; then
		say "would: write $new into slot $other ($device), and try it at the next start"
		say 'Nothing was changed.'
		return
	fi
	unlock
	# From here until it is whole, only the slot that runs can start.
	if [ -z "$pi" ]; then
		drop_entries "$other"
		sync
	fi
	piece root.squashfs | dd of="$device" bs=4M iflag=fullblock conv=notrunc,fsync status=none
	if [ -b "$device" ]; then blockdev --flushbufs "$device"; fi
	[ "$(head -c "$size" "$device" | sha256sum | cut -d ' ' -f 1)" = "$(value_of "$manifest" root.squashfs)" ] ||
		die "slot $other does not hold what was written: its flash is worn out"
	write_boot
	mkdir -p "$data/trial"
	rm -rf "$data/trial/before"
	# The box's own settings of a system that is no more.
	for folder in "$data"/systems/*/; do
		case $(basename "$folder") in "$(value_of "$own" image)") ;; *) rm -rf "$folder" ;; esac
	done
	printf 'slot=%s\nimage=%s\nfrom=%s\n' "$other" "$new" "$slot" | put "$data/trial/which"
	[ -n "$pi" ] || write_entry "$other" +3 "$new"
	sync
	tell "$new is in slot $other and is tried at the next start."
	restart_where_asked
}
write_boot() {
	if [ -n "$pi" ]; then
		into=$work/boot
		mkdir "$into"
		mount -o nodev,nosuid,noexec "$(part_of "$(disk_of "$device")" "gh-boot-$other")" "$into"
		rm -rf "${into:?}"/*
	else
		into=$boot/gatehouse/$other
		rm -rf "$into.partial"
		mkdir -p "$into.partial"
		into=$into.partial
	fi
	piece boot.tar | tar -xf - --no-same-owner --no-same-permissions -C "$into"
	if [ -n "$pi" ]; then
		sed -i "s/@SLOT@/$other/g" "$into/cmdline.txt"
		umount "$into"
	else
		sync
		rm -rf "$boot/gatehouse/$other"
		mv "$into" "$boot/gatehouse/$other"
	fi
	sync
}
restart_where_asked() {
	if [ -n "$restart" ]; then
		lock
		if [ -n "$pi" ]; then reboot '0 tryboot'; else systemctl reboot; fi
	fi
}

# --- on trial -------------------------------------------------------------------------------------------------------

trial() { [ -r "$data/trial/which" ] && value_of "$data/trial/which" "$1"; }
base=$data/private/gatehouse

begin() {
	[ -r "$data/trial/which" ] || return 0
	if [ "$(trial slot)" = "$slot" ]; then
		# It may bring the database forward, which the other could not read: a copy, before anything opens it.
		if [ -d "$data/trial/before" ] || [ -n "$dry" ]; then return 0; fi
		rm -rf "$data/trial/before.partial"
		mkdir "$data/trial/before.partial"
		for file in "$base"/gatehouse.db "$base"/gatehouse.db-wal; do
			if [ -f "$file" ]; then cp -a --reflink=auto "$file" "$data/trial/before.partial/"; fi
		done
		sync
		mv "$data/trial/before.partial" "$data/trial/before"
		sync
		return 0
	fi
	if [ -f "$data/trial/before/gatehouse.db" ]; then
		act rm -f "$base/gatehouse.db-wal" "$base/gatehouse.db-shm"
		for file in "$data"/trial/before/*; do
			act cp -a "$file" "$base/${file##*/}.partial"
			act mv -f "$base/${file##*/}.partial" "$base/${file##*/}"
		done
		act sync
	fi
	if [ -d "$data/trial/before" ]; then
		over taken_back "$(trial image) did not start well, so $(value_of "$own" image) runs again, with its database as it was before. Ask whoever made it."
	elif [ -z "$pi" ] && ! entry_of "$(trial slot)" >/dev/null; then
		over not_whole "$(trial image) was not written whole, so $(value_of "$own" image) runs on. Install it again."
	else
		over not_started "$(trial image) did not start, so $(value_of "$own" image) runs again. Ask whoever made it."
	fi
	if [ -d "$data/trial/before" ] || [ -n "$pi" ] || entry_of "$(trial slot)" >/dev/null; then
		act mkdir -p "$data/failed"
		act touch "$data/failed/$(trial image)"
	fi
	act rm -rf "$data/trial"
	act sync
}

good() {
	unlock
	if [ -n "$pi" ]; then
		[ "$(pi_default)" = "$slot" ] || pi_start "$slot"
	else
		entry=$(entry_of "$slot") || die "slot $slot has no entry in $entries"
		[ "$entry" = "$entries/gatehouse-$slot.conf" ] || act mv -f "$entry" "$entries/gatehouse-$slot.conf"
	fi
	act sync
	if [ "$(trial slot || true)" = "$slot" ]; then
		over kept "$(trial image) is well and stays."
		act rm -rf "$data/trial"
	fi
}
bad() {
	unlock
	if [ -z "$pi" ]; then
		entry_of "$other" >/dev/null || die "slot $other has no system that can start: this one has to do"
		entry=$(entry_of "$slot") || die "slot $slot has no entry in $entries"
		# No tries left: the loader takes it only where nothing else can start.
		[ "$entry" = "$entries/gatehouse-$slot+0-3.conf" ] || act mv -f "$entry" "$entries/gatehouse-$slot+0-3.conf"
	fi
	act sync
}

# One by one: asked for both, systemctl is content with either.
well() { systemctl is-active --quiet gatehouse.service && systemctl is-active --quiet gatehouse-inference.service; }
restarts() { systemctl show --property NRestarts --value gatehouse.service; }
# Up within three minutes, and then not down again, and not in safe mode, for as long as is watched.
is_healthy() {
	left=180
	while ! well; do
		left=$((left - 1))
		[ "$left" -gt 0 ] && [ "$(restarts)" -lt 5 ] || return 1
		sleep 1
	done
	before=$(restarts)
	left=$watch
	while [ "$left" -gt 0 ]; do
		if ! well || [ "$(restarts)" != "$before" ]; then return 1; fi
		if journalctl --quiet --boot --unit gatehouse.service --output cat --grep '^SAFE MODE' | grep -q .; then return 1; fi
		left=$((left - 1))
		sleep 1
	done
}
health() {
	if ! on_trial; then return 0; fi
	if is_healthy; then
		good
	else
		tell "$(value_of "$own" image) in slot $slot is not well: the other slot is started."
		bad
		lock
		act systemctl reboot
	fi
}

status() {
	say "Slot $slot runs, with $(value_of "$own" image)."
	for name in a b; do
		if [ -n "$pi" ]; then break; fi
		if entry=$(entry_of "$name"); then
			say "Slot $name: $(sed -n 's/^title Gatehouse \(.*\) (slot .)$/\1/p' "$entry")$(case $entry in *+0*) echo ', did not start well' ;; *+*) echo ', on trial' ;; esac)"
		else
			say "Slot $name: empty"
		fi
	done
	if [ -n "$pi" ]; then say "Started by default: slot $(pi_default)"; fi
}

case $command in
status) status ;;
install) install_bundle ;;
back)
	prefer "$other"
	say "Slot $other starts from now on."
	restart_where_asked
	;;
good | bad | begin | health) "$command" ;;
'') wrong 'say status, install, back, good or bad' ;;
*) wrong "$command is not known" ;;
esac

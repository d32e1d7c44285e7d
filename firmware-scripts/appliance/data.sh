#!/bin/sh
# Makes the data partition ready, before anything of it is used: resets it where that was asked for, lets it fill the
# disk, checks it, and lays what may change over the read-only system. Runs in the initramfs of an image. POSIX sh.
# Each step may be cut off by a pulled plug and is done again at the next start.
set -eu

usage() {
	cat <<'END_OF_USAGE'
usage: data.sh --disk DEVICE | --part FILE  --boot FOLDER [--system FOLDER] [options]

  --disk DEVICE    the disk whose partition gh-data holds the data
  --part FILE      the partition itself, which then stays as large as it is
  --boot FOLDER    where its boot partition is mounted, to be written
  --system FOLDER  the mounted system that the data is laid over; without it only the partition is made ready
  --dry-run        say what would be done; change nothing
  --help           this

On the boot partition, "gatehouse/make-data" asks for a new, empty data partition. "factory-reset.txt" asks by its
first line: "wipe all data" for that, or "keep data" to reset the system's settings alone.
exit codes: 0 done, 1 a step failed, 2 wrong use
END_OF_USAGE
}

me=data.sh
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

dry='' disk='' part='' boot='' system=''
while [ $# -gt 0 ]; do
	case $1 in
	--disk) need "$@" && disk=$2 && shift ;;
	--part) need "$@" && part=$2 && shift ;;
	--boot) need "$@" && boot=$2 && shift ;;
	--system) need "$@" && system=$2 && shift ;;
	--dry-run) dry=yes ;;
	--help | -h) usage && exit 0 ;;
	*) wrong "$1 is not known" ;;
	esac
	shift
done
[ -n "$disk$part" ] || wrong '--disk is missing'
[ -d "$boot" ] || wrong '--boot names no folder'
[ -n "$part" ] || part=$(part_of "$disk" gh-data) || die "$disk has no partition gh-data: flash the image again"

# What was asked for by a file of the boot partition; `reset` is then wipe, keep or nothing.
asked() {
	reset=''
	file=$boot/factory-reset.txt
	[ -f "$file" ] || return 0
	# Its first line, as any editor of any system may have written it.
	line=$(head -c 200 "$file" | tr -d '\000-\011\013-\037\357\273\277' | head -n 1 | tr '[:upper:]' '[:lower:]' | sed 's/^ *//; s/ *$//')
	case $line in
	'wipe all data') reset=wipe ;;
	'keep data') reset=keep ;;
	*)
		note 'factory-reset.txt was not understood, and nothing was reset. Its first line is to be "wipe all data" or "keep data".'
		act mv -f "$file" "$boot/factory-reset.not-understood.txt"
		;;
	esac
}
# Tells whoever reads the boot partition on a PC.
note() {
	say "gatehouse: $*"
	[ -n "$dry" ] || printf '%s\r\n' "$*" >>"$boot/gatehouse-report.txt" || true
}

# From here on a new partition is owed, whatever happens.
owe_wipe() {
	act mkdir -p "$boot/gatehouse"
	printf 'by factory-reset.txt\n' | put "$boot/gatehouse/make-data"
	act rm -f "$boot/factory-reset.txt"
	act sync
}

grow() {
	[ -n "$disk" ] || return 0
	sys=/sys/class/block/${part##*/}
	whole=$(cat "/sys/class/block/${disk##*/}/size")
	end=$(($(cat "$sys/start") + $(cat "$sys/size")))
	# The second table of partitions takes the last 33 sectors; less than 16 MB are not worth a change.
	[ $((whole - end)) -gt 32768 ] || return 0
	number=$(cat "$sys/partition")
	if [ -n "$dry" ]; then
		say "would: let $part fill $disk"
		return 0
	fi
	sfdisk --quiet --no-reread --no-tell-kernel --relocate gpt-bak-std "$disk" >/dev/null 2>&1 || true
	printf ', +\n' | sfdisk --quiet --no-reread --no-tell-kernel --force -N "$number" "$disk" >/dev/null ||
		die "$part cannot be made larger: is the disk worn out?"
	partx --update --nr "$number" "$disk" || die "the kernel does not see the larger $part: start the box again"
}

make() {
	note "The data partition is made new."
	if [ -n "$dry" ]; then return 0; fi
	# What lay there is given back to the flash; where that cannot be, mkfs still makes it unreachable.
	blkdiscard -f "$part" 2>/dev/null || true
	mkfs.ext4 -q -F -L gh-data -m 1 -E lazy_itable_init=1,lazy_journal_init=1 "$part" ||
		die "$part cannot be formatted: is the disk worn out?"
	sync
	rm -f "$boot/gatehouse/make-data"
	sync
}

check() {
	code=0
	act e2fsck -p "$part" >/dev/null || code=$?
	# 0 clean, 1 mended, 2 mended and a restart is wise; more was not mended.
	if [ "$code" -ge 4 ]; then
		act e2fsck -y "$part" >/dev/null || code=$?
		[ "$code" -lt 4 ] || die "the data on $part is damaged and cannot be mended: restore a backup after \"wipe all data\""
		note 'The data partition was damaged and was mended; see "gatehouse doctor".'
	fi
}

# --- laying it over the system --------------------------------------------------------------------------------------

# What belongs to the box and not to the image: goes along when another image starts.
carried='hostname machine-id localtime timezone adjtime ssh systemd/network/10-gatehouse.network'
carry() {
	from=$data/systems/$1/etc/upper to=$data/systems/$2.partial/etc/upper
	for name in $carried; do
		[ -e "$from/$name" ] || [ -L "$from/$name" ] || continue
		mkdir -p "$to/$(dirname "$name")"
		cp -a "$from/$name" "$to/$(dirname "$name")/"
	done
	for file in "$from"/systemd/system/gatehouse*.d/override.conf "$from"/systemd/*.conf.d/*.conf; do
		[ -f "$file" ] || continue
		mkdir -p "$to/$(dirname "${file#"$from"/}")"
		cp -a "$file" "$to/$(dirname "${file#"$from"/}")/"
	done
}

lay_over() {
	data=$system/data
	image=$(value_of "$system/usr/lib/gatehouse/image" image)
	case $image in '' | *[!0-9A-Za-z._-]* | .*) die 'the image does not say which it is: flash it again' ;; esac
	mount -t ext4 -o noatime,nodev,nosuid,errors=remount-ro "$part" "$data"
	# The file system fills its partition, too.
	resize2fs "$part" >/dev/null 2>&1 || complain "$part was not made larger: the box goes on with what it has"
	if [ "$reset" = keep ]; then
		note 'The settings of the system were reset; data and secrets were kept.'
		rm -rf "$data/systems"
		sync
		rm -f "$boot/factory-reset.txt"
		sync
	fi
	[ -d "$data/private" ] || mkdir -m 700 "$data/private"
	mkdir -p "$data/settings/secrets" "$data/log" "$data/timers" "$data/systems"
	chmod 700 "$data/settings/secrets"
	if [ ! -d "$data/systems/$image" ]; then
		rm -rf "$data/systems/$image.partial"
		for place in etc opt var usr-local; do
			mkdir -p "$data/systems/$image.partial/$place/upper" "$data/systems/$image.partial/$place/work"
		done
		former=$(cat "$data/systems/last" 2>/dev/null || true)
		if [ -n "$former" ] && [ -d "$data/systems/$former" ]; then carry "$former" "$image"; fi
		sync
		mv "$data/systems/$image.partial" "$data/systems/$image"
	fi
	printf '%s\n' "$image" | put "$data/systems/last"
	over etc etc
	over opt opt
	over var var
	over usr-local usr/local
	# Shared by both slots, on the data partition itself.
	mkdir -p "$system/var/lib/private" "$system/var/log" "$system/var/lib/systemd" "$system/etc/gatehouse"
	chmod 700 "$system/var/lib/private"
	# What was written into the image: for a new box only.
	for name in flags update.pub; do
		if [ ! -e "$data/settings/$name" ] && [ -e "$system/etc/gatehouse/$name" ]; then
			cp -a "$system/etc/gatehouse/$name" "$data/settings/$name"
		fi
	done
	mount --bind "$data/private" "$system/var/lib/private"
	mount --bind "$data/log" "$system/var/log"
	mount --bind "$data/timers" "$system/var/lib/systemd"
	mount --bind "$data/settings" "$system/etc/gatehouse"
}
over() {
	place=$data/systems/$image/$1
	mount -t overlay -o "lowerdir=$system/$2,upperdir=$place/upper,workdir=$place/work,nodev" overlay "$system/$2"
}

asked
if [ "$reset" = wipe ]; then owe_wipe; fi
grow
if [ -e "$boot/gatehouse/make-data" ]; then make; else check; fi
if [ -n "$system" ] && [ -z "$dry" ]; then lay_over; fi

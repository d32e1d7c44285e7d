#!/bin/sh
# Takes what lies on a USB stick labelled GATEHOUSE: signed images and releases, and models. Nothing on it is ever run
# before whoever made it is known by their signature. What was done is written back onto it as text. POSIX sh.
set -eu

usage() {
	cat <<'END_OF_USAGE'
usage: usb.sh DEVICE [options]        as root; started when a stick is put in

  --folder FOLDER  a folder in place of a stick
  --tools FOLDER   where ab.sh lies (default: beside this)
  --program FILE   Gatehouse's program (default /opt/gatehouse/current/gatehouse)
  --dry-run        say what would be taken; change nothing
  --help           this

It takes from the stick's uppermost folder gatehouse-image-*.tar (for the other slot), gatehouse-*.tar.xz with its
.minisig (a release), and everything in models/. exit codes: 0 done, 1 something was not taken, 2 wrong use
END_OF_USAGE
}

me=usb.sh
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

dry='' device='' stick='' tools=$(dirname "$0") program=/opt/gatehouse/current/gatehouse
while [ $# -gt 0 ]; do
	case $1 in
	--folder) need "$@" && stick=$2 && shift ;;
	--tools) need "$@" && tools=$2 && shift ;;
	--program) need "$@" && program=$2 && shift ;;
	--dry-run) dry=yes ;;
	--help | -h) usage && exit 0 ;;
	-*) wrong "$1 is not known" ;;
	*) device=$1 ;;
	esac
	shift
done
work=$(mktemp -d)
mounted=''
# shellcheck disable=SC2317 # the trap's
leave() {
	if [ -n "$mounted" ]; then umount "$stick" || true; fi
	rm -rf "$work"
}
trap leave EXIT

if [ -z "$stick" ]; then
	case $device in /dev/sd[a-z] | /dev/sd[a-z][a-z] | /dev/sd[a-z][1-9] | /dev/sd[a-z][a-z][1-9]) ;; *) wrong 'name the device of a stick, or --folder' ;; esac
	stick=/run/gatehouse-stick
	mkdir -p "$stick"
	# File systems that sticks have, and no others: each one more is one more that a bad stick can attack.
	mount -t vfat -o ro,nodev,nosuid,noexec,umask=0022 "$device" "$stick" 2>/dev/null ||
		mount -t exfat -o ro,nodev,nosuid,noexec,umask=0022 "$device" "$stick" ||
		die "$device cannot be read: format the stick as FAT32 or exFAT"
	mounted=yes
fi
[ -d "$stick" ] || die "$stick is no folder"

failed=''
: >"$work/report"
line() {
	printf '%s\n' "$*" | tr -d '\000-\011\013-\037' | cut -c 1-600 >>"$work/report"
	say "$*"
}
# Does one thing, and writes down how it went.
take() {
	name=$1
	shift
	if [ -n "$dry" ]; then
		line "would take: $name"
		return 0
	fi
	if "$@" >"$work/said" 2>&1; then
		line "TAKEN   $name: $(tail -n 1 "$work/said")"
		return 0
	fi
	failed=yes
	line "REFUSED $name: $(grep -v '^$' "$work/said" | tail -n 1)"
	return 1
}
is_plain() {
	if [ ! -f "$1" ] || [ -L "$1" ]; then return 1; fi
	case ${1##*/} in *[!A-Za-z0-9._+-]* | .* | -*) line "PASSED OVER $(printf '%s' "${1##*/}" | tr -c 'A-Za-z0-9._+-' '?'): its name has other signs than letters, digits, . _ + -" && return 1 ;; esac
}
# What a model is, is found out by a program that could do no harm: the engine's user, shut in, with the stick to read.
add_model() {
	if [ -z "$mounted" ]; then
		"$program" models add "$1"
		return
	fi
	systemd-run --quiet --pipe --wait --collect -p User=gatehouse -p DynamicUser=yes -p UMask=0077 -p NoNewPrivileges=yes \
		-p "StateDirectory=gatehouse gatehouse/models" -p StateDirectoryMode=0700 -p Environment=HOME=/var/lib/gatehouse \
		-p ProtectSystem=strict -p ProtectHome=yes -p PrivateTmp=yes -p PrivateDevices=yes -p PrivateNetwork=yes \
		-p CapabilityBoundingSet= -p MemoryMax=50% "$program" models add "$1"
}
# "gatehouse update" checks the signature beside it before it unpacks anything.
install_release() { STATE_DIRECTORY=/var/lib/gatehouse "$program" update --from "$1"; }

restart=''
for file in "$stick"/models/*; do
	if [ -d "$file" ] && [ ! -L "$file" ]; then
		case ${file##*/} in .* | *[!A-Za-z0-9._+-]*) continue ;; esac
		take "models/${file##*/}" add_model "$file" || true
	elif is_plain "$file"; then
		take "models/${file##*/}" add_model "$file" || true
	fi
done
for file in "$stick"/gatehouse-*.tar.xz; do
	if is_plain "$file"; then take "${file##*/}" install_release "$file" || true; fi
done
# The last by name is the newest; one slot takes one image.
newest=''
for file in "$stick"/gatehouse-image-*.tar; do if is_plain "$file"; then newest=$file; fi; done
if [ -n "$newest" ]; then
	if take "${newest##*/}" "$tools/ab.sh" install "$newest" && [ -z "$dry" ] && grep -q 'next start' "$work/said"; then restart=yes; fi
fi

if [ ! -s "$work/report" ]; then line 'There is nothing on this stick that Gatehouse takes: gatehouse-image-*.tar, gatehouse-*.tar.xz, models/'; fi
if [ -z "$dry" ]; then
	if [ -n "$mounted" ]; then mount -o remount,rw "$stick"; fi
	{
		printf 'Gatehouse on %s, %s\n\n' "$(cat /etc/hostname 2>/dev/null)" "$(date -u '+%F %T UTC')"
		cat "$work/report"
		if [ -n "$restart" ]; then printf '\nTake the stick out. The box starts again with what it was given.\n'; fi
	} | sed 's/$/\r/' | put "$stick/gatehouse-result.txt" || complain 'the stick cannot be written: what was done stands in the journal'
	sync
	if [ -n "$restart" ] && [ -n "$mounted" ]; then
		umount "$stick"
		mounted=''
		systemctl reboot
	fi
fi
[ -z "$failed" ]

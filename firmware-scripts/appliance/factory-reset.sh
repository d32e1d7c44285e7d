#!/bin/sh
# Resets a box at its next start: with its data, or with the system's settings alone. POSIX sh.
set -eu

usage() {
	cat <<'END_OF_USAGE'
usage: factory-reset.sh --wipe | --keep [options]        as root

  --wipe           everything: the site, workflows, runs, pictures, users, secrets; it is to be claimed anew
  --keep           host name, network, time zone and updates inside the system; data and secrets are kept
  --yes            do not ask
  --no-reboot      at the next start, whenever that is
  --boot FOLDER    the boot partition (default /boot/efi)
  --dry-run        say what would be done; change nothing
  --help           this

The same without a command: a file factory-reset.txt on the boot partition, whose first line is "wipe all data" or
"keep data". exit codes: 0 done, 1 not done, 2 wrong use
END_OF_USAGE
}

me=factory-reset.sh
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

what='' yes='' dry='' boot=/boot/efi reboot=yes
while [ $# -gt 0 ]; do
	case $1 in
	--wipe) what="${what}wipe" ;;
	--keep) what="${what}keep" ;;
	--yes) yes=yes ;;
	--no-reboot) reboot='' ;;
	--boot) need "$@" && boot=$2 && shift ;;
	--dry-run) dry=yes ;;
	--help | -h) usage && exit 0 ;;
	*) wrong "$1 is not known" ;;
	esac
	shift
done
case $what in
wipe)
	line='wipe all data'
	say 'Everything on this box is removed: site, workflows, runs, pictures, users and secrets. There is no way back.'
	;;
keep)
	line='keep data'
	say 'The settings of the system are reset: host name, network, time zone. Data and secrets are kept.'
	;;
*) wrong 'say either --wipe or --keep' ;;
esac
[ -d "$boot" ] || die "$boot is not there: only the image of a box can be reset"
if [ -z "$yes$dry" ]; then
	printf 'Type "%s" to go on: ' "$line"
	IFS= read -r answer || answer=''
	[ "$answer" = "$line" ] || die 'nothing was changed'
fi
if [ -z "$dry" ] && [ "$boot" = /boot/efi ]; then mount -o remount,rw "$boot"; fi
printf '%s\r\n' "$line" | put "$boot/factory-reset.txt"
if [ -z "$dry" ] && [ "$boot" = /boot/efi ]; then mount -o remount,ro "$boot"; fi
if [ -n "$reboot" ]; then
	act systemctl reboot
else
	say 'It is done at the next start.'
fi

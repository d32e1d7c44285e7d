#!/bin/sh
# Shows on the console where the page is and the code to claim the box with, and lights its lamp when it is up. POSIX sh.
set -eu

usage() {
	cat <<'END_OF_USAGE'
usage: console.sh [options]

  --to FILE        where to show it (default /dev/console)
  --from FILE      what the engine said, in place of the journal
  --dry-run        show it here
  --help           this
END_OF_USAGE
}

me=console.sh
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

to=/dev/console from=''
while [ $# -gt 0 ]; do
	case $1 in
	--to) need "$@" && to=$2 && shift ;;
	--from) need "$@" && from=$2 && shift ;;
	--dry-run) to='' ;;
	--help | -h) usage && exit 0 ;;
	*) wrong "$1 is not known" ;;
	esac
	shift
done

# Steady when it is up, beating until then: the lamp of a Raspberry Pi, and others that say they are for status.
lamp() {
	for led in /sys/class/leds/ACT /sys/class/leds/led0 /sys/class/leds/*status*; do
		if [ -w "$led/trigger" ]; then printf '%s\n' "$1" >"$led/trigger" 2>/dev/null || true; fi
	done
}
said() {
	if [ -n "$from" ]; then cat "$from"; else journalctl --quiet --boot --follow --lines all --unit gatehouse.service --output cat; fi
}

lamp heartbeat
# What the engine says to people is plain; its log is JSON.
said | while IFS= read -r line; do
	case $line in
	'{'* | '' | systemd* | Starting* | Started* | Stopping* | Stopped* | Stopp* | gatehouse.service*) continue ;;
	'Gatehouse is up'*) lamp default-on ;;
	esac
	shown=$(printf '%s' "$line" | tr -d '\000-\037')
	if [ -n "$to" ]; then printf '%s\r\n' "$shown" >"$to"; else say "$shown"; fi
done

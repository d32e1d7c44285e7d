# shellcheck shell=sh
# What the scripts of an image share. They read it by a dot; alone it does nothing.

# Bytes are bytes, whatever language the machine speaks.
export LC_ALL=C

say() { printf '%s\n' "$*"; }
complain() { printf '%s: %s\n' "${me:-gatehouse}" "$*" >&2; }
die() {
	complain "$*"
	exit 1
}
wrong() {
	complain "$* (see --help)"
	exit 2
}
need() { if [ $# -lt 2 ] || [ -z "$2" ]; then wrong "$1 needs a value"; fi; }
# Does something that changes the box, or says what it would do.
act() { if [ -n "${dry:-}" ]; then say "would: $*"; else "$@"; fi; }

# The value of a `name=value` line of a file.
value_of() { sed -n "s/^$2=//p" "$1" | head -n 1; }

# Writes its input into a file, whole or not at all, and onto the disk.
put() {
	if [ -n "${dry:-}" ]; then
		say "would: write $1"
		cat >/dev/null
		return
	fi
	rm -f "$1.partial"
	(umask "${2:-022}" && cat >"$1.partial") || return 1
	sync -f "$1.partial" 2>/dev/null || sync
	mv -f "$1.partial" "$1" || return 1
	sync -f "$(dirname "$1")" 2>/dev/null || sync
}

# A partition of a disk by its GPT name: `part_of /dev/sda gh-data` → /dev/sda5.
part_of() {
	for entry in "/sys/class/block/${1##*/}"/*/uevent; do
		if grep -qx "PARTNAME=$2" "$entry" 2>/dev/null; then
			printf '/dev/%s\n' "$(basename "$(dirname "$entry")")"
			return 0
		fi
	done
	return 1
}
# The disk of a partition: /dev/sda5 → /dev/sda.
disk_of() {
	whole=$(readlink -f "/sys/class/block/${1##*/}/..") && [ -e "$whole/dev" ] || return 1
	printf '/dev/%s\n' "${whole##*/}"
}

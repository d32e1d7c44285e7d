#!/bin/sh
# Installs, upgrades or removes Gatehouse on Debian, Ubuntu and Raspberry Pi OS out of the folder that this file lies
# in. Needs no network. POSIX sh. Everything that it changes is said before it is done; --dry-run only says it.
set -eu

usage() {
	cat <<'END'
usage: install.sh [options]        as root, in the unpacked release

  --dry-run        check this machine and say what would be done; change nothing
  --port N         port of the page (default 8088; an upgrade keeps what was chosen)
  --host ADDRESS   address of the page (default: as the box itself decides)
  --site FILE      site.yaml to begin with; one that is there already is kept
  --nvr HOST       ask whether an NVR is there, and begin with what is found; a site file that is there is kept
  --no-start       install and enable, start at the next boot (for images)
  --updating       "gatehouse update" says so: it starts and watches the service itself
  --downgrade      go back to an older release, whose database must be as old
  --ignore-checks  go on where this machine does not pass a check
  --uninstall      remove the program; data and secrets are kept
  --purge          with --uninstall: remove data and secrets too
  --help           this

exit codes: 0 done, 1 a check or a step failed, 2 wrong use
END
}

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
opt=/opt/gatehouse
etc=/etc/gatehouse
units=/etc/systemd/system
data=/var/lib/private/gatehouse
command=/usr/local/bin/gatehouse
services='gatehouse.service gatehouse-inference.service'
# What looks after the box: none of them does anything that site.yaml does not ask for.
helpers='gatehouse-update.service gatehouse-backup.service'
starters='gatehouse-update.path gatehouse-update.timer gatehouse-backup.timer'
announced=/etc/avahi/services/gatehouse.service
told=/var/lib/gatehouse-update

dry='' port='' host='' site='' nvr='' start=yes downgrade='' ignore='' uninstall='' purge='' updating=''
failures=0 changed=''

say() { printf '%s\n' "$*"; }
complain() { printf 'install.sh: %s\n' "$*" >&2; }
die() {
	complain "$*"
	exit 1
}
wrong() {
	complain "$* (see --help)"
	exit 2
}
# Does something that changes what is installed, or says what it would do.
act() {
	changed=yes
	if [ -n "$dry" ]; then say "would: $*"; else "$@"; fi
}
# A check that was not passed, and what to do about it.
fault() {
	failures=$((failures + 1))
	complain "$*"
}
warn() { complain "mind: $*"; }

need() { if [ $# -lt 2 ] || [ -z "$2" ]; then wrong "$1 needs a value"; fi; }
while [ $# -gt 0 ]; do
	case $1 in
	--dry-run) dry=yes ;;
	--port) need "$@" && port=$2 && shift ;;
	--host) need "$@" && host=$2 && shift ;;
	--site) need "$@" && site=$2 && shift ;;
	--nvr) need "$@" && nvr=$2 && shift ;;
	--no-start) start='' ;;
	--updating) updating=yes ;;
	--downgrade) downgrade=yes ;;
	--ignore-checks) ignore=yes ;;
	--uninstall) uninstall=yes ;;
	--purge) purge=yes ;;
	--help | -h) usage && exit 0 ;;
	*) wrong "$1 is not known" ;;
	esac
	shift
done
case $port in *[!0-9]* | ??????*) wrong "--port is a number from 1 to 65535" ;; esac
if [ -n "$port" ] && { [ "$port" -lt 1 ] || [ "$port" -gt 65535 ]; }; then
	wrong "--port is a number from 1 to 65535"
fi
case $host in *[!0-9A-Za-z.:-]*) wrong "--host is an address" ;; esac
case $nvr in -* | *[!0-9A-Za-z.:-]*) wrong "--nvr is the name or the address of a machine" ;; esac
[ -z "$nvr" ] || [ -z "$site" ] || wrong "--nvr goes without --site: write the NVR into that file (docs/nvr.md)"
[ -z "$purge" ] || [ -n "$uninstall" ] || wrong "--purge goes with --uninstall"

booted() { [ -d /run/systemd/system ]; }
[ "$(id -u)" = 0 ] || [ -n "$dry" ] || die "only root may do this: sudo $0"

# --- removing -------------------------------------------------------------------------------------------------------

remove() {
	if booted; then
		for unit in $starters $helpers $services; do
			if [ -e "$units/$unit" ]; then act systemctl disable --now --quiet "$unit"; fi
		done
	else
		for unit in gatehouse.service gatehouse-update.path; do act rm -f "$units/multi-user.target.wants/$unit"; done
		for unit in $starters; do act rm -f "$units/timers.target.wants/$unit"; done
	fi
	for unit in $services $helpers $starters; do
		act rm -f "$units/$unit" "$units/$unit.d/40-memory.conf" "$units/$unit.d/50-install.conf"
		if [ -d "$units/$unit.d" ]; then act rmdir --ignore-fail-on-non-empty "$units/$unit.d"; fi
	done
	act rm -rf "$opt" "$command"
	if [ -e "$announced" ]; then act rm -f "$announced"; fi
	if booted; then act systemctl daemon-reload; fi
	if [ -n "$purge" ]; then
		act rm -rf "$data" /var/lib/gatehouse "$told" "$etc"
	else
		say "Kept: the data in $data and the secrets in $etc. To remove them too: --uninstall --purge"
	fi
}
if [ -n "$uninstall" ]; then
	remove
	[ -n "$dry" ] || say 'Gatehouse is removed.'
	exit 0
fi

# --- checking -------------------------------------------------------------------------------------------------------

if [ ! -r "$here/RELEASE" ] || [ ! -x "$here/gatehouse" ]; then
	die "$here is no unpacked release: run the install.sh that lies in it"
fi
of_release() { sed -n "s/^$1=//p" "$here/RELEASE"; }
version=$(of_release version)
target=$(of_release target)
released=$(of_release date)
case $version in '' | *[!0-9A-Za-z.+-]*) die "$here/RELEASE names no version: unpack the release again" ;; esac
new=$version-$target

check_system() {
	id='' like='' release='' name='this system'
	if [ -r /etc/os-release ]; then
		# shellcheck source=/dev/null
		eval "$(. /etc/os-release && printf "id='%s' like='%s' release='%s'" "${ID:-}" "${ID_LIKE:-}" "${VERSION_ID:-}")"
		name="${id:-this system}${release:+ $release}"
	fi
	# Raspberry Pi OS calls itself debian, or raspbian where it is the one of 32 bits; testing has no number.
	case "$id:$release" in
	debian:12 | debian:13 | debian: | raspbian:12 | raspbian:13 | ubuntu:24.* | ubuntu:25.* | ubuntu:26.*) ;;
	debian:* | raspbian:* | ubuntu:*) warn "$name is not among those that were tried: Debian 12 and 13, Ubuntu 24.04 and later" ;;
	*) case " $id $like " in
		*' debian '* | *' ubuntu '*) ;;
		*) warn "$name is neither Debian, Ubuntu nor Raspberry Pi OS: nobody has tried it here" ;;
		esac ;;
	esac
	command -v xz >/dev/null || warn 'there is no xz, which updates are unpacked with: apt-get install xz-utils'
	systemd=$(systemctl --version 2>/dev/null | awk 'NR == 1 { print $2 }') || true
	if [ -z "$systemd" ]; then
		fault "there is no systemd here: run $here/gatehouse up by what starts services on this system"
	elif ! at_least "$systemd" 250; then
		fault "systemd $systemd is too old (250 is needed): upgrade to Debian 12, Ubuntu 24.04 or later"
	fi
	glibc=$(getconf GNU_LIBC_VERSION 2>/dev/null | sed 's/^glibc //')
	if [ -z "$glibc" ]; then
		fault 'this system has no glibc: take Debian 12, Ubuntu 24.04, a Raspberry Pi OS of 2023 or later'
	elif ! at_least "$glibc" 2.34; then
		fault "glibc $glibc is too old (2.34 is needed): upgrade to Debian 12, Ubuntu 24.04 or later"
	fi
}

# Whether version $1 is $2 or newer.
at_least() { [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$2" ]; }

check_processor() {
	machine=$(uname -m)
	case $machine in
	x86_64) wanted=linux-x64 ;;
	aarch64) wanted=linux-arm64 ;;
	armv*) wanted='none: install the 64-bit Raspberry Pi OS on this machine first' ;;
	*) wanted="none for $machine" ;;
	esac
	case $target in
	"$wanted" | "$wanted-baseline") ;;
	*) fault "this release is for $target, and the one for this machine is $wanted" ;;
	esac
	[ "$(getconf LONG_BIT)" = 64 ] || fault 'this system has 32 bits: install the 64-bit one first'
	if [ "$target" = linux-x64 ] && [ "$machine" = x86_64 ] && ! grep -qw avx2 /proc/cpuinfo; then
		fault 'this processor has no AVX2: take the release linux-x64-baseline'
	fi
}

check_room() {
	memory=$(awk '/^MemTotal:/ { print int($2 / 1024) }' /proc/meminfo)
	[ "$memory" -ge 700 ] || fault "$memory MB of memory are too few: 1 GB is the least, 2 GB are better"
	bundle=$(du -sm "$here" | cut -f 1)
	free_opt=$(free_in /opt)
	free_data=$(free_in /var/lib)
	# What lies where it belongs needs no more room.
	if [ "$here" = "$opt/releases/$new" ]; then bundle=0; fi
	[ "$free_opt" -ge $((bundle + 100)) ] ||
		fault "/opt has $free_opt MB free and $((bundle + 100)) are needed: remove something, or mount a larger disk"
	[ "$free_data" -ge 1024 ] ||
		fault "/var/lib has $free_data MB free and pictures need 1024 at the least: mount a larger disk there"
}
# Megabytes free where a folder is, or would be.
free_in() {
	folder=$1
	while [ ! -d "$folder" ]; do folder=$(dirname "$folder"); done
	df -Pm "$folder" | awk 'NR == 2 { print $4 }'
}

check_clock() {
	now=$(date +%s)
	[ "$now" -ge "${released:-0}" ] ||
		fault "the clock says $(date +%F), which is before this release was made: timedatectl set-time 'YYYY-MM-DD HH:MM'"
}

check_port() {
	if booted && systemctl is-active --quiet gatehouse.service; then return; fi
	wanted_port=${port:-$(kept_flag --port)}
	hex=$(printf '%04X' "${wanted_port:-8088}")
	if cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | awk -v port=":$hex" \
		'$4 == "0A" && index($2, port) == length($2) - 4 { found = 1 } END { exit !found }'; then
		fault "port ${wanted_port:-8088} is taken: stop the program that has it, or choose another with --port"
	fi
}

check_copy() {
	(cd "$here" && sha256sum --check --quiet --strict SHA256SUMS >/dev/null 2>&1) ||
		fault "the files in $here are not as they were made: unpack or copy the release again"
}

check_version() {
	old=''
	if [ -L "$opt/current" ]; then old=$(basename "$(readlink "$opt/current")"); fi
	installed=${old%-linux-*}
	if [ -n "$installed" ] && [ "$installed" != "$version" ] && at_least "$installed" "$version"; then
		[ -n "$downgrade" ] ||
			fault "$installed is installed and newer than $version: to go back say --downgrade"
	fi
}

# What a former installation was told by a flag.
kept_flag() {
	[ -r "$etc/flags" ] || return 0
	sed -n "s/^GATEHOUSE_FLAGS=.*$1 \([^ \"]*\).*/\1/p" "$etc/flags"
}

check_system
check_processor
check_room
check_clock
check_port
check_copy
check_version
if [ -n "$site" ] && [ ! -r "$site" ]; then fault "$site cannot be read: name the site file to begin with"; fi
if [ "$failures" -gt 0 ]; then
	[ -n "$ignore" ] || die "$failures of the checks failed; nothing was changed"
	warn "going on although $failures of the checks failed"
fi

# --- installing -----------------------------------------------------------------------------------------------------

# Writes its input into a file, whole or not at all; says nothing and does nothing where that is what it holds.
put() {
	file=$1 mode=$2
	text=$(cat)
	if [ -e "$file" ] && [ "$text" = "$(cat "$file")" ]; then return; fi
	changed=yes
	if [ -n "$dry" ]; then
		say "would: write $file"
		return
	fi
	printf '%s\n' "$text" >"$file.partial"
	chmod "$mode" "$file.partial"
	mv "$file.partial" "$file"
}

install_program() {
	into=$opt/releases/$new
	if ! cmp -s "$here/SHA256SUMS" "$into/SHA256SUMS"; then
		act mkdir -p "$opt/releases"
		act rm -rf "$into.partial"
		act cp -R "$here" "$into.partial"
		act chown -R 0:0 "$into.partial"
		act chmod -R u+w,go-w,a+rX "$into.partial"
		act sync -f "$opt"
		act rm -rf "$into"
		act mv "$into.partial" "$into"
	fi
	if [ "$old" != "$new" ]; then
		act rm -f "$opt/current.partial"
		act ln -s "releases/$new" "$opt/current.partial"
		act mv -T "$opt/current.partial" "$opt/current"
	fi
	# What a power cut leaves of an update, the release that was well before it brings to an end.
	if [ -z "$updating" ] || [ ! -e "$opt/updater" ]; then
		if [ "$(readlink "$opt/updater" 2>/dev/null)" != "releases/$new" ]; then
			act rm -f "$opt/updater.partial"
			act ln -s "releases/$new" "$opt/updater.partial"
			act mv -T "$opt/updater.partial" "$opt/updater"
		fi
	fi
	# The one that ran until now stays, to go back to.
	for folder in "$opt"/releases/*; do
		case $(basename "$folder") in
		"$new" | "${old:-$new}" | '*') ;;
		*) act rm -rf "$folder" ;;
		esac
	done
}

install_settings() {
	[ -d "$etc/secrets" ] || act mkdir -p -m 755 "$etc"
	[ -d "$etc/secrets" ] || act mkdir -m 700 "$etc/secrets"
	port=${port:-$(kept_flag --port)}
	host=${host:-$(kept_flag --host)}
	put "$etc/flags" 644 <<END
# What install.sh was told; more flags of "gatehouse up" may stand here.
GATEHOUSE_FLAGS="${port:+--port $port }${host:+--host $host}"
END
	put "$command" 755 <<'END'
#!/bin/sh
# Gatehouse's commands on the data of this box.
if [ "$(id -u)" = 0 ]; then export STATE_DIRECTORY="${STATE_DIRECTORY:-/var/lib/gatehouse}"; fi
exec /opt/gatehouse/current/gatehouse "$@"
END
	if [ -n "$site" ]; then
		if [ -e "$data/site.yaml" ]; then
			say "Kept: the site file $data/site.yaml"
		else
			act mkdir -p -m 700 /var/lib/private "$data"
			act cp "$site" "$data/site.yaml"
		fi
	fi
}

install_units() {
	for unit in $services $helpers $starters; do
		# A release that is gone back to may know fewer.
		if [ -e "$here/systemd/$unit" ]; then put "$units/$unit" 644 <"$here/systemd/$unit"; fi
	done
	# How updates and backups went, for the engine to read.
	[ -d "$told" ] || act mkdir -p -m 755 "$told"
	install_memory
	install_announcement
	if getent group render >/dev/null; then
		folder=$units/gatehouse-inference.service.d
		[ -d "$folder" ] || act mkdir -p "$folder"
		put "$units/gatehouse-inference.service.d/50-install.conf" 644 <<'END'
[Service]
SupplementaryGroups=render
END
	fi
	if [ -z "$changed" ]; then return; fi
	if booted; then act systemctl daemon-reload; fi
	act systemctl enable --quiet gatehouse.service
	for unit in $starters; do act systemctl enable --quiet "$unit"; done
	if booted && [ -n "$start$updating" ]; then
		for unit in $starters; do act systemctl start "$unit"; done
	fi
}

# How much memory each service may take here: inference goes before the engine does.
install_memory() {
	if [ -n "$dry" ]; then
		say "would: write the memory limits of both services for the $memory MB of this machine"
		return
	fi
	before=$(cat "$units"/gatehouse*.service.d/40-memory.conf 2>/dev/null || true)
	if ! HOME=/tmp "$here/gatehouse" hardware --units "$units" >/dev/null; then
		warn 'the memory limits of the services were not written: those of their units hold'
	elif [ "$before" != "$(cat "$units"/gatehouse*.service.d/40-memory.conf)" ]; then
		changed=yes
	fi
}

# A page that others in the network can open is told to them by name, where avahi does that.
install_announcement() {
	[ -d /etc/avahi/services ] || return 0
	case $host in
	'' | localhost | 127.* | ::1)
		if [ -e "$announced" ]; then act rm -f "$announced"; fi
		;;
	*)
		put "$announced" 644 <<END
$(sed "s/PORT/${port:-8088}/" "$here/systemd/avahi/gatehouse.service")
END
		;;
	esac
}

start_it() {
	if [ -z "$changed" ] && systemctl is-active --quiet gatehouse.service; then return; fi
	# It answers when the box is ready: the engine says so itself.
	if act systemctl restart gatehouse.service; then return; fi
	complain 'Gatehouse does not start; it says:'
	journalctl --unit gatehouse.service --boot --output cat --lines 15 --no-pager >&2 || true
	die "mend what it says, then: systemctl restart gatehouse"
}

# Which NVR the site has, found out by a process that is shut in as the service is: the site file stays the service's.
ask_nvr() {
	[ -n "$nvr" ] || return 0
	if [ -n "$had_site" ]; then
		say "Kept: the site file $data/site.yaml. To ask $nvr all the same: sudo gatehouse nvr $nvr --write"
	elif [ -n "$dry" ]; then
		say "would: ask $nvr whether it is an NVR, and write what is found into $data/site.yaml"
	elif [ -z "$start" ] || ! booted; then
		say "$nvr was not asked, for nothing runs yet. When it does: sudo gatehouse nvr $nvr --write"
	else
		systemd-run --quiet --pipe --wait --collect -p User=gatehouse -p DynamicUser=yes -p UMask=0077 -p NoNewPrivileges=yes \
			-p "StateDirectory=gatehouse gatehouse/models" -p StateDirectoryMode=0700 -p Environment=HOME=/var/lib/gatehouse \
			-p ProtectSystem=strict -p ProtectHome=yes -p PrivateTmp=yes -p PrivateDevices=yes \
			-p CapabilityBoundingSet= -p MemoryMax=256M "$opt/current/gatehouse" nvr "$nvr" --write </dev/null ||
			warn "nothing was written about an NVR; when it is on: sudo gatehouse nvr $nvr --write"
	fi
}

had_site=''
if [ -e "$data/site.yaml" ]; then had_site=yes; fi
if [ "$old" = "$new" ]; then
	say "Gatehouse $version is installed: what is missing is put right."
elif [ -n "$old" ]; then
	say "Upgrading Gatehouse from $installed to $version."
else
	say "Installing Gatehouse $version."
fi
install_program
install_settings
install_units
if [ -n "$dry" ]; then
	ask_nvr
	say 'Nothing was changed.'
elif [ -n "$start" ] && booted; then
	start_it
	ask_nvr
	say "Gatehouse $version is up. Its page, and the code to claim it: journalctl --unit gatehouse --output cat"
	say "Data: $data   Secrets: $etc/secrets   Commands: gatehouse help"
else
	ask_nvr
	say "Gatehouse $version is installed and starts with the next boot."
fi

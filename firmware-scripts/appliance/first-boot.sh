#!/bin/sh
# Takes what an installer laid onto the boot partition: site.yaml, gatehouse-first-boot.yaml (or .txt) and the folder
# secrets/. Runs at each start before anything else of Gatehouse; with nothing there it does nothing. POSIX sh.
# What is wrong is written to gatehouse-report.txt beside it, to be read on a PC; what was taken is removed there.
# A step that a pulled plug cuts off is done again at the next start.
set -eu

usage() {
	cat <<'END_OF_USAGE'
usage: first-boot.sh [options]

  --boot FOLDER      the boot partition (default /boot/efi)
  --root FOLDER      the system that is set up (default /)
  --program FILE     Gatehouse's program, which reads the site file (default /opt/gatehouse/current/gatehouse)
  --dry-run          check and say what would be done; change nothing
  --help             this

gatehouse-first-boot.yaml has one `name: value` a line:
  host_name, time_zone, address (192.168.1.20/24), gateway, dns, port, ssh_key, secret.NAME
exit codes: 0 done, 1 something there was not taken, 2 wrong use
END_OF_USAGE
}

me=first-boot.sh
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

dry='' boot=/boot/efi root='' program=/opt/gatehouse/current/gatehouse
while [ $# -gt 0 ]; do
	case $1 in
	--boot) need "$@" && boot=$2 && shift ;;
	--root) need "$@" && root=${2%/} && shift ;;
	--program) need "$@" && program=$2 && shift ;;
	--dry-run) dry=yes ;;
	--help | -h) usage && exit 0 ;;
	*) wrong "$1 is not known" ;;
	esac
	shift
done
[ -d "$boot" ] || die "$boot is not there: is the boot partition mounted?"

data=$root/var/lib/private/gatehouse
etc=$root/etc/gatehouse
work=$(mktemp -d)
writable=''
trap 'rm -rf "$work"; [ -z "$writable" ] || mount -o remount,ro "$boot" || true' EXIT
problems=$work/problems
: >"$problems"
: >"$work/taken"

problem() { printf '%s\n' "$*" >>"$problems"; }
taken() { printf '%s\n' "$*" >>"$work/taken"; }
# The boot partition is only written while it has to be: a plug pulled otherwise finds it clean.
unlock() {
	[ -z "$dry" ] && [ -z "$writable" ] && [ -z "$root" ] || return 0
	mount -o remount,rw "$boot"
	writable=yes
}
# Removes what held a secret, its bytes first: flash may still keep a copy, so a lost stick is a lost secret.
forget() {
	if [ -n "$dry" ]; then
		say "would: remove $1"
		return 0
	fi
	unlock
	dd if=/dev/zero of="$1" bs="$(($(wc -c <"$1") + 1))" count=1 conv=notrunc,fsync 2>/dev/null || true
	rm -f "$1"
	sync
}

# --- the host name --------------------------------------------------------------------------------------------------

# gatehouse-1a2b3c by the last half of the first wired address; the same at every start.
own_name() {
	for card in "$root"/sys/class/net/e*/address "$root"/sys/class/net/*/address; do
		[ -r "$card" ] || continue
		mac=$(tr -d ':\n' <"$card" | tr 'A-F' 'a-f')
		case $mac in 000000000000 | *[!0-9a-f]*) continue ;; esac
		[ ${#mac} = 12 ] || continue
		printf 'gatehouse-%s\n' "${mac#??????}"
		return 0
	done
	return 1
}
is_host_name() {
	case $1 in '' | -* | *- | *[!a-z0-9-]*) return 1 ;; esac
	[ ${#1} -le 63 ]
}
set_host_name() {
	[ "$(cat "$root/etc/hostname" 2>/dev/null)" != "$1" ] || return 0
	printf '%s\n' "$1" | put "$root/etc/hostname"
	printf '127.0.0.1 localhost\n127.0.1.1 %s\n::1 localhost\n' "$1" | put "$root/etc/hosts"
	if [ -z "$root$dry" ]; then printf '%s\n' "$1" >/proc/sys/kernel/hostname; fi
}

# --- the first-boot file --------------------------------------------------------------------------------------------

is_address() {
	printf '%s\n' "$1" | grep -Eqx '((25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])\.){3}(25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])'
}
is_secret_name() {
	case $1 in '' | .* | *[!A-Za-z0-9._-]*) return 1 ;; esac
	[ ${#1} -le 64 ]
}

# One line of the file: checks it, and keeps it in the work folder for afterwards.
read_line() {
	key=$1 value=$2
	bad=''
	case $key in
	host_name) is_host_name "$value" || bad='is small letters, digits and "-", 63 at most' ;;
	time_zone)
		case $value in
		*..* | /* | *[!A-Za-z0-9/_+-]*) bad='is a name like Europe/Berlin' ;;
		*) [ -f "$root/usr/share/zoneinfo/$value" ] || bad='is a name like Europe/Berlin' ;;
		esac
		;;
	address)
		bits=${value#*/}
		case $bits in [1-9] | [12][0-9] | 3[0-2]) ;; *) bad='is like 192.168.1.20/24' ;; esac
		is_address "${value%/*}" || bad='is like 192.168.1.20/24'
		;;
	gateway | dns) is_address "$value" || bad='is like 192.168.1.1' ;;
	port)
		case $value in [1-9] | [1-9][0-9] | [1-9][0-9][0-9] | [1-9][0-9][0-9][0-9] | [1-5][0-9][0-9][0-9][0-9]) ;; *) bad='is a number from 1 to 59999' ;; esac
		;;
	ssh_key)
		printf '%s\n' "$value" | grep -Eqx '(ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(256|384|521)) [A-Za-z0-9+/=]+( [^[:cntrl:]]*)?' ||
			bad='is one line of a public key, as in id_ed25519.pub'
		;;
	secret.*)
		is_secret_name "${key#secret.}" || bad='has a name of letters, digits, ".", "_" and "-"'
		[ -n "$value" ] || bad='has no value'
		;;
	*) bad='is no setting that is known: look at the spelling' ;;
	esac
	[ -z "$bad" ] || return 1
	(umask 077 && printf '%s\n' "$value" >"$work/set.$key")
}

# Reads the file into `set.*`; answers false where anything of it is wrong, and then nothing of it is taken.
read_first_boot() {
	file=$1 name=${1##*/}
	if [ "$(wc -c <"$file")" -gt 65536 ]; then
		problem "$name: it is longer than 64 kB: write one setting a line"
		return 1
	fi
	# As an editor of Windows leaves it: a mark at its beginning, a carriage return at each line's end.
	(umask 077 && sed '1s/^\xef\xbb\xbf//; s/\r$//' "$file" | tr '\000' '?' >"$work/lines")
	number=0 fine=yes
	while IFS= read -r line || [ -n "$line" ]; do
		number=$((number + 1))
		case $line in '' | '#'* | ---) continue ;; esac
		case $line in
		*:*) ;;
		*) problem "$name line $number: it is not \"name: value\"" && fine='' && continue ;;
		esac
		key=$(printf '%s\n' "${line%%:*}" | sed 's/^ *//; s/ *$//; s/^"\(.*\)"$/\1/')
		value=$(printf '%s\n' "${line#*:}" | sed 's/^[ 	]*//; s/[ 	]*$//')
		case $value in
		\"*\") value=${value#\"} value=${value%\"} ;;
		\'*\') value=${value#\'} value=${value%\'} ;;
		*) case $key in secret.*) ;; *) value=$(printf '%s\n' "${value%%" #"*}" | sed 's/[ 	]*$//') ;; esac ;;
		esac
		shown=$(printf '%s' "$key" | tr -c 'A-Za-z0-9._-' '?' | cut -c 1-80)
		case $key in *[!A-Za-z0-9._-]* | */*)
			problem "$name line $number: \"$shown\" is no setting that is known: look at the spelling"
			fine=''
			continue
			;;
		esac
		if [ -e "$work/set.$key" ]; then
			problem "$name line $number: $shown stands there twice: keep one"
			fine=''
		elif ! read_line "$key" "$value"; then
			problem "$name line $number: $shown $bad"
			fine=''
		fi
	done <"$work/lines"
	if [ -e "$work/set.gateway" ] && [ ! -e "$work/set.address" ]; then
		problem "$name: gateway needs an address of this box, too"
		fine=''
	fi
	[ -n "$fine" ]
}
given() { [ -e "$work/set.$1" ] && cat "$work/set.$1"; }

apply_first_boot() {
	if value=$(given time_zone); then
		act ln -sfn "../usr/share/zoneinfo/$value" "$root/etc/localtime"
		printf '%s\n' "$value" | put "$root/etc/timezone"
		taken "time zone $value"
	fi
	if value=$(given address); then
		gateway=$(given gateway || true) dns=$(given dns || true)
		act mkdir -p "$root/etc/systemd/network"
		put "$root/etc/systemd/network/10-gatehouse.network" <<-END_OF_NETWORK
			[Match]
			Name=en* eth*
			[Network]
			Address=$value
			${gateway:+Gateway=$gateway}
			${dns:+DNS=$dns}
			MulticastDNS=no
		END_OF_NETWORK
		taken "address $value"
	fi
	if value=$(given port); then
		host=$(sed -n 's/^GATEHOUSE_FLAGS=.*\(--host [^ "]*\).*/\1/p' "$etc/flags" 2>/dev/null || true)
		printf 'GATEHOUSE_FLAGS="--port %s%s"\n' "$value" "${host:+ $host}" | put "$etc/flags"
		taken "port $value"
	fi
	if value=$(given ssh_key); then
		act mkdir -p -m 700 "$etc/ssh"
		printf '%s\n' "$value" | put "$etc/ssh/authorized_keys" 077
		taken 'a key for SSH, which is on now'
	fi
	for entry in "$work"/set.secret.*; do
		[ -f "$entry" ] || continue
		name=${entry##*/set.secret.}
		put "$etc/secrets/$name" 077 <"$entry"
		taken "secret $name"
	done
}

# --- secrets, each a file -------------------------------------------------------------------------------------------

take_secrets() {
	for file in "$boot"/secrets/*; do
		if [ ! -f "$file" ] || [ -L "$file" ]; then continue; fi
		name=${file##*/}
		name=${name%.txt}
		shown=$(printf '%s' "$name" | tr -c 'A-Za-z0-9._-' '?' | cut -c 1-80)
		if ! is_secret_name "$name"; then
			problem "secrets/$shown: its name is to be letters, digits, \".\", \"_\" and \"-\""
		elif [ "$(wc -c <"$file")" -gt 65536 ] || [ ! -s "$file" ]; then
			problem "secrets/$shown: it is empty or longer than 64 kB"
		else
			put "$etc/secrets/$name" 077 <"$file"
			taken "secret $name"
			forget "$file"
		fi
	done
	if [ -d "$boot/secrets" ] && [ -z "$dry" ]; then
		unlock
		rmdir "$boot/secrets" 2>/dev/null || true
	fi
}

# --- the site -------------------------------------------------------------------------------------------------------

# The product's own reader says whether the file can be used; it does so as nobody.
take_site() {
	file=$boot/site.yaml
	[ -f "$file" ] || return 0
	if [ "$(wc -c <"$file")" -gt 1048576 ]; then
		problem 'site.yaml: it is longer than 1 MB'
		return 0
	fi
	mkdir -m 755 "$work/site"
	cp "$file" "$work/site/site.yaml"
	chmod 711 "$work"
	chmod 644 "$work/site/site.yaml"
	code=0
	(cd "$work/site" && HOME="$work/site" setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs \
		timeout 60 "$program" validate --site site.yaml) >"$work/said" 2>&1 || code=$?
	if [ "$code" != 0 ]; then
		head -n 100 "$work/said" | cut -c 1-500 >>"$problems"
		return 0
	fi
	act mkdir -p -m 700 "$data"
	if [ -e "$data/site.yaml" ] && ! cmp -s "$data/site.yaml" "$file"; then
		put "$data/site.before.yaml" 077 <"$data/site.yaml"
	fi
	# The folder is the service's; so is what is laid into it.
	put "$data/site.yaml" 077 <"$file"
	if [ -z "$dry" ]; then chown --reference="$data" "$data"/site*.yaml; fi
	taken 'site.yaml'
	forget "$file"
}

# --- what was done --------------------------------------------------------------------------------------------------

report() {
	if [ ! -s "$problems" ] && [ ! -s "$work/taken" ]; then return 0; fi
	unlock
	{
		printf 'Gatehouse on %s, %s\n\n' "$(cat "$root/etc/hostname" 2>/dev/null)" "$(date -u '+%F %T UTC')"
		if [ -s "$problems" ]; then
			printf 'NOT TAKEN. Mend this, and start the box again:\n'
			sed 's/^/  /' "$problems"
			printf '\n'
		fi
		if [ -s "$work/taken" ]; then
			printf 'Taken:\n'
			sed 's/^/  /' "$work/taken"
		fi
	} | tr -d '\r' | sed 's/$/\r/' | put "$boot/gatehouse-report.txt"
	cat "$work/taken" "$problems"
}

host_name=''
for file in "$boot/gatehouse-first-boot.yaml" "$boot/gatehouse-first-boot.txt"; do
	if [ ! -f "$file" ] || [ -L "$file" ]; then continue; fi
	if read_first_boot "$file"; then
		[ ! -e "$work/set.host_name" ] || host_name=$(given host_name)
		act mkdir -p -m 700 "$etc/secrets"
		apply_first_boot
		forget "$file"
	fi
	rm -f "$work"/set.*
done
if [ -n "$host_name" ]; then
	set_host_name "$host_name"
	taken "host name $host_name"
else
	case $(cat "$root/etc/hostname" 2>/dev/null) in
	'' | gatehouse | localhost) if host_name=$(own_name); then set_host_name "$host_name"; fi ;;
	esac
fi
if [ -d "$boot/secrets" ]; then
	act mkdir -p -m 700 "$etc/secrets"
	take_secrets
fi
take_site
report
if [ -z "$root$dry" ] && [ -s "$etc/ssh/authorized_keys" ]; then systemctl start --no-block gatehouse-ssh.service; fi
[ ! -s "$problems" ]

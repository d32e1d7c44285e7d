#!/bin/sh
# Makes the flashable image of a box, and the bundle that updates such a box: a Debian with Gatehouse installed, in two
# slots of which one is empty, and a data partition that fills the disk at the first start. Same input, same bytes.
# POSIX sh; as root on Debian, with: squashfs-tools dosfstools mtools fdisk minisign
set -eu

usage() {
	cat <<'END_OF_USAGE'
usage: image.sh --system PLACE --release FOLDER [options]        as root

  --system PLACE     the root of a Debian or Raspberry Pi OS of the box's kind, with a kernel: a folder, which is copied,
                     or the image of a disk with such a system, which is only read
  --copy-out FOLDER  copy the system out of such an image into a new folder, to install packages there, and be done
  --packages         print the Debian packages that it has to have, for debootstrap
  --release FOLDER   an unpacked release of Gatehouse
  --out FOLDER       where the image and the bundle go (default .)
  --public FILE      the public key whose updates such boxes take; without it they take none
  --key FILE         the private key (of "bun run release --make-key") that signs the bundle
  --name NAME        which image this is (default: version and date of the release)
  --options TEXT     more options for the kernel
  --slot MB          size of each of the two slots (default 1024)
  --no-image         make the bundle alone
  --dry-run          check and say what would be done; write nothing
  --help             this

SOURCE_DATE_EPOCH is the date that all files bear (default: the release's). exit codes: 0 done, 1 failed, 2 wrong use
END_OF_USAGE
}

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# shellcheck disable=SC2034 # of lib.sh
me=image.sh
# shellcheck source=/dev/null
. "$here/appliance/lib.sh"

packages='systemd systemd-sysv systemd-resolved systemd-timesyncd udev dbus kmod linux-image-amd64 initramfs-tools zstd
systemd-boot-efi avahi-daemon openssh-server minisign e2fsprogs dosfstools fdisk util-linux iproute2 tzdata ca-certificates ffmpeg'

system='' release='' out=. public='' key='' name='' options='' slot=1024 image=yes dry='' copy=''
while [ $# -gt 0 ]; do
	case $1 in
	--system) need "$@" && system=$2 && shift ;;
	--copy-out) need "$@" && copy=$2 && shift ;;
	--release) need "$@" && release=$2 && shift ;;
	--out) need "$@" && out=$2 && shift ;;
	--public) need "$@" && public=$2 && shift ;;
	--key) need "$@" && key=$2 && shift ;;
	--name) need "$@" && name=$2 && shift ;;
	--options) need "$@" && options=$2 && shift ;;
	--slot) need "$@" && slot=$2 && shift ;;
	--packages) printf '%s' "$packages" | tr ' \n' ',,' && echo && exit 0 ;;
	--no-image) image='' ;;
	--dry-run) dry=yes ;;
	--help | -h) usage && exit 0 ;;
	*) wrong "$1 is not known" ;;
	esac
	shift
done
case $slot in '' | *[!0-9]* | ??????*) wrong '--slot is a number of megabytes' ;; esac
case $name in *[!0-9A-Za-z._-]* | .*) wrong '--name is letters, digits, ".", "_" and "-"' ;; esac
case $options in *[!\ -~]*) wrong '--options is one line of plain text' ;; esac

work='' stock='' boot_at=''
leave() {
	if [ -n "$stock" ]; then umount "$stock" 2>/dev/null || true; fi
	rm -rf "$work"
	if [ -n "$stock" ]; then rmdir "$stock" || true; fi
}
trap leave EXIT
trap 'exit 1' INT TERM HUP

# Mounts the system that lies in the image of a disk, to be read: the first partition of ext4 with an init. Nothing is
# written, not even what its journal still holds. The boot files of a Raspberry Pi lie beside it, on a FAT.
open_image() {
	[ "$(id -u)" = 0 ] || die 'only root may look into an image'
	for program in sfdisk mcopy; do command -v "$program" >/dev/null || die "$program is missing: apt-get install fdisk mtools"; done
	parts=$(sfdisk --dump "$system" 2>/dev/null | sed -n 's/.*: *start= *\([0-9]*\), *size= *\([0-9]*\),.*/\1 \2/p')
	[ -n "$parts" ] || die "$system is no image of a disk with partitions: unpack it first, where it ends in .xz or .gz"
	stock=$(mktemp -d "${TMPDIR:-/tmp}/gatehouse-stock-XXXXXX")
	mount_system || die "$system has no partition of ext4 with a Debian on it: name another image, or a folder"
	if [ -d "$stock/boot/firmware" ]; then find_boot_files; fi
	system=$stock
}
mount_system() {
	for offset in $(printf '%s\n' "$parts" | cut -d ' ' -f 1); do
		size=$(printf '%s\n' "$parts" | sed -n "s/^$offset //p")
		mount -t ext4 -o "ro,noload,loop,nodev,nosuid,offset=$((offset * 512)),sizelimit=$((size * 512))" "$system" "$stock" 2>/dev/null || continue
		if [ -e "$stock/sbin/init" ] || [ -L "$stock/sbin/init" ]; then return 0; fi
		umount "$stock"
	done
	return 1
}
find_boot_files() {
	for offset in $(printf '%s\n' "$parts" | cut -d ' ' -f 1); do
		if mdir -b -i "$image_file@@$((offset * 512))" ::config.txt >/dev/null 2>&1; then boot_at=$((offset * 512)) && return 0; fi
	done
}
copy_system() {
	cp -a --reflink=auto "$system" "$1"
	if [ -n "$boot_at" ]; then mcopy -s -m -i "$image_file@@$boot_at" '::*' "$1/boot/firmware/"; fi
}

# --- checking -------------------------------------------------------------------------------------------------------

[ -n "$system" ] || wrong '--system is missing: debootstrap makes one (docs/image.md)'
[ -n "$release$copy" ] || wrong '--release is missing: bun run build makes one'
if [ -n "$copy" ] && [ ! -f "$system" ]; then wrong '--copy-out goes with an image file as --system'; fi
if [ -n "$copy" ] && [ -e "$copy" ]; then die "$copy is there already: name a new folder"; fi
image_file=$system
if [ -f "$system" ]; then open_image; fi
if [ -n "$copy" ]; then
	if [ -n "$dry" ]; then
		say "would: copy the system in $image_file into $copy"
		exit 0
	fi
	rm -rf "$copy.partial"
	copy_system "$copy.partial"
	chmod 755 "$copy.partial"
	mv "$copy.partial" "$copy"
	say "$copy is the system of $image_file. What it still needs: chroot $copy apt-get install \$($0 --packages | tr , ' ')"
	exit 0
fi
[ -x "$system/sbin/init" ] || die "$system is no system: make one with debootstrap (docs/image.md)"
[ -r "$release/RELEASE" ] || die "$release is no unpacked release: bun run build makes one"
release=$(CDPATH='' cd -- "$release" && pwd)
version=$(value_of "$release/RELEASE" version)
target=$(value_of "$release/RELEASE" target)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(value_of "$release/RELEASE" date)}
case $SOURCE_DATE_EPOCH in '' | *[!0-9]*) wrong 'SOURCE_DATE_EPOCH is a number of seconds' ;; esac
export SOURCE_DATE_EPOCH
name=${name:-$version-$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y%m%d%H%M)}
case $target in
linux-x64*) loader=$system/usr/lib/systemd/boot/efi/systemd-bootx64.efi ;;
linux-arm64) if [ -n "$boot_at" ]; then loader=$system; else loader=$system/boot/firmware/config.txt; fi ;;
*) die "no image can be made of a release for $target" ;;
esac
[ -e "$loader" ] || die "$system has no ${loader#"$system"/}: it is to have the packages that --packages prints"
for program in /sbin/mkfs.ext4 /sbin/sfdisk /usr/bin/minisign /usr/sbin/update-initramfs; do
	[ -e "$system$program" ] || die "$system has no $program: it is to have the packages that --packages prints"
done
for program in mksquashfs mkfs.vfat mcopy sfdisk chroot unshare; do
	command -v "$program" >/dev/null || die "$program is missing: apt-get install squashfs-tools dosfstools mtools fdisk"
done
for file in $public $key; do [ -r "$file" ] || die "$file cannot be read: name a key file"; done
if [ -n "$key" ] && ! command -v bun >/dev/null; then die 'bun is missing: it signs the bundle'; fi
stem=$out/gatehouse-image-$name-$target
if [ -n "$dry" ]; then
	say "would: install Gatehouse $version into a copy of $system"
	if [ -n "$image" ]; then say "would: write $stem.img"; fi
	say "would: write $stem.tar, $([ -n "$key" ] && echo signed || echo 'not signed: --key FILE')"
	say 'Nothing was written.'
	exit 0
fi
[ "$(id -u)" = 0 ] || die 'only root may do this, for the files of a system belong to root'

mkdir -p "$out"
work=$(mktemp -d "${TMPDIR:-/tmp}/gatehouse-image-XXXXXX")
root=$work/root

# --- the system -----------------------------------------------------------------------------------------------------

copy_system "$root"
mkdir -p "$root/media/release" "$root/data" "$root/boot/efi" "$root/usr/lib/gatehouse"

# In a world of its own, so that nothing stays mounted, and a port that is taken here is not taken there.
inside() {
	# shellcheck disable=SC2016 # the inner sh expands it
	unshare --mount --net --propagation private sh -c '
		mount -t proc proc "$1/proc" && mount --bind "$2" "$1/media/release" && mount -o remount,bind,ro "$1/media/release" || exit 1
		root=$1; shift 2
		exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C SOURCE_DATE_EPOCH="$SOURCE_DATE_EPOCH" chroot "$root" "$@"
	' sh "$root" "$release" "$@"
}

for file in ab.sh console.sh data.sh factory-reset.sh first-boot.sh lib.sh usb.sh; do
	install -m 755 "$here/appliance/$file" "$root/usr/lib/gatehouse/$file"
done
for file in "$here"/appliance/units/*.service; do install -m 644 "$file" "$root/usr/lib/systemd/system/${file##*/}"; done
install -m 644 "$here/appliance/units/99-gatehouse.rules" "$root/usr/lib/udev/rules.d/99-gatehouse.rules"
install -m 755 "$here/appliance/initramfs-hook" "$root/etc/initramfs-tools/hooks/gatehouse"
install -m 755 "$here/appliance/initramfs-script" "$root/etc/initramfs-tools/scripts/init-bottom/gatehouse"
ln -s ../lib/gatehouse/ab.sh "$root/usr/sbin/gatehouse-image"
ln -s ../lib/gatehouse/factory-reset.sh "$root/usr/sbin/gatehouse-factory-reset"
if [ -n "$public" ]; then
	install -m 644 "$public" "$root/usr/lib/gatehouse/release.pub"
	# Releases inside a system, for "gatehouse update": by the same key.
	mkdir -p "$root/etc/gatehouse"
	install -m 644 "$public" "$root/etc/gatehouse/update.pub"
fi
options="console=tty0 console=ttyS0,115200 quiet loglevel=4 panic=10 fsck.mode=skip systemd.gpt_auto=0${options:+ $options}"
printf 'image=%s\nversion=%s\ntarget=%s\ndate=%s\noptions=%s\n' "$name" "$version" "$target" "$SOURCE_DATE_EPOCH" \
	"$options" >"$root/usr/lib/gatehouse/image"
"$here/appliance/settings.sh" "$root"
inside /media/release/install.sh --no-start --host 0.0.0.0 >"$work/said" 2>&1 || { cat "$work/said" >&2 && die 'Gatehouse could not be installed'; }
inside update-initramfs -u -k all >"$work/said" 2>&1 || { cat "$work/said" >&2 && die 'the initramfs could not be made'; }

# --- what must not be in an image -----------------------------------------------------------------------------------

: >"$root/etc/machine-id"
printf 'gatehouse\n' >"$root/etc/hostname"
rm -f "$root"/etc/ssh/ssh_host_* "$root/var/lib/systemd/random-seed" "$root/var/lib/dbus/machine-id" \
	"$root/etc/resolv.conf" "$root"/etc/*- "$root/root/.bash_history"
rm -rf "$root"/var/log/* "$root"/var/cache/* "$root"/var/lib/apt/lists/* "$root"/tmp/* "$root"/var/tmp/* "$root"/run/* \
	"$root/debootstrap" "$root/media/release" "$root"/usr/share/doc/*/changelog* "$root"/usr/share/man "$root"/etc/apt/apt.conf.d/*proxy*
ln -s ../run/systemd/resolve/stub-resolv.conf "$root/etc/resolv.conf"
ln -sfn private/gatehouse "$root/var/lib/gatehouse"
sed -i 's/^root:[^:]*:/root:*:/; s/^\([^:]*:[^:]*\):[0-9]*:/\1:19000:/' "$root/etc/shadow"

# --- what it is made of ---------------------------------------------------------------------------------------------

mkdir "$work/boot"
if [ "$target" = linux-arm64 ]; then
	cp -R "$root/boot/firmware/." "$work/boot/"
	printf 'root=PARTLABEL=gh-root-@SLOT@ rootfstype=squashfs rootwait ro gatehouse.slot=@SLOT@ %s\n' "$options" >"$work/boot/cmdline.txt"
else
	cp "$(readlink -f "$root/vmlinuz" | sed "s|^/boot|$root/boot|")" "$work/boot/vmlinuz"
	cp "$(readlink -f "$root/initrd.img" | sed "s|^/boot|$root/boot|")" "$work/boot/initrd"
fi
rm -rf "$root"/boot/vmlinuz* "$root"/boot/initrd* "$root"/boot/System.map* "$root"/boot/firmware/* "$root"/vmlinuz* "$root"/initrd.img*
find "$work/boot" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
# mksquashfs takes the date from one place alone.
env -u SOURCE_DATE_EPOCH mksquashfs "$root" "$work/root.squashfs" -comp zstd -Xcompression-level 9 -noappend -no-progress -quiet \
	-mkfs-time "$SOURCE_DATE_EPOCH" -all-time "$SOURCE_DATE_EPOCH" >/dev/null
pack() { tar --sort=name --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX --format=gnu --mtime="@$SOURCE_DATE_EPOCH" "$@"; }
pack -C "$work/boot" -cf "$work/boot.tar" .
root_size=$(wc -c <"$work/root.squashfs")
[ "$root_size" -le $((slot * 1048576)) ] || die "the system has $((root_size / 1048576)) MB and its slot $slot: --slot $((root_size / 1048576 + 256))"

hash_of() { sha256sum "$1" | cut -d ' ' -f 1; }
{
	printf 'format=1\nimage=%s\nversion=%s\ntarget=%s\ndate=%s\n' "$name" "$version" "$target" "$SOURCE_DATE_EPOCH"
	printf 'root.squashfs=%s\nroot.size=%s\n' "$(hash_of "$work/root.squashfs")" "$root_size"
	printf 'boot.tar=%s\nboot.size=%s\n' "$(hash_of "$work/boot.tar")" "$(wc -c <"$work/boot.tar")"
	printf 'options=%s\n' "$options"
} >"$work/MANIFEST"
if [ -n "$key" ]; then
	bun "$here/sign.ts" --key "$key" --comment "gatehouse image $name $target" "$work/MANIFEST"
else
	printf 'not signed\n' >"$work/MANIFEST.minisig"
fi
# In this order: a box reads the first two before anything else.
tar --owner=0 --group=0 --numeric-owner --mode=u=rw,go=r --format=gnu --mtime="@$SOURCE_DATE_EPOCH" -C "$work" -cf "$stem.tar.partial" \
	MANIFEST MANIFEST.minisig root.squashfs boot.tar
mv "$stem.tar.partial" "$stem.tar"
say "$stem.tar $(($(wc -c <"$stem.tar") / 1000000)) MB, $([ -n "$key" ] && echo signed || echo 'not signed: --key FILE')"
if [ -z "$image" ]; then exit 0; fi

# --- the image ------------------------------------------------------------------------------------------------------

# An identifier that follows from what it is for: the same in every image, on purpose.
uuid() { printf 'gatehouse %s' "$1" | sha256sum | sed 's/^\(.\{8\}\)\(.\{4\}\).\(.\{3\}\).\(.\{3\}\)\(.\{12\}\).*/\1-\2-4\3-8\4-\5/'; }
boot_mb=512 pi_mb=256
fat() {
	truncate -s "$3M" "$1"
	mkfs.vfat -F 32 --invariant -i "$(uuid "$2" | cut -c 1-8)" -n "$2" "$1" >/dev/null
}
disk=$stem.img.partial
rm -f "$disk"
fat "$work/fat" GH-BOOT "$boot_mb"
mkdir -p "$work/tree/gatehouse"
printf 'at the first start\n' >"$work/tree/gatehouse/make-data"
cp "$here/appliance/READ-ME.txt" "$work/tree/READ-ME.txt"
efi=C12A7328-F81F-11D2-BA4B-00A0C93EC93B linux=0FC63DAF-8483-4772-8E79-3D69D8477DE4 microsoft=EBD0A0A2-B9E5-4433-87C0-68B6B72699C7
kind=$microsoft
if [ "$target" = linux-arm64 ]; then
	printf '[all]\ntryboot_a_b=1\nboot_partition=2\n[tryboot]\nboot_partition=3\n' >"$work/tree/autoboot.txt"
else
	kind=$efi
	mkdir -p "$work/tree/EFI/BOOT" "$work/tree/loader/entries" "$work/tree/gatehouse/a"
	cp "$loader" "$work/tree/EFI/BOOT/BOOTX64.EFI"
	cp "$work/boot/vmlinuz" "$work/boot/initrd" "$work/tree/gatehouse/a/"
	printf 'timeout 0\neditor no\n' >"$work/tree/loader/loader.conf"
	printf 'title Gatehouse %s (slot a)\nsort-key gatehouse\nversion 1\nlinux /gatehouse/a/vmlinuz\ninitrd /gatehouse/a/initrd\noptions root=PARTLABEL=gh-root-a rootfstype=squashfs ro gatehouse.slot=a %s\n' \
		"$name" "$options" >"$work/tree/loader/entries/gatehouse-a.conf"
fi
find "$work/tree" -exec touch -d "@$SOURCE_DATE_EPOCH" {} +
fill() { (cd "$2" && find . -mindepth 1 -maxdepth 1 | LC_ALL=C sort | while IFS= read -r item; do mcopy -s -m -i "$1" "$item" ::; done); }
TZ=UTC fill "$work/fat" "$work/tree"

# Each piece: its name, kind, size in MB, and the file that lies in it.
{
	printf 'gh-boot %s %s %s\n' "$kind" "$boot_mb" "$work/fat"
	if [ "$target" = linux-arm64 ]; then
		for each in a b; do
			fat "$work/fat-$each" "GH-BOOT-$(echo "$each" | tr ab AB)" "$pi_mb"
			mkdir "$work/pi-$each"
			cp -R "$work/boot/." "$work/pi-$each/"
			sed -i "s/@SLOT@/$each/g" "$work/pi-$each/cmdline.txt"
			find "$work/pi-$each" -exec touch -d "@$SOURCE_DATE_EPOCH" {} +
			TZ=UTC fill "$work/fat-$each" "$work/pi-$each"
			printf 'gh-boot-%s %s %s %s\n' "$each" "$microsoft" "$pi_mb" "$work/fat-$each"
		done
	fi
	printf 'gh-root-a %s %s %s\n' "$linux" "$slot" "$work/root.squashfs"
	printf 'gh-root-b %s %s -\n' "$linux" "$slot"
	printf 'gh-data %s 8 -\n' "$linux"
} >"$work/pieces"
whole=$(awk '{ sum += $3 } END { print sum + 2 }' "$work/pieces")
truncate -s "${whole}M" "$disk"
{
	printf 'label: gpt\nlabel-id: %s\nunit: sectors\nfirst-lba: 2048\n' "$(uuid disk)"
	start=2048
	while read -r part type mb _; do
		printf 'start=%s, size=%s, type=%s, name=%s, uuid=%s\n' "$start" $((mb * 2048)) "$type" "$part" "$(uuid "$part")"
		start=$((start + mb * 2048))
	done <"$work/pieces"
} | sfdisk --quiet "$disk" >/dev/null
start=1
while read -r _ _ mb file; do
	if [ "$file" != - ]; then dd if="$file" of="$disk" bs=1M seek="$start" conv=notrunc,sparse status=none; fi
	start=$((start + mb))
done <"$work/pieces"
mv "$disk" "$stem.img"
say "$stem.img $whole MB"

#!/bin/sh
# SPDX-License-Identifier: MIT
#
# setup.sh [--missing] GROUP... - install the Debian packages that a GROUP of work needs:
# build, test, lint, fuzz. With --missing only say which are not there. Costs nothing when
# all are; `SETUP=no` skips it. Exits non-zero if something that the work cannot do
# without is still missing; tests that lack an optional tool skip themselves.

# What is looked for, and the package that has it. An optional one ends in '?'.
needs() {
	case $1 in
	build)
		cat <<-'END'
			command cc gcc
			command make make
			header stdio.h libc6-dev
			command pkg-config pkg-config
			library libprotobuf-c libprotobuf-c-dev
			command protoc-c protobuf-c-compiler
			library zlib zlib1g-dev
			library libzstd libzstd-dev
			library cairo libcairo2-dev
			library libxml-2.0 libxml2-dev
			library libpcre2-8 libpcre2-dev
			library libisal libisal-dev?
			library libdw libdw-dev?
			library libelf libelf-dev?
			library capstone libcapstone-dev?
		END
		;;
	test)
		needs build
		cat <<-'END'
			library cmocka libcmocka-dev
			command prove perl
			command python3 python3?
			command chromium chromium?
			command mandoc mandoc?
			command xmllint libxml2-utils?
			command pdftotext poppler-utils?
			command shellcheck shellcheck?
			command bash bash?
			command zsh zsh?
			command fish fish?
			file /usr/share/bash-completion/bash_completion bash-completion?
		END
		;;
	lint)
		needs build
		cat <<-'END'
			command clang clang
			command clang-format clang-format
			command clang-tidy clang-tidy
			command cppcheck cppcheck
			command ctags universal-ctags
			command shellcheck shellcheck
			library cmocka libcmocka-dev
		END
		;;
	fuzz)
		needs build
		echo "command clang clang"
		;;
	*)
		echo "setup.sh: unknown group '$1'" >&2
		exit 2
		;;
	esac
}

is_there() { # is_there KIND NAME
	case $1 in
	command) command -v "$2" ;;
	library) pkg-config --exists "$2" ;;
	header) [ -e "/usr/include/$2" ] || echo "#include <$2>" | cc -E - ;;
	file) [ -e "$2" ] ;;
	esac >/dev/null 2>&1
}

find_missing() { # the packages of the GROUPs that are not there
	for group; do
		needs "$group"
	done | sort -u | while read -r kind name package; do
		is_there "$kind" "$name" || echo "$package"
	done | sort -u
}

as_root() {
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	elif [ -t 0 ]; then
		sudo "$@"
	else
		sudo -n "$@"
	fi
}

apt_install() {
	as_root env DEBIAN_FRONTEND=noninteractive \
		apt-get -q install -y --no-install-recommends "$@"
}

install_packages() {
	echo "installing these Debian packages: $*"
	as_root apt-get -q update || echo 'no new package lists: trying with the old ones'
	apt_install "$@" && return
	# One package that does not exist here must not keep the others out.
	for package; do
		apt_install "$package"
	done
}

can_install() {
	command -v apt-get >/dev/null &&
		{ [ "$(id -u)" -eq 0 ] || command -v sudo >/dev/null; }
}

say_only=
if [ "$1" = --missing ]; then
	say_only=yes
	shift
elif [ "$SETUP" = no ]; then
	exit 0
fi
missing=$(find_missing "$@") || exit
# What could not be had once is not tried again: the network may be slow to fail.
tried=build/setup-tried
if [ "$missing" ] && [ ! "$say_only" ] && can_install &&
	[ "$missing" != "$(cat "$tried" 2>/dev/null)" ]; then
	# Package names are words without blanks, wanted apart.
	# shellcheck disable=SC2046
	install_packages $(echo "$missing" | tr -d '?') >&2
	missing=$(find_missing "$@")
	mkdir -p build && echo "$missing" >"$tried"
fi
[ "$missing" ] || exit 0
names=$(echo "$missing" | tr -d '?' | paste -sd ' ')
{
	echo "these packages are missing: $names"
	echo "on Debian and its kin, \`make setup\` installs them, or by hand, as root:"
	echo "	apt-get install $names"
} >&2
# With only optional ones missing, the work can be done.
if echo "$missing" | grep -qv '?$'; then
	exit 1
fi
echo 'without them some of the work is skipped' >&2

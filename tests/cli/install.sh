#!/bin/sh
# make install, and what it leaves: names, pages of the manual, completions.
. "$(dirname "$0")/lib.sh"

once
lock_build

install() {
	run make -C "$repo" --no-print-directory install "$@"
}

# installed: what there is below root/usr/bin, without wick itself.
installed() {
	(cd root/usr/bin && find . ! -type d | sed 's,^\./,,' | grep -vx wick | sort)
}

install DESTDIR="$PWD/root" prefix=/usr DROPINS=nonsense.pl
is "$((status != 0))" 1 'an unknown drop-in name is refused'
like "$out$err" 'no drop-in name nonsense.pl' 'make install names an unknown drop-in'

install DESTDIR="$PWD/root" prefix=/usr DROPINS=none
is "$status" 0 'without drop-in names' || comment err 'make install DROPINS=none succeeds'
is "$(installed)" '' 'make install DROPINS=none installs no drop-in'
ok 'DROPINS=none installs no page of a drop-in' test ! -e root/usr/share/man/man1/flamegraph.1
run root/usr/bin/wick --version
like "$out" '^wick [0-9]' 'the installed program runs'
rm -rf root

install DESTDIR="$PWD/root" prefix=/usr DROPINS=flamegraph,stackcollapse-perf.pl
is "$(installed | tr '\n' ' ')" 'flamegraph stackcollapse-perf.pl ' 'make install DROPINS=a,b installs these two'
rm -rf root

# Last, and with nothing named: that is how the build is left.
install DESTDIR="$PWD/root"
is "$status" 0 'by default' || comment err 'make install succeeds'
mv root/usr/local/* root/usr/
is "$(installed)" "$(grep -v '^#' "$repo/dropins.list" | sort)" 'all names are there'
ok 'installed drop-ins lead to the program' root/usr/bin/stackcollapse-perf.pl --help
ok 'the license is there' cmp root/usr/share/doc/wick/LICENSE "$repo/LICENSE"

# Pages
commands=$(wick help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
for command in $commands; do
	ok "make install installs wick-$command(1)" test -s "root/usr/share/man/man1/wick-$command.1"
done
for page in root/usr/share/man/man?/*; do
	name=${page##*/}
	unlike "$(cat "$page")" '@[A-Z]+@' "$name: everything is filled in"
	run mandoc -T lint -W warning "$page"
	is "$status$out$err" 0 "$name: mandoc has nothing to say"
	run env LC_ALL=C.UTF-8 man --warnings -E UTF-8 -l -Tutf8 -Z "$page"
	is "$status$err" 0 "$name: nor has groff"
	case $name in
	*.1)
		is "$(grep -n '^\.SH' "$page" | sed -n '3s/^[0-9]*://p')" '.SH EXAMPLES' "$name: examples come first"
		;;
	esac
done

# wick help shows the page that was installed with it, on a terminal
run env PAGER=cat MANPAGER=cat script -qec 'root/usr/bin/wick help flame' /dev/null
like "$out" '^WICK-FLAME\(1\)' 'wick help on a terminal shows the page'
run env WICK_PAGER='sed s/^/paged:/' MANPAGER=false script -qec 'root/usr/bin/wick help flame' /dev/null
like "$out" '^paged:WICK-FLAME\(1\)' 'wick help shows the installed manual page in WICK_PAGER'
run env MANPAGER='sed s/^/paged:/' script -qec 'root/usr/bin/wick help --no-pager flame' /dev/null
like "$out" '^WICK-FLAME\(1\)' 'wick help --no-pager shows the installed manual page without a pager'
run root/usr/bin/wick help flame
like "$out" '^Usage: wick flame' 'wick help in a pipe prints the help'
run env PAGER=cat script -qec 'wick help flame' /dev/null
like "$out" '^Usage: wick flame' 'wick help prints the help if no manual page is installed'

# Completions, where the shells look for them
for program in wick flamegraph cargo-flamegraph cargo-wick; do
	wick completions bash "$program" | cmp -s - "root/usr/share/bash-completion/completions/$program"
	result $? "bash completes $program"
	wick completions zsh "$program" | cmp -s - "root/usr/share/zsh/site-functions/_$program"
	result $? "zsh completes $program"
	wick completions fish "$program" | cmp -s - "root/usr/share/fish/vendor_completions.d/$program.fish"
	result $? "fish completes $program"
done
wick completions fish cargo | cmp -s - root/usr/share/fish/vendor_conf.d/wick-cargo.fish
result $? 'and fish its names behind cargo'

# make uninstall
uninstall() {
	run make -C "$repo" --no-print-directory uninstall "$@"
}

# Programs of others
rm -rf root
mkdir -p root/usr/bin
echo mine >root/usr/bin/flamegraph.pl
ln -s /opt/difffolded.pl root/usr/bin/difffolded.pl
install DESTDIR="$PWD/root" prefix=/usr
is "$((status != 0))" 1 'make install fails if there are other programs of the same names'
like "$err" "^install: $PWD/root/usr/bin has programs of these names that are not wick's: difffolded.pl, flamegraph.pl\$" \
	'make install names the programs that it does not replace'
is "$(find root ! -type d | sort)" 'root/usr/bin/difffolded.pl
root/usr/bin/flamegraph.pl' 'make install installs nothing if it would replace other programs'

rm -rf root
mkdir -p root/usr/bin
ln -s other root/usr/bin/stackcollapse-go.pl
install DESTDIR="$PWD/root" prefix=/usr DROPINS=flamegraph.pl
install DESTDIR="$PWD/root" prefix=/usr DROPINS=none
uninstall DESTDIR="$PWD/root" prefix=/usr
is "$(find root ! -type d)" root/usr/bin/stackcollapse-go.pl 'make uninstall removes the names of all installations, and no other'
rm -rf root

# As the build is to be left
install DESTDIR="$PWD/root"
echo mine >root/usr/local/share/man/man1/mine.1
uninstall DESTDIR="$PWD/root"
is "$status" 0 'make uninstall succeeds' || comment err "$err"
is "$(find root ! -type d)" root/usr/local/share/man/man1/mine.1 'make uninstall removes what was installed, and nothing else'
ok 'make uninstall removes folders that are empty' test ! -e root/usr/local/bin
uninstall DESTDIR="$PWD/root"
is "$((status != 0))" 1 'make uninstall fails where nothing is installed'
like "$err" 'hint: make uninstall takes the same DESTDIR= and prefix=' 'make uninstall names the options that it needs'

plan

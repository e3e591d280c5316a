#!/bin/sh
# files.pl on trees that are hard to walk.
. "$(dirname "$0")/lib.sh"

# Deeper than there may be open files, and longer than a path may be.
top=$PWD
deep() {
	mkdir "$1"
	cd "$1" || exit 1
	for i in $(seq 150); do
		mkdir "a-long-name-$i"
		cd "a-long-name-$i" || exit 1
		if [ $((i % 50)) -eq 0 ]; then
			mkdir aside
			printf '%05d' "$i" >aside/file
		fi
	done
	cd "$top" || exit 1
}
deep below
touch "$(find below -name a-long-name-150)/leaf"
deep tree
mv below "$(find tree -name a-long-name-150)"
# shellcheck disable=SC3045  # every sh here has it
(
	ulimit -n 80
	files.pl tree
) >out.txt 2>err.txt
is "$(grep -c ';aside;file 5$' out.txt)" 6 'directories beside a deep one are found'
is "$(grep -c ';leaf 0$' out.txt)" 1 'files.pl finds the deepest file'
is "$(awk '{ print NF }' out.txt | sort -u)" 2 'a line is a path and a size'
is "$(cat err.txt)" '' 'files.pl reads a deep tree without complaints'

mkdir loop
ln -s . loop/self
ln -s .. loop/up
ln -s nowhere loop/dangling
run files.pl loop
is "$(printf '%s\n' "$out" | sed 's/ [0-9]*$//' | sort | tr '\n' ' ')" \
	'loop loop;dangling loop;self loop;up ' 'links are not followed'
run files.pl loop/self/
like "$out" '^loop;self;up ' 'files.pl follows a link that is named with a slash'

run files.pl nowhere loop
is "$status" 0 'a directory that is not there does not stop the others'
like "$err" "nowhere: No such file" 'files.pl reports a missing directory'
like "$out" '^loop;up ' 'files.pl reads the other directories'

run sh -c 'files.pl loop >/dev/full'
is "$status" 1 'a full disk is an error'

plan

#!/bin/sh
# Every command line of README.md, docs/ and the manual is run, and has to succeed.
#
# Command lines are the lines that begin with "$ " in fenced blocks of Markdown and in .EX blocks of the manual.
# They run in a folder that has the files they speak of.  Those inside of a sentence or a table, `wick …`, do not run, but
# their commands and options have to exist.
#
# usage: examples.sh [README.md|man|docs]...    of these [all]
[ $# -gt 0 ] || set -- README.md man docs
. "$(dirname "$0")/lib.sh"

once

# blocks FILE: the lines of its blocks.
blocks() {
	case $1 in
	*.md) awk '/^```/ { inside = !inside; next } inside' "$1" ;;
	*) awk '/^\.EX/ { inside = 1; next } /^\.EE/ { inside = 0 } inside' "$1" |
		sed -e 's/\\-/-/g' -e "s/\\\\(aq/'/g" -e 's/\\e/\\/g' ;;
	esac
}

# unknown FILE: options and commands of wick that its sentences and tables name, and that wick does not have.
# shellcheck disable=SC2016  # Markdown has backquotes
unknown() (
	set -f
	awk '/^```/ { inside = !inside; next } !inside' "$1" | grep -oE '`(sudo )?wick [a-z]+[^`]*`' | tr -d '`' | sed 's/^sudo //' |
		while read -r _ command words; do
			[ -e "help-$command" ] || wick "$command" --help >"help-$command" 2>/dev/null </dev/null || echo "$command"
			for word in $words; do
				case $word in
				-- | ./*) break ;; # what follows is the command to run
				-?*) word=${word%%[=,…]*}
					grep -qE -e "(^|[^[:alnum:]-])$word([^[:alnum:]-]|\$)" "help-$command" || echo "$command $word" ;;
				esac
			done
		done
)

# What stands for something else, and the only changes to what is run:
#   1234                 some process: the server that runs here
#   make ...             in the repository, and installs into a folder of ours
#   make test, check, bench   take too long, or are running just now: what they would do is listed
#   flamegraph -p ...    until Ctrl-C: it comes after some seconds
#   wick view, top       in a terminal, where somebody presses q
#   wick serve           until Ctrl-C: it comes after some seconds
#   cargo ...            in the folder of a crate, and without a network
#   eval "$(...)"        in two steps, or nobody would see that the inner one fails
#   ... | head           reads on, or those before it fail now and then
# shellcheck disable=SC2016  # what the shell gets that runs them
substituted() {
	sed -e "s/\\<1234\\>/$server/" \
		-e "s,^make \\(test\\|check\\|bench\\),make -C $repo -n \\1," \
		-e "s,^make install,make -C $repo install DESTDIR=$work/root," \
		-e "s,^make uninstall,make -C $repo uninstall DESTDIR=$work/root," \
		-e "s,^make \([a-z]\),make -C $repo \1,; s,^make *\(#.*\)\?\$,make -C $repo," \
		-e 's,^flamegraph -p,timeout --preserve-status -s INT 4 flamegraph -p,' \
		-e 's,^wick serve,timeout --preserve-status -s INT 4 wick serve,' \
		-e "s,.*\<wick \(view\|top\)\>.*,'$tests/cli/in-terminal' q '&'," \
		-e 's,^cargo ,cd crate \&\& cargo ,' \
		-e 's,^eval "$(\(.*\))"$,words=$(\1) \&\& eval "$words",' \
		-e 's,| head$,| { head; cat >/dev/null; },'
}

cat >app.c <<'END'
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static char *volatile kept;
static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER;

static void *wait_for_table(void *arg)
{
	pthread_mutex_lock(&table);
	pthread_mutex_unlock(&table);
	return arg;
}

static __attribute__((noinline)) void parse_number(int n)
{
	kept = malloc(100000);
	memset(kept, n, 2000);
	for (int i = 0; i < 50; i++)
		kept[i] = kept[i + 1] + kept[i + 2];
	free(kept);
}

static __attribute__((noinline)) void parse(int n)
{
	for (int i = 0; i < n; i++)
		parse_number(i);
}

/* A fifth of a second of work, for which another thread waits; hardly any; or some work now and then for ever. */
int main(int argc, char **argv)
{
	pthread_t waiting;
	const char *how = argc > 1 ? argv[1] : "";
	clock_t enough = CLOCKS_PER_SEC / (strcmp(how, "quick") ? 5 : 200);

	pthread_mutex_lock(&table);
	if (!*how && pthread_create(&waiting, NULL, wait_for_table, NULL))
		return 1;
	while (!strcmp(how, "forever") || clock() < enough) {
		parse(1000);
		if (!strcmp(how, "forever"))
			usleep(10000);
	}
	pthread_mutex_unlock(&table);
	return *how ? 0 : pthread_join(waiting, NULL);
}
END
mkdir fixtures home home/.zfunc home/.config home/.config/fish home/.config/fish/completions
CARGO_NET_OFFLINE=true HOME=$scratch/work/home
export CARGO_NET_OFFLINE HOME
cc -g -O1 -pthread app.c -o fixtures/app || exit 1
cp fixtures/app server
./server forever &
server=$!
trap 'kill $server; chmod -R u+rwx "$scratch"; rm -rf "$scratch"' EXIT

(
	cd fixtures || exit 1
	ln -s "$WICK" wick
	ln -s "$repo/demo" demo
	mkdir docs src
	printf '#!/bin/sh\nexec sleep 2\n' >load-test
	printf '#!/bin/sh\nexec ./app quick\n' >quick
	chmod +x load-test quick
	cp ../app.c src
	wick record -q -o perf.data ./app
	wick record -q -o after.html ./app
	wick flame -q perf.data -o before.svg
	for run in a1 a2 a3 b1 b2 b3; do
		cp perf.data $run.data
	done
	perf script -i perf.data >perf.txt 2>/dev/null
	gzip -c perf.txt >java-perf.txt.gz
	wick collapse -q perf.data >a.folded
	cp a.folded b.folded
	cp "$repo"/fuzz/corpus/jstack/dump threads.txt
	mkdir crate crate/src crate/examples crate/benches crate/tests
	printf '[package]\nname = "app"\nversion = "0.1.0"\nedition = "2021"\n[features]\nfast = []\n' >crate/Cargo.toml
	printf '[[bench]]\nname = "speed"\nharness = false\n' >>crate/Cargo.toml
	cat >crate/src/main.rs <<'END'
use std::sync::atomic::{AtomicU64, Ordering};

static N: AtomicU64 = AtomicU64::new(0);

fn main() {
	let begin = std::time::Instant::now();
	while begin.elapsed().as_millis() < 200 || N.load(Ordering::Relaxed) < 1_000_000 {
		N.fetch_add(1, Ordering::Relaxed);
	}
}

#[cfg(test)]
mod tests {
	#[test]
	fn adds() {
		super::main();
	}
}
END
	cp crate/src/main.rs crate/examples/some.rs
	cp crate/src/main.rs crate/benches/speed.rs
	sed 's/^fn main/#[test]\nfn works/; /^#\[cfg/,$d' crate/src/main.rs >crate/tests/whole.rs
) || exit 1
ok 'the files that examples speak of are there' test -s fixtures/after.html -a -s fixtures/b.folded -a -s fixtures/perf.txt

# sources [README.md|man|docs]...: their files.
sources() {
	for part; do
		find "$repo/$part" -maxdepth 1 '(' -name '*.md' -o -name '*.in' ')'
	done | sort
}

for source in $(sources "$@"); do
	name=${source#"$repo"/}
	name=${name#man/}
	work=$scratch/work/$(printf '%s' "${name%.in}" | tr / -)
	blocks "$source" | sed -n 's/^\$ //p' >lines
	# No command line is forgotten for want of a dollar sign.
	unlike "$(blocks "$source")" '^(sudo )?(wick|flamegraph|cargo|perf|make) ' "$name: all command lines begin with a dollar sign"
	case $name in
	*.md) is "$(unknown "$source")" '' "$name names only commands and options that wick has" ;;
	esac
	# Reference pages may have none.
	case $name in
	docs/*) [ -s lines ] || continue ;;
	*) ok "$name has examples" test -s lines ;;
	esac
	cp -a fixtures "$work"
	! grep -q '^make' lines || lock_build
	while IFS= read -r line; do
		run sh -c 'cd "$1" && exec timeout 300 bash -e -o pipefail -c "$2"' - "$work" "$(printf '%s\n' "$line" | substituted)" </dev/null
		is "$status" 0 "$name: $line" || comment err "$err"
	done <lines
	unlock_build
	case $name in
	README.md)
		ok 'the picture of the README is what its line makes: run it in the repository' cmp "$repo/docs/flame.svg" "$work/docs/flame.svg"
		;;
	docs/benchmarks.md)
		"$repo/bench/chart" >chart.svg
		ok 'docs/speed.svg is what bench/chart draws from docs/benchmarks.md' cmp chart.svg "$repo/docs/speed.svg"
		;;
	esac
done

plan

# shellcheck shell=sh disable=SC2034  # the scripts use what is set here
# What every script of this folder starts with: `. "$(dirname "$0")/lib.sh"`.
#
# Checks print TAP; each script runs in a scratch folder of its own, with wick and all its drop-in
# names first on PATH, and a home that is empty.  tests/run sets WICK to the program (default: build/wick),
# SANITIZED to 1 when that is a sanitizer build (which needs too much address space for `ulimit -v`), and
# CHECK to 1 when there is to be no other build than that.
#
#	run wick collapse in.txt                # out, err, status; also the files $outfile, $errfile
#	is "$status" 1 'a missing file fails'
#	like "$err" 'No such file' 'reports the missing file'
#	plan                                    # last: prints the plan, gives the exit status

set -u
export LC_ALL=C

tests=$(cd "$(dirname "$0")/.." && pwd)
repo=$(dirname "$tests")
WICK=$(realpath "${WICK:-$repo/build/wick}")
export WICK
: "${SANITIZED:=0}" "${CHECK:=0}"

scratch=$(mktemp -d "${TMPDIR:-/tmp}/wick-cli.XXXXXX") || exit 1
trap 'chmod -R u+rwx "$scratch"; rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$scratch/bin" "$scratch/work" "$scratch/home"
# A cargo that is installed below the home is still found.
: "${RUSTUP_HOME:=${HOME:-}/.rustup}"
HOME=$scratch/home
export RUSTUP_HOME HOME
ln -s "$WICK" "$scratch/bin/wick"
while read -r name; do
	case $name in '' | '#'*) ;; *) ln -s "$WICK" "$scratch/bin/$name" ;; esac
done <"$repo/dropins.list"
PATH=$scratch/bin:$PATH
cd "$scratch/work" || exit 1

outfile=$scratch/out
errfile=$scratch/err
out='' err='' status=0
nr=0
nr_failed=0

# run COMMAND...: runs it with our stdin, keeps what it printed (without the last newline) and its status.
run() {
	ran=$*
	"$@" >"$outfile" 2>"$errfile"
	status=$?
	# tr: a shell variable cannot hold NUL bytes, and dash warns about them
	out=$(tr -d '\0' <"$outfile")
	err=$(tr -d '\0' <"$errfile")
}

# run_sh 'COMMAND | LINE': the same for a shell command line.
run_sh() {
	run sh -c "$1"
}

# result STATUS WHAT: prints one result.  The two below also show what was compared.
result() {
	nr=$((nr + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $nr - $2"
	else
		nr_failed=$((nr_failed + 1))
		echo "not ok $nr - $2"
		[ -z "${ran-}" ] || comment 'after' "$ran"
	fi
	return "$1"
}

comment() {
	printf '%s: %s\n' "$1" "$2" | head -c 4000 | sed 's/^/# /'
}

# ok WHAT COMMAND...: the command succeeds.
ok() {
	what=$1
	shift
	"$@" >/dev/null 2>&1
	result $? "$what" || comment 'failed' "$*"
}

# is GOT WANT WHAT: two strings are equal.
is() {
	[ "$1" = "$2" ]
	result $? "$3" || {
		comment ' got' "$1"
		comment 'want' "$2"
	}
}

# like GOT PATTERN WHAT: some line matches the extended regular expression.
like() {
	printf '%s\n' "$1" | grep -Eq -- "$2"
	result $? "$3" || {
		comment ' got' "$1"
		comment 'like' "$2"
	}
}

# unlike GOT PATTERN WHAT: no line does.
unlike() {
	! printf '%s\n' "$1" | grep -Eq -- "$2"
	result $? "$3" || {
		comment '   got' "$1"
		comment 'unlike' "$2"
	}
}

# skip WHAT REASON: counts as a failure in CI, so only for what this machine cannot do.
skip() {
	nr=$((nr + 1))
	echo "ok $nr - $1 # SKIP $2"
}

# once: for scripts that need not run with every build.
once() {
	[ "$SANITIZED$CHECK" = 00 ] || plan
}

# lock_build, unlock_build: around what runs make in the repository, one script at a time.
lock_build() {
	exec 9<"$repo/Makefile"
	flock 9
}

unlock_build() {
	exec 9<&-
}

plan() {
	echo "1..$nr"
	[ "$nr_failed" -eq 0 ]
	exit
}

# frames FILE [--colors]: what an SVG shows, one line a frame; fails when it is not what an SVG may be.
frames() {
	python3 "$tests/cli/frames.py" "$@"
}

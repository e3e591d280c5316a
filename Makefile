# The front door, and nothing more: Meson builds, scripts do.

FUZZ_SECONDS ?= 60
prefix ?= /usr/local
DROPINS ?= all
export FUZZ_SECONDS

all: build/build.ninja
	@ninja -C build --quiet

build/build.ninja:
	@command -v meson >/dev/null || { echo 'meson is missing: run "make deps" first' >&2; exit 1; }
	meson setup build

# What is missing of packages.txt to build; and to check, and to test.
deps:
	@scripts/install-deps build

check-deps:
	@scripts/install-deps check

test-deps:
	@scripts/install-deps

demo: deps
	@$(MAKE) -s --no-print-directory build/build.ninja
	@ninja -C build --quiet wick
	@scripts/demo

# For while one works: one build, and what is soon done.
check: check-deps
	@tests/run --check $(STAGES)

# STAGES="unit golden" picks some; `tests/run --list` lists them.
test: test-deps
	@$(MAKE) -s --no-print-directory build/build.ninja
	@ninja -C build --quiet wick
	@tests/run $(STAGES)

bench: all
	@ninja -C build --quiet bench_profile bench_terminal bench_unwind symbols
	@bench/run
	@bench/symbols
	@bench/record
	@bench/switches

# Every view of the pages, light, dark and on a phone, in build/shots: to look at.
shots: all
	@BROWSER_MODULES=$$(scripts/npm-modules browser) node tests/browser/shots.mjs build/shots

# Every reader for FUZZ_SECONDS; FUZZ_READERS="folded perf" picks some.
fuzz:
	@scripts/fuzz

# DESTDIR= and prefix= say where to; DROPINS= under which other names: all, none, or a list with commas.
install: build/build.ninja
	@scripts/check-names "$(abspath $(DESTDIR))" "$(prefix)" "$(DROPINS)"
	@meson setup --reconfigure build --prefix=$(prefix) -Ddropins=$(DROPINS) >build/install.log || { grep ERROR build/install.log >&2; exit 1; }
	@$(MAKE) --no-print-directory all
	DESTDIR=$(abspath $(DESTDIR)) meson install -C build --no-rebuild
	@scripts/uninstall --keep build/meson-logs/install-log.txt "$(abspath $(DESTDIR))" "$(prefix)"

# Removes what `make install` with the same DESTDIR= and prefix= installed, under whatever names.
uninstall:
	@scripts/uninstall "$(abspath $(DESTDIR))" "$(prefix)"

# As root: a package that lintian accepts, in a clean root, and demo and test in another.  RELEASE="package install" picks some.
release-check:
	@scripts/release-check $(RELEASE)

clean:
	rm -rf build build-test build-fuzz flamegraph.svg flamegraph.html

.PHONY: all bench check check-deps clean demo deps fuzz install release-check shots test test-deps uninstall

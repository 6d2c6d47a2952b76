# wrstats: build, test, try and install. `make help` lists the targets; each works alone on a fresh machine with cargo.

# Another PHP than the one on the PATH: make PHP=php8.4 PHP_CONFIG=php-config8.4. Passed on only when given, as
# full paths, since cargo compiles anew when these variables change.
ifdef PHP
override PHP := $(or $(shell command -v $(PHP)),$(PHP))
export PHP
endif
ifdef PHP_CONFIG
override PHP_CONFIG := $(or $(shell command -v $(PHP_CONFIG)),$(PHP_CONFIG))
export PHP_CONFIG
endif
# The MediaWiki of another of Debian's releases: make test-phpunit wiki-test MEDIAWIKI=trixie. Fetched and unpacked below target/.
ifdef MEDIAWIKI
export MEDIAWIKI
endif
CARGO ?= cargo
export CARGO
export CARGO_TARGET_DIR := $(CURDIR)/target

SO := target/release/libwrstats.so

support := tests/support

.PHONY: help
help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1|/p' Makefile | awk -F'|' '{ printf "  make %-14s %s\n", $$1, $$2 }'

.PHONY: build
build: deps-build ## compile the extension: target/release/libwrstats.so
	$(CARGO) build --release --locked

.PHONY: demo
demo: deps-demo build ## four PHP processes count as MediaWiki's abuse filter does (SERVERS=memory: needs no server)
	@$(support)/demo.sh $(SERVERS)

.PHONY: test
test: deps-test ## everything: core, phpt, README snippets, PHPUnit
	MEDIAWIKI_DIR=$$($(support)/mediawiki.sh) $(CARGO) test --locked --no-default-features --lib --test core
	$(CARGO) test --locked --no-default-features --test server -- --test-threads=1 # times are measured
	$(CARGO) build --release --locked
	@$(MAKE) --no-print-directory test-stubs test-phpt test-snippets test-phpunit

.PHONY: test-stubs test-phpt test-snippets test-phpunit conformance test-valgrind
test-stubs: ## are the tables and docs/api.md, generated from stubs/, current?
	$(or $(PHP),php) -n stubs/generate.php --check
	$(or $(PHP),php) -n stubs/reference.php --check
test-phpt: ## the phpt suite on target/release/libwrstats.so (TESTS=tests/phpt/keys for some of it)
	@$(support)/with-memcached.sh $(support)/phpt.sh $(TESTS)
test-snippets: ## run the snippets of README.md and docs/
	@$(support)/with-memcached.sh $(support)/snippets.sh README.md docs/*.md
test-phpunit: ## the PHPUnit suites (SUITE=mediawiki for one; MEDIAWIKI=trixie for a newer MediaWiki)
	@$(support)/with-memcached.sh $(support)/phpunit.sh $(if $(SUITE),--testsuite $(SUITE))
conformance: ## MediaWiki's cache, case by case: its own on PECL memcached, and ours (MEDIAWIKI=trixie)
	@$(support)/with-memcached.sh $(support)/conformance.sh
test-valgrind: ## the phpt suite under valgrind: nothing lost, no errors
	@WRSTATS_VALGRIND=1 $(support)/with-memcached.sh $(support)/phpt.sh $(TESTS)

.PHONY: wiki-test
wiki-test: deps-wiki build ## a real MediaWiki on the extension: profiles, limits, the object cache, memcached killed mid-run (MEDIAWIKI=trixie)
	@tests/wiki/run.sh

.PHONY: test-matrix test-packaging
test-matrix: deps-matrix ## the phpt suite on PHP 8.2, 8.4 and a thread-safe PHP, which it makes (root; MATRIX="8.4 zts" for some)
	@tests/matrix/run.sh $(MATRIX)
test-packaging: deps-packaging ## every way of installing, from clean copies, into throw-away folders (ROUTES="deb phpize" for some)
	@tests/packaging/run.sh $(ROUTES)

.PHONY: test-long test-miri fuzz
test-long: ## 10,000,000 operations, 100,000 requests, 10,000 reconnects in one process: memory stays flat (minutes)
	@$(support)/with-memcached.sh $(support)/long.sh
test-miri: ## the core's own tests under Miri, where it can run (nightly Rust; a quarter of an hour)
	@$(support)/miri.sh
fuzz: ## fuzz replies, a connection, configs, keys and compressed values for SECONDS each (60; nightly Rust and cargo-fuzz)
	@$(support)/fuzz.sh $(or $(SECONDS),60) $(TARGETS)

# 8 servers to a client, one process: on 127.0.0.1 to .8.
gated := WRSTATS_TEST_ADDRESSES=8 $(support)/with-memcached.sh tests/bench
.PHONY: gates gates-update
gates: deps-gates build ## instructions and system calls of the hot paths: no more than tests/bench/instructions.txt and strace.sh say
	@$(gated)/strace.sh
	@$(gated)/instructions.sh
gates-update: deps-gates build ## write down what instructions are counted now: a commit of its own, that says why
	@$(gated)/instructions.sh --update

.PHONY: bench
bench: deps-bench build ## side by side with PECL memcached, PHP streams, apcu, …: writes docs/benchmarks.md (BENCH=--anyway RUNS=2 to try)
	@$(gated)/run.sh $(BENCH)

.PHONY: install
install: build ## wrstats.so and wrstats.ini to where php-config says (DESTDIR is honoured)
	@$(support)/install.sh $(SO) wrstats.ini

.PHONY: deb
deb: deps-build ## Debian packages in target/deb, checked with lintian
	@packaging/make-deb.sh

.PHONY: fmt lint
fmt: ## format the Rust sources
	$(CARGO) fmt --all
lint: deps-build ## formatting and clippy, warnings are errors
	$(CARGO) fmt --all --check
	$(CARGO) clippy --locked --all-targets --no-default-features -- -D warnings
	$(CARGO) clippy --locked --all-targets -- -D warnings

.PHONY: clean
clean: ## remove everything built
	$(CARGO) clean
	@find tests/phpt -name '*.phpt' | sed 's/\.phpt$$//' | while read -r t; do \
		rm -f "$$t.php" "$$t.out" "$$t.exp" "$$t.diff" "$$t.log" "$$t.sh" "$$t.mem" "$$t.skip.php" "$$t.clean.php"; done
	@rm -f .phpunit.result.cache

.PHONY: deps deps-build deps-demo deps-test deps-matrix deps-packaging deps-gates deps-bench deps-wiki
deps: ## install what building, trying and testing need (apt); says what it does
	@$(support)/deps.sh build demo test gates bench wiki
deps-build:
	@$(support)/deps.sh build
deps-demo:
	@$(support)/deps.sh build demo $(if $(filter memory:,$(SERVERS)),--without-server)
deps-test:
	@$(support)/deps.sh build demo test
deps-matrix:
	@$(support)/deps.sh build demo test matrix
deps-packaging:
	@$(support)/deps.sh build demo packaging
deps-wiki:
	@$(support)/deps.sh build wiki
deps-gates:
	@$(support)/deps.sh build demo gates
deps-bench:
	@$(support)/deps.sh build demo gates bench

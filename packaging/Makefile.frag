# cargo compiles; phpize's Makefile only carries the result to where `make install` looks.
.PHONY: wrstats_cargo
all: wrstats_cargo
wrstats_cargo: $(PHP_MODULES)
	PHP=$(PHP_EXECUTABLE) PHP_CONFIG=$(PHP_CONFIG_PATH) $(CARGO) build --release --locked \
		--manifest-path $(srcdir)/../Cargo.toml --target-dir $(srcdir)/../target
	@mkdir -p $(phplibdir)
	cp $(srcdir)/../target/release/libwrstats.so $(phplibdir)/wrstats.so

# `make test` runs the phpt suite on a memcached of its own, which ends with make; where none is installed the tests that
# need one are skipped.
TESTS ?= $(srcdir)/../tests/phpt
export NO_INTERACTION = 1
export REPORT_EXIT_STATUS = 1
ifneq ($(filter test,$(MAKECMDGOALS)),)
export WRSTATS_TEST_SERVER := $(shell sh $(srcdir)/test-server.sh $$PPID)
endif

# cargo compiles; phpize's Makefile only carries the result to where `make install` looks.
.PHONY: wrstats_cargo
all: wrstats_cargo
wrstats_cargo: $(PHP_MODULES)
	PHP=$(PHP_EXECUTABLE) PHP_CONFIG=$(PHP_CONFIG_PATH) $(CARGO) build --release --locked \
		--manifest-path $(srcdir)/../Cargo.toml --target-dir $(srcdir)/../target
	@mkdir -p $(phplibdir)
	cp $(srcdir)/../target/release/libwrstats.so $(phplibdir)/wrstats.so

# `make test`: the phpt suite; what needs a server is skipped unless WRSTATS_TEST_SERVER names one:
#     ../tests/support/with-memcached.sh make test
TESTS ?= $(srcdir)/../tests/phpt

PHP_ARG_ENABLE([wrstats],
  [whether to enable wrstats],
  [AS_HELP_STRING([--enable-wrstats], [Enable wrstats: counters, write-read statistics and rate limits on memcached])],
  [yes])

if test "$PHP_WRSTATS" != "no"; then
  AC_PATH_PROG([CARGO], [cargo], [no], [$PATH:$HOME/.cargo/bin])
  if test "$CARGO" = "no"; then
    AC_MSG_ERROR([cargo was not found: install Rust, see https://rustup.rs])
  fi
  PHP_SUBST([CARGO])
  AC_PATH_PROG([PHP_CONFIG_PATH], [$PHP_CONFIG], [no])
  PHP_SUBST([PHP_CONFIG_PATH])
  PHP_NEW_EXTENSION([wrstats], [], [$ext_shared])
  PHP_ADD_MAKEFILE_FRAGMENT([Makefile.frag])
fi

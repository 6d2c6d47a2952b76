PHP_ARG_ENABLE([wrstats],
  [whether to enable wrstats],
  [AS_HELP_STRING([--enable-wrstats], [Enable wrstats: counters, write-read statistics and rate limits on memcached])],
  [yes])

if test "$PHP_WRSTATS" != "no"; then
  AC_PATH_PROG([CARGO], [cargo], [cargo], [$PATH:$HOME/.cargo/bin])
  PHP_SUBST([CARGO])
  PHP_CONFIG_PATH=`command -v "$PHP_CONFIG"`
  PHP_SUBST([PHP_CONFIG_PATH])

  dnl One line says what is missing and how to get it, before cargo says it in a hundred.
  AC_MSG_CHECKING([for Rust, libclang and this PHP's headers])
  wrstats_missing=`CARGO="$CARGO" PHP="$PHP_EXECUTABLE" PHP_CONFIG="$PHP_CONFIG_PATH" \
    sh "$srcdir/../tests/support/deps.sh" build --only-look 2>&1`
  if test $? -ne 0; then
    AC_MSG_RESULT([no])
    AC_MSG_ERROR([$wrstats_missing])
  fi
  AC_MSG_RESULT([yes])

  PHP_NEW_EXTENSION([wrstats], [], [$ext_shared])
  PHP_ADD_MAKEFILE_FRAGMENT([Makefile.frag])
fi

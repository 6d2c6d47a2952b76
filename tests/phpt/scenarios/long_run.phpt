--TEST--
many requests and reconnects in one worker leave neither memory nor file descriptors behind
--EXTENSIONS--
wrstats
pcntl
--SKIPIF--
<?php require __DIR__ . '/../inc/skip-slow.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';
require __DIR__ . '/long_run.inc';

// `make test-long` takes 10,000,000 operations, 100,000 requests and 10,000 reconnects.
long_run(200_000, 2_000, 400);
echo "done\n";
--EXPECT--
done

--TEST--
what is queued after fastcgi_finish_request() is sent too
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$fpm = fpm('$w = client(); $w->incr(k("before")); echo "sent"; fastcgi_finish_request(); usleep(50000); $w->incr(k("after"));');
same('sent', $fpm->get(), 'answer');
for ($tries = 0; $tries < 200 && raw()->get(k('after')) === null; $tries++) {
    usleep(5_000);
}
same(['1', '1'], [raw()->get(k('before')), raw()->get(k('after'))], 'counted');
echo "done\n";
--EXPECT--
done

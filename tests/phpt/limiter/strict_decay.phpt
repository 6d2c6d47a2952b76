--TEST--
strict: a full bucket that decays lets nobody through early; by default it does, as in MediaWiki
--EXTENSIONS--
wrstats
--FILE--
<?php

require __DIR__ . '/../inc/crowd.inc';

$h = new WRStats('memory:');
foreach (['default' => false, 'strict' => true] as $mode => $strict) {
    $l = $h->createRateLimiter(['c' => ['limit' => 100, 'window' => 60]], "decay$strict", ['strict' => $strict, 'bucketCount' => 6]);
    $times = [];
    for ($now = 1009.95; $now < 1200; $now += 0.05) {
        $l->setCurrentTime($now);
        while ($l->tryIncr('c', ['crowd'])->isAllowed()) {
            $times[] = $now;
        }
    }
    echo "$mode: at most ", most_within($times, 60), " within 60 s at a limit of 100\n";
}
--EXPECT--
default: at most 199 within 60 s at a limit of 100
strict: at most 100 within 60 s at a limit of 100

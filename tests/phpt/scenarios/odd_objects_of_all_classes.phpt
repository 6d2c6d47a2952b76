--TEST--
no object of any class can be cloned, serialized, made without its maker, or given properties
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client();
$specs = ['hits' => ['sequences' => [['timeStep' => 3600, 'expiry' => 7200]]]];
$reader = $w->createReader($specs);
$limiter = $w->createRateLimiter(['c' => ['limit' => 1, 'window' => 60]]);
$batch = $limiter->createBatch();
$batch->localOp('c', [k()]);
$objects = [
    $w, $w->createWriter($specs), $reader, $reader->latest(60), $reader->getRate('hits', null, $reader->latest(60)), $limiter,
    $batch, $batch->peek(), $limiter->peek('c', [k()]), WRStats\EntityKey::local('a'),
];
foreach ($objects as $object) {
    $class = get_class($object);
    $tries = [
        'serialize' => fn() => serialize($object),
        'unserialize' => fn() => unserialize('O:' . strlen($class) . ":\"$class\":0:{}"),
        'without constructor' => fn() => (new ReflectionClass($class))->newInstanceWithoutConstructor(),
        'dynamic property' => fn() => $object->nothing = 1,
        'subclass' => fn() => (new ReflectionClass($class))->isFinal() && throw new Exception('final'),
    ];
    if (!$object instanceof WRStats\EntityKey && !$object instanceof WRStats\TimeRange) {
        $tries['clone'] = fn() => clone $object;
    }
    foreach ($tries as $what => $try) {
        try {
            $try();
            echo "$class: $what worked\n";
        } catch (Throwable) {
        }
    }
    // Neither crashes nor tells secrets.
    ob_start();
    var_dump($object);
    print_r($object);
    var_export($object);
    same(false, str_contains(ob_get_clean(), '0x'), "$class: no addresses");
    json_encode($object);
    same(true, (array)$object === (array)$object && $object == $object, "$class: compared");
}
same(1, $w->incrAndGet(k('n')), 'it all still works');
echo "done\n";
--EXPECT--
done

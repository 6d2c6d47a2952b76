--TEST--
null and arrays reach the store as objects it can work with
--EXTENSIONS--
wrstats
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

$store = new class extends RecordingStore {
    public array $classes = [];
    public function makeKey($prefix, $internals, $entity)
    {
        $this->classes[] = get_class($entity) . json_encode([$entity->isGlobal(), $entity->getComponents()]);
        return parent::makeKey($prefix, $internals, $entity);
    }
};
$h = WRStats::onStore($store);
$h->setCurrentTime(1000);
$all = function () use ($h, $store) {
    $store->classes = [];
    $w = $h->createWriter(['m' => seq(100, 1000)]);
    foreach ([null, [], ['a', 7, 1.5], WRStats\EntityKey::global('g')] as $entity) {
        $w->incr('m', $entity);
        $w->flush();
    }
    $l = $h->createRateLimiter(['c' => ['limit' => 2, 'window' => 60]], 'l', ['bucketCount' => 1]);
    $l->createBatch()->localOp('c', [1])->incr();
    $l->createBatch()->globalOp('c')->incr();
    return $store->classes;
};
// Asked for by name, so that an autoloader can bring them.
$asked = [];
spl_autoload_register(function ($class) use (&$asked) { $asked[$class] = true; });
same(['WRStats\EntityKey[false,[]]', 'WRStats\EntityKey[false,[]]', 'WRStats\EntityKey[false,["a","7","1.5"]]', 'WRStats\EntityKey[true,["g"]]',
    'WRStats\EntityKey[false,["c","1"]]', 'WRStats\EntityKey[true,["c"]]'], $all(), 'without MediaWiki');
same(['Wikimedia\WRStats\LocalEntityKey', 'Wikimedia\WRStats\GlobalEntityKey'], array_keys($asked), 'looked for');
eval('namespace Wikimedia\WRStats;
    abstract class EntityKey {
        public function __construct(private array $components = []) {}
        public function getComponents() { return $this->components; }
    }
    class LocalEntityKey extends EntityKey { public function isGlobal() { return false; } }
    class GlobalEntityKey extends EntityKey { public function isGlobal() { return true; } }');
same(['Wikimedia\WRStats\LocalEntityKey[false,[]]', 'Wikimedia\WRStats\LocalEntityKey[false,[]]', 'Wikimedia\WRStats\LocalEntityKey[false,["a","7","1.5"]]',
    'WRStats\EntityKey[true,["g"]]', 'Wikimedia\WRStats\LocalEntityKey[false,["c","1"]]', 'Wikimedia\WRStats\GlobalEntityKey[true,["c"]]'],
    $all(), 'with MediaWiki');
echo "done\n";
--EXPECT--
done

--TEST--
a request that ends inside a store of PHP code leaves the next one of its worker right
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$web = web('
    final class Store
    {
        private array $values = [];
        public string $then = "";
        public function makeKey($prefix, $internals, $entity): string
        {
            $this->end("makeKey");
            return implode(":", [...$prefix, ...$internals, ...$entity->getComponents()]);
        }
        public function incr(array $values, $ttl): void
        {
            $this->end("incr");
            foreach ($values as $key => $value) $this->values[$key] = ($this->values[$key] ?? 0) + $value;
        }
        public function delete(array $keys): void { $this->end("delete"); $this->values = array_diff_key($this->values, array_flip($keys)); }
        public function query(array $keys): array { $this->end("query"); return array_intersect_key($this->values, array_flip($keys)); }
        private function end(string $where): void
        {
            [$method, $how] = explode(":", $this->then . ":");
            if ($method === $where) {
                match ($how) {
                    "exit" => exit,
                    "throw" => throw new Exception("x"),
                    "fatal" => no_such_function(),
                    "memory" => ini_set("memory_limit", "8M") && str_repeat("x", 1 << 30),
                };
            }
        }
    }
    $w = client(["persistent" => k()]);
    $w->incr(k());
    $specs = ["hits" => ["sequences" => [["timeStep" => 3600, "expiry" => 7200]]]];
    $store = new Store;
    $on = WRStats::onStore($store);
    $native = $w->createWriter($specs, k("native"));
    $native->incr("hits");
    $work = function () use ($on, $specs): string {
        $writer = $on->createWriter($specs);
        $writer->incr("hits", ["a"], 3);
        $writer->flush();
        $reader = $on->createReader($specs);
        $total = $reader->getRate("hits", ["a"], $reader->latest(7200))->total();
        $limiter = $on->createRateLimiter(["c" => ["limit" => 2, "window" => 3600]]);
        $allowed = array_map(fn() => $limiter->tryIncr("c", ["a"])->isAllowed(), [1, 2, 3]);
        $writer->resetAll([["a"]]);
        return json_encode([$total, $allowed]);
    };
    $store->then = $_GET["then"] ?? "";
    echo $work();
    if ($store->then !== "") exit;
    $native->flush();
    $reader = $w->createReader($specs, k("native"));
    echo " ", $w->get(k()), " ", $reader->getRate("hits", null, $reader->latest(7200))->total();
');
$requests = 0;
foreach (['makeKey', 'incr', 'query', 'delete'] as $method) {
    // Under valgrind there is no memory limit.
    foreach (['exit', 'throw', 'fatal', ...(getenv('USE_ZEND_ALLOC') === '0' ? [] : ['memory'])] as $how) {
        $ended = $web->get("then=$method:$how");
        same(false, str_starts_with($ended, '['), "$how in $method ends it");
        $requests += 2;
        same("[3,[true,true,false]] $requests $requests", $web->get(''), "after $how in $method");
    }
}
echo "done\n";
--EXPECT--
done

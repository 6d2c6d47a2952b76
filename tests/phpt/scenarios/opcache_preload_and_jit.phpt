--TEST--
preloaded classes and both JITs get the same answers
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skip-slow.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$preload = tempnam(sys_get_temp_dir(), 'wrstats');
// A class that holds handles, one that uses constants, and a function with a default of ours.
file_put_contents($preload, '<?php
    final class Hits
    {
        private const SPECS = ["hits" => ["resolution" => 0.1, "sequences" => [["timeStep" => 3600, "expiry" => 7200]]]];
        private const CODES = [WRStats::ERROR_NONE, WRStats::GET_EXTENDED];
        private static ?WRStats $shared = null;
        private WRStats\Writer $writer;
        public function __construct(private WRStats $w, private string $prefix)
        {
            self::$shared ??= $w;
            $this->writer = $w->createWriter(self::SPECS, $prefix);
        }
        public function hit(string $key, int $step = 1): bool
        {
            $this->writer->incr("hits", ["a", $step], 0.5);
            return $this->w->incr($key, $step) && self::CODES[1] === 1;
        }
        public function total(int $step): float
        {
            $this->writer->flush();
            $reader = self::$shared->createReader(self::SPECS, $this->prefix);
            return $reader->getRate("hits", ["a", $step], $reader->latest(7200))->total();
        }
    }
    function flags(int $flags = WRStats::GET_EXTENDED): int { return $flags; }
');
$code = '
    $hits = new Hits(client(), k("%1$s"));
    $map = ["test" => 1, "user" => 2, "edit" => 3, "" => 4, "7" => 5];
    $before = serialize($map);
    $w = client(["prefix" => k("%1$s:")]);
    $wrong = 0;
    for ($i = 1; $i <= 30000; $i++) {
        $wrong += !$hits->hit(k("%1$s:n" . $i %% 3), $i %% 2 + 1);
        $wrong += !$w->incrMulti(["test" => 1, "user" => 2]);
        if ($i %% 50 === 0) {
            $wrong += $w->getCounters(["user", "test", "7"]) !== ["user" => 2 * $i, "test" => $i];
            $wrong += $w->set("7", "edit", 60) !== true || $w->get("7", flags())["value"] !== "edit";
            foreach ($w->getMulti(["7", "edit"]) as $key => $value) {
                $wrong += $key !== 7 || $value !== "edit";
            }
        }
        try {
            $wrong += $w->incr("bad key");
        } catch (ValueError) {
        }
    }
    $w->sync();
    echo json_encode([
        $wrong,
        serialize($map) === $before,
        (float)$hits->total(1), (float)$hits->total(2),
        $w->getCounters(["n0", "n1", "n2"]),
        function_exists("opcache_get_status") ? opcache_get_status(false)["jit"]["on"] ?? null : "no opcache",
    ]), "\n";
';
$opcache = PHP_EXTENSION_DIR . '/opcache.so';
$opcache = file_exists($opcache) ? "-d zend_extension=$opcache " : '';
$opcache .= "-d opcache.enable_cli=1 -d opcache.preload_user=root -d opcache.preload=$preload ";
foreach ([
    'off' => '-d opcache.jit=disable',
    'tracing' => '-d opcache.jit=tracing -d opcache.jit_buffer_size=32M -d opcache.jit_hot_loop=4 -d opcache.jit_hot_func=4',
    'function' => '-d opcache.jit=function -d opcache.jit_buffer_size=32M',
] as $jit => $options) {
    [$status, $output] = run(sprintf($code, $jit), $opcache . $options);
    echo "$status $output\n";
}
unlink($preload);
--EXPECT--
0 [0,true,7500,7500,{"n0":15000,"n1":15000,"n2":15000},false]
0 [0,true,7500,7500,{"n0":15000,"n1":15000,"n2":15000},true]
0 [0,true,7500,7500,{"n0":15000,"n1":15000,"n2":15000},true]

--TEST--
a key's __toString may throw or call back in
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$w = client();
$throws = new class {
    public function __toString(): string
    {
        throw new DomainException('from the key');
    }
};
$calls = new class ($w) {
    public function __construct(private WRStats $w)
    {
    }
    public function __toString(): string
    {
        $this->w->incr(k('inner'), 5);
        return k('outer');
    }
};
$w->incr(k('before'));
caught(fn() => $w->incr($throws));
$w->incr($calls, 2);
echo json_encode(array_values($w->getCounters([k('before'), k('inner'), k('outer')]))), "\n";
--EXPECT--
DomainException: from the key
[1,5,2]

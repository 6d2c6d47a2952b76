--TEST--
__toString of an argument may use the client that it is an argument of
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

final class Talks
{
    public static int $asked = 0;
    public function __construct(private WRStats $w, private string $text) {}
    public function __toString(): string
    {
        self::$asked++;
        $w = $this->w;
        $w->incr(k('inside'));
        $w->set(k('other'), 'other', 60);
        same('other', $w->get(k('other')), 'get inside');
        same(['other'], array_values($w->getMulti([k('other'), k('missing')])), 'getMulti inside');
        $w->sync();
        same(self::$asked, (int)$w->get(k('inside')), 'counter inside');
        // Objects come and go meanwhile.
        $temporary = client(['persistent' => false]);
        $temporary->incr(k('temporary'));
        return k($this->text);
    }
}
$w = client();
$key = fn(string $name = 'k') => new Talks($w, $name);
$calls = [
    [true, fn() => $w->incr($key(), 2)],
    [true, fn() => $w->decr($key())],
    [3, fn() => $w->incrAndGet($key(), 2)],
    [2, fn() => $w->decrAndGet($key())],
    ['2', fn() => $w->get($key())],
    [true, fn() => $w->set($key('v'), 'x')],
    [true, fn() => $w->set(k('v2'), $key('text'))],
    [true, fn() => $w->replace($key('v'), $key('text'))],
    [false, fn() => $w->add($key('v'), $key('text'))],
    [k('text'), fn() => $w->get(k('v'))],
    [false, fn() => $w->cas(1, $key('v'), $key('text'))],
    [true, fn() => $w->touch($key('v'), 60)],
    [true, fn() => $w->delete($key('v'))],
    [true, fn() => $w->incr($key(), 5, 60, 5)],
    ['7', fn() => $w->get($key())],
    [server(), fn() => $w->serverFor($key())],
];
foreach ($calls as $number => [$expected, $call]) {
    same($expected, $call(), "call $number");
}
// The last reference to the client goes while its own method reads its arguments.
$gone = client(['persistent' => false]);
$gone->incr(new class ($gone) {
    public function __construct(private ?WRStats &$handle) {}
    public function __toString(): string { $this->handle = null; gc_collect_cycles(); return k('gone'); }
});
same('1', raw()->get(k('gone')), 'counted by a handle that is gone');
// A writer flushed and dropped from inside its own argument.
final class Components
{
    public ?WRStats\Writer $writer;
    public function getComponents(): array { $this->writer->incr('hits', ['inner']); $this->writer->flush(); $this->writer = null; return ['outer']; }
    public function isGlobal(): bool { return false; }
}
$specs = ['hits' => ['sequences' => [['timeStep' => 3600, 'expiry' => 7200]]]];
$entity = new Components;
$entity->writer = $w->createWriter($specs, k('w'));
$entity->writer->incr('hits', $entity, 3);
$reader = $w->createReader($specs, k('w'));
$range = $reader->latest(7200);
same(
    [1, 3],
    array_map(fn($name) => $reader->getRate('hits', [$name], $range)->total(), ['inner', 'outer']),
    'a writer used inside its own argument',
);
same(true, $w->sync(), 'sync');
check_books($w, 'end');
echo "done\n";
--EXPECT--
done

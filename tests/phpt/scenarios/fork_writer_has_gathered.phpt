--TEST--
what a writer has gathered before a fork counts once; what a child gathers is its own
--EXTENSIONS--
wrstats
pcntl
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

const SPECS = ['hits' => ['sequences' => [['timeStep' => 3600, 'expiry' => 7200]]]];
const NOW = 1_790_000_000;
$w = client();
$w->setCurrentTime(NOW);
$prefix = k('w');
$writer = $w->createWriter(SPECS, $prefix);
$dropped = $w->createWriter(SPECS, $prefix);
$writer->incr('hits', ['a'], 1);
$dropped->incr('hits', ['a'], 1);
$children = [];
for ($child = 0; $child < 5; $child++) {
    if (($pid = pcntl_fork()) === 0) {
        switch ($child) {
            case 0: // ends at once, with all of it in its memory
                exit(0);
            case 1: // flushes what it does not have
                $writer->flush();
                exit($w->metrics()['calls']);
            case 2: // destroys the objects
                unset($writer, $dropped);
                exit($w->metrics()['calls']);
            case 3: // counts for itself, and leaves the flush to the request's end
                $writer->incr('hits', ['a'], 10);
                exit(0);
            case 4: // a child of the child
                $writer->incr('hits', ['a'], 100);
                if (pcntl_fork() === 0) {
                    $writer->incr('hits', ['a'], 1000);
                    exit(0);
                }
                pcntl_wait($status);
                $writer->flush();
                exit(0);
        }
    }
    $children[] = $pid;
}
foreach ($children as $child => $pid) {
    pcntl_waitpid($pid, $status);
    same(0, pcntl_wexitstatus($status), "child $child");
}
$writer->incr('hits', ['a'], 1);
unset($dropped);
$writer->flush();
same(true, $w->sync(), 'sync');
$reader = $w->createReader(SPECS, $prefix);
same(1113, $reader->getRate('hits', ['a'], $reader->timeRange(NOW - 7200, NOW))->total(), 'hits');
check_books($w, 'end');
echo "done\n";
--EXPECT--
done

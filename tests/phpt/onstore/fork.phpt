--TEST--
in a forked child a writer over a PHP store starts empty, too
--EXTENSIONS--
wrstats
pcntl
--FILE--
<?php

require __DIR__ . '/../inc/stats.inc';

$file = tempnam(sys_get_temp_dir(), 'wrstats');
$store = new class ($file) extends RecordingStore {
    public function __construct(private string $file) {}
    public function incr(array $values, $ttl) { file_put_contents($this->file, json_encode($values), FILE_APPEND); }
};
$h = WRStats::onStore($store);
$h->setCurrentTime(1000);
$w = $h->createWriter(['m' => seq(100, 1000)]);
$w->incr('m', new ForeignKey(['p']));
if (($pid = pcntl_fork()) === 0) {
    exit(0);
}
pcntl_waitpid($pid, $status);
if (($pid = pcntl_fork()) === 0) {
    $w->incr('m', new ForeignKey(['c']), 2);
    exit(0);
}
pcntl_waitpid($pid, $status);
$w->flush();
same('{"local:WRStats:m::10:c":2}{"local:WRStats:m::10:p":1}', file_get_contents($file), 'increments');
unlink($file);
echo "done\n";
--EXPECT--
done

--TEST--
On, yes, 1 and Off, no, 0 mean the same for every spelling
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

foreach (['On' => 1, 'yes' => 1, '1' => 1, 'true' => 1, 'Off' => 0, 'no' => 0, '0' => 0, 'false' => 0] as $text => $unverified) {
    [, $output] = run('
        $w = client(["protocol" => "classic", "persistent" => false]);
        $w->incr(k());
        $w->sync();
        echo $w->metrics()["unverified"];
    ', "-d wrstats.noreply=$text");
    // add and incr count as one command.
    same((string)$unverified, $output, "wrstats.noreply=$text");
}
echo "done\n";
--EXPECT--
done

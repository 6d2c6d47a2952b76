--TEST--
handles used by destructors at the very end still count
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

[, $output] = run('
    class Late {
        public function __construct(private WRStats $w) {}
        public function __destruct() { $this->w->incr(k(), 3); echo $this->w->get(k()); }
    }
    $late = new Late(client());
    $w = client();
    $w->incr(k(), 1);
');
echo $output, ' ', raw()->get(k()), "\n";
--EXPECT--
4 4

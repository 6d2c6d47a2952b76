--TEST--
phpinfo in a web server is a table, in which nothing that was configured is taken for HTML
--EXTENSIONS--
wrstats
--SKIPIF--
<?php require __DIR__ . '/../inc/skipif.inc';
--FILE--
<?php

require __DIR__ . '/../inc/setup.inc';

$web = web('
    $w = new WRStats(["servers" => ["' . server() . '", "/nonexistent/<b>&.sock"]]);
    $w->getMulti(array_map(fn ($i) => "k$i", range(1, 50)));
    phpinfo(INFO_MODULES);
');
same(1, preg_match('/<h2><a name="module_wrstats"[^>]*>wrstats<\/a><\/h2>(.*?)(?:<h2>|\z)/s', $web->get(''), $section), 'section');
foreach ([
    '<td class="e">Version </td><td class="v">' . WRStats::VERSION . ' </td>',
    '<td class="e">Server ' . server() . ' </td><td class="v">connected, meta, version 1.',
    '<td class="e">Server /nonexistent/&lt;b&gt;&amp;.sock </td><td class="v">down (no such file or directory',
    '<td class="e">wrstats.timeout</td><td class="v">0.5</td>',
] as $part) {
    same(true, str_contains($section[1] ?? '', $part), $part);
}
same(false, str_contains($section[1] ?? '<b>', '<b>'), 'as HTML');
echo "done\n";
--EXPECT--
done

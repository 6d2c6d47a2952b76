<?php

/**
 * Writes docs/benchmarks.md and its plot from what the benches have found.
 * usage: php -n report.php RESULTS FOLDER: reads RESULTS/*.json, writes FOLDER/benchmarks.md and FOLDER/benchmarks.svg.
 */

require __DIR__ . '/harness.php';
require __DIR__ . '/plot.php';

[, $results, $folder] = $argv;
$found = ['table' => [], 'wanted' => [], 'number' => [], 'plot' => [], 'missing' => []];
foreach (['peers', 'memcache_crate', 'stats', 'limiters', 'mediawiki', 'fpm', 'faults', 'growth', 'memory'] as $name) {
    if (!is_file("$results/$name.json")) {
        fwrite(STDERR, "report.php: no results of $name\n");
        exit(1);
    }
    foreach (json_decode(file_get_contents("$results/$name.json"), true, flags: JSON_THROW_ON_ERROR) as $finding) {
        $found[$finding['kind']][] = $finding;
    }
}
/** Those of a table that are us in another way, no peers. */
$is_ours = fn(string $peer) => (bool)preg_match('/wrstats|^ours|native factory|on our |getCounters/i', $peer);
$time = fn(float $micros) => match (true) {
    abs($micros) >= 1e6 => figure($micros / 1e6) . ' s',
    abs($micros) >= 1e3 => figure($micros / 1e3) . ' ms',
    default => figure($micros) . ' µs',
};
$by = fn(string $by) => $by === 'cpu' ? 'client CPU' : 'time';
$line = fn(string ...$cells) => '| ' . implode(' | ', $cells) . " |\n";
$shell = fn(string $command) => trim((string)shell_exec("$command 2>/dev/null"));

preg_match('/^model name\s*: (.*)$/m', (string)file_get_contents('/proc/cpuinfo'), $model);
$modules = json_decode(file_get_contents("$results/modules.json"), true);
$versions = [
    'wrstats' => $shell('git -C ' . escapeshellarg(__DIR__) . ' describe --always --dirty'),
    'PHP' => PHP_VERSION,
    'memcached' => preg_replace('/^memcached /', '', $shell('memcached --version')),
    'Rust' => preg_replace('/^rustc (\S+).*/', '$1', $shell('rustc --version')),
    'Linux' => php_uname('r'),
] + $modules;

$text = "# Benchmarks\n\nWritten by `make bench` (`tests/bench/report.php`): run that, rather than change this.\n\n"
    . trim(file_get_contents("$results/state.txt")) . "\n\n"
    . sprintf("Measured on %s, %s, %d processors (%s), with ", date('j F Y'), php_uname('m'), preg_match_all('/^processor/m', file_get_contents('/proc/cpuinfo')), $model[1] ?? 'unknown')
    . implode(', ', array_map(fn($name, $version) => "$name $version", array_keys($versions), $versions)) . ".\n\n"
    . 'All peers count the same keys with the same expiry and meaning, in one process, without opcache except under FPM. They take turns; '
    . 'each turn begins with a run that only warms up; shown are medians of ' . runs() . " runs and the spread from the least to the most. "
    . "Each run ends in a read that checks the sum. What the loop itself costs is taken off. Client CPU counts what the PHP process takes, "
    . "in the kernel too; time is on the clock.\n\n";

$text .= "## What was wanted\n\n" . $line('what', 'found', 'wanted', '') . $line('---', '---', '---', '---');
foreach ($found['wanted'] as $wanted) {
    $text .= $line($wanted['what'], figure($wanted['found']) . " $wanted[unit]", strtr($wanted['sign'], ['<=' => 'at most', '>=' => 'at least']) . ' ' . figure($wanted['wanted']),
        $wanted['reached'] ? 'reached' : '**missed**');
}

$text .= "\n## Where we lose\n\n";
$lost = '';
foreach ($found['table'] as $table) {
    foreach ($table['rows'] as $row) {
        if ($row['ratio'] < 1 && !$is_ours($row['peer'])) {
            $lost .= sprintf("- %s: **%s** takes %s, we take %s (%s for %s).\n", $table['title'], $row['peer'], $time($row['median']),
                $time($table['rows'][0]['median']), $by($table['by']), $table['of']);
        }
        if ($row['lost'] !== 0) {
            $lost .= sprintf("- %s: %s lost %s of %s increments.\n", $table['title'], $row['peer'], number_format($row['lost']), number_format($row['counted']));
        }
    }
}
$text .= ($lost === '' ? "Nowhere in this run.\n" : $lost) . "\n## Side by side\n";
foreach ($found['table'] as $table) {
    $text .= "\n### $table[title]\n\n" . $line($by($table['by']) . " for $table[of]", 'median', 'least … most', 'to ours') . $line('---', '---:', '---:', '---:');
    foreach ($table['rows'] as $row) {
        $text .= $line($row['peer'], $time($row['median']), $time($row['least']) . ' … ' . $time($row['most']), figure($row['ratio']) . ' x');
    }
    $text .= $table['note'] === '' ? '' : "\n$table[note]\n";
}

$text .= "\n## Growth\n\n![Cost of an increment and of a read as keys per flush, servers, length and buffered bytes grow](benchmarks.svg)\n\n";
foreach ($found['plot'] as $plot) {
    $text .= "- $plot[title]: " . lcfirst($plot['note']) . "\n";
}

$text .= "\n## Memory and starting up\n\n" . $line('what', 'found') . $line('---', '---:');
foreach ($found['wanted'] as $wanted) {
    if (str_starts_with($wanted['what'], 'memory')) {
        $text .= $line($wanted['what'], figure($wanted['found']) . " $wanted[unit]");
    }
}
foreach ($found['number'] as $number) {
    $text .= $line($number['what'], figure($number['found']) . " $number[unit]");
}

$text .= "\n## Instructions and system calls\n\nThese are gates: `make gates` fails when they are more. Counted by callgrind, PHP's own included:\n\n```text\n"
    . trim(file_get_contents(__DIR__ . '/instructions.txt')) . "\n```\n\nAnd by strace:\n\n```text\n"
    . trim(file_get_contents("$results/strace.txt")) . "\n```\n\n" . trim(file_get_contents(__DIR__ . '/hot-paths.md')) . "\n";
if ($found['missing'] !== []) {
    $text .= "\n## Not measured here\n\n" . implode('', array_map(fn($missing) => "- $missing[what]\n", $found['missing']));
}
file_put_contents("$folder/benchmarks.md", $text);
file_put_contents("$folder/benchmarks.svg", plots($found['plot']));
echo "$folder/benchmarks.md and $folder/benchmarks.svg are written\n";

<?php
/**
 * usage: php client.php ADDRESS NAME EDITS FILTERS
 *
 * Edits over and over, each time a new page with three words that filters look for, and prints a line of JSON for each:
 * the result, the seconds that it took, and the filters that match.
 */

namespace WRStats\Tests;

require __DIR__ . '/Browser.php';

[, $address, $name, $edits, $filters] = $argv;
$browser = new Browser($address);
mt_srand(crc32($name));
for ($n = 0; $n < $edits; $n++) {
    $matching = array_values(array_unique([mt_rand(1, $filters), mt_rand(1, $filters), mt_rand(1, $filters)]));
    $text = "Edit $n of $name: " . implode(', ', array_map(fn ($filter) => "word{$filter}x", $matching));
    $before = microtime(true);
    // Anonymous: one request for an edit.
    $answer = $browser->api(['action' => 'edit', 'title' => "Page $name $n", 'text' => $text, 'token' => '+\\']);
    echo json_encode([
        'at' => $before,
        'result' => $answer['edit']['result'] ?? json_encode($answer),
        'seconds' => microtime(true) - $before,
        'matching' => $matching,
    ]), "\n";
}

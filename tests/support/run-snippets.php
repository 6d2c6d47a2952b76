<?php

/**
 * usage: php run-snippets.php PHP-OPTION... -- FILE.md...
 *
 * Runs every ```php block of Markdown files, each in a PHP process of its own, on the server named in
 * WRSTATS_TEST_SERVER: it takes the place of 127.0.0.1:11211 in the text, and is the default of wrstats.servers. Blocks of
 * one file follow each other on the same server, as a reader would try them.
 *
 * A block that begins with `require 'vendor/autoload.php';` gets our classes below php/ and those of Debian's packages.
 *
 * A line `EXPRESSION; // => VALUE` also claims a value, which is compared: `$hits = $stats->get('hits'); // => '3'`.
 * A block fails when a claim is wrong, when it prints a warning or ends with an error. A block behind the comment
 * <!-- not run: why --> is only checked for its syntax.
 */

const PREAMBLE = '
function claim(string $line, mixed $expected, mixed $actual): void
{
    if ($expected !== $actual) {
        echo "$line: ", var_export($actual, true), " instead of ", var_export($expected, true), "\n";
        exit(1);
    }
}
set_error_handler(function (int $level, string $message, string $file, int $line): bool {
    error_reporting() & $level && throw new ErrorException($message, 0, $level, $file, $line);

    return true;
});
';

$separator = array_search('--', $argv, true);
$options = array_slice($argv, 1, $separator - 1);
$server = getenv('WRSTATS_TEST_SERVER');
$ran = $claims = $failed = 0;

foreach (array_slice($argv, $separator + 1) as $markdown) {
    $text = file_get_contents($markdown);
    preg_match_all('/(<!-- not run: [^\n]*-->\n+)?^```php\n(.*?)^```$/ms', $text, $blocks, PREG_SET_ORDER | PREG_OFFSET_CAPTURE);
    foreach ($blocks as $block) {
        $first = substr_count($text, "\n", 0, $block[2][1]) + 1;
        $code = preg_replace('/^<\?php(?= |\n)/', '', $block[2][0]);
        $onlySyntax = $block[1][0] !== '';
        $autoload = "require '" . __DIR__ . "/php/autoload.php';";
        $code = strtr($code, ['127.0.0.1:11211' => $server, "require 'vendor/autoload.php';" => $autoload]);
        $lines = explode("\n", $code);
        foreach ($lines as $i => $line) {
            if (preg_match('/^(\s*)(.+);\s+\/\/ => (.+)$/', $line, $claim)) {
                $at = var_export("$markdown:" . ($first + $i), true);
                $lines[$i] = "{$claim[1]}claim($at, {$claim[3]}, {$claim[2]});";
                $claims += $onlySyntax ? 0 : 1;
            }
        }
        $file = tempnam(sys_get_temp_dir(), 'wrstats');
        file_put_contents($file, '<?php ' . ($onlySyntax ? '' : PREAMBLE) . implode("\n", $lines));
        $command = [PHP_BINARY, ...$options, '-d', "wrstats.servers=$server", ...$onlySyntax ? ['-l'] : [], $file];
        exec(implode(' ', array_map(escapeshellarg(...), $command)) . ' 2>&1', $output, $status);
        unlink($file);
        if ($status !== 0) {
            $failed++;
            echo "$markdown:$first: this snippet failed\n    ", implode("\n    ", $output), "\n";
        }
        $ran += $onlySyntax ? 0 : 1;
        $output = [];
    }
}

echo "Snippets: $ran run, $claims values compared, $failed failed\n";
exit($failed > 0 || $ran === 0 ? 1 : 0);

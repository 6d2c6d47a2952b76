<?php

namespace WRStats\Tests;

/** The settings that docs/mediawiki.md tells operators to write, taken from it word by word. */
final class Chapter
{
    /** @param string $server what stands for 127.0.0.1:11211 in the chapter */
    public static function settings(string $name, string $server): string
    {
        $root = dirname(__DIR__, 2);
        $chapter = file_get_contents("$root/docs/mediawiki.md");
        $block = '/^<!-- not run: wiki-test ' . preg_quote($name) . " -->\n```php\n(.*?)^```$/ms";
        if (!preg_match($block, $chapter, $found)) {
            throw new \RuntimeException("docs/mediawiki.md has no block wiki-test $name");
        }

        return strtr($found[1], [
            '127.0.0.1:11211' => $server,
            '/usr/share/php/WRStats/wrstats.php' => "$root/php/wrstats.php",
        ]);
    }
}

<?php

/**
 * Loads MediaWiki's own WRStats and BagOStuff classes (where MEDIAWIKI_DIR says, see mediawiki.sh), without
 * the rest of MediaWiki.
 */

error_reporting(error_reporting() & ~E_DEPRECATED);

(function () {
    $mediawiki = getenv('MEDIAWIKI_DIR') ?: '/usr/share/mediawiki';
    if (!is_file("$mediawiki/autoload.php")) {
        fwrite(STDERR, "MediaWiki's classes are not in $mediawiki: run `make deps`.\n");
        exit(1);
    }
    global $wgAutoloadLocalClasses;
    require_once "$mediawiki/autoload.php";
    $classes = $wgAutoloadLocalClasses;
    spl_autoload_register(static function (string $class) use ($classes) {
        if (isset($classes[$class])) {
            require_once $classes[$class];
        }
    });
    // Interfaces and small classes of libraries that these classes name.
    if (is_file("$mediawiki/vendor/autoload.php")) {
        require_once "$mediawiki/vendor/autoload.php";
    }
})();

/**
 * Has MediaWiki's reader repaired of the two slips that ours doesn't repeat, so that with these and nothing else every
 * number has to be the same: 0 and 0.0 are told apart where now is on a bucket's edge, and totals from 2^63 on wrap around.
 * To be called before the class is used.
 */
function repair_mediawiki_reader(): void
{
    global $wgAutoloadLocalClasses;
    $code = file_get_contents($wgAutoloadLocalClasses['Wikimedia\\WRStats\\WRStatsReader']);
    foreach ([
        '$overlapDuration === $interpolationDuration' => '$overlapDuration == $interpolationDuration',
        '$rounded = (int)$rounded' => '$rounded = $rounded >= 2 ** 63 ? PHP_INT_MAX : (int)$rounded',
    ] as $slip => $right) {
        $code = str_replace($slip, $right, $code, $count);
        if ($count !== 1) {
            throw new Exception("WRStatsReader.php is not as it was known: $slip");
        }
    }
    eval(substr($code, strlen('<?php')));
}

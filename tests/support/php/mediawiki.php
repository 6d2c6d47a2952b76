<?php

/**
 * Loads MediaWiki's own WRStats and BagOStuff classes (Debian: mediawiki-classes, or where MEDIAWIKI_DIR says), without
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

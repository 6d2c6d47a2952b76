<?php

namespace WRStats\Tests;

/** Loads MediaWiki's classes: Debian's (package mediawiki), or those of the folder in MEDIAWIKI_DIR. No wiki is set up. */
final class MediaWiki
{
    public static function load(): void
    {
        if (defined('MW_INSTALL_PATH')) {
            return;
        }
        $folder = getenv('MEDIAWIKI_DIR') ?: '/usr/share/mediawiki';
        if (!is_file("$folder/vendor/autoload.php")) {
            throw new \RuntimeException("no MediaWiki in $folder: run `make test-phpunit`, which gets one");
        }
        // Its older versions are not written for this PHP.
        error_reporting(E_ALL & ~E_DEPRECATED & ~E_USER_DEPRECATED);
        define('MEDIAWIKI', true);
        define('MW_ENTRY_POINT', 'cli');
        define('MW_INSTALL_PATH', $folder);
        $GLOBALS['IP'] = $folder;
        require_once "$folder/includes/AutoLoader.php";
        require_once "$folder/vendor/autoload.php";
        require_once "$folder/includes/Defines.php";
        require_once "$folder/includes/GlobalFunctions.php";
        // As an operator without an autoloader for it would.
        require_once __DIR__ . '/../../../php/src/MediaWiki/WRStatsBagOStuff.php';
        require_once __DIR__ . '/../../../php/autoload.php';
    }

    public static function pecl(array $params = []): object
    {
        return new \MemcachedPeclBagOStuff($params + [
            'servers' => [getenv('WRSTATS_TEST_SERVER')],
            'persistent' => false,
            'allow_tcp_nagle_delay' => false,
        ]);
    }

    public static function ours(array $params = []): \WRStats\MediaWiki\WRStatsBagOStuff
    {
        return new \WRStats\MediaWiki\WRStatsBagOStuff($params + ['servers' => [getenv('WRSTATS_TEST_SERVER')]]);
    }
}

MediaWiki::load();

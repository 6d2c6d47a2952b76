<?php
/**
 * MediaWiki's counters and rate limits on the wrstats extension. In LocalSettings.php, after the settings below if
 * they are wanted:
 *
 *   require_once '/path/to/php/wrstats.php';
 *
 * $wgWRStatsServers: list of memcached servers, or one text with commas between them; default: the environment variable
 * WRSTATS_SERVERS, else php.ini's wrstats.servers. [] says that there is none: counters then stay where MediaWiki keeps
 * them, and only the arithmetic is the extension's.
 *
 * For the whole object cache, below the require: $wgMainCacheType = 'wrstats';
 */

if (!defined('MEDIAWIKI')) {
    exit(1);
}

require_once __DIR__ . '/autoload.php';

(static function (): void {
    $servers = $GLOBALS['wgWRStatsServers'] ?? (getenv('WRSTATS_SERVERS') ?: ini_get('wrstats.servers'));
    if (is_string($servers)) {
        $servers = array_values(array_filter(array_map('trim', explode(',', $servers)), 'strlen'));
    }
    // The same setting, which was renamed.
    $setting = version_compare(MW_VERSION, '1.42', '<') ? 'wgStatsCacheType' : 'wgMicroStashType';
    if ($servers) {
        $GLOBALS['wgObjectCaches']['wrstats'] = [
            'class' => WRStats\MediaWiki\WRStatsBagOStuff::class,
            'servers' => $servers,
            'persistent' => true,
            'loggroup' => 'memcached',
        ];
        $GLOBALS[$setting] = 'wrstats';
    }

    $GLOBALS['wgHooks']['MediaWikiServices'][] = static function ($services) use ($setting): void {
        $services->redefineService('WRStatsFactory', static function ($services) use ($setting) {
            $type = $services->getMainConfig()->get(substr($setting, strlen('wg')));
            $cache = method_exists($services, 'getObjectCacheFactory')
                ? $services->getObjectCacheFactory()->getInstance($type)
                : ObjectCache::getInstance($type);
            $logger = MediaWiki\Logger\LoggerFactory::getInstance('memcached');

            return $cache instanceof WRStats\MediaWiki\WRStatsBagOStuff
                ? WRStats\MediaWiki\NativeWRStatsFactory::onCache($cache, $logger)
                : WRStats\MediaWiki\NativeWRStatsFactory::onStore(
                    new Wikimedia\WRStats\BagOStuffStatsStore($cache),
                    $logger,
                );
        });
    };
})();

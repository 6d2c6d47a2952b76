<?php

namespace WRStats\Tests;

require_once __DIR__ . '/MediaWiki.php';
require_once __DIR__ . '/../CacheContract.php';

/** WRStatsBagOStuff, on MediaWiki's own base classes. */
final class WRStatsContractTest extends CacheContract
{
    protected function newCache(array $params = []): object
    {
        return MediaWiki::ours($params);
    }
}

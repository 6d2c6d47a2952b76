<?php

namespace WRStats\Tests;

require_once __DIR__ . '/MediaWiki.php';
require_once __DIR__ . '/../CacheContract.php';

/** MediaWiki's own MemcachedPeclBagOStuff: shows that the contract is what it keeps. */
final class PeclContractTest extends CacheContract
{
    protected function newCache(array $params = []): object
    {
        return MediaWiki::pecl($params);
    }

    /** libmemcached reports a touch that can't be sent as an answer that can't be read. */
    protected function errorOfUnreachable(string $call): int
    {
        return $call === 'changeTTL' ? self::ERR_NO_RESPONSE : self::ERR_UNREACHABLE;
    }
}

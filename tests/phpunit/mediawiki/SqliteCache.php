<?php

namespace WRStats\Tests;

use MediaWiki\Logger\LoggerFactory;
use MediaWiki\Logger\NullSpi;
use Wikimedia\Rdbms\DatabaseFactory;
use Wikimedia\Rdbms\LoadBalancerSingle;

require_once __DIR__ . '/MediaWiki.php';

/** MediaWiki's SqlBagOStuff on a SQLite database in memory, without a wiki around it. */
final class SqliteCache
{
    public static function create(): \SqlBagOStuff
    {
        LoggerFactory::registerProvider(new NullSpi());
        // From MediaWiki 1.41 on the wiki's set-up does that.
        if (method_exists(\Profiler::class, 'init')) {
            \Profiler::init([]);
        }
        $database = (new DatabaseFactory())->create('sqlite', [
            'dbname' => 'cache', 'dbFilePath' => ':memory:', 'tablePrefix' => '', 'user' => '', 'password' => '', 'flags' => 0,
        ]);
        $tables = file_get_contents(MW_INSTALL_PATH . '/maintenance/sqlite/tables-generated.sql');
        preg_match('/CREATE TABLE \S*objectcache \(.*?\);/s', $tables, $table);
        $database->query(str_replace('/*_*/', '', $table[0]), __METHOD__);

        return new \SqlBagOStuff([
            'loadBalancerCallback' => fn () => LoadBalancerSingle::newFromConnection($database),
            'dbDomain' => false,
            'purgePeriod' => 0,
        ]);
    }
}

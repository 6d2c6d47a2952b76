<?php
/**
 * The router of `php -S`: MediaWiki's entry points, and beside them, in the same processes,
 * /test/profiles  what AbuseFilter's own FilterProfiler answers, for all filters and the group
 * /test/books     metrics() of the process, after a sync()
 */

$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
$code = getenv('MW_INSTALL_PATH');
if (!str_starts_with($path, '/test/')) {
    $script = $path === '/' ? '/index.php' : $path;
    if (!is_file("$code$script")) {
        http_response_code(404);

        return;
    }
    if (!str_ends_with($script, '.php')) {
        return false;
    }
    // As a web server would have set them.
    $_SERVER['SCRIPT_NAME'] = $_SERVER['PHP_SELF'] = $script;
    $_SERVER['SCRIPT_FILENAME'] = "$code$script";
    chdir($code);
    require "$code$script";

    return;
}

define('MW_ENTRY_POINT', 'test');
chdir($code);
require "$code/includes/WebStart.php";
header('Content-Type: application/json');
if ($path === '/test/books') {
    $client = ObjectCache::getInstance('wrstats')->newStatsClient();
    $synced = $client->sync(2);
    echo json_encode(['synced' => $synced] + $client->metrics());
} else {
    $profiler = MediaWiki\MediaWikiServices::getInstance()->getService('AbuseFilterFilterProfiler');
    $profiles = ['group' => $profiler->getGroupProfile('default')];
    foreach (range(1, (int)$_GET['filters']) as $filter) {
        $profiles[$filter] = $profiler->getFilterProfile($filter);
    }
    echo json_encode($profiles);
}

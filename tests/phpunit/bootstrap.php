<?php

if (!extension_loaded('wrstats')) {
    fwrite(STDERR, "The extension isn't loaded: run `make test-phpunit`.\n");
    exit(1);
}
if (!getenv('WRSTATS_TEST_SERVER')) {
    fwrite(STDERR, "No memcached: run `make test-phpunit`, which starts one.\n");
    exit(1);
}

require_once __DIR__ . '/../support/php/Server.php';
require_once __DIR__ . '/StubBagOStuff.php';
require_once __DIR__ . '/../../php/autoload.php';
require_once __DIR__ . '/ArrayStore.php';
require_once __DIR__ . '/BagStore.php';

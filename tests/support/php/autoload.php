<?php

/** What vendor/autoload.php would be: our classes, and the frameworks' from Debian's packages. */

require_once __DIR__ . '/../../../php/autoload.php';
foreach (['Symfony/Component/RateLimiter', 'Illuminate/Cache', 'Psr/SimpleCache'] as $package) {
    require_once "$package/autoload.php";
}

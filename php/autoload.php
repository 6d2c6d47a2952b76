<?php

/** Loads the classes below src/ where Composer doesn't: require this file. */

spl_autoload_register(static function (string $class): void {
    if (str_starts_with($class, 'WRStats\\')) {
        $file = __DIR__ . '/src/' . strtr(substr($class, 8), '\\', '/') . '.php';
        if (is_file($file)) {
            require $file;
        }
    }
});

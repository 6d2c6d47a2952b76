<?php

namespace WRStats\MediaWiki\Cache;

use ValueError;
use WRStats;

/** Counters of WRStatsBagOStuff, each changed by one command. */
trait Counters
{
    protected function doIncrWithInitAsync($key, $exptime, $step, $init)
    {
        $ttl = $this->duration($exptime);
        $routeKey = $this->validateKeyAndPrependRoute($key);
        if ($ttl === null) {
            return $this->doIncrWithInitSync($key, $exptime, $step, $init) !== false;
        }
        try {
            return $this->accepted($this->client->incr($routeKey, $step, $ttl, $init));
        } catch (ValueError $error) {
            return $this->failed($error, $routeKey);
        }
    }

    protected function doIncrWithInitSync($key, $exptime, $step, $init)
    {
        $ttl = $this->duration($exptime);
        $routeKey = $this->validateKeyAndPrependRoute($key);
        try {
            if ($ttl === null && $this->client->get($routeKey) === null) {
                // Made and expired at once.
                return $init;
            }

            return $this->client->incrAndGet($routeKey, $step, $ttl ?? 1, $init);
        } catch (WRStats\Exception | ValueError $error) {
            return $this->failed($error, $routeKey);
        }
    }

    /** The counter's new value; false: there is none. MediaWiki's up to 1.42. */
    public function incr($key, $value = 1, $flags = 0)
    {
        $routeKey = $this->validateKeyAndPrependRoute($key);
        try {
            $current = $this->client->get($routeKey);
            if ($current === null || $value === 0) {
                return $current === null ? false : (int)$current;
            }
            $new = $this->client->incrAndGet($routeKey, $value, 1, 0);
            if ($new === 0) {
                // It went away between the two commands, and this made another, which nobody asked for.
                $this->client->delete($routeKey);

                return false;
            }

            return $new;
        } catch (WRStats\Exception | ValueError $error) {
            return $this->failed($error, $routeKey);
        }
    }

    /** The counter's new value, not below 0; false: there is none; in the background: true. MediaWiki's up to 1.42. */
    public function decr($key, $value = 1, $flags = 0)
    {
        $routeKey = $this->validateKeyAndPrependRoute($key);
        try {
            return $this->isBackground($flags)
                ? $this->accepted($this->client->decr($routeKey, $value))
                : $this->client->decrAndGet($routeKey, $value) ?? false;
        } catch (WRStats\Exception | ValueError $error) {
            return $this->failed($error, $routeKey);
        }
    }
}

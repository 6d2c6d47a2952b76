<?php

namespace WRStats\MediaWiki\Cache;

/** Turns a cache's parameters, as MemcachedPeclBagOStuff has them, into settings for new WRStats(). */
final class ClientSettings
{
    /** @param array $params see WRStatsBagOStuff */
    public static function of(array $params): array
    {
        $params += ['persistent' => true, 'timeout' => 500_000, 'connect_timeout' => 0.5, 'wrstats' => []];
        $settings = $params['wrstats'] + [
            'persistent' => (bool)$params['persistent'],
            'timeout' => $params['timeout'] / 1e6,
            'connect_timeout' => $params['connect_timeout'],
            'distribution' => 'ketama',
        ];
        if (isset($params['servers'])) {
            $settings['servers'] = array_map([self::class, 'address'], array_values($params['servers']));
        }
        if (isset($params['retry_timeout'])) {
            $settings['retry_interval'] = $params['retry_timeout'];
        }

        return $settings;
    }

    private static function address(string|array $server): string
    {
        [$address, $weight] = (array)$server + [1 => null];
        // As PECL takes sockets: with a port that means nothing.
        if (str_starts_with($address, '/') && str_ends_with($address, ':0')) {
            $address = substr($address, 0, -2);
        }

        return $weight === null ? $address : "$address:$weight";
    }
}

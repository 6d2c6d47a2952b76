<?php

namespace WRStats;

use UnexpectedValueException;
use WRStats\MediaWiki\PeclFormat;

/** PHP values as PECL memcached stores them, so that entries outlive a change from one to the other. */
final class PeclValues
{
    /** Bytes from which on PECL memcached compresses, too. */
    private const THRESHOLD = 2000;
    /** Most bytes that a compressed value may grow to. */
    private const MAX_SIZE = 64 << 20;

    /** @return array{string, int} bytes and flags */
    public static function encode(mixed $value): array
    {
        $bytes = self::format()->encode($value, $flags);

        return [$bytes, $flags];
    }

    /** @param bool|null &$known false: the bytes can't be read here, and the answer means nothing */
    public static function decode(string $bytes, int $flags, ?bool &$known = null): mixed
    {
        try {
            $value = self::format()->decode($bytes, $flags);
            $known = true;

            return $value;
        } catch (UnexpectedValueException) {
            $known = false;

            return null;
        }
    }

    private static function format(): PeclFormat
    {
        static $format = null;

        return $format ??= new PeclFormat('php', self::THRESHOLD, self::MAX_SIZE);
    }
}

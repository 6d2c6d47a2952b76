<?php

namespace WRStats;

/**
 * PHP values as PECL memcached stores them, so that entries outlive a change from one to the other: the low four bits of
 * the flags tell the type, the next four how the bytes are compressed.
 */
final class PeclValues
{
    private const TYPE = 0x0f;
    private const COMPRESSED = 0x10;
    private const ZLIB = 0x20;
    /** FastLZ and Zstandard have no decoder in PHP itself. */
    private const OTHER_COMPRESSION = 0xc0;

    private const STRING = 0;
    private const INT = 1;
    private const FLOAT = 2;
    private const BOOL = 3;
    private const SERIALIZED = 4;
    private const IGBINARY = 5;
    private const JSON = 6;
    private const MSGPACK = 7;

    /** @return array{string, int} bytes and flags */
    public static function encode(mixed $value): array
    {
        return match (true) {
            is_string($value) => [$value, self::STRING],
            is_int($value) => [(string)$value, self::INT],
            is_float($value) && is_finite($value) => [var_export($value, true), self::FLOAT],
            is_bool($value) => [$value ? '1' : '', self::BOOL],
            default => [serialize($value), self::SERIALIZED],
        };
    }

    /**
     * @param bool &$known false: the bytes can't be read here, and the answer means nothing
     */
    public static function decode(string $bytes, int $flags, ?bool &$known = null): mixed
    {
        $known = true;
        if ($flags & self::COMPRESSED) {
            $inflated = $flags & self::ZLIB && !($flags & self::OTHER_COMPRESSION) && function_exists('gzuncompress')
                // Four bytes of length come first.
                ? @gzuncompress(substr($bytes, 4)) : false;
            if ($inflated === false) {
                $known = false;

                return null;
            }
            $bytes = $inflated;
        }
        switch ($flags & self::TYPE) {
            case self::STRING:
                return $bytes;
            case self::INT:
                // A number that was counted down has spaces behind it.
                return (int)$bytes;
            case self::FLOAT:
                return ['Infinity' => INF, '-Infinity' => -INF, 'NaN' => NAN][$bytes] ?? (float)$bytes;
            case self::BOOL:
                return $bytes === '1';
            case self::SERIALIZED:
                $value = @unserialize($bytes);
                $known = $value !== false || $bytes === 'b:0;';

                return $value;
            case self::JSON:
                $value = json_decode($bytes);
                $known = json_last_error() === JSON_ERROR_NONE;

                return $value;
            case self::IGBINARY:
            case self::MSGPACK:
                $decode = ($flags & self::TYPE) === self::IGBINARY ? 'igbinary_unserialize' : 'msgpack_unpack';
                if (function_exists($decode)) {
                    return $decode($bytes);
                }
        }
        $known = false;

        return null;
    }
}

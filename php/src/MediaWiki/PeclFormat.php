<?php

namespace WRStats\MediaWiki;

use RuntimeException;
use UnexpectedValueException;
use WRStats;

// Compiled to single instructions where they are known to be PHP's.
use function is_array;
use function is_bool;
use function is_float;
use function is_int;
use function is_string;
use function strlen;

/**
 * Values as php-memcached stores them: bytes, and client flags that say what they are. Bits 0-3 are the type, bits 4-7
 * how it was compressed, a compressed value starts with its original length; bits above belong to the user.
 */
final class PeclFormat
{
    private const TYPE = 0xf;
    /** What a string that isn't compressed has for flags: its bytes are the value. */
    public const STRING = 0;
    public const INT = 1;
    private const FLOAT = 2;
    private const BOOL = 3;
    private const SERIALIZED = 4;
    private const IGBINARY = 5;

    private const COMPRESSED = 16;
    private const ZLIB = 32;
    private const FASTLZ = 64;

    /** As php-memcached: what doesn't get this much smaller is stored as it is. */
    private const WORTH_IT = 1.3;

    /**
     * @param string $serializer "php" or "igbinary"
     * @param int $threshold bytes from which on strings and serialized values are compressed
     * @param int $maxSize bytes that a compressed value may grow to when it is read
     */
    public function __construct(
        private readonly string $serializer,
        private readonly int $threshold,
        private readonly int $maxSize,
    ) {
        if ($serializer !== 'php' && $serializer !== 'igbinary') {
            throw new RuntimeException("serializer must be \"php\" or \"igbinary\", \"$serializer\" given");
        }
        if ($serializer === 'igbinary' && !function_exists('igbinary_serialize')) {
            throw new RuntimeException('serializer "igbinary" needs the igbinary extension');
        }
    }

    /**
     * The bytes to store.
     *
     * @param int|null &$flags the client flags to store them with
     */
    public function encode(mixed $value, ?int &$flags = null): string
    {
        if (is_int($value)) {
            $flags = self::INT;

            return (string)$value;
        }
        if (is_bool($value)) {
            $flags = self::BOOL;

            return $value ? '1' : '';
        }
        if (is_float($value)) {
            $flags = self::FLOAT;

            return $this->floatText($value);
        }
        if (is_string($value)) {
            $flags = self::STRING;
        } elseif ($this->serializer === 'php') {
            $flags = self::SERIALIZED;
            $value = serialize($value);
        } else {
            $flags = self::IGBINARY;
            $value = igbinary_serialize($value);
        }

        return strlen($value) < $this->threshold ? $value : $this->compress($value, $flags);
    }

    /**
     * The bytes to store of each value: or ints, whose digits they are.
     *
     * @param array $values key => value
     * @param int|null &$flags the client flags to store them with, but for those among the others
     * @param array<int>|null &$others key => flags
     * @return array<string|int> by key
     */
    public function encodeAll(array $values, ?int &$flags = null, ?array &$others = null): array
    {
        $others = [];
        $flags = $this->kindOfAll($values);
        if ($flags === self::STRING || $flags === self::INT) {
            return $values;
        }
        $items = [];
        if ($flags === self::SERIALIZED) {
            $flags = $this->serializer === 'php' ? self::SERIALIZED : self::IGBINARY;
            $items = array_map($this->serializer === 'php' ? 'serialize' : 'igbinary_serialize', $values);
            foreach ($items as $key => $bytes) {
                if (strlen($bytes) >= $this->threshold) {
                    $own = $flags;
                    $items[$key] = $this->compress($bytes, $own);
                    if ($own !== $flags) {
                        $others[$key] = $own;
                    }
                }
            }

            return $items;
        }
        foreach ($values as $key => $value) {
            $items[$key] = $this->encode($value, $own);
            $flags ??= $own;
            if ($own !== $flags) {
                $others[$key] = $own;
            }
        }

        return $items;
    }

    /** What all of the values are, if it is the same: ints, strings that won't be compressed, or arrays. */
    private function kindOfAll(array $values): ?int
    {
        // Each loop is a few instructions of PHP's for a value; one for all kinds took twice the time.
        $first = $values[array_key_first($values)] ?? null;
        if (is_array($first)) {
            foreach ($values as $value) {
                if (!is_array($value)) {
                    return null;
                }
            }

            return self::SERIALIZED;
        }
        if (is_string($first)) {
            foreach ($values as $value) {
                if (!is_string($value) || strlen($value) >= $this->threshold) {
                    return null;
                }
            }

            return self::STRING;
        }
        foreach ($values as $value) {
            if (!is_int($value)) {
                return null;
            }
        }

        return self::INT;
    }

    /** @throws UnexpectedValueException if the value is broken, too large, or in a form that this PHP can't read */
    public function decode(string $value, int $flags): mixed
    {
        if ($flags & self::COMPRESSED) {
            $value = $this->decompress($value, $flags);
        }

        return match ($flags & self::TYPE) {
            self::STRING => $value,
            self::INT => (int)$value,
            self::FLOAT => match ($value) {
                'Infinity' => INF,
                '-Infinity' => -INF,
                'NaN' => NAN,
                default => (float)$value,
            },
            self::BOOL => $value !== '' && $value !== '0',
            self::SERIALIZED => $this->unserializePhp($value),
            self::IGBINARY => $this->unserializeIgbinary($value),
            default => $this->unreadable(sprintf('unknown type %d in flags 0x%x', $flags & self::TYPE, $flags)),
        };
    }

    /** In the serializer that is set. */
    public function serialize(mixed $value): string
    {
        return $this->serializer === 'php' ? serialize($value) : igbinary_serialize($value);
    }

    /**
     * From either serializer.
     *
     * @throws UnexpectedValueException as decode()
     */
    public function unserialize(string $value): mixed
    {
        return str_starts_with($value, "\0\0\0") ? $this->unserializeIgbinary($value) : $this->unserializePhp($value);
    }

    private function unserializePhp(string $value): mixed
    {
        // Broken input is reported by our caller, with key and server, which the engine's notice would not name.
        $result = @unserialize($value);

        return $result === false && $value !== 'b:0;' ? $this->unreadable('unserialize() failed') : $result;
    }

    private function unserializeIgbinary(string $value): mixed
    {
        if (!function_exists('igbinary_unserialize')) {
            return $this->unreadable('serialized with igbinary, which this PHP has not');
        }
        $result = @igbinary_unserialize($value);
        // For broken input it answers null, or false. These are the two themselves.
        $real = $value === "\0\0\0\2\0" || $value === "\0\0\0\2\4";

        return !$real && ($result === null || $result === false)
            ? $this->unreadable('igbinary_unserialize() failed')
            : $result;
    }

    /** The shortest text that gives the same float, whatever the locale and ini settings. */
    private function floatText(float $value): string
    {
        return match (true) {
            is_nan($value) => 'NaN',
            is_infinite($value) => $value > 0 ? 'Infinity' : '-Infinity',
            default => sprintf('%.*H', -1, $value),
        };
    }

    private function compress(string $value, int &$flags): string
    {
        $size = strlen($value);
        $compressed = WRStats::compress($value);
        if (strlen($compressed) * self::WORTH_IT >= $size) {
            return $value;
        }
        $flags |= self::COMPRESSED | self::FASTLZ;

        // "L": 32 bits in the machine's byte order.
        return pack('L', $size) . $compressed;
    }

    private function decompress(string $value, int $flags): string
    {
        if (strlen($value) < 4) {
            return $this->unreadable('compressed, and too short to be');
        }
        $size = unpack('L', $value)[1];
        if ($size > $this->maxSize) {
            return $this->unreadable("compressed, and $size bytes large, $this->maxSize are allowed");
        }
        $data = substr($value, 4);
        $result = match (true) {
            ($flags & self::FASTLZ) !== 0 => WRStats::decompress($data, $size),
            // The length is a limit for the result, 0 would be none.
            ($flags & self::ZLIB) !== 0 => function_exists('gzuncompress')
                ? @gzuncompress($data, max(1, $size))
                : $this->unreadable('compressed with zlib, which this PHP has not'),
            default => $this->unreadable(sprintf('compressed in a way that is not known here, flags 0x%x', $flags)),
        };
        if (!is_string($result) || strlen($result) !== $size) {
            return $this->unreadable('broken compressed data');
        }

        return $result;
    }

    private function unreadable(string $why): never
    {
        throw new UnexpectedValueException($why);
    }
}

<?php

namespace WRStats\MediaWiki;

/** Reads FastLZ, in which php-memcached compresses unless told otherwise. */
final class FastLz
{
    /** Offsets from here on follow in two bytes of their own (level 2). */
    private const FAR = 8191;

    /**
     * @param int $size the exact length of the result, in bytes; nothing beyond it is ever built
     * @return string|null null: not FastLZ, cut short, or of another length
     */
    public static function decompress(string $data, int $size): ?string
    {
        $end = strlen($data);
        // The first instruction carries the level in its upper bits, and is always a run of literals.
        $level = $end > 0 ? ord($data[0]) >> 5 : -1;
        if ($level !== 0 && $level !== 1) {
            return null;
        }
        $control = ord($data[0]) & 31;
        $at = 1;
        $out = '';
        $length = 0;
        while (true) {
            if ($control < 32) {
                $run = $control + 1;
                if ($at + $run > $end || $length + $run > $size) {
                    return null;
                }
                $out .= substr($data, $at, $run);
                $at += $run;
            } else {
                $run = ($control >> 5) + 2;
                if ($run === 9) {
                    do {
                        if ($at >= $end) {
                            return null;
                        }
                        $more = ord($data[$at++]);
                        $run += $more;
                    } while ($level === 1 && $more === 255);
                }
                if ($at >= $end) {
                    return null;
                }
                $low = ord($data[$at++]);
                $back = (($control & 31) << 8) + $low + 1;
                if ($level === 1 && $low === 255 && ($control & 31) === 31) {
                    if ($at + 2 > $end) {
                        return null;
                    }
                    $back = (ord($data[$at]) << 8) + ord($data[$at + 1]) + self::FAR + 1;
                    $at += 2;
                }
                if ($back > $length || $length + $run > $size) {
                    return null;
                }
                $copy = substr($out, $length - $back, $run);
                // What is copied may run into what the copy itself writes: then it repeats.
                $out .= $back >= $run ? $copy : substr(str_repeat($copy, intdiv($run, $back) + 1), 0, $run);
            }
            $length += $run;
            if ($at >= $end) {
                return $length === $size ? $out : null;
            }
            $control = ord($data[$at++]);
        }
    }
}

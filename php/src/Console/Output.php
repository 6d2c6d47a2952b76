<?php

namespace WRStats\Console;

/** Where a command writes: tables for people, one line of JSON for scripts; colours and redrawing on a terminal only. */
final class Output
{
    public readonly bool $terminal;
    private readonly bool $colours;

    /**
     * @param resource $out
     * @param resource $err
     */
    public function __construct(private $out, private $err, public readonly bool $json)
    {
        $this->terminal = !$json && stream_isatty($out);
        $this->colours = $this->terminal && getenv('NO_COLOR') === false;
    }

    public function line(string $text): void
    {
        fwrite($this->out, "$text\n");
    }

    public function error(string $text): void
    {
        fwrite($this->err, "wrstats: $text\n");
    }

    public function json(array $value): void
    {
        $flags = JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR;
        $this->line(json_encode($value, $flags | JSON_PRESERVE_ZERO_FRACTION));
    }

    /**
     * Columns as wide as they must be; numbers to the right.
     * @param list<string> $head
     * @param list<list<string|null>> $rows
     */
    public function table(array $head, array $rows): int
    {
        $widths = [];
        foreach ([$head, ...$rows] as $row) {
            foreach ($row as $i => $cell) {
                $widths[$i] = max($widths[$i] ?? 0, self::width($cell ?? '-'));
            }
        }
        foreach ([$head, ...$rows] as $number => $row) {
            $line = [];
            foreach ($row as $i => $cell) {
                $cell ??= '-';
                $space = str_repeat(' ', $widths[$i] - self::width($cell));
                $right = $rows !== [] && preg_match('/^[\d.,]+( ms| s)?$/', $rows[0][$i] ?? '');
                $line[] = $right ? $space . $cell : $cell . $space;
            }
            $line = rtrim(implode('  ', $line));
            $this->line($number === 0 ? $this->style('1', $line) : $line);
        }

        return count($rows) + 1;
    }

    /** Puts the cursor back over the last lines, so that they are drawn anew. */
    public function back(int $lines): void
    {
        if ($this->terminal && $lines > 0) {
            fwrite($this->out, "\e[{$lines}A\e[J");
        }
    }

    public function style(string $code, string $text): string
    {
        return $this->colours ? "\e[{$code}m$text\e[0m" : $text;
    }

    /** Characters, not bytes: sparklines and keys are UTF-8. */
    private static function width(string $text): int
    {
        return (int)preg_match_all('/./us', preg_replace('/\e\[[\d;]*m/', '', $text)) ?: strlen($text);
    }
}

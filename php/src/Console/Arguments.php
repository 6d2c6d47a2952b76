<?php

namespace WRStats\Console;

/** A command line, taken apart: `--name`, `--name=value`, `--name value`, and the rest in its order. */
final class Arguments
{
    /**
     * @param list<string> $positional
     * @param array<string, list<string>> $options each as often as it was given; '' for one without a value
     */
    private function __construct(public readonly array $positional, private readonly array $options)
    {
    }

    /**
     * @param list<string> $words
     * @param list<string> $known names; those with a value end in "="
     * @throws UsageError
     */
    public static function parse(array $words, array $known): self
    {
        $positional = $options = [];
        while ($words !== []) {
            $word = array_shift($words);
            if ($word === '--') {
                array_push($positional, ...$words);
                break;
            }
            if (!str_starts_with($word, '--')) {
                $word !== '-h' ? $positional[] = $word : $options['help'][] = '';
                continue;
            }
            [$name, $value] = explode('=', substr($word, 2), 2) + [1 => null];
            if (in_array("$name=", $known, true)) {
                $value ??= array_shift($words) ?? throw new UsageError("--$name needs a value: --$name=...");
            } elseif (!in_array($name, $known, true)) {
                throw new UsageError("there is no option --$name here" . self::meant($name, $known));
            } elseif ($value !== null) {
                throw new UsageError("--$name takes no value");
            }
            $options[$name][] = $value ?? '';
        }

        return new self($positional, $options);
    }

    public function has(string $name): bool
    {
        return isset($this->options[$name]);
    }

    /** The last one given. */
    public function text(string $name): ?string
    {
        return array_slice($this->options[$name] ?? [], -1)[0] ?? null;
    }

    /** @return list<string> */
    public function all(string $name): array
    {
        return $this->options[$name] ?? [];
    }

    /** @throws UsageError */
    public function seconds(string $name, float $default): int|float
    {
        $text = $this->text($name) ?? (string)$default;
        if (!is_numeric($text) || $text <= 0 || !is_finite((float)$text)) {
            throw new UsageError("--$name must be a number of seconds above 0, \"$text\" given");
        }

        return $text + 0;
    }

    /** @throws UsageError */
    public function count(string $name, int $default): int
    {
        $text = $this->text($name);
        if ($text === null) {
            return $default;
        }
        $count = (int)$text;

        return $count >= 0 && (string)$count === $text
            ? $count
            : throw new UsageError("--$name must be a whole number from 0, \"$text\" given");
    }

    private static function meant(string $name, array $known): string
    {
        foreach ($known as $candidate) {
            if (levenshtein($name, rtrim($candidate, '=')) <= 2) {
                return '; did you mean --' . rtrim($candidate, '=') . '?';
            }
        }

        return '';
    }
}

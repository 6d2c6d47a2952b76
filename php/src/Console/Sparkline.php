<?php

namespace WRStats\Console;

/** The last values of something as a line of small bars, the highest of them as high as a line is. */
final class Sparkline
{
    private const BARS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    /** @var list<float> */
    private array $values = [];

    public function __construct(private readonly int $width)
    {
    }

    public function add(float $value): void
    {
        $this->values = array_slice([...$this->values, max(0.0, $value)], -$this->width);
    }

    public function __toString(): string
    {
        $highest = max([0.0, ...$this->values]);
        $bar = fn (float $value) => self::BARS[$highest > 0 ? (int)round($value / $highest * (count(self::BARS) - 1)) : 0];

        return implode('', array_map($bar, $this->values));
    }
}

<?php

/** Line plots as SVG, both axes logarithmic where the numbers span more than a factor of 30. */

const PANEL_WIDTH = 440;
const PANEL_HEIGHT = 260;

/**
 * One picture of several panels, two in a row.
 *
 * @param list<array{title: string, x: string, y: string, lines: array<string, list<array{float, float}>>}> $plots
 */
function plots(array $plots): string
{
    $width = 2 * PANEL_WIDTH;
    $height = intdiv(count($plots) + 1, 2) * PANEL_HEIGHT;
    $panels = '';
    foreach ($plots as $i => $plot) {
        $panels .= sprintf("<g transform=\"translate(%d %d)\">\n%s</g>\n", $i % 2 * PANEL_WIDTH, intdiv($i, 2) * PANEL_HEIGHT, panel($plot));
    }

    return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"$width\" height=\"$height\" viewBox=\"0 0 $width $height\" "
        . "font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"$width\" height=\"$height\" fill=\"#fff\"/>\n$panels</svg>\n";
}

function panel(array $plot): string
{
    [$left, $right, $top, $bottom] = [55, PANEL_WIDTH - 20, 40, PANEL_HEIGHT - 45];
    $points = array_merge(...array_values($plot['lines']));
    $x = axis(array_column($points, 0), $left, $right);
    // From nothing up, or growth looks like more than it is.
    $y = axis(array_column($points, 1), $bottom, $top, true);
    $text = fn(float $x, float $y, string $text, string $more = '') => sprintf("<text x=\"%.1f\" y=\"%.1f\" %s>%s</text>\n", $x, $y, $more, htmlspecialchars($text));
    $svg = $text($left, 16, "$plot[title]: $plot[y]", 'font-weight="bold"');
    foreach ($y['ticks'] as $tick) {
        $at = $y['place']($tick);
        $svg .= sprintf("<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>\n", $left, $right, $at, $at)
            . $text($left - 5, $at + 4, figure($tick), 'text-anchor="end"');
    }
    foreach ($x['ticks'] as $tick) {
        $svg .= $text($x['place']($tick), $bottom + 15, figure($tick), 'text-anchor="middle"');
    }
    $svg .= $text(($left + $right) / 2, $bottom + 32, $plot['x'], 'text-anchor="middle"');
    $number = 0;
    foreach ($plot['lines'] as $name => $line) {
        $colour = ['#1f5fa8', '#c2571a', '#3a7d34'][$number % 3];
        $path = implode(' ', array_map(fn($point) => sprintf('%.1f,%.1f', $x['place']($point[0]), $y['place']($point[1])), $line));
        $svg .= "<polyline points=\"$path\" fill=\"none\" stroke=\"$colour\" stroke-width=\"2\"/>\n"
            . $text($right - 130 * $number, $top - 8, $name, "text-anchor=\"end\" fill=\"$colour\"");
        $number++;
    }

    return $svg;
}

/**
 * @param list<float> $values
 * @param bool $from_nothing whether a linear axis begins at 0
 * @return array{place: callable(float): float, ticks: list<float>}
 */
function axis(array $values, float $from, float $to, bool $from_nothing = false): array
{
    $least = min($values);
    $most = max($values);
    if ($least > 0 && $most > 30 * $least) {
        $low = floor(log10($least));
        $high = ceil(log10($most));

        return [
            'place' => fn(float $value) => $from + ($to - $from) * (log10($value) - $low) / ($high - $low),
            'ticks' => array_map(fn($power) => 10.0 ** $power, range($low, $high)),
        ];
    }
    $low = $from_nothing ? 0.0 : $least;
    // Four to eight ticks of 1, 2 or 5.
    $step = 10 ** floor(log10(max($most - $low, 1e-9)));
    foreach ([$step / 5, $step / 2, $step] as $try) {
        if (($most - $low) / $try <= 8) {
            $step = $try;
            break;
        }
    }
    $high = ceil($most / $step) * $step;
    $low = floor($low / $step) * $step;

    return [
        'place' => fn(float $value) => $from + ($to - $from) * ($value - $low) / ($high - $low),
        'ticks' => range($low, $high, $step),
    ];
}

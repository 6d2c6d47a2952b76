<?php

namespace WRStats\Console;

use WRStats;

/** Servers, metrics and limits: from --config, and from the command line, which goes before it. */
final class Setup
{
    public const OPTIONS = ['config=', 'servers=', 'prefix=', 'metric='];
    private const SECTIONS = ['connection', 'prefix', 'metrics', 'limits', 'limitOptions'];

    /**
     * @param array<string, array> $metrics as createReader() takes them
     * @param array<string, array> $limits as createRateLimiter() takes them
     * @param array<string, mixed> $limitOptions
     */
    private function __construct(
        public readonly WRStats $stats,
        public readonly string|array $prefix,
        public readonly array $metrics,
        public readonly array $limits,
        public readonly array $limitOptions,
    ) {
    }

    /** @throws UsageError|\ValueError */
    public static function of(Arguments $arguments): self
    {
        $file = $arguments->text('config') ?? (getenv('WRSTATS_CONFIG') ?: null);
        $sections = $file === null ? [] : self::read($file);
        $metrics = $sections['metrics'] ?? [];
        foreach ($arguments->all('metric') as $text) {
            [$name, $spec] = self::metric($text);
            $metrics[$name] = $spec;
        }
        $prefix = $arguments->text('prefix');

        return new self(
            new WRStats(self::connection($arguments->text('servers'), $sections['connection'] ?? null)),
            $prefix !== null ? explode(',', $prefix) : $sections['prefix'] ?? 'WRStats',
            $metrics,
            $sections['limits'] ?? [],
            $sections['limitOptions'] ?? [],
        );
    }

    /**
     * The metrics asked for, all of them when none is named.
     * @return list<Target>
     * @throws UsageError
     */
    public function targets(Arguments $arguments): array
    {
        if ($this->metrics === []) {
            throw new UsageError('no metric is described: give --metric=NAME:step=600,expiry=3600 as it is written, or --config=FILE');
        }
        $targets = array_map(Target::parse(...), $arguments->positional ?: array_map(strval(...), array_keys($this->metrics)));
        foreach ($targets as $target) {
            if (!isset($this->metrics[$target->name])) {
                throw new UsageError("no metric is called \"$target->name\"; described are: " . implode(', ', array_keys($this->metrics)));
            }
        }

        return $targets;
    }

    private static function connection(?string $servers, array|string|null $connection): array|string|null
    {
        if ($servers === null) {
            return $connection;
        }
        if (str_contains($servers, '://')) {
            return $servers;
        }

        return ['servers' => explode(',', $servers)] + (is_array($connection) ? $connection : []);
    }

    private static function read(string $file): array
    {
        if (!is_readable($file)) {
            throw new UsageError("--config: $file can't be read");
        }
        try {
            $sections = str_ends_with($file, '.json')
                ? json_decode(file_get_contents($file), true, flags: JSON_THROW_ON_ERROR)
                : (static fn () => require $file)();
        } catch (\Throwable $error) {
            $where = $error instanceof \JsonException ? '' : " ({$error->getFile()} line {$error->getLine()})";
            throw new UsageError("--config: $file: {$error->getMessage()}$where");
        }
        if (!is_array($sections)) {
            throw new UsageError("--config: $file holds no array (a PHP file returns one, a .json file is an object)");
        }
        if ($unknown = array_diff(array_keys($sections), self::SECTIONS)) {
            throw new UsageError("--config: $file: \"" . current($unknown) . '" is none of ' . implode(', ', self::SECTIONS));
        }

        return $sections;
    }

    /**
     * NAME[:step=SECONDS][,expiry=SECONDS][,resolution=NUMBER]
     * @return array{string, array} name and spec
     */
    private static function metric(string $text): array
    {
        [$name, $details] = explode(':', $text, 2) + [1 => ''];
        $spec = $sequence = [];
        foreach ($details === '' ? [] : explode(',', $details) as $detail) {
            [$what, $value] = explode('=', $detail, 2) + [1 => ''];
            if (!is_numeric($value)) {
                throw new UsageError("--metric=$text: \"$detail\" is no setting with a number, such as step=600");
            }
            match ($what) {
                'step' => $sequence['timeStep'] = $value + 0,
                'expiry' => $sequence['expiry'] = $value + 0,
                'resolution' => $spec['resolution'] = $value + 0,
                default => throw new UsageError("--metric=$text: \"$what\" is none of step, expiry, resolution"),
            };
        }

        return [$name, $sequence === [] ? $spec : $spec + ['sequences' => [$sequence]]];
    }
}

<?php

namespace WRStats\Console;

use WRStats\EntityKey;

/** What is counted, as written on a command line: NAME, NAME@a,b (a local entity) or NAME@@a,b (a global one). */
final class Target
{
    /** @param list<string> $components */
    private function __construct(
        public readonly string $text,
        public readonly string $name,
        public readonly array $components,
        public readonly bool $global,
    ) {
    }

    public static function parse(string $text): self
    {
        [$name, $entity] = explode('@', $text, 2) + [1 => ''];
        $global = str_starts_with($entity, '@');
        $entity = substr($entity, $global ? 1 : 0);

        return new self($text, $name, $entity === '' ? [] : explode(',', $entity), $global);
    }

    public function entity(): EntityKey
    {
        return $this->global ? EntityKey::global(...$this->components) : EntityKey::local(...$this->components);
    }

    /** @return array<string, mixed> for --json */
    public function describe(string $as): array
    {
        return [$as => $this->name, 'entity' => $this->components, 'global' => $this->global];
    }
}

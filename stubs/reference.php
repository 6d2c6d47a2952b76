<?php
/**
 * Writes docs/api.md, the API reference, from wrstats.stub.php.
 *
 *   php -n stubs/reference.php           writes the file
 *   php -n stubs/reference.php --check   exits 1 when it is stale
 */

declare(strict_types=1);

const STUB = __DIR__ . '/wrstats.stub.php';
const REFERENCE = __DIR__ . '/../docs/api.md';

exit(main(array_slice($argv, 1)));

function main(array $arguments): int
{
    if (class_exists('WRStats', false)) {
        fwrite(STDERR, "reference.php: run this with php -n: the extension is loaded\n");
        return 1;
    }
    $text = reference();
    if ($arguments === ['--check']) {
        if (@file_get_contents(REFERENCE) !== $text) {
            fwrite(STDERR, "reference.php: docs/api.md is stale: run php -n stubs/reference.php\n");
            return 1;
        }
        return 0;
    }
    return file_put_contents(REFERENCE, $text) === false ? 1 : 0;
}

function reference(): string
{
    $before = get_declared_classes();
    require STUB;
    $classes = array_map(fn ($name) => new ReflectionClass($name), array_diff(get_declared_classes(), $before));
    usort($classes, fn ($a, $b) => $a->getStartLine() <=> $b->getStartLine());
    $text = "# API reference\n\nMade from [`stubs/wrstats.stub.php`](../stubs/wrstats.stub.php) by `php -n stubs/reference.php`: "
        . "change that.\n\nDurations are in seconds (int or float), times in UNIX seconds, sizes in bytes.\n\n";
    foreach ($classes as $class) {
        $text .= "- [`{$class->name}`](#" . anchor($class->name) . ")\n";
    }
    foreach ($classes as $class) {
        $text .= class_text($class);
    }
    return $text;
}

/** As GitHub and others make them of headings. */
function anchor(string $heading): string
{
    return strtolower(preg_replace('/[^\w -]/', '', $heading));
}

function class_text(ReflectionClass $class): string
{
    $doc = doc($class->getDocComment());
    $parent = $class->getParentClass();
    $text = "\n## `{$class->name}`\n" . ($parent ? "\nextends `{$parent->name}`\n" : '') . prose($doc['text']);
    $types = $doc['tags']['phpstan-type'] ?? [];
    if ($types !== []) {
        $text .= "\nShapes that are named below:\n\n```text\n" . implode("\n", $types) . "\n```\n";
    }
    $constants = array_filter($class->getReflectionConstants(), fn ($constant) => $constant->class === $class->name);
    if ($constants !== []) {
        $text .= "\n| constant | value | |\n|---|---|---|\n";
        foreach ($constants as $constant) {
            $text .= "| `{$constant->name}` | `" . var_export($constant->getValue(), true) . '` | '
                . implode(' ', doc($constant->getDocComment())['text']) . " |\n";
        }
    }
    $properties = array_filter($class->getProperties(), fn ($p) => $p->isPublic() && $p->class === $class->name);
    if ($properties !== []) {
        $text .= "\n| property | type | |\n|---|---|---|\n";
        foreach ($properties as $property) {
            $type = str_replace('|', '\|', (string)$property->getType());
            $text .= "| `\${$property->name}` | `$type` | " . implode(' ', doc($property->getDocComment())['text']) . " |\n";
        }
    }
    foreach ($class->getMethods() as $method) {
        if ($method->class === $class->name) {
            $text .= method_text($method);
        }
    }
    return $text;
}

function method_text(ReflectionMethod $method): string
{
    $doc = doc($method->getDocComment());
    $class = $method->getDeclaringClass()->getShortName();
    $parameters = implode(', ', array_map('parameter', $method->getParameters()));
    $return = $method->hasReturnType() ? ": {$method->getReturnType()}" : '';
    $signature = ($method->isStatic() ? 'static ' : '') . "{$method->name}($parameters)$return";
    $name = $method->isConstructor() ? "new $class()" : $class . ($method->isStatic() ? '::' : '->') . "{$method->name}()";
    $text = "\n### `$name`\n\n```text\n$signature\n```\n" . prose($doc['text']);
    $lines = [];
    foreach ($doc['tags']['param'] ?? [] as $param) {
        // What the signature says already needs no line.
        if (preg_match('/^(.+?) (?:\.\.\.)?(\$\w+)(?:\s+(.+))?$/s', $param, $found)
            && (isset($found[3]) || str_contains($found[1], '<'))) {
            [$meaning, $table] = explode("\n", $found[3] ?? '', 2) + [1 => ''];
            $lines[] = "`{$found[2]}` (`{$found[1]}`)" . ($meaning === '' ? '' : ": $meaning")
                . ($table === '' ? '' : "\n\n  ```text\n" . preg_replace('/^  /m', '', $table) . "\n  ```\n");
        }
    }
    $returned = $doc['tags']['return'][0] ?? '';
    $shape = $doc['tags']['phpstan-return'][0] ?? null;
    $plain = $method->hasReturnType() ? (string)$method->getReturnType() : '';
    if ($returned !== '' && preg_match('/^((?:[^\s<{(]|<[^>]*>+|\{[^}]*\}|\(.*?\))+)(?:\s+(.*))?$/s', $returned, $found)) {
        $meaning = $found[2] ?? '';
        if ($meaning !== '' || $shape !== null || !str_ends_with("\\$plain", '\\' . ltrim($found[1], '\\'))) {
            $lines[] = 'returns `' . ($shape ?? $found[1]) . '`' . ($meaning === '' ? '' : ": $meaning");
        }
    }
    foreach ($doc['tags']['throws'] ?? [] as $throws) {
        [$what, $when] = explode(' ', $throws, 2) + [1 => ''];
        $lines[] = "throws `$what`" . ($when === '' ? '' : " $when");
    }
    return $text . ($lines === [] ? '' : "\n- " . implode("\n- ", $lines) . "\n");
}

function parameter(ReflectionParameter $parameter): string
{
    $default = $parameter->isDefaultValueAvailable() ? $parameter->getDefaultValue() : null;
    $shown = $default === [] ? '[]' : ($default === null ? 'null' : var_export($default, true));
    return $parameter->getType() . ' ' . ($parameter->isVariadic() ? '...' : '') . "\${$parameter->name}"
        . ($parameter->isDefaultValueAvailable() ? " = $shown" : '');
}

/**
 * A docblock taken apart: paragraphs, and tags whose continuing lines are joined. What is indented further stays as it is.
 * @return array{text: list<string>, tags: array<string, list<string>>}
 */
function doc(string|false $comment): array
{
    $text = $tags = [];
    $tag = null;
    foreach (explode("\n", $comment === false ? '' : $comment) as $line) {
        $line = preg_replace(['~^\s*/\*\*+ ?~', '~\s*\*/\s*$~', '~^\s*\* ?~'], '', $line);
        if (preg_match('/^@([\w-]+)\s*(.*)$/', $line, $found)) {
            $tag = $found[1];
            $tags[$tag][] = $found[2];
        } elseif (trim($line) === '') {
            $tag = null;
            $text[] = '';
        } elseif ($tag !== null) {
            $last = array_key_last($tags[$tag]);
            $kept = preg_match('/^ {4,}\S+ {2,}|^    /', $line) || $tag === 'phpstan-type';
            $tags[$tag][$last] .= $kept ? "\n" . $line : ' ' . trim($line);
        } else {
            $text[] = $line;
        }
    }
    foreach ($tags as $name => $all) {
        $tags[$name] = array_map('rtrim', $all);
    }
    $text = preg_replace('/\n{3,}/', "\n\n", trim(implode("\n", $text), "\n"));
    return ['text' => $text === '' ? [] : explode("\n", $text), 'tags' => $tags];
}

/** @param list<string> $lines */
function prose(array $lines): string
{
    $out = '';
    $code = false;
    foreach ($lines as $line) {
        // Tables in the stub are drawn with spaces.
        $indented = str_starts_with($line, '  ');
        if ($indented !== $code) {
            $out .= $indented ? "\n```text\n" : "```\n\n";
            $code = $indented;
        }
        $out .= rtrim($line) . "\n";
    }
    return $lines === [] ? '' : "\n" . ltrim($out, "\n") . ($code ? "```\n" : '');
}

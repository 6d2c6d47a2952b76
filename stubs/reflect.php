<?php
/**
 * Compares the loaded extension with wrstats.stub.php, as Reflection sees both.
 *
 *   php -n -d extension=.../libwrstats.so stubs/reflect.php          prints the differences, exits 1 if any
 *   php -n stubs/reflect.php --dump                                  prints the stub's surface
 *   php -n -d extension=.../libwrstats.so stubs/reflect.php --dump   prints the extension's
 *
 * It reads both by itself, so that a slip of generate.php shows, too. Private members are no surface.
 */

declare(strict_types=1);

exit(main(array_slice($argv, 1)));

function main(array $arguments): int
{
    $dump = surface();
    if ($arguments === ['--dump']) {
        echo $dump;
        return 0;
    }
    if (!extension_loaded('wrstats')) {
        fwrite(STDERR, "reflect.php: the extension is not loaded\n");
        return 1;
    }
    $command = [PHP_BINARY, '-n', __FILE__, '--dump'];
    $stub = shell_exec(implode(' ', array_map('escapeshellarg', $command)));
    if (!is_string($stub) || !str_contains($stub, 'class WRStats')) {
        fwrite(STDERR, "reflect.php: cannot read the stub\n");
        return 1;
    }
    if ($stub === $dump) {
        echo 'same surface: ', substr_count($dump, "\n"), " lines\n";
        return 0;
    }
    $want = explode("\n", $stub);
    $have = explode("\n", $dump);
    foreach (array_diff($want, $have) as $line) {
        echo "stub only:      $line\n";
    }
    foreach (array_diff($have, $want) as $line) {
        echo "extension only: $line\n";
    }
    echo "the surfaces differ\n";
    return 1;
}

/** Every class, one line per member, with its class's name, sorted. */
function surface(): string
{
    if (!extension_loaded('wrstats')) {
        require __DIR__ . '/wrstats.stub.php';
    }
    $lines = [];
    foreach (get_declared_classes() as $name) {
        if ($name === 'WRStats' || str_starts_with($name, 'WRStats\\')) {
            array_push($lines, ...class_lines(new ReflectionClass($name)));
        }
    }
    sort($lines);
    return implode("\n", $lines) . "\n";
}

function class_lines(ReflectionClass $class): array
{
    $head = ($class->isFinal() ? 'final ' : '') . "class {$class->name}";
    if ($parent = $class->getParentClass()) {
        $head .= " extends {$parent->name}";
    }
    $interfaces = $class->getInterfaceNames();
    sort($interfaces);
    $lines = [$head . ($interfaces ? ' implements ' . implode(', ', $interfaces) : '')];
    foreach ($class->getReflectionConstants() as $constant) {
        if (!$constant->isPrivate() && $constant->class === $class->name) {
            $lines[] = implode(' ', Reflection::getModifierNames($constant->getModifiers()))
                . " const {$class->name}::{$constant->name} = " . var_export($constant->getValue(), true);
        }
    }
    foreach ($class->getProperties() as $property) {
        if (!$property->isPrivate() && $property->class === $class->name) {
            $lines[] = implode(' ', Reflection::getModifierNames($property->getModifiers()))
                . " {$property->getType()} {$class->name}::\${$property->name}"
                . ($property->hasDefaultValue() ? ' = ' . var_export($property->getDefaultValue(), true) : '');
        }
    }
    foreach ($class->getMethods() as $method) {
        if (!$method->isPrivate() && $method->class === $class->name) {
            $lines[] = method_line($method);
        }
    }
    return $lines;
}

function method_line(ReflectionMethod $method): string
{
    $return = $method->getReturnType() ?? $method->getTentativeReturnType();
    return implode(' ', Reflection::getModifierNames($method->getModifiers()))
        . " function {$method->class}::{$method->name}("
        . implode(', ', array_map('parameter', $method->getParameters())) . ')'
        . ($return === null ? '' : ": $return")
        . ($method->hasTentativeReturnType() ? ' (tentative)' : '')
        . " requires {$method->getNumberOfRequiredParameters()}"
        . ($method->isDeprecated() ? ' deprecated' : '');
}

function parameter(ReflectionParameter $parameter): string
{
    return ($parameter->hasType() ? $parameter->getType() . ' ' : '')
        . ($parameter->isPassedByReference() ? '&' : '')
        . ($parameter->isVariadic() ? '...' : '')
        . "\${$parameter->name}"
        . ($parameter->isDefaultValueAvailable() ? ' = ' . one_line($parameter->getDefaultValue()) : '');
}

function one_line(mixed $value): string
{
    return str_replace("\n", '', var_export($value, true));
}

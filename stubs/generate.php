<?php
/**
 * Writes src/php/zend/tables.rs, the class tables of the extension, from wrstats.stub.php.
 *
 *   php -n stubs/generate.php           writes the file
 *   php -n stubs/generate.php --check   exits 1 when it is stale, or the stub's VERSION is not Cargo.toml's
 *
 * Run it without the extension loaded: the stub declares the same classes. A method's handler is found by its
 * name: WRStats\RateLimiter::tryIncr is crate::php::rate_limiter::try_incr, a constructor is `construct`.
 * The state of a class's objects is the type of the class's short name beside it.
 */

declare(strict_types=1);

const STUB = __DIR__ . '/wrstats.stub.php';
const TABLES = __DIR__ . '/../src/php/zend/tables.rs';
const CARGO = __DIR__ . '/../Cargo.toml';

exit(main(array_slice($argv, 1)));

function main(array $arguments): int
{
    if (class_exists('WRStats', false)) {
        return complain('run this with php -n: the extension is loaded');
    }
    if (array_diff($arguments, ['--check'])) {
        return complain('usage: php -n stubs/generate.php [--check]');
    }
    if (!preg_match('/^version = "([^"]+)"$/m', file_get_contents(CARGO), $version)) {
        return complain('Cargo.toml has no version');
    }
    $classes = stub_classes();
    if (WRStats::VERSION !== $version[1]) {
        return complain("the stub's VERSION is " . WRStats::VERSION . ", Cargo.toml's is $version[1]");
    }
    $tables = tables($classes);
    if (!in_array('--check', $arguments, true)) {
        return file_put_contents(TABLES, $tables) === false ? complain('cannot write ' . TABLES) : 0;
    }
    if (@file_get_contents(TABLES) !== $tables) {
        return complain('src/php/zend/tables.rs is stale: run php -n stubs/generate.php');
    }
    return 0;
}

function complain(string $message): int
{
    fwrite(STDERR, "generate.php: $message\n");
    return 1;
}

/** @return ReflectionClass[] the stub's classes in the order of their lines; parents must come first */
function stub_classes(): array
{
    $before = get_declared_classes();
    require STUB;
    $classes = array_map(
        fn (string $name) => new ReflectionClass($name),
        array_values(array_diff(get_declared_classes(), $before)),
    );
    usort($classes, fn ($a, $b) => $a->getStartLine() <=> $b->getStartLine());
    return $classes;
}

/** @param ReflectionClass[] $classes */
function tables(array $classes): string
{
    $names = array_map('variant', $classes);
    $states = array_values(array_filter($classes, 'has_state'));
    $out = [
        '//! The classes of `stubs/wrstats.stub.php` as the engine wants them.',
        '//!',
        '//! Written by `stubs/generate.php`: change the stub, then run `php -n stubs/generate.php`.',
        '',
        'use super::call::entry;',
        'use super::class::{',
        '    Arguments, ClassRow, Constant, END, Fixed, Parent, builtin, class, is, method, of, optional, required,',
        '    returns, variadic,',
        '};',
        'use super::native::{HasClass, Storage};',
        'use crate::php;',
        '',
        '/// A class of this extension.',
        '#[derive(Clone, Copy, Debug, PartialEq, Eq)]',
        'pub enum Class {',
    ];
    foreach ($classes as $class) {
        $out[] = "    /// `{$class->name}`";
        $out[] = '    ' . variant($class) . ',';
    }
    array_push(
        $out,
        '}',
        '',
        'impl Class {',
        '    /// How many there are.',
        '    pub const COUNT: usize = ' . count($classes) . ';',
        '    /// All of them, parents first.',
        '    pub const ALL: [Self; Self::COUNT] = [',
    );
    foreach ($names as $name) {
        $out[] = "        Self::$name,";
    }
    array_push($out, '    ];', '}', '');
    foreach ($states as $class) {
        array_push(
            $out,
            '// SAFETY: the one type that names this class.',
            'unsafe impl HasClass for ' . state($class) . ' {',
            '    const CLASS: Class = Class::' . variant($class) . ';',
            '}',
            '',
        );
    }
    $out[] = 'pub(super) static CLASSES: Fixed<[ClassRow; Class::COUNT]> = Fixed([';
    foreach ($classes as $class) {
        array_push($out, ...class_row($class, $classes));
    }
    $out[] = ']);';
    return implode("\n", $out) . "\n";
}

/** @return string[] lines */
function class_row(ReflectionClass $class, array $classes): array
{
    $out = [
        '    ClassRow {',
        '        name: ' . c_str($class->name) . ',',
        '        parent: ' . parent_of($class) . ',',
        '        flags: ' . class_flags($class) . ',',
    ];
    $methods = array_filter($class->getMethods(), fn ($m) => $m->getDeclaringClass()->name === $class->name);
    $out[] = '        methods: {';
    foreach ($methods as $method) {
        array_push($out, ...arguments($method));
    }
    $out[] = '            static METHODS: Fixed<[super::ffi::zend_function_entry; ' . (count($methods) + 1)
        . ']> = Fixed([';
    foreach ($methods as $method) {
        $max = $method->isVariadic() ? '{ u32::MAX }' : (string)$method->getNumberOfParameters();
        $out[] = sprintf(
            '                method(%s, entry::<%d, %s, _, _>(%s), &%s.0, %s),',
            c_str($method->name),
            $method->getNumberOfRequiredParameters(),
            $max,
            handler($method),
            table_name($method),
            $method->isStatic() ? 'is::PUBLIC | is::STATIC' : 'is::PUBLIC',
        );
        if (!$method->isPublic()) {
            throw new LogicException("{$class->name}::{$method->name}() is not public");
        }
    }
    array_push($out, '                END,', '            ]);', '            &METHODS.0', '        },');
    $constants = [];
    foreach ($class->getReflectionConstants() as $constant) {
        if ($constant->getDeclaringClass()->name === $class->name) {
            $constants[] = sprintf('("%s", %s)', $constant->name, constant_value($constant));
        }
    }
    $out[] = '        constants: ' . list_of($constants) . ',';
    $properties = [];
    foreach ($class->getProperties() as $property) {
        if ($property->getDeclaringClass()->name === $class->name) {
            $properties[] = sprintf('("%s", %s, %s)', $property->name, property_flags($property), type($property->getType()));
        }
    }
    $out[] = '        properties: ' . list_of($properties) . ',';
    $out[] = '        storage: ' . (has_state($class) ? 'Some(Storage::of::<' . state($class) . '>())' : 'None') . ',';
    $factory = has_state($class) && !$class->getConstructor() ? factory($class, $classes) : null;
    $out[] = '        factory: ' . ($factory === null ? 'None' : 'Some("' . addcslashes($factory, '\\') . '")') . ',';
    $out[] = '    },';
    return $out;
}

/** @return string[] lines of one method's argument table */
function arguments(ReflectionMethod $method): array
{
    $rows = $method->getParameters();
    $return = $method->getReturnType();
    $out = [
        sprintf(
            '            static %s: Arguments<%d> = Fixed([',
            table_name($method),
            count($rows) + 1,
        ),
        sprintf('                returns(%d, %s),', $method->getNumberOfRequiredParameters(), type($return)),
    ];
    foreach ($rows as $parameter) {
        if ($parameter->isPassedByReference()) {
            throw new LogicException("{$method->class}::{$method->name}(): no references");
        }
        $name = c_str($parameter->name);
        $type = type($parameter->getType());
        $out[] = '                ' . match (true) {
            $parameter->isVariadic() => "variadic($name, $type),",
            $parameter->isDefaultValueAvailable() => "optional($name, $type, " . c_str(php_default($parameter)) . '),',
            default => "required($name, $type),",
        };
    }
    $out[] = '            ]);';
    return $out;
}

/** A type as Rust, with the engine's bits. */
function type(?ReflectionType $type): string
{
    if ($type === null) {
        return 'builtin(0)';
    }
    $bits = [];
    $class = null;
    foreach ($type instanceof ReflectionUnionType ? $type->getTypes() : [$type] as $part) {
        if (!$part instanceof ReflectionNamedType) {
            throw new LogicException("$type: only names and unions of them");
        }
        $bit = match ($part->getName()) {
            'null' => 'of::NULL',
            'bool' => 'of::BOOL',
            'int' => 'of::INT',
            'float' => 'of::FLOAT',
            'string' => 'of::STRING',
            'array' => 'of::ARRAY',
            'object' => 'of::OBJECT',
            'mixed' => 'of::MIXED',
            'void' => 'of::VOID',
            'static' => 'of::STATIC',
            default => null,
        };
        if ($bit !== null) {
            $bits[] = $bit;
        } elseif ($class === null && ($part->getName() === 'self' || !$part->isBuiltin())) {
            $class = $part->getName();
        } else {
            throw new LogicException("$type: not supported yet");
        }
        if ($part->allowsNull() && !in_array($bit, ['of::NULL', 'of::MIXED'], true)) {
            $bits[] = 'of::NULL';
        }
    }
    $mask = $bits ? implode(' | ', array_unique($bits)) : '0';
    return $class === null ? "builtin($mask)" : 'class(' . c_str($class) . ", $mask)";
}

/** A default in PHP's notation. */
function php_default(ReflectionParameter $parameter): string
{
    return $parameter->isDefaultValueConstant()
        ? $parameter->getDefaultValueConstantName()
        : php_literal($parameter->getDefaultValue());
}

function php_literal(mixed $value): string
{
    if (!is_array($value)) {
        return $value === null ? 'null' : var_export($value, true);
    }
    $items = [];
    foreach ($value as $key => $item) {
        $items[] = (array_is_list($value) ? '' : php_literal($key) . ' => ') . php_literal($item);
    }
    return '[' . implode(', ', $items) . ']';
}

function constant_value(ReflectionClassConstant $constant): string
{
    $value = $constant->getValue();
    return match (true) {
        $constant->class === 'WRStats' && $constant->name === 'VERSION' => 'Constant::Str(env!("CARGO_PKG_VERSION"))',
        is_int($value) => "Constant::Int($value)",
        is_string($value) => 'Constant::Str("' . addcslashes($value, "\\\"\n\t\r") . '")',
        default => throw new LogicException("{$constant->class}::{$constant->name}: only int and string"),
    };
}

function property_flags(ReflectionProperty $property): string
{
    if (!$property->isPublic() || $property->isStatic() || !$property->hasType()) {
        throw new LogicException("{$property->class}::\${$property->name}: only public typed properties");
    }
    return $property->isReadOnly() ? 'is::PUBLIC | is::READONLY' : 'is::PUBLIC';
}

function parent_of(ReflectionClass $class): string
{
    $parent = $class->getParentClass();
    return match (true) {
        $parent === false => 'Parent::None',
        !$parent->isInternal() => 'Parent::Ours(Class::' . variant($parent) . ')',
        $parent->name === 'RuntimeException' => 'Parent::RuntimeException',
        default => throw new LogicException("{$class->name}: the parent {$parent->name} is not supported yet"),
    };
}

function class_flags(ReflectionClass $class): string
{
    $flags = $class->isFinal() ? ['is::FINAL'] : [];
    if (has_state($class)) {
        array_push($flags, 'is::NO_DYNAMIC_PROPERTIES', 'is::NOT_SERIALIZABLE');
    }
    return $flags ? implode(' | ', $flags) : '0';
}

/** Exceptions are the engine's own objects; everything else has Rust state. */
function has_state(ReflectionClass $class): bool
{
    return !$class->implementsInterface(Throwable::class);
}

/** The method that gives out objects of a class that has no constructor. */
function factory(ReflectionClass $class, array $classes): string
{
    foreach ($classes as $other) {
        foreach ($other->getMethods() as $method) {
            $returns = $method->getReturnType();
            $name = $returns instanceof ReflectionNamedType ? $returns->getName() : null;
            if ($name === $class->name || ($name === 'self' && $method->isStatic() && $other == $class)) {
                return "{$other->name}::{$method->name}";
            }
        }
    }
    throw new LogicException("{$class->name} has no constructor, and no method returns it");
}

function variant(ReflectionClass $class): string
{
    return $class->getShortName();
}

function module(ReflectionClass $class): string
{
    return $class->inNamespace() ? snake($class->getShortName()) : strtolower($class->name);
}

function state(ReflectionClass $class): string
{
    return 'php::' . module($class) . '::' . $class->getShortName();
}

function handler(ReflectionMethod $method): string
{
    $name = $method->isConstructor() ? 'construct' : snake($method->name);
    return 'php::' . module($method->getDeclaringClass()) . '::' . $name;
}

function table_name(ReflectionMethod $method): string
{
    return strtoupper($method->isConstructor() ? 'construct' : snake($method->name));
}

function snake(string $name): string
{
    return strtolower(preg_replace('/(?<=[a-z0-9])(?=[A-Z])/', '_', $name));
}

function c_str(string $text): string
{
    return 'c"' . addcslashes($text, "\\\"\n\t\r") . '"';
}

/** @param string[] $items */
function list_of(array $items): string
{
    if (!$items) {
        return '&[]';
    }
    return "&[\n            " . implode(",\n            ", $items) . ",\n        ]";
}

<?php

namespace WRStats\Console;

/** One of the things that `wrstats` does. */
interface Command
{
    /** All is well. */
    public const OK = 0;
    /** A server did not answer, or answered with an error. */
    public const UNANSWERED = 1;
    /** The command line is wrong. */
    public const USAGE = 2;
    /** The rate limit does not allow it. */
    public const REFUSED = 3;

    /** @return list<string> the options that it takes besides those of all commands; those with a value end in "=" */
    public static function options(): array;

    /**
     * @return int one of the codes above
     * @throws UsageError
     * @throws \WRStats\Exception when a server's answer is missing
     */
    public function run(Arguments $arguments, Setup $setup, Output $output): int;
}

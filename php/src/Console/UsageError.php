<?php

namespace WRStats\Console;

/** The command line, or what it refers to, is wrong. The message says how it would be right. */
final class UsageError extends \RuntimeException
{
}

<?php

namespace WRStats\Psr16;

/** A key or time to live that PSR-16 or memcached doesn't allow. */
final class InvalidArgument extends \InvalidArgumentException implements \Psr\SimpleCache\InvalidArgumentException
{
}

<?php

namespace WRStats\Laravel;

/** @internal */
trait FalseOnFailure
{
    /** What the call answers; false when the server did not, or answered with an error. */
    private function answer(\Closure $call): mixed
    {
        try {
            return $call();
        } catch (\WRStats\Exception) {
            return false;
        }
    }
}

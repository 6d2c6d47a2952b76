<?php

namespace WRStats\MediaWiki\Cache;

use UnexpectedValueException;

/** The base class's own serializing in WRStatsBagOStuff: of values in segments, and for what must know their size. */
trait Serializing
{
    // ---- the base class's own serializing, for values in segments ----

    protected function serialize($value)
    {
        if (is_int($value)) {
            return $value;
        }

        return $this->format->serialize($value);
    }

    protected function unserialize($value)
    {
        if ($this->isInteger($value)) {
            return (int)$value;
        }
        try {
            return $this->format->unserialize($value);
        } catch (UnexpectedValueException $error) {
            return $this->failed($error);
        }
    }

    /** Sizes only: what is serialized ahead of time would not be used. MediaWiki's up to 1.42. */
    public function setNewPreparedValues(array $valueByKey)
    {
        return $this->guessSerialSizeOfValues($valueByKey);
    }
}

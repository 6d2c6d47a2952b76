<?php

namespace WRStats\Laravel;

/** A lock for Laravel: an item that only one can add. Released by its owner only, checked and done in one step. */
final class Lock extends \Illuminate\Cache\Lock
{
    use FalseOnFailure;

    public function __construct(private readonly \WRStats $stats, string $name, $seconds, ?string $owner = null)
    {
        parent::__construct($name, $seconds, $owner);
    }

    public function acquire()
    {
        return $this->answer(fn () => $this->stats->add($this->name, $this->owner, Store::ttl($this->seconds)));
    }

    public function release()
    {
        return $this->answer(function () {
            $lock = $this->stats->get($this->name, \WRStats::GET_EXTENDED);
            if ($lock === null || $lock['value'] !== $this->owner) {
                return false;
            }
            // If it expired and was taken by another meanwhile, this fails. Held by nobody, it can't be added until deleted.
            return $this->stats->cas($lock['cas'], $this->name, '', 1) === true && $this->stats->delete($this->name);
        });
    }

    public function forceRelease()
    {
        $this->answer(fn () => $this->stats->delete($this->name));
    }

    protected function getCurrentOwner()
    {
        return $this->answer(fn () => $this->stats->get($this->name) ?? false);
    }
}

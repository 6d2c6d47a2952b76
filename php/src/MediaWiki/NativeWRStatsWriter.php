<?php

namespace WRStats\MediaWiki;

use Psr\Log\LoggerInterface;
use ValueError;
use Wikimedia\WRStats\EntityKey;
use Wikimedia\WRStats\WRStatsError;
use Wikimedia\WRStats\WRStatsWriter;
use WRStats\Writer;

/** MediaWiki's writer, on the extension's. Its time is read once and kept until resetCurrentTime(), as MediaWiki does. */
class NativeWRStatsWriter extends WRStatsWriter
{
    private bool $hasTime;

    /** @param int|float|null $now null: the clock's, when it is first needed */
    public function __construct(
        private readonly Writer $writer,
        $now,
        private readonly ?LoggerInterface $logger,
    ) {
        $this->hasTime = $now !== null;
        if ($this->hasTime) {
            $writer->setCurrentTime($now);
        }
    }

    public function incr($name, ?EntityKey $entity = null, $value = 1)
    {
        if (!$this->hasTime) {
            $this->setCurrentTime(microtime(true));
        }
        try {
            $this->writer->incr($name, $entity, $value);
        } catch (ValueError $error) {
            if ($value >= 0 && is_finite($value)) {
                throw new WRStatsError($error->getMessage(), 0, $error);
            }
            // A clock that was set back makes a negative duration: no reason to end the request.
            $this->logger?->warning('WRStats: {error}', ['error' => $error->getMessage()]);
        }
    }

    public function setCurrentTime($now)
    {
        $this->writer->setCurrentTime($now);
        $this->hasTime = true;
    }

    public function resetCurrentTime()
    {
        $this->writer->resetCurrentTime();
        $this->hasTime = false;
    }

    public function flush()
    {
        $this->writer->flush();
    }

    /** The extension's writer flushes when it goes, and at the request's end where destructors don't run. */
    public function __destruct()
    {
    }

    public function resetAll(?array $entities = null)
    {
        if (!$this->hasTime) {
            $this->setCurrentTime(microtime(true));
        }
        $this->writer->resetAll($entities);
    }
}

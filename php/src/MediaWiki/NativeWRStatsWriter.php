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
    // An edit makes 300 of these and calls each six times: declared types would cost it a quarter more.

    /** @var Writer */
    private $writer;
    /** @var LoggerInterface|null */
    private $logger;
    /** @var bool whether the extension's writer was told its time */
    private $hasTime;

    /** @param bool $hasTime whether the writer has a time that was set; else it is the clock's, when first needed */
    public function __construct(Writer $writer, bool $hasTime, ?LoggerInterface $logger)
    {
        $this->writer = $writer;
        $this->hasTime = $hasTime;
        $this->logger = $logger;
    }

    public function incr($name, ?EntityKey $entity = null, $value = 1)
    {
        if (!$this->hasTime) {
            $this->writer->setCurrentTime(microtime(true));
            $this->hasTime = true;
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

<?php

namespace WRStats\MediaWiki\Cache;

use Throwable;
use WRStats;

/** How WRStatsBagOStuff tells of errors: in the log, and by getLastError(). */
trait ErrorReports
{
    /** Reports that a background write was refused because too much is waiting for its server. */
    private function accepted(bool $accepted): bool
    {
        if (!$accepted) {
            $this->noteLastError();
        }

        return $accepted;
    }

    /** Whether the last call on the client met no error; one that it met is reported. */
    private function noteLastError(): bool
    {
        $code = $this->client->lastErrorCode();
        if ($code === WRStats::ERROR_NONE) {
            return true;
        }
        $this->logger->error('Memcached error: {error}', ['error' => $this->client->lastError()]);
        $this->setLastError($code);

        return false;
    }

    /** Reports an error and answers false. */
    private function failed(Throwable $error, ?string $key = null): bool
    {
        $context = ['error' => $error->getMessage()];
        $message = 'Memcached error: {error}';
        if ($key !== null) {
            $message = 'Memcached error for key "{memcached-key}": {error}';
            $context['memcached-key'] = $key;
        }
        if ($error instanceof WRStats\Exception) {
            $message = 'Memcached error for key "{memcached-key}" on server "{memcached-server}": {error}';
            $context['memcached-server'] = $error->getServer();
        }
        $this->logger->error($message, $context);
        // WRStats numbers its errors as BagOStuff does.
        $this->setLastError($error instanceof WRStats\Exception ? $error->getCode() : self::ERR_UNEXPECTED);

        return false;
    }
}

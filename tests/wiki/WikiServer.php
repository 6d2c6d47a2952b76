<?php

namespace WRStats\Tests;

require_once __DIR__ . '/../support/php/Server.php';

/** `php -S` in front of a wiki. It ends with the process that started it. */
final class WikiServer
{
    /** @param resource $process */
    private function __construct(
        public readonly string $address,
        private $process,
        private readonly string $log,
        private readonly int $owner,
    ) {
        register_shutdown_function($this->end(...));
    }

    public static function start(array $php, string $code, string $settings, string $log): self
    {
        $address = Server::freePort();
        $process = proc_open(
            [...$php, '-d', "error_log=$log", '-S', $address, '-t', $code, __DIR__ . '/front.php'],
            [['file', '/dev/null', 'r'], ['file', '/dev/null', 'w'], ['file', '/dev/null', 'w']],
            $pipes,
            null,
            ['MW_CONFIG_FILE' => $settings, 'MW_INSTALL_PATH' => $code] + getenv(),
        );
        $server = new self($address, $process, $log, getmypid());
        for ($tries = 0; $tries < 250; $tries++) {
            if (@stream_socket_client("tcp://$address", $errno, $error, 0.1) !== false) {
                return $server;
            }
            usleep(20_000);
        }
        throw new \RuntimeException('php -S did not start');
    }

    /** What front.php says at one of its own addresses. */
    public function ask(string $path): array
    {
        $body = (new Browser($this->address))->get($path);

        return json_decode($body, true) ?? throw new \RuntimeException("$path: $body " . $this->log());
    }

    /** What PHP logged: nothing, if all went well. */
    public function log(): string
    {
        return is_file($this->log) ? file_get_contents($this->log) : '';
    }

    public function end(): void
    {
        // A forked child inherits the shutdown function, not the server.
        if ($this->owner !== getmypid() || $this->process === null) {
            return;
        }
        proc_terminate($this->process);
        proc_close($this->process);
        $this->process = null;
    }
}

<?php

namespace WRStats\Tests;

require_once __DIR__ . '/Server.php';

/**
 * PHP's built-in web server: one process that answers one request after the other, as an FPM worker does. It ends with
 * the process that started it.
 */
final class WebServer
{
    /** @param resource $process */
    private function __construct(
        private readonly string $address,
        private $process,
        private readonly string $script,
        private readonly int $owner,
    ) {
        register_shutdown_function($this->end(...));
    }

    /**
     * @param string $php the command line of a PHP with the extension
     * @param string $code answers every request; $_GET is the query
     */
    public static function running(string $php, string $code): self
    {
        $address = Server::freePort();
        $script = tempnam(sys_get_temp_dir(), 'wrstats');
        file_put_contents($script, "<?php\n$code\n");
        // exec: the process is PHP itself, not a shell around it.
        $process = proc_open("exec $php -S $address " . escapeshellarg($script), [
            ['file', '/dev/null', 'r'], ['file', '/dev/null', 'w'], ['file', '/dev/null', 'w'],
        ], $pipes);
        $server = new self($address, $process, $script, getmypid());
        for ($tries = 0; $tries < 1000; $tries++) {
            if (@stream_socket_client("tcp://$address", $errno, $error, 0.1) !== false) {
                return $server;
            }
            usleep(20_000);
        }
        throw new \RuntimeException('php -S did not start');
    }

    /** Where a request can be sent. */
    public function url(string $query): string
    {
        return "http://$this->address/?$query";
    }

    public function pid(): int
    {
        return proc_get_status($this->process)['pid'];
    }

    /** The answer's body. */
    public function get(string $query): string
    {
        return file_get_contents($this->url($query), false, stream_context_create([
            'http' => ['ignore_errors' => true, 'timeout' => 20],
        ]));
    }

    private function end(): void
    {
        // A forked child inherits the shutdown function, not the server.
        if ($this->owner !== getmypid()) {
            return;
        }
        proc_terminate($this->process, 9);
        proc_close($this->process);
        unlink($this->script);
    }
}

<?php

namespace WRStats\Tests;

require_once __DIR__ . '/Server.php';

/** A twemproxy of a test's own, on a free loopback port. It ends with the process that started it. */
final class Twemproxy
{
    /** @param resource $process */
    private function __construct(
        public readonly string $address,
        private $process,
        private readonly string $folder,
        private readonly int $owner,
    ) {
        register_shutdown_function($this->end(...));
    }

    /** @param string $backends "host:port" each */
    public static function inFrontOf(string ...$backends): self
    {
        $address = Server::freePort();
        $folder = sys_get_temp_dir() . '/wrstats-' . bin2hex(random_bytes(6));
        mkdir($folder, 0700);
        // Named, so that keys go the same way whatever the ports.
        $servers = '';
        foreach ($backends as $index => $backend) {
            $servers .= "    - $backend:1 server$index\n";
        }
        file_put_contents("$folder/nutcracker.yml", "pool:\n  listen: $address\n  hash: md5\n"
            . "  distribution: ketama\n  timeout: 2000\n  servers:\n$servers");
        // Its own books must not take the well-known port.
        [, $books] = explode(':', Server::freePort());
        $process = proc_open(
            ['nutcracker', '-c', "$folder/nutcracker.yml", '-a', '127.0.0.1', '-s', $books, '-o', "$folder/log"],
            [['file', '/dev/null', 'r'], ['file', '/dev/null', 'w'], ['file', '/dev/null', 'w']],
            $pipes,
        );
        $proxy = new self($address, $process, $folder, getmypid());
        for ($tries = 0; $tries < 200; $tries++) {
            $probe = @stream_socket_client("tcp://$address", $code, $message, 0.1);
            if ($probe !== false) {
                return $proxy;
            }
            usleep(20_000);
        }
        throw new \RuntimeException('twemproxy did not start: ' . @file_get_contents("$folder/log"));
    }

    private function end(): void
    {
        // A forked child inherits the shutdown function, not the proxy.
        if ($this->owner !== getmypid()) {
            return;
        }
        proc_terminate($this->process, 9);
        proc_close($this->process);
        array_map(unlink(...), glob("$this->folder/*"));
        rmdir($this->folder);
    }
}

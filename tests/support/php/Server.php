<?php

namespace WRStats\Tests;

require_once __DIR__ . '/RawClient.php';

/**
 * A memcached of a test's own, for what can't be done to a shared one: pausing, killing, other options. It ends with
 * the process that started it.
 */
final class Server
{
    /** Few connections: valgrind's children may open few files. */
    private const SMALL = ['-m', '64', '-t', '1', '-c', '256'];

    /** @var resource|null */
    private $process = null;
    private ?int $owner = null;

    private function __construct(
        public readonly string $address,
        private readonly array $command,
        private readonly array $folders,
    ) {
        register_shutdown_function($this->end(...));
    }

    /** On a free loopback port, which it keeps over restarts: of 127.0.0.1, or of all addresses named by an option -l. */
    public static function tcp(string ...$options): self
    {
        $server = new self(
            self::freePort(),
            ['memcached', '-u', self::user(), '-U', '0', ...self::SMALL, ...$options],
            [],
        );
        $server->start();

        return $server;
    }

    /** On a socket in a private folder. */
    public static function unix(string ...$options): self
    {
        $folder = sys_get_temp_dir() . '/wrstats-' . bin2hex(random_bytes(6));
        mkdir($folder, 0700);
        $path = "$folder/memcached.sock";
        $server = new self(
            $path,
            ['memcached', '-u', self::user(), '-s', $path, ...self::SMALL, ...$options],
            [$folder],
        );
        $server->start();

        return $server;
    }

    public function start(): void
    {
        $command = $this->command;
        if ($this->address[0] !== '/') {
            [$host, $port] = explode(':', $this->address);
            array_push($command, '-p', $port, ...in_array('-l', $command, true) ? [] : ['-l', $host]);
        }
        // Standard error is inherited. Handed over as STDERR, PHP would rewind it, and with it our output, if both are one file.
        $this->process = proc_open($command, [['file', '/dev/null', 'r'], ['file', '/dev/null', 'w']], $pipes);
        $this->owner = getmypid();
        for ($tries = 0; $tries < 200; $tries++) {
            try {
                (new RawClient($this->address))->command('version');

                return;
            } catch (\RuntimeException) {
                usleep(20_000);
            }
        }
        throw new \RuntimeException('memcached did not start: ' . implode(' ', $command));
    }

    /** Ends it at once; what it held is gone. */
    public function kill(): void
    {
        if ($this->process !== null) {
            proc_terminate($this->process, 9);
            proc_close($this->process);
            $this->process = null;
        }
    }

    public function restart(): void
    {
        $this->kill();
        $this->start();
    }

    /** Connects and accepts bytes as before, answers nothing. */
    public function pause(): void
    {
        proc_terminate($this->process, 19);
        // The signal is delivered to each thread when it next runs; one that runs may still answer.
        $isRunning = fn(string $stat) => !preg_match('/\) T /', (string)@file_get_contents($stat));
        for ($tries = 0; array_filter(glob("/proc/{$this->pid()}/task/*/stat"), $isRunning); $tries++) {
            if ($tries === 5000) {
                throw new \RuntimeException('memcached does not stop');
            }
            usleep(1000);
        }
    }

    public function resume(): void
    {
        proc_terminate($this->process, 18);
    }

    public function pid(): int
    {
        return proc_get_status($this->process)['pid'];
    }

    public function raw(): RawClient
    {
        return new RawClient($this->address);
    }

    /** memcached started by root wants to be told whose rights to take. */
    private static function user(): string
    {
        return trim(shell_exec('id -un'));
    }

    /** "127.0.0.1:port" where nothing listens. */
    public static function freePort(): string
    {
        $probe = stream_socket_server('tcp://127.0.0.1:0');
        $address = stream_socket_get_name($probe, false);
        fclose($probe);

        return $address;
    }

    private function end(): void
    {
        // A forked child inherits the shutdown function, not the server.
        if ($this->owner !== getmypid()) {
            return;
        }
        $this->kill();
        foreach ($this->folders as $folder) {
            array_map(unlink(...), glob("$folder/*"));
            rmdir($folder);
        }
    }
}

<?php

namespace WRStats\Tests;

require_once __DIR__ . '/Server.php';

/** A PHP-FPM of a test's own on a private socket, and just enough FastCGI to ask it. It ends with the process that started it. */
final class Fpm
{
    private const BEGIN_REQUEST = 1;
    private const END_REQUEST = 3;
    private const PARAMS = 4;
    private const STDIN = 5;
    private const STDOUT = 6;

    /** @param resource $process */
    private function __construct(private $process, private readonly string $folder, private readonly int $owner)
    {
        register_shutdown_function($this->end(...));
    }

    /**
     * @param string $options of PHP's command line: those that load the extension
     * @param string $code answers every request; $_GET is the query
     * @param string $pool further lines of the pool's configuration
     * @param string $global the same of all pools
     * @param string $under a command that it is run by, such as valgrind
     */
    public static function running(string $options, string $code, int $workers = 1, string $pool = '', string $global = '', string $under = ''): self
    {
        $folder = sys_get_temp_dir() . '/wrstats-' . bin2hex(random_bytes(6));
        mkdir($folder, 0700);
        file_put_contents("$folder/index.php", "<?php\n$code\n");
        file_put_contents("$folder/fpm.conf", "[global]\nerror_log = $folder/log\ndaemonize = no\n$global\n"
            . "[www]\nuser = " . trim(shell_exec('id -un')) . "\ngroup = " . trim(shell_exec('id -gn')) . "\n"
            . "listen = $folder/fpm.sock\npm = static\npm.max_children = $workers\nclear_env = no\n$pool\n");
        $command = self::binary() . " -R -F $options -y $folder/fpm.conf";
        $process = proc_open("exec $under $command", [
            ['file', '/dev/null', 'r'], ['file', '/dev/null', 'w'], ['file', '/dev/null', 'w'],
        ], $pipes);
        $fpm = new self($process, $folder, getmypid());
        for ($tries = 0; $tries < 1000; $tries++) {
            if (@stream_socket_client("unix://$folder/fpm.sock", $errno, $error, 0.1) !== false) {
                return $fpm;
            }
            usleep(20_000);
        }
        throw new \RuntimeException("php-fpm did not start: $command\n" . @file_get_contents("$folder/log"));
    }

    /** The answer's body; null: none, the worker or the master went away. */
    public function get(string $query = ''): ?string
    {
        $stream = $this->send($query);

        return $stream === null ? null : $this->receive($stream);
    }

    /** @return resource|null what receive() takes: several may be under way */
    public function send(string $query = '')
    {
        $stream = @stream_socket_client("unix://$this->folder/fpm.sock", $errno, $error, 5);
        if ($stream === false) {
            return null;
        }
        stream_set_timeout($stream, 20);
        $parameters = '';
        foreach ([
            'SCRIPT_FILENAME' => "$this->folder/index.php",
            'QUERY_STRING' => $query,
            'REQUEST_METHOD' => 'GET',
            'SERVER_PROTOCOL' => 'HTTP/1.1',
        ] as $name => $value) {
            // Lengths above 127 take four bytes with the top bit set.
            $parameters .= pack('CN', strlen($name), strlen($value) | 1 << 31) . $name . $value;
        }
        $request = self::record(self::BEGIN_REQUEST, pack('nCx5', 1, 0)) . self::record(self::PARAMS, $parameters)
            . self::record(self::PARAMS, '') . self::record(self::STDIN, '');

        // A worker that is killed just now takes no request: that there is no answer is for the caller to judge.
        return @fwrite($stream, $request) === strlen($request) ? $stream : null;
    }

    /** @param resource $stream */
    public function receive($stream): ?string
    {
        $output = '';
        while (strlen($head = (string)stream_get_contents($stream, 8)) === 8) {
            ['type' => $type, 'length' => $length, 'padding' => $padding] = unpack('Cversion/Ctype/nid/nlength/Cpadding', $head);
            $content = $length + $padding > 0 ? stream_get_contents($stream, $length + $padding) : '';
            if ($type === self::STDOUT) {
                $output .= substr($content, 0, $length);
            } elseif ($type === self::END_REQUEST) {
                return explode("\r\n\r\n", $output, 2)[1] ?? '';
            }
        }

        return null;
    }

    /** New workers with the same configuration, as `systemctl reload php-fpm` does. */
    public function reload(): void
    {
        proc_terminate($this->process, 12);
    }

    /** Lets the workers finish their requests, then ends: SIGQUIT. Waits for that. */
    public function quit(): void
    {
        proc_terminate($this->process, 3);
        for ($tries = 0; $tries < 1_000 && proc_get_status($this->process)['running']; $tries++) {
            usleep(10_000);
        }
    }

    private static function record(int $type, string $content): string
    {
        return pack('CCnnCx', 1, $type, 1, strlen($content), 0) . $content;
    }

    private static function binary(): string
    {
        $version = PHP_MAJOR_VERSION . '.' . PHP_MINOR_VERSION;
        foreach (["php-fpm$version", 'php-fpm'] as $name) {
            // The one that was installed with this PHP.
            $path = dirname(PHP_BINARY, 2) . "/sbin/$name";
            if (is_executable($path)) {
                return $path;
            }
        }
        throw new \RuntimeException('php-fpm is not installed: run `make deps`');
    }

    private function end(): void
    {
        // A forked child inherits the shutdown function, not FPM.
        if ($this->owner !== getmypid()) {
            return;
        }
        // SIGTERM: the master ends its workers too. After a reload the process is the same one.
        proc_terminate($this->process);
        proc_close($this->process);
        array_map(unlink(...), glob("$this->folder/*"));
        rmdir($this->folder);
    }
}

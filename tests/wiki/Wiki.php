<?php

namespace WRStats\Tests;

use PDO;

/** A fresh MediaWiki on SQLite in a folder of its own, with AbuseFilter; its code is shared and not written to. */
final class Wiki
{
    public const ADMIN = 'Admin';
    public const PASSWORD = 'long-enough-pass1';

    private const MEMCACHED_LOG = 'memcached.log';

    private function __construct(
        public readonly string $folder,
        public readonly string $code,
        private readonly array $php,
    ) {
    }

    /**
     * @param string $folder of the wiki's own, there already
     * @param string $code MediaWiki's
     * @param string[] $php the command line of a PHP with what MediaWiki, PECL memcached and the extension need
     */
    public static function install(string $folder, string $code, array $php): self
    {
        $wiki = new self($folder, $code, $php);
        mkdir("$folder/data");
        $wiki->maintenance('install', [
            '--confpath', $folder, '--dbtype', 'sqlite', '--dbpath', "$folder/data", '--dbname', 'wiki',
            '--server', 'http://127.0.0.1', '--scriptpath', '', '--lang', 'en', '--pass', self::PASSWORD,
            '--extensions', 'AbuseFilter', 'Testwiki', self::ADMIN,
        ]);
        // One file for all web servers; each has its own beside it.
        rename("$folder/LocalSettings.php", "$folder/installed.php");
        file_put_contents("$folder/common.php", <<<'PHP'
            <?php
            require __DIR__ . '/installed.php';
            $wgServer = 'http://' . ($_SERVER['HTTP_HOST'] ?? '127.0.0.1');
            $wgDebugLogGroups['memcached'] = ['destination' => __DIR__ . '/memcached.log', 'level' => 'error'];
            $wgJobRunRate = 0;
            $wgShowExceptionDetails = true;
            // Many write at once: wait for each other rather than fail.
            $wgDBservers = [[
                'type' => 'sqlite', 'dbname' => 'wiki', 'host' => '', 'user' => '', 'password' => '', 'load' => 1,
                'dbDirectory' => $wgSQLiteDataDir, 'trxMode' => 'IMMEDIATE', 'variables' => ['synchronous' => 'OFF'],
            ]];
            // What edits cost, not who may make how many: a test of that says otherwise.
            $wgRateLimits = [];
            // See stopInNextRequest(): behind everything that the request waits for, before it counts.
            $wgExtensionFunctions[] = static function () {
                $pid = (int)@file_get_contents(__DIR__ . '/stop');
                if ($pid && unlink(__DIR__ . '/stop')) {
                    DeferredUpdates::addCallableUpdate(static function () use ($pid) {
                        posix_kill($pid, 19);
                        usleep(50_000);
                    });
                }
            };

            PHP);

        return $wiki;
    }

    /** Runs a maintenance script; with settings of a web server, if any are given. Answers what it printed. */
    public function maintenance(string $script, array $arguments, ?string $settings = null, string $input = ''): string
    {
        $environment = getenv();
        if ($settings !== null) {
            $environment['MW_CONFIG_FILE'] = $settings;
        }
        $process = proc_open(
            [...$this->php, "$this->code/maintenance/$script.php", ...$arguments],
            [['pipe', 'r'], ['pipe', 'w'], ['file', "$this->folder/maintenance.log", 'a']],
            $pipes,
            null,
            $environment,
        );
        fwrite($pipes[0], $input);
        fclose($pipes[0]);
        $output = stream_get_contents($pipes[1]);
        if (proc_close($process) !== 0) {
            throw new \RuntimeException("maintenance/$script.php failed: $output"
                . file_get_contents("$this->folder/maintenance.log"));
        }

        return $output;
    }

    /**
     * Filters that only log. Filter number n matches text with the word "word<n>x", and always evaluates two conditions.
     */
    public function addFilters(int $count): void
    {
        $database = new PDO("sqlite:$this->folder/data/wiki.sqlite");
        // Who made it: a user's number and name, from MediaWiki 1.41 on an actor's number.
        $columns = array_column($database->query('PRAGMA table_info(abuse_filter)')->fetchAll(), 'name');
        $maker = array_intersect_key(['af_user' => 1, 'af_user_text' => self::ADMIN, 'af_actor' => 1], array_flip($columns));
        $insert = $database->prepare('INSERT INTO abuse_filter (af_id, af_pattern, af_timestamp, af_enabled, af_comments,
            af_public_comments, ' . implode(', ', array_keys($maker)) . ") VALUES (?, ?, '20240101000000', 1, '', ?"
            . str_repeat(', ?', count($maker)) . ')');
        $database->beginTransaction();
        for ($n = 1; $n <= $count; $n++) {
            $pattern = "action === 'edit' & added_lines contains 'word{$n}x'";
            $insert->execute([$n, $pattern, "Filter $n", ...array_values($maker)]);
        }
        $database->commit();
    }

    public function addUser(string $name): void
    {
        $settings = $this->settings('maintenance', '');
        $this->maintenance('createAndPromote', [$name, self::PASSWORD], $settings);
    }

    /** How many revisions the database has. */
    public function revisions(): int
    {
        return (int)(new PDO("sqlite:$this->folder/data/wiki.sqlite"))->query('SELECT count(*) FROM revision')->fetchColumn();
    }

    /** The LocalSettings.php of one web server. */
    public function settings(string $name, string $code): string
    {
        $file = "$this->folder/$name.settings.php";
        file_put_contents($file, "<?php\nrequire __DIR__ . '/common.php';\n$code\n");

        return $file;
    }

    /** A web server with these settings: one process that answers one request after the other, as an FPM worker does. */
    public function serve(string $name, string $settings): WikiServer
    {
        return WikiServer::start($this->php, $this->code, $this->settings($name, $settings), "$this->folder/$name.log");
    }

    /** Has a process stopped, as by SIGSTOP, when the next request has been answered and before it counts anything. */
    public function stopInNextRequest(int $pid): void
    {
        file_put_contents("$this->folder/stop", (string)$pid);
    }

    /** The errors that MediaWiki logged of memcached since this was asked for last. */
    public function memcachedLog(): string
    {
        $log = @file_get_contents("$this->folder/" . self::MEMCACHED_LOG) ?: '';
        @unlink("$this->folder/" . self::MEMCACHED_LOG);

        return $log;
    }
}

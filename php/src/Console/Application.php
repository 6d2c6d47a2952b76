<?php

namespace WRStats\Console;

use WRStats;

/** The command `wrstats`: chooses what is to be done, and turns what goes wrong into a line on stderr and an exit code. */
final class Application
{
    private const COMMANDS = [
        'status' => Status::class,
        'read' => Read::class,
        'watch' => Watch::class,
        'reset' => Reset::class,
        'limit' => Limit::class,
    ];
    private const COMMON = [...Setup::OPTIONS, 'json', 'help', 'version'];

    private const HELP = <<<'END'
        wrstats: looks at servers, statistics and rate limits on memcached.

          wrstats status                     servers: state, dialect, version, round trip
          wrstats read [METRIC...]           totals and rates               --window=600
          wrstats watch [METRIC...]          live rates, redrawn            --interval=2 --window=60 --count=N
          wrstats reset METRIC...            deletes what was counted       --yes
          wrstats limit CONDITION            may it happen now?             --limit=8 --window=60 --amount=1
                                             --take counts it if it may; --forget forgives
                                             --strict, --buckets=30 as the limiter has them

        METRIC and CONDITION are NAME, NAME@a,b for a local entity of components a and b, NAME@@a,b for a global one.

        For all:
          --servers=LIST       "10.0.0.1:11211,10.0.0.2:11211" or a DSN; else from --config, else wrstats.servers in php.ini
          --prefix=A,B         the prefix given to createWriter() or createRateLimiter(); else from --config, else WRStats
          --metric=NAME:step=600,expiry=3600,resolution=1
                               how a metric is written; may be repeated
          --config=FILE        all of that from a PHP file that returns an array, or a .json file (also: $WRSTATS_CONFIG):
                               'connection' => [what new WRStats() takes], 'prefix' => ..., 'metrics' => [what createReader()
                               takes], 'limits' => [what createRateLimiter() takes], 'limitOptions' => [...]
          --json               for scripts: a JSON object in one line (watch: one for each reading)
          --help, --version

        Exit code: 0 done or allowed; 1 a server did not answer; 2 wrong usage; 3 the limit does not allow it.
        END;

    /**
     * @param resource $out
     * @param resource $err
     */
    public function __construct(private $out, private $err)
    {
    }

    /**
     * @param list<string> $words the command line without the program's name
     * @return int the exit code, one of Command's constants
     */
    public function run(array $words): int
    {
        $output = new Output($this->out, $this->err, in_array('--json', $words, true));
        try {
            return $this->command($words, $output);
        } catch (UsageError | \ValueError $error) {
            $output->error("{$error->getMessage()} (wrstats --help tells more)");

            return Command::USAGE;
        } catch (WRStats\Exception $error) {
            $output->error($error->getMessage());

            return Command::UNANSWERED;
        }
    }

    private function command(array $words, Output $output): int
    {
        $name = $words[0] ?? '';
        $command = self::COMMANDS[$name] ?? null;
        $arguments = Arguments::parse(
            $command === null ? $words : array_slice($words, 1),
            [...self::COMMON, ...$command === null ? [] : $command::options()],
        );
        if ($arguments->has('help') || $name === 'help') {
            $output->line(self::HELP);

            return Command::OK;
        }
        if ($arguments->has('version')) {
            $output->line('wrstats ' . WRStats::VERSION);

            return Command::OK;
        }
        if ($command === null) {
            $given = $arguments->positional[0] ?? null;
            throw new UsageError(($given === null ? 'say what to do' : "there is no command \"$given\"") . ': '
                . implode(', ', array_keys(self::COMMANDS)));
        }

        return (new $command())->run($arguments, Setup::of($arguments), $output);
    }
}

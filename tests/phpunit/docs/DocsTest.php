<?php

namespace WRStats\Tests;

use PHPUnit\Framework\TestCase;

/** What the documentation says besides its snippets, which tests/support/snippets.sh runs. */
final class DocsTest extends TestCase
{
    private const ROOT = __DIR__ . '/../../..';

    /** @return list<string> */
    private static function pages(): array
    {
        return [...glob(self::ROOT . '/*.md'), ...glob(self::ROOT . '/docs/*.md')];
    }

    public function testEveryLinkLeadsSomewhere(): void
    {
        $checked = 0;
        foreach (self::pages() as $page) {
            // Not within code.
            $text = preg_replace('/^```.*?^```$/ms', '', file_get_contents($page));
            preg_match_all('/\]\(([^)\s]+)\)/', $text, $links);
            foreach ($links[1] as $link) {
                if (preg_match('/^https?:/', $link)) {
                    continue;
                }
                [$file, $anchor] = explode('#', $link, 2) + [1 => ''];
                $target = $file === '' ? $page : dirname($page) . "/$file";
                $this->assertFileExists($target, "$page: $link");
                if ($anchor !== '') {
                    $this->assertContains($anchor, self::anchors($target), "$page: $link");
                }
                $checked++;
            }
        }
        $this->assertGreaterThan(20, $checked);
    }

    /** @return list<string> as GitHub makes them */
    private static function anchors(string $page): array
    {
        preg_match_all('/^#+ (.+)$/m', file_get_contents($page), $headings);

        return array_map(
            fn (string $heading) => str_replace(' ', '-', strtolower(preg_replace('/[^\w -]/u', '', $heading))),
            $headings[1],
        );
    }

    public function testEveryPageCanBeFoundFromTheReadme(): void
    {
        $seen = [];
        $todo = [realpath(self::ROOT . '/README.md')];
        while ($page = array_pop($todo)) {
            $seen[$page] = true;
            preg_match_all('/\]\(([^)#\s]+\.md)/', file_get_contents($page), $links);
            foreach ($links[1] as $link) {
                $target = realpath(dirname($page) . "/$link");
                if ($target !== false && !isset($seen[$target])) {
                    $todo[] = $target;
                }
            }
        }
        foreach (glob(self::ROOT . '/docs/*.md') as $page) {
            $this->assertArrayHasKey(realpath($page), $seen);
        }
    }

    /** @return iterable<string, array{string, float, float, float}> setting, default, least, most */
    public function ranges(): iterable
    {
        preg_match_all(
            '/^\| `(\w+)` \| ([\d.]+) \| ([\d.]+) to ([\d.]+) \| (?:s|bytes) \|$/m',
            file_get_contents(self::ROOT . '/docs/settings.md'),
            $rows,
            PREG_SET_ORDER,
        );
        foreach ($rows as [, $name, $default, $least, $most]) {
            yield $name => [$name, (float)$default, (float)$least, (float)$most];
        }
    }

    public function testAllNumbersAmongTheSettingsHaveARange(): void
    {
        $this->assertSame(
            ['connect_timeout', 'timeout', 'retry_interval', 'buffer_bytes', 'flush_interval', 'shutdown_timeout'],
            array_keys(iterator_to_array($this->ranges())),
        );
    }

    /** @dataProvider ranges */
    public function testASettingsRangeIsAsDocumentedEverywhere(string $name, float $default, float $least, float $most): void
    {
        $this->assertEquals($default, (float)ini_get("wrstats.$name"), 'default');
        $number = fn (float $value) => $name === 'buffer_bytes' ? (int)$value : $value;
        foreach ([$default, $least, $most] as $good) {
            new \WRStats(['servers' => ['memory:'], $name => $number($good)]);
        }
        foreach ([$least - ($name === 'buffer_bytes' ? 1 : 0.0009), $most + 1] as $bad) {
            try {
                new \WRStats(['servers' => ['memory:'], $name => $number($bad)]);
                $this->fail("$name => $bad was taken");
            } catch (\ValueError $error) {
                $this->assertStringContainsString($name, $error->getMessage());
            }
        }
        $in = $name === 'buffer_bytes' ? 'Bytes' : 'Seconds';
        $this->assertMatchesRegularExpression(
            sprintf('/^; .*%s, %s to %s[.;].*\n;wrstats\.%s = /m', $in, preg_quote((string)$least), (int)$most, $name),
            file_get_contents(self::ROOT . '/wrstats.ini'),
            'wrstats.ini',
        );
    }

    public function testTheTutorialsEndpointLetsTenInAndNoMore(): void
    {
        $this->assertSame(1, preg_match(
            '/<!-- endpoint -->\n```php\n<\?php (.*?)^```$/ms',
            file_get_contents(self::ROOT . '/docs/tutorial.md'),
            $endpoint,
        ));
        require_once __DIR__ . '/../../support/php/WebServer.php';
        $extension = getenv('WRSTATS_EXTENSION') ?: realpath(self::ROOT . '/target/release/libwrstats.so');
        // Limits of its own: other tests count, too.
        $code = strtr($endpoint[1], [
            '127.0.0.1:11211' => getenv('WRSTATS_TEST_SERVER'),
            "'tutorial'" => "'tutorial" . bin2hex(random_bytes(6)) . "'",
        ]);
        $server = WebServer::running(PHP_BINARY . " -n -d extension=$extension", $code);
        $answers = [];
        for ($i = 0; $i < 12; $i++) {
            $answers[] = $server->get('');
        }
        $this->assertSame('Found something. 9 more this minute.', trim($answers[0]));
        $this->assertSame('Found something. 0 more this minute.', trim($answers[9]));
        $this->assertSame(['Slow down.', 'Slow down.'], array_map(trim(...), array_slice($answers, 10)));
    }
}

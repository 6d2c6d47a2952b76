<?php

namespace WRStats\Console;

/** `wrstats reset`: deletes what was counted of metrics. */
final class Reset implements Command
{
    public static function options(): array
    {
        return ['yes'];
    }

    public function run(Arguments $arguments, Setup $setup, Output $output): int
    {
        if ($arguments->positional === []) {
            throw new UsageError('reset: name what is to be deleted: METRIC, METRIC@a,b');
        }
        $targets = $setup->targets($arguments);
        if (!$arguments->has('yes') && !$this->confirmed($targets, $output)) {
            throw new UsageError('reset: nothing was deleted; to do it without a question, add --yes');
        }
        // Earlier failures of this pool are none of ours.
        $setup->stats->sync();
        foreach ($targets as $target) {
            $spec = [$target->name => $setup->metrics[$target->name]];
            $setup->stats->createWriter($spec, $setup->prefix)->resetAll([$target->entity()]);
        }
        if (!$setup->stats->sync()) {
            $output->error('not everything was deleted: ' . ($setup->stats->lastError() ?? 'a server did not confirm it'));

            return self::UNANSWERED;
        }
        $names = array_map(fn (Target $target) => $target->text, $targets);
        $output->json ? $output->json(['reset' => $names]) : $output->line('deleted: ' . implode(' ', $names));

        return self::OK;
    }

    /** @param list<Target> $targets */
    private function confirmed(array $targets, Output $output): bool
    {
        if (!$output->terminal || !stream_isatty(STDIN)) {
            return false;
        }
        $names = implode(' ', array_map(fn (Target $target) => $target->text, $targets));
        $output->line("Delete all that was counted of $names? [y/N]");

        return in_array(strtolower(trim((string)fgets(STDIN))), ['y', 'yes'], true);
    }
}
